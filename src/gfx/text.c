// Letters for the HUD: one instanced draw over a batch of rectangles, each a cell of the font's
// atlas or filled.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/font.h"
#include "gfx/gfx.h"

enum { LETTERS_MOST = 8192, FILLED = -1, NO_CHARACTER = 0xffff };

typedef struct {
    float x, y, width, height; // pixels of the target, y down
    int32_t cell;              // of the atlas, or FILLED
    uint8_t rgba[4];
} Letter;

struct Text {
    Program *program;
    Stream *stream;
    GLuint vertex_array, atlas;
    Letter *letters;
    int count;
};

static GLuint new_atlas(void)
{
    return texture_new(&(TextureDesc){
        .size = { font.columns * font.cell_width, font.rows * font.cell_height },
        .format = GL_R8,
        .smooth = true,
        .layout = GL_RED,
        .type = GL_UNSIGNED_BYTE,
        .pixels = font.pixels,
    });
}

static GLuint bound_vertex_array(void)
{
    GLint bound = 0;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    return (GLuint)bound;
}

static GLuint new_vertex_array(void)
{
    GLuint array = 0;
    const GLuint before = bound_vertex_array();
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(before);
    return array;
}

const ProgramDesc text_shaders = { "text.vert", "text.frag" };

Text *text_new(const char *shader_folder, char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "letters: out of memory");
    Text *text = calloc(1, sizeof *text);
    if (!text) return NULL;
    text->letters = malloc(LETTERS_MOST * sizeof *text->letters);
    if (!text->letters) goto fail;
    text->program = program_load(shader_folder, &text_shaders, why, why_size);
    if (!text->program) goto fail;
    text->stream = stream_new(LETTERS_MOST * sizeof *text->letters, why, why_size);
    if (!text->stream) goto fail;
    text->atlas = new_atlas();
    text->vertex_array = new_vertex_array();
    return text;

fail:
    text_free(text);
    return NULL;
}

void text_free(Text *text)
{
    if (!text) return;
    if (text->atlas) glDeleteTextures(1, &text->atlas);
    if (text->vertex_array) glDeleteVertexArrays(1, &text->vertex_array);
    program_free(text->program);
    stream_free(text->stream);
    free(text->letters);
    free(text);
}

// ---- the batch ----

static void add(Text *text, Letter letter, const float rgba[4])
{
    if (text->count == LETTERS_MOST) return;
    for (int i = 0; i < 4; i++) letter.rgba[i] = (uint8_t)(255 * clampf(rgba[i], 0, 1) + 0.5f);
    text->letters[text->count++] = letter;
}

// The next character, and `string` moved behind it; NO_CHARACTER for a byte that belongs to none.
static unsigned next_character(const char **string)
{
    const unsigned char *at = (const unsigned char *)*string;
    const int length = utf8_length(*string);
    *string += length ? length : 1;
    if (length == 0) return NO_CHARACTER;
    unsigned character = length == 1 ? at[0] : at[0] & (0x7fU >> length);
    for (int i = 1; i < length; i++) character = character << 6 | (at[i] & 0x3fU);
    return character;
}

// The font's cell of a character; the box, which is the last, for what it lacks.
static int find_cell(unsigned character)
{
    int low = 0, high = font.count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (font.letters[middle] < character)
            low = middle + 1;
        else
            high = middle;
    }
    return font.letters[low] == character ? low : font.count - 1;
}

static void add_letter(Text *text, float x, float y, float scale, unsigned character,
                       const float rgba[4])
{
    const float over = (float)font.padding * scale;
    add(text,
        (Letter){ .x = x - over,
                  .y = y - over,
                  .width = (float)font.cell_width * scale,
                  .height = (float)font.cell_height * scale,
                  .cell = find_cell(character) },
        rgba);
}

float text_put(Text *text, float x, float y, float height, const float rgba[4], const char *string)
{
    const float scale = height / font.line;
    float widest = 0, pen = 0;
    while (*string) {
        const unsigned character = next_character(&string);
        if (character == '\n') {
            y += height;
            pen = 0;
            continue;
        }
        // Blanks are only a width.
        if (character != ' ' && character != 0xa0)
            add_letter(text, x + pen, y, scale, character, rgba);
        pen += font.advance * scale;
        if (pen > widest) widest = pen;
    }
    return widest;
}

void text_rect(Text *text, float x, float y, float width, float height, const float rgba[4])
{
    add(text, (Letter){ .x = x, .y = y, .width = width, .height = height, .cell = FILLED }, rgba);
}

// ---- drawing ----

static size_t upload(Text *text)
{
    const size_t used = (size_t)text->count * sizeof *text->letters;
    memcpy(stream_map(text->stream), text->letters, used);
    return stream_unmap(text->stream, used);
}

static void point_at(const Text *text, size_t offset)
{
    const GLsizei stride = sizeof(Letter);
    glBindBuffer(GL_ARRAY_BUFFER, stream_buffer(text->stream));
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride,
                          (const void *)(offset + offsetof(Letter, x)));
    glVertexAttribIPointer(1, 1, GL_INT, stride, (const void *)(offset + offsetof(Letter, cell)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)(offset + offsetof(Letter, rgba)));
}

static void set_state(void)
{
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_RASTERIZER_DISCARD);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void text_draw(Text *text, const Target *target)
{
    if (text->count == 0) return;
    const size_t offset = upload(text);
    target_bind(target);
    set_state();
    program_use(text->program);
    program_vec2(text->program, "u_size", (float)target->size.width, (float)target->size.height);
    program_vec2(text->program, "u_cell", (float)font.cell_width, (float)font.cell_height);
    program_int(text->program, "u_columns", font.columns);
    program_float(text->program, "u_slope", font.slope / 255);
    program_texture(text->program, "u_atlas", 0, text->atlas);
    glBindSampler(0, 0);
    glBindVertexArray(text->vertex_array);
    point_at(text, offset);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, text->count);
    glDisable(GL_BLEND);
    text->count = 0;
}
