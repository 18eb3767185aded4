// What windows and offscreen contexts have in common.
#include "gfx/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool context_load_gl(Context *context, GLADloadfunc load)
{
    const int version = gladLoadGL(load);
    if (version < GLAD_MAKE_VERSION(3, 3)) return false;

    // The number at the front of "4.5 (Core Profile) Mesa 22.3.6" is what the driver can do.
    const char *number = (const char *)glGetString(GL_VERSION);
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    if (!number || !renderer) return false;
    snprintf(context->renderer, sizeof context->renderer, "OpenGL %.*s, %s",
             (int)strspn(number, "0123456789."), number, renderer);
    glGenVertexArrays(1, &context->vertex_array);
    glBindVertexArray(context->vertex_array);
    return true;
}

bool context_is_software(void)
{
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    static const char *const drawers[] = { "llvmpipe", "softpipe", "SWR", "swrast", "Software" };
    for (int i = 0; i < COUNT_OF(drawers); i++)
        if (renderer && strstr(renderer, drawers[i])) return true;
    return false;
}

int context_key(int key, const char *name)
{
    const int first = name ? (unsigned char)name[0] : 0;
    if (first <= ' ' || first >= 0x7f) return key;
    return first >= 'a' && first <= 'z' ? first - 'a' + 'A' : first;
}

void context_free(Context *context)
{
    if (!context) return;
    if (context->vertex_array) glDeleteVertexArrays(1, &context->vertex_array);
    if (context->window)
        context_window_free(context);
    else
        context_offscreen_free(context);
    free(context);
}

const char *context_renderer(const Context *context)
{
    return context->renderer;
}

bool context_healthy(const Context *context)
{
    if (context->window && !context_window_alive(context)) return false;
    if (GLAD_GL_KHR_robustness && glGetGraphicsResetStatus)
        return glGetGraphicsResetStatus() == GL_NO_ERROR;
    if (GLAD_GL_ARB_robustness && glGetGraphicsResetStatusARB)
        return glGetGraphicsResetStatusARB() == GL_NO_ERROR;
    return true;
}
