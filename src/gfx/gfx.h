// gfx: OpenGL 3.3, which has never heard of music.  Contexts (a window, or none), shader programs,
// render targets, buffers that stream, pictures in and out.
//
// All of it on the thread that made the context, one context at a time.  `new`, `load` and `init`
// allocate; the rest does not, but where it says so.  A pass sets the state that it needs; only the
// vertex array is put back: the context's own empty one is bound unless a pass draws with another.
#pragma once

#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

typedef struct {
    int width, height; // in pixels
} Size;

// ---- context.c: a window (GLFW) or none (EGL) ------------------------------------------------------

typedef struct {
    const char *title;
    Size size;           // of the window; 0: 1280 x 720
    bool fullscreen;     // at once, on `monitor`
    const char *monitor; // name or number (from 1); NULL: the primary, or the one the window is on
    bool no_vsync;
} WindowDesc;

typedef struct Context Context;

// A window with a current OpenGL 3.3 core context.  NULL and one sentence in `why` (no display, no
// OpenGL 3.3).  A missing monitor is not an error: see context_notice.
Context *context_window(const WindowDesc *desc, char *why, int why_size);

// A current OpenGL 3.3 core context without a window: EGL's surfaceless platform, else an EGL device.
Context *context_offscreen(char *why, int why_size);

void context_free(Context *context);

// "OpenGL 4.5, llvmpipe (LLVM 15.0.6, 256 bits)": for the log and the HUD.
const char *context_renderer(const Context *context);

// True when the current context draws with the processor, in main memory.
bool context_is_software(void);

// What the window did other than asked ("monitor 2 is not there: window instead"), or "".
const char *context_notice(const Context *context);

// What hands did at the window since the last call.
typedef struct {
    int key;      // what is written on it, as capital ASCII, else GLFW_KEY_*; 0 for none
    bool control; // Ctrl was down
} KeyPress;

typedef struct {
    KeyPress keys[32]; // key presses (no repeats), in order
    int key_count;
    bool mouse_moved;
    float mouse_x, mouse_y; // -1..1 over the picture, y up
    bool left, right;       // buttons that are down
    bool close;             // the window was asked to close
} WindowInput;

// Window only.  Takes what has happened, hides the cursor after 2 s (`seconds` is any clock that runs
// on) without a move, and keeps the screen saver away.
WindowInput context_poll(Context *context, double seconds);

// Size of the framebuffer; {0, 0} while iconified.
Size context_size(const Context *context);

// Window only.  Hz, of the monitor that shows the window; 60 where that is unknown.  May ask the
// display: not for every frame.
double context_refresh(const Context *context);

// Window only.  Shows what was drawn into framebuffer 0; waits for vsync where that is on.
void context_present(Context *context);

bool context_is_fullscreen(const Context *context);

// Window only.  Fullscreen on the monitor that the window is on (or the one asked for at the start),
// and back to the size and place before.  Never iconifies when another window is clicked.  A monitor
// that goes leaves a window and a notice, and is taken again when it comes back.
void context_set_fullscreen(Context *context, bool fullscreen);

// False once the driver says that the context is lost (GL_KHR_robustness or GL_ARB_robustness, where
// there is one), or the X server is gone; nothing but context_free is of use then.
bool context_healthy(const Context *context);

// ---- program.c: shaders from files ------------------------------------------------------------------

typedef struct {
    const char *vertex, *fragment; // file names below the shader folder
} ProgramDesc;

typedef struct Program Program;

// Compiles and links.  `#include "common/x.glsl"` lines are resolved below `folder`; errors come out
// as `file:line: text` whatever the driver's own form, through includes.  The files open with
// `#version 330 core`.  NULL and one sentence in `why` on failure.
Program *program_load(const char *folder, const ProgramDesc *desc, char *why, int why_size);

// False and one sentence in `why` when a file of the program, or one that it includes, is missing.
// Needs no context.
bool program_check(const char *folder, const ProgramDesc *desc, char *why, int why_size);

// Compiles the files anew; on failure the last good program stays, false and the sentence.  Uniform
// values are lost on success.  Outside the frame.
bool program_reload(Program *program, char *why, int why_size);
void program_free(Program *program);

void program_use(const Program *program);

// Where a uniform is, -1 (which GL ignores) when the shader has none of that name.  Looked up in a
// table made by program_load, so that a frame asks the driver nothing.
int program_uniform(const Program *program, const char *name);

