// A ring of three parts in one buffer.  While the GPU reads one part the CPU writes another; each
// part has a fence, set once its drawing was ordered, that is asked and never waited for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/gfx.h"

enum { PARTS = 3, ALIGNMENT = 256 };

struct Stream {
    GLuint buffer;
    size_t capacity; // of a part, in bytes
    int part;        // that is or was written
    GLsync fences[PARTS];
    void *spare; // written instead when the driver maps nothing
    bool spared;
};

static void forget_fence(GLsync *fence)
{
    if (*fence) glDeleteSync(*fence);
    *fence = NULL;
}

// New memory under the same name; what the GPU still reads lives on until it is done.  The target
// belongs to no vertex array and disturbs no pass.
static void orphan(Stream *s)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, s->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(PARTS * s->capacity), NULL, GL_STREAM_DRAW);
    for (int i = 0; i < PARTS; i++) forget_fence(&s->fences[i]);
}

Stream *stream_new(size_t capacity, char *why, int why_size)
{
    const size_t aligned = (capacity + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Stream *s = calloc(1, sizeof *s);
    if (s) s->spare = aligned_alloc(ALIGNMENT, aligned ? aligned : ALIGNMENT);
    if (!s || !s->spare) {
        snprintf(why, (size_t)why_size, "vertices, %zu bytes: out of memory", capacity);
        stream_free(s);
        return NULL;
    }
    s->capacity = aligned ? aligned : ALIGNMENT;
    gfx_take_error(); // what others left
    glGenBuffers(1, &s->buffer);
    orphan(s);
    if (gfx_take_error() == GL_NO_ERROR) return s;
    snprintf(why, (size_t)why_size, "vertices, %zu bytes: the graphics memory has no room",
             capacity);
    stream_free(s);
    return NULL;
}

void stream_free(Stream *stream)
{
    if (!stream) return;
    for (int i = 0; i < PARTS; i++) forget_fence(&stream->fences[i]);
    if (stream->buffer) glDeleteBuffers(1, &stream->buffer);
    free(stream->spare);
    free(stream);
}

static bool is_busy(GLsync fence)
{
    if (!fence) return false;
    const GLenum answer = glClientWaitSync(fence, 0, 0);
    return answer != GL_ALREADY_SIGNALED && answer != GL_CONDITION_SATISFIED;
}

void *stream_map(Stream *stream)
{
    // All that draws from the part before has been ordered by now.
    forget_fence(&stream->fences[stream->part]);
    stream->fences[stream->part] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    stream->part = (stream->part + 1) % PARTS;
    if (is_busy(stream->fences[stream->part])) orphan(stream);

    glBindBuffer(GL_COPY_WRITE_BUFFER, stream->buffer);
    void *memory =
        glMapBufferRange(GL_COPY_WRITE_BUFFER, (GLintptr)((size_t)stream->part * stream->capacity),
                         (GLsizeiptr)stream->capacity,
                         GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT |
                             GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
    stream->spared = !memory;
    return memory ? memory : stream->spare;
}

size_t stream_unmap(Stream *stream, size_t used)
{
    const size_t offset = (size_t)stream->part * stream->capacity;
    const size_t kept = used < stream->capacity ? used : stream->capacity;
    glBindBuffer(GL_COPY_WRITE_BUFFER, stream->buffer);
    if (stream->spared) {
        glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)offset, (GLsizeiptr)kept, stream->spare);
        return offset;
    }
    if (kept > 0) glFlushMappedBufferRange(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)kept);
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    return offset;
}

GLuint stream_buffer(const Stream *stream)
{
    return stream->buffer;
}
