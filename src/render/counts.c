#include "render/counts.h"

#include <string.h>

void counts_init(Counts *counts)
{
    memset(counts, 0, sizeof *counts);
    glGenQueries(COUNT_FRAMES * FIELD_SLOTS, counts->queries[0]);
}

void counts_free(Counts *counts)
{
    if (counts->queries[0][0]) glDeleteQueries(COUNT_FRAMES * FIELD_SLOTS, counts->queries[0]);
    memset(counts, 0, sizeof *counts);
}

static int newest(const Counts *counts)
{
    return (counts->first + counts->pending - 1) % COUNT_FRAMES;
}

bool counts_begin(Counts *counts, uint32_t frame)
{
    if (counts->pending == COUNT_FRAMES) return false;
    counts->pending++;
    counts->frames[newest(counts)] = frame;
    memset(counts->asked[newest(counts)], 0, sizeof counts->asked[0]);
    return true;
}

void counts_open(Counts *counts, int slot)
{
    counts->asked[newest(counts)][slot] = true;
    glBeginQuery(GL_SAMPLES_PASSED, counts->queries[newest(counts)][slot]);
}

void counts_close(void)
{
    glEndQuery(GL_SAMPLES_PASSED);
}

static bool has_come(const Counts *counts, int entry)
{
    for (int f = 0; f < FIELD_SLOTS; f++) {
        GLuint available = GL_TRUE;
        if (counts->asked[entry][f])
            glGetQueryObjectuiv(counts->queries[entry][f], GL_QUERY_RESULT_AVAILABLE, &available);
        if (!available) return false;
    }
    return true;
}

static void take(Counts *counts, int entry)
{
    for (int f = 0; f < FIELD_SLOTS; f++) {
        GLuint alive = 0;
        if (counts->asked[entry][f])
            glGetQueryObjectuiv(counts->queries[entry][f], GL_QUERY_RESULT, &alive);
        counts->alive[f] = alive;
    }
    counts->frame = counts->frames[entry];
}

void counts_collect(Counts *counts, bool wait)
{
    while (counts->pending > 0 && (wait || has_come(counts, counts->first))) {
        take(counts, counts->first);
        counts->first = (counts->first + 1) % COUNT_FRAMES;
        counts->pending--;
    }
}
