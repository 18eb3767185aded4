// Pictures as PNG, through libpng's simplified interface: it writes no time and no other words, so
// that the same rows give the same bytes.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/gfx.h"

enum { SIDE_MOST = 8192 };

bool image_write_png(const char *path, Size size, const uint8_t *rgb, char *why, int why_size)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = (png_uint_32)size.width,
                        .height = (png_uint_32)size.height,
                        .format = PNG_FORMAT_RGB,
                        .flags = PNG_IMAGE_FLAG_FAST };
    if (size.width < 1 || size.height < 1) {
        snprintf(why, (size_t)why_size, "%s: a picture of %d x %d", path, size.width, size.height);
        return false;
    }
    if (png_image_write_to_file(&image, path, 0, rgb, 0, NULL)) return true;
    snprintf(why, (size_t)why_size, "%s: %s", path, image.message);
    return false;
}

uint8_t *image_read_png(const char *path, Size *size, char *why, int why_size)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    uint8_t *rgba = NULL;
    if (!png_image_begin_read_from_file(&image, path)) goto fail;
    if (image.width > SIDE_MOST || image.height > SIDE_MOST) {
        snprintf(why, (size_t)why_size, "%s: a picture of %u x %u; at most %d x %d are taken", path,
                 image.width, image.height, SIDE_MOST, SIDE_MOST);
        png_image_free(&image);
        return NULL;
    }
    image.format = PNG_FORMAT_RGBA;
    rgba = malloc(PNG_IMAGE_SIZE(image));
    if (!rgba) {
        snprintf(why, (size_t)why_size, "%s: out of memory", path);
        png_image_free(&image);
        return NULL;
    }
    if (!png_image_finish_read(&image, NULL, rgba, 0, NULL)) goto fail;
    *size = (Size){ (int)image.width, (int)image.height };
    return rgba;

fail:
    snprintf(why, (size_t)why_size, "%s: %s", path, image.message);
    png_image_free(&image);
    free(rgba);
    return NULL;
}
