// Textures that are drawn into, and their way back to the CPU.
#include <stdio.h>
#include <string.h>

#include "gfx/gfx.h"

// A lost context may answer with errors for ever.
GLenum gfx_take_error(void)
{
    const GLenum first = glGetError();
    for (int i = 0; i < 32 && glGetError() != GL_NO_ERROR; i++) {
    }
    return first;
}

static bool is_integer(GLenum format)
{
    static const GLenum integers[] = {
        GL_R8UI,  GL_RG8UI,  GL_RGBA8UI,  GL_R16UI, GL_RG16UI, GL_RGBA16UI,
        GL_R32UI, GL_RG32UI, GL_RGBA32UI, GL_R8I,   GL_RG8I,   GL_RGBA8I,
        GL_R16I,  GL_RG16I,  GL_RGBA16I,  GL_R32I,  GL_RG32I,  GL_RGBA32I,
    };
    for (int i = 0; i < COUNT_OF(integers); i++)
        if (integers[i] == format) return true;
    return false;
}

// Of no pixels at all, which must fit the format nevertheless.
static GLenum layout_of(GLenum format)
{
    return is_integer(format) ? GL_RGBA_INTEGER : GL_RGBA;
}

static void read_pixels_plainly(void)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
}

GLuint texture_new(const TextureDesc *desc)
{
    GLuint texture = 0;
    const GLint filter = desc->smooth && !is_integer(desc->format) ? GL_LINEAR : GL_NEAREST;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    read_pixels_plainly();
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)desc->format, desc->size.width, desc->size.height, 0,
                 desc->layout ? desc->layout : layout_of(desc->format),
                 desc->type ? desc->type : GL_UNSIGNED_BYTE, desc->pixels);
    return texture;
}

static void clear_texture(int index, GLenum format)
{
    static const GLfloat black[4];
    static const GLuint none[4];
    if (is_integer(format))
        glClearBufferuiv(GL_COLOR, index, none);
    else
        glClearBufferfv(GL_COLOR, index, black);
}

static void attach(Target *target, GLenum format, int count, bool smooth)
{
    static const GLenum buffers[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    for (int i = 0; i < count; i++) {
        target->textures[i] =
            texture_new(&(TextureDesc){ .size = target->size, .format = format, .smooth = smooth });
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, target->textures[i], 0);
    }
    glDrawBuffers(count, buffers);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
}

static void clear(const Target *target, GLenum format, int count)
{
    target_bind(target);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_RASTERIZER_DISCARD);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (int i = 0; i < count; i++) clear_texture(i, format);
}

bool target_init(Target *target, Size size, GLenum format, int count, bool smooth, char *why,
                 int why_size)
{
    GLint most = 0;
    *target = (Target){ .size = size };
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (size.width < 1 || size.height < 1 || size.width > most || size.height > most) {
        snprintf(why, (size_t)why_size, "a picture of %d x %d: this machine draws 1 x 1 to %d x %d",
                 size.width, size.height, most, most);
        *target = (Target){ 0 };
        return false;
    }

    gfx_take_error(); // what others left
    attach(target, format, count < TARGET_TEXTURES ? count : TARGET_TEXTURES, smooth);
    GLenum error = gfx_take_error();
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (!error && status == GL_FRAMEBUFFER_COMPLETE) {
        clear(target, format, count < TARGET_TEXTURES ? count : TARGET_TEXTURES);
        error = gfx_take_error();
        if (!error) return true;
    }
    snprintf(why, (size_t)why_size, "a picture of %d x %d: %s", size.width, size.height,
             error == GL_OUT_OF_MEMORY ? "the graphics memory has no room for it"
                                       : "the driver does not draw into this format");
    target_free(target);
    return false;
}

void target_free(Target *target)
{
    if (target->textures[0] == 0) return; // an empty one may be freed before there is any OpenGL
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(TARGET_TEXTURES, target->textures); // skips zeros
    *target = (Target){ 0 };
}

Target target_window(const Context *context)
{
    return (Target){ .size = context_size(context) };
}

void target_bind(const Target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->size.width, target->size.height);
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void target_read_rgb(const Target *target, uint8_t *rgb)
{
    const Size size = target->size;
    const size_t row = 3 * (size_t)size.width;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glReadBuffer(target->framebuffer ? GL_COLOR_ATTACHMENT0 : GL_BACK);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    glReadPixels(0, 0, size.width, size.height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    for (int y = 0; y < size.height / 2; y++) // OpenGL's first row is the lowest
        swap_bytes(rgb + (size_t)y * row, rgb + (size_t)(size.height - 1 - y) * row, row);
}
