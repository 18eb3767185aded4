#include "render/timers.h"

#include <string.h>

#define NAME(id, name) name,
const char *const timed_names[TIMED_PASSES] = { TIMED_TABLE(NAME) };
#undef NAME

static bool has_clock(void)
{
    GLint bits = 0;
    glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
    return bits > 0;
}

void timers_init(Timers *timers)
{
    memset(timers, 0, sizeof *timers);
    if (has_clock()) glGenQueries(TIMED_FRAMES * TIMED_PASSES, timers->queries[0]);
}

void timers_free(Timers *timers)
{
    if (timers->queries[0][0]) glDeleteQueries(TIMED_FRAMES * TIMED_PASSES, timers->queries[0]);
    memset(timers, 0, sizeof *timers);
}

// ---- what has come ------------------------------------------------------------------------------

static bool has_come(const Timers *timers, int entry)
{
    for (int p = 0; p < TIMED_PASSES; p++) {
        GLuint available = GL_TRUE;
        if (timers->asked[entry][p])
            glGetQueryObjectuiv(timers->queries[entry][p], GL_QUERY_RESULT_AVAILABLE, &available);
        if (!available) return false;
    }
    return true;
}

static void take(Timers *timers, int entry)
{
    for (int p = 0; p < TIMED_PASSES; p++) {
        GLuint64 nanoseconds = 0;
        if (timers->asked[entry][p])
            glGetQueryObjectui64v(timers->queries[entry][p], GL_QUERY_RESULT, &nanoseconds);
        timers->ms[p] = (float)((double)nanoseconds * 1e-6);
    }
    timers->known = true;
}

static void collect(Timers *timers)
{
    while (timers->pending > 0 && has_come(timers, timers->first)) {
        take(timers, timers->first);
        timers->first = (timers->first + 1) % TIMED_FRAMES;
        timers->pending--;
    }
}

// ---- a frame ------------------------------------------------------------------------------------

static int newest(const Timers *timers)
{
    return (timers->first + timers->pending - 1) % TIMED_FRAMES;
}

void timers_begin(Timers *timers)
{
    if (!timers->queries[0][0]) return;
    collect(timers);
    timers->timing = timers->pending < TIMED_FRAMES;
    if (!timers->timing) return;
    timers->pending++;
    memset(timers->asked[newest(timers)], 0, sizeof timers->asked[0]);
}

void timers_open(Timers *timers, TimedPass pass)
{
    timers_close(timers);
    if (!timers->timing) return;
    timers->open = true;
    timers->asked[newest(timers)][pass] = true;
    glBeginQuery(GL_TIME_ELAPSED, timers->queries[newest(timers)][pass]);
}

void timers_close(Timers *timers)
{
    if (timers->open) glEndQuery(GL_TIME_ELAPSED);
    timers->open = false;
}
