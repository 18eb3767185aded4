#include "gl/gl.h"

enum { CAPACITY = 1000 };

// One test asks for too much memory on purpose, and wants malloc's own answer.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void fill(uint8_t *memory, size_t count, uint8_t value)
{
    for (size_t i = 0; i < count; i++) memory[i] = (uint8_t)(value + i % 7);
}

static void read_buffer(const Stream *stream, size_t offset, uint8_t *memory, size_t count)
{
    glBindBuffer(GL_COPY_READ_BUFFER, stream_buffer(stream));
    glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)offset, (GLsizeiptr)count, memory);
}

static void what_is_written_lies_where_it_is_said_to(void **state)
{
    (void)state;
    char why[256];
    uint8_t want[CAPACITY], got[CAPACITY];
    Stream *stream = stream_new(CAPACITY, why, sizeof why);
    assert_non_null(stream);
    for (int frame = 0; frame < 50; frame++) {
        const size_t used = frame % 5 ? CAPACITY : 10;
        fill(want, used, (uint8_t)frame);
        memcpy(stream_map(stream), want, used);
        const size_t offset = stream_unmap(stream, used);
        read_buffer(stream, offset, got, used);
        assert_memory_equal(want, got, used);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    stream_free(stream);
}

// The GPU may still read what the two frames before wrote.
static void three_frames_in_a_row_share_no_memory(void **state)
{
    (void)state;
    char why[256];
    uint8_t want[CAPACITY], got[CAPACITY];
    size_t offsets[3];
    Stream *stream = stream_new(CAPACITY, why, sizeof why);
    assert_non_null(stream);
    for (int frame = 0; frame < 3; frame++) {
        fill(stream_map(stream), CAPACITY, (uint8_t)(100 * frame));
        offsets[frame] = stream_unmap(stream, CAPACITY);
        glFinish(); // so that no part is busy, and none is orphaned
    }
    for (int frame = 0; frame < 3; frame++) {
        fill(want, CAPACITY, (uint8_t)(100 * frame));
        read_buffer(stream, offsets[frame], got, CAPACITY);
        assert_memory_equal(want, got, CAPACITY);
    }
    stream_free(stream);
}

static GLuint compile(GLenum kind, const char *text)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    return shader;
}

static GLuint points_program(void)
{
    const GLuint program = glCreateProgram();
    glAttachShader(program,
                   compile(GL_VERTEX_SHADER, "#version 330 core\nlayout(location = 0) in vec2 at;\n"
                                             "void main() { gl_Position = vec4(at, 0, 1); }\n"));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, "#version 330 core\nout vec4 color;\n"
                                                        "void main() { color = vec4(1); }\n"));
    glLinkProgram(program);
    return program;
}

enum { SIDE = 64 };

// Far more frames than parts are ordered before anything is waited for: each must still draw its
// own vertices, whether its part was free or had to be orphaned.
static void frames_that_pile_up_keep_their_vertices(void **state)
{
    (void)state;
    char why[256];
    static uint8_t rgb[3 * SIDE * SIDE];
    const Size size = { SIDE, SIDE };
    Target target;
    Stream *stream = stream_new(2 * sizeof(float), why, sizeof why);
    assert_non_null(stream);
    assert_true(target_init(&target, size, GL_RGBA8, 1, false, why, sizeof why));
    const GLuint program = points_program();
    target_bind(&target);
    glUseProgram(program);
    glEnableVertexAttribArray(0);
    for (int i = 0; i < SIDE; i++) {
        const float center = 2 * ((float)i + 0.5f) / SIDE - 1;
        const float at[2] = { center, -center };
        memcpy(stream_map(stream), at, sizeof at);
        const size_t offset = stream_unmap(stream, sizeof at);
        glBindBuffer(GL_ARRAY_BUFFER, stream_buffer(stream));
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof at, (const void *)offset);
        glDrawArrays(GL_POINTS, 0, 1);
    }
    glDisableVertexAttribArray(0);
    target_read_rgb(&target, rgb);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(pixel_at(rgb, size, x, y)[0], x == y ? 255 : 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteProgram(program);
    target_free(&target);
    stream_free(stream);
}

static void mapping_leaves_the_array_buffer_alone(void **state)
{
    (void)state;
    char why[256];
    GLuint other;
    GLint bound;
    Stream *stream = stream_new(0, why, sizeof why);
    assert_non_null(stream);
    glGenBuffers(1, &other);
    glBindBuffer(GL_ARRAY_BUFFER, other);
    assert_non_null(stream_map(stream));
    stream_unmap(stream, 0);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    assert_int_equal(bound, other);
    glDeleteBuffers(1, &other);
    stream_free(stream);
    stream_free(NULL);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void more_than_the_machine_has_is_refused(void **state)
{
    (void)state;
    char why[256] = "";
    assert_null(stream_new((size_t)1 << 50, why, sizeof why));
    assert_non_null(strstr(why, "vertices"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_lies_where_it_is_said_to),
        cmocka_unit_test(three_frames_in_a_row_share_no_memory),
        cmocka_unit_test(frames_that_pile_up_keep_their_vertices),
        cmocka_unit_test(mapping_leaves_the_array_buffer_alone),
        cmocka_unit_test(more_than_the_machine_has_is_refused),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
