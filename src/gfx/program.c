// Shader programs from files.  The drivers' words go through source.c, so that an error names the
// file and line that a hand would edit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/gfx.h"
#include "gfx/source.h"

typedef struct {
    const char *name; // in the program's `names`
    GLint location;
} Uniform;

struct Program {
    char *folder, *vertex, *fragment;
    GLuint id;
    Uniform *uniforms; // sorted by name
    int uniform_count;
    char *names; // one block
};

// ---- compiling ----

static void explain_shader(GLuint shader, const Source *source, char *why, int why_size)
{
    char log[4096] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    source_explain(source, log, why, why_size);
}

static GLuint compile(const char *folder, const char *name, GLenum kind, char *why, int why_size)
{
    Source *source = source_load(folder, name, why, why_size);
    if (!source) return 0;
    const char *text = source_text(source);
    GLint good = GL_FALSE;
    GLuint shader = glCreateShader(kind);
    if (shader) {
        glShaderSource(shader, 1, &text, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (!good) explain_shader(shader, source, why, why_size);
    } else {
        snprintf(why, (size_t)why_size, "%s/%s: OpenGL makes no shader", folder, name);
    }
    source_free(source);
    if (good) return shader;
    glDeleteShader(shader);
    return 0;
}

static void explain_link(GLuint id, const Program *program, char *why, int why_size)
{
    char log[4096] = "";
    glGetProgramInfoLog(id, sizeof log, NULL, log);
    const char *text = log + strspn(log, " \r\n");
    if (strncmp(text, "error: ", 7) == 0) text += 7;
    snprintf(why, (size_t)why_size, "%s/%s with %s: %.*s", program->folder, program->vertex,
             program->fragment, (int)strcspn(text, "\r\n"),
             *text ? text : "they do not link, and the driver gives no reason");
}

static GLuint link_shaders(const Program *program, GLuint vertex, GLuint fragment, char *why,
                           int why_size)
{
    const GLuint id = glCreateProgram();
    GLint good = GL_FALSE;
    glAttachShader(id, vertex);
    glAttachShader(id, fragment);
    glLinkProgram(id);
    glDetachShader(id, vertex);
    glDetachShader(id, fragment);
    glGetProgramiv(id, GL_LINK_STATUS, &good);
    if (good) return id;
    explain_link(id, program, why, why_size);
    glDeleteProgram(id);
    return 0;
}

static GLuint build(const Program *program, char *why, int why_size)
{
    GLuint id = 0, fragment = 0;
    const GLuint vertex =
        compile(program->folder, program->vertex, GL_VERTEX_SHADER, why, why_size);
    if (vertex) {
        fragment = compile(program->folder, program->fragment, GL_FRAGMENT_SHADER, why, why_size);
        if (fragment) id = link_shaders(program, vertex, fragment, why, why_size);
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return id;
}

static bool check_file(const char *folder, const char *name, char *why, int why_size)
{
    Source *source = source_load(folder, name, why, why_size);
    source_free(source);
    return source != NULL;
}

bool program_check(const char *folder, const ProgramDesc *desc, char *why, int why_size)
{
    return check_file(folder, desc->vertex, why, why_size) &&
           check_file(folder, desc->fragment, why, why_size);
}

// ---- the table of uniforms ----

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Uniform *)a)->name, ((const Uniform *)b)->name);
}

// The names by which one active uniform can be found: an array of n goes by its bare name and by
// those of its n elements.
static int names_of(GLint size, const char *name)
{
    const size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, "[0]") == 0 ? 1 + size : 1;
}

// Counts the names without `table`, fills it with.
static int list_uniforms(GLuint id, Uniform *table, char *names, GLsizei stride)
{
    GLint active = 0;
    int count = 0;
    glGetProgramiv(id, GL_ACTIVE_UNIFORMS, &active);
    for (GLint i = 0; i < active; i++) {
        char name[256];
        GLint size;
        GLenum type;
        glGetActiveUniform(id, (GLuint)i, sizeof name, NULL, &size, &type, name);
        const int known_by = names_of(size, name);
        if (table && known_by > 1) name[strlen(name) - 3] = 0;
        for (int n = 0; table && n < known_by; n++) {
            char *own = names + (size_t)(count + n) * (size_t)stride;
            if (n == 0)
                snprintf(own, (size_t)stride, "%s", name);
            else
                snprintf(own, (size_t)stride, "%s[%d]", name, n - 1);
            table[count + n] = (Uniform){ own, glGetUniformLocation(id, own) };
        }
        count += known_by;
    }
    return count;
}