// Sets a uniform of the program in use.
void program_float(const Program *program, const char *name, float value);
void program_vec2(const Program *program, const char *name, float x, float y);
void program_vec3(const Program *program, const char *name, Vec3 value);
void program_vec4(const Program *program, const char *name, float x, float y, float z, float w);
void program_int(const Program *program, const char *name, int value);
void program_uint(const Program *program, const char *name, uint32_t value);
void program_mat4(const Program *program, const char *name, const float *column_major);

// Binds a 2D texture to `unit` and points the sampler at it.
void program_texture(const Program *program, const char *name, int unit, GLuint texture);

// Draws one triangle (3 vertices, no attributes) that covers the target; its vertex shader makes the
// corners from gl_VertexID.  A vertex array must be bound, any: the context's empty one is, at first.
void draw_fullscreen(void);

// ---- target.c: textures, and those that are drawn into ------------------------------------------------

enum { TARGET_TEXTURES = 2 };

typedef struct {
    Size size;
    GLuint framebuffer;               // 0 is the window
    GLuint textures[TARGET_TEXTURES]; // 0 where unused
} Target;

// A texture of one level, clamped at its edges.
typedef struct {
    Size size;
    GLenum format;       // GL_RGBA16F...
    bool smooth;         // linear filter; integer formats are never filtered
    GLenum layout, type; // of `pixels`: GL_RED, GL_UNSIGNED_BYTE...
    const void *pixels;  // rows without gaps, lowest first; NULL: whatever is there
} TextureDesc;

// Left bound to unit 0; free with glDeleteTextures.  Whether the machine had room, gfx_take_error tells.
GLuint texture_new(const TextureDesc *desc);

// The first OpenGL error since the last call, or GL_NO_ERROR; all are forgotten.  Called ahead of what may
// be refused, it forgets what others left.  Not inside a frame.
GLenum gfx_take_error(void);

// A framebuffer with `count` textures of `format` (GL_RGBA16F...), linear filter where `smooth`,
// clamped at the edges, cleared to 0, and left bound.  Integer formats are never filtered.  False and
// one sentence in `why` when the machine refuses.
bool target_init(Target *target, Size size, GLenum format, int count, bool smooth, char *why,
                 int why_size);
void target_free(Target *target); // takes an empty one, leaves an empty one

// The window's own framebuffer as a target.
Target target_window(const Context *context);

// Binds for drawing, with the viewport over the whole.
void target_bind(const Target *target);

// ---- stream.c: vertices that change every frame --------------------------------------------------------

typedef struct Stream Stream;

// A vertex buffer for up to `capacity` bytes a frame, in three parts so that the CPU never waits for
// the GPU (unsynchronised maps; a fence per part is only ever asked, and a busy part is orphaned).
Stream *stream_new(size_t capacity, char *why, int why_size);
void stream_free(Stream *stream);

// Memory to write this frame's vertices into; never NULL.  stream_unmap gives the buffer and the
// offset at which they lie.
void *stream_map(Stream *stream);
size_t stream_unmap(Stream *stream, size_t used);
GLuint stream_buffer(const Stream *stream);

// ---- image.c: pictures ------------------------------------------------------------------------------------

// Writes 8-bit RGB rows (top row first) as PNG, the same bytes each time.  Allocates.
bool image_write_png(const char *path, Size size, const uint8_t *rgb, char *why, int why_size);

// Reads a PNG as RGBA rows (top row first) on the heap; at most 8192 pixels a side.
uint8_t *image_read_png(const char *path, Size *size, char *why, int why_size);

// Reads a target's first texture back as 8-bit RGB, top row first; waits for the GPU: for render and
// tests.  `rgb` holds 3 * width * height bytes.
void target_read_rgb(const Target *target, uint8_t *rgb);

// ---- text.c: letters for the HUD ------------------------------------------------------------------------------

typedef struct Text Text;

// A font (DejaVu Sans Mono, drawn into an atlas at build time) and room for 8,192 letters a frame.
Text *text_new(const char *shader_folder, char *why, int why_size);
void text_free(Text *text);

// The shaders that text_new loads, for program_check.
extern const ProgramDesc text_shaders;

// Puts letters (UTF-8; what the atlas lacks is a box) at x, y = top left in pixels of the target,
// `height` pixels high; a newline goes to the next line.  Returns the width of the widest line.
float text_put(Text *text, float x, float y, float height, const float rgba[4], const char *string);

// A filled rectangle (bars, panels), in the same batch and order.
void text_rect(Text *text, float x, float y, float width, float height, const float rgba[4]);

// Draws what was put over the target, and empties the batch.  Leaves its vertex array bound.
void text_draw(Text *text, const Target *target);
