// Runs while motes is built: bake_font FONT.ttf OUT.c draws the letters of font.h.  Distances
// instead of coverage, so that one atlas serves every height.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

enum { LINE = 40, PADDING = 6, COLUMNS = 16, BOX = 0x25a1, LETTERS_MOST = 1024 };

static const float SLOPE = 128.0F / PADDING;

// Spans of Unicode numbers, rising.
static const struct {
    int from, to;
} spans[] = {
    { 0x20, 0x7e },     { 0xa0, 0xff },     // ASCII, Latin-1
    { 0x3b1, 0x3c9 },                       // Greek letters
    { 0x2013, 0x2014 }, { 0x2018, 0x2019 }, // dashes and quotation marks
    { 0x201c, 0x201e }, { 0x2022, 0x2022 }, { 0x2026, 0x2026 }, { 0x20ac, 0x20ac },
    { 0x2190, 0x2195 }, // arrows
    { 0x2212, 0x2212 }, { 0x221a, 0x221a }, { 0x221e, 0x221e }, { 0x2248, 0x2248 },
    { 0x2260, 0x2260 }, { 0x2264, 0x2265 }, { 0x2500, 0x2503 }, { 0x250c, 0x250c },
    { 0x2510, 0x2510 }, { 0x2514, 0x2514 }, { 0x2518, 0x2518 }, // lines and corners
    { 0x2580, 0x2595 },                                         // blocks
    { 0x25a0, 0x25a1 }, { 0x25b2, 0x25b2 }, { 0x25b6, 0x25b6 }, { 0x25bc, 0x25bc },
    { 0x25c0, 0x25c0 }, { 0x25cb, 0x25cb }, { 0x25cf, 0x25cf }, { 0x266a, 0x266b },
    { 0x2713, 0x2713 }, { 0x2717, 0x2717 },
};

typedef struct {
    stbtt_fontinfo info;
    float scale;       // from the font's units to pixels
    float top;         // of the line above the baseline, in pixels
    int width, height; // of a cell
    int letters[LETTERS_MOST];
    int count;
    unsigned char *pixels;
} Baker;

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "bake_font: %s: %s\n", what, name);
    return EXIT_FAILURE;
}

static unsigned char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    unsigned char *content = malloc((size_t)size + 1);
    const size_t got = content ? fread(content, 1, (size_t)size, file) : 0;
    fclose(file);
    if (got == (size_t)size) return content;
    free(content);
    return NULL;
}

// What the font lacks is left out; the box stands at the end.
static void list_letters(Baker *b)
{
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
        for (int letter = spans[i].from; letter <= spans[i].to; letter++)
            if (stbtt_FindGlyphIndex(&b->info, letter) && b->count < LETTERS_MOST - 1)
                b->letters[b->count++] = letter;
    b->letters[b->count++] = BOX;
}

static void draw_letter(Baker *b, int index)
{
    int width, height, left, top;
    const int glyph = stbtt_FindGlyphIndex(&b->info, b->letters[index]);
    unsigned char *drawn = stbtt_GetGlyphSDF(&b->info, b->scale, glyph, PADDING, 128, SLOPE, &width,
                                             &height, &left, &top);
    if (!drawn) return; // blank
    left += PADDING;
    top += PADDING + (int)(b->top + 0.5F);
    unsigned char *cell = b->pixels + (size_t)(index / COLUMNS) * b->height * COLUMNS * b->width +
                          (size_t)(index % COLUMNS) * b->width;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int at_x = left + x, at_y = top + y;
            if (at_x < 0 || at_y < 0 || at_x >= b->width || at_y >= b->height) continue;
            cell[(size_t)at_y * COLUMNS * b->width + at_x] = drawn[y * width + x];
        }
    stbtt_FreeSDF(drawn, NULL);
}

static void print_font(const Baker *b, float advance, int rows, FILE *out)
{
    const size_t size = (size_t)rows * b->height * COLUMNS * b->width;
    fprintf(out, "#include \"gfx/font.h\"\n\nstatic const unsigned short letters[] = {");
    for (int i = 0; i < b->count - 1; i++) fprintf(out, "%s%d,", i % 16 ? "" : "\n", b->letters[i]);
    fprintf(out, "\n0xffff };\n\nstatic const unsigned char pixels[] = {");
    for (size_t i = 0; i < size; i++) fprintf(out, "%s%d,", i % 32 ? "" : "\n", b->pixels[i]);
    fprintf(out,
            "\n};\n\nconst Font font = { %d, %d, %d, %.9gF, %.9gF, %d, %d, %d, %d, letters, pixels "
            "};\n",
            b->width, b->height, PADDING, SLOPE, advance, LINE, COLUMNS, rows, b->count);
}

int main(int argc, char **argv)
{
    static Baker b;
    int ascent, descent, gap, advance, bearing;
    if (argc != 3) return fail("takes a font and the file to write", "FONT.ttf OUT.c");
    unsigned char *content = read_all(argv[1]);
    if (!content || !stbtt_InitFont(&b.info, content, 0)) return fail("not a font", argv[1]);

    stbtt_GetFontVMetrics(&b.info, &ascent, &descent, &gap);
    stbtt_GetCodepointHMetrics(&b.info, 'M', &advance, &bearing);
    b.scale = (float)LINE / (float)(ascent - descent);
    b.top = (float)ascent * b.scale;
    b.width = (int)((float)advance * b.scale + 0.999F) + 2 * PADDING;
    b.height = LINE + 2 * PADDING;
    list_letters(&b);

    const int rows = (b.count + COLUMNS - 1) / COLUMNS;
    b.pixels = calloc((size_t)rows * b.height, (size_t)COLUMNS * b.width);
    FILE *out = fopen(argv[2], "w");
    if (!b.pixels || !out) return fail("cannot write", argv[2]);
    for (int i = 0; i < b.count; i++) draw_letter(&b, i);
    print_font(&b, (float)advance * b.scale, rows, out);
    free(content);
    free(b.pixels);
    return fclose(out) == 0 ? EXIT_SUCCESS : fail("cannot write", argv[2]);
}