// Replaces the program's table by that of `id`; the old one stays when memory is out.
static bool take_uniforms(Program *program, GLuint id)
{
    GLint longest = 0;
    glGetProgramiv(id, GL_ACTIVE_UNIFORM_MAX_LENGTH, &longest);
    const GLsizei stride = longest + 12; // an index in brackets
    const int count = list_uniforms(id, NULL, NULL, 0);
    Uniform *uniforms = malloc(sizeof *uniforms * (size_t)(count + 1));
    char *names = malloc((size_t)stride * (size_t)(count + 1));
    if (!uniforms || !names) {
        free(uniforms);
        free(names);
        return false;
    }
    list_uniforms(id, uniforms, names, stride);
    qsort(uniforms, (size_t)count, sizeof *uniforms, by_name);
    free(program->uniforms);
    free(program->names);
    program->uniforms = uniforms;
    program->names = names;
    program->uniform_count = count;
    return true;
}

int program_uniform(const Program *program, const char *name)
{
    const Uniform key = { name, 0 };
    const Uniform *found =
        bsearch(&key, program->uniforms, (size_t)program->uniform_count, sizeof key, by_name);
    return found ? found->location : -1;
}

// ---- from outside ----

Program *program_load(const char *folder, const ProgramDesc *desc, char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "%s/%s: out of memory", folder, desc->fragment);
    Program *program = calloc(1, sizeof *program);
    if (!program) return NULL;
    program->folder = strdup(folder);
    program->vertex = strdup(desc->vertex);
    program->fragment = strdup(desc->fragment);
    const bool whole = program->folder && program->vertex && program->fragment;
    if (whole && program_reload(program, why, why_size)) return program;
    program_free(program);
    return NULL;
}

bool program_reload(Program *program, char *why, int why_size)
{
    const GLuint id = build(program, why, why_size);
    if (!id) return false;
    if (!take_uniforms(program, id)) {
        snprintf(why, (size_t)why_size, "%s/%s: out of memory", program->folder, program->fragment);
        glDeleteProgram(id);
        return false;
    }
    glDeleteProgram(program->id);
    program->id = id;
    return true;
}

void program_free(Program *program)
{
    if (!program) return;
    if (program->id) glDeleteProgram(program->id);
    free(program->uniforms);
    free(program->names);
    free(program->folder);
    free(program->vertex);
    free(program->fragment);
    free(program);
}

void program_use(const Program *program)
{
    glUseProgram(program->id);
}

void program_float(const Program *program, const char *name, float value)
{
    glUniform1f(program_uniform(program, name), value);
}

void program_vec2(const Program *program, const char *name, float x, float y)
{
    glUniform2f(program_uniform(program, name), x, y);
}

void program_vec3(const Program *program, const char *name, Vec3 value)
{
    glUniform3f(program_uniform(program, name), value.x, value.y, value.z);
}

void program_vec4(const Program *program, const char *name, float x, float y, float z, float w)
{
    glUniform4f(program_uniform(program, name), x, y, z, w);
}

void program_int(const Program *program, const char *name, int value)
{
    glUniform1i(program_uniform(program, name), value);
}

void program_uint(const Program *program, const char *name, uint32_t value)
{
    glUniform1ui(program_uniform(program, name), value);
}

void program_mat4(const Program *program, const char *name, const float *column_major)
{
    glUniformMatrix4fv(program_uniform(program, name), 1, GL_FALSE, column_major);
}

void program_texture(const Program *program, const char *name, int unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glUniform1i(program_uniform(program, name), unit);
}

void draw_fullscreen(void)
{
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
