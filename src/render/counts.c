#include "render/counts.h"

#include <string.h>

void counts_init(Counts *counts)
{
    memset(counts, 0, sizeof *counts);
    glGenQueries(COUNT_FRAMES * COUNT_KINDS * FIELD_SLOTS, counts->queries[0][0]);
}

void counts_free(Counts *counts)
{
    if (counts->queries[0][0][0])
        glDeleteQueries(COUNT_FRAMES * COUNT_KINDS * FIELD_SLOTS, counts->queries[0][0]);
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

void counts_open(Counts *counts, CountKind kind, int slot)
{
    counts->asked[newest(counts)][kind][slot] = true;
    glBeginQuery(GL_SAMPLES_PASSED, counts->queries[newest(counts)][kind][slot]);
}

void counts_close(void)
{
    glEndQuery(GL_SAMPLES_PASSED);
}

static GLuint ask(const Counts *counts, int entry, CountKind kind, int slot, GLenum what)
{
    GLuint answer = 0;
    glGetQueryObjectuiv(counts->queries[entry][kind][slot], what, &answer);
    return answer;
}

static bool has_come(const Counts *counts, int entry)
{
    for (CountKind kind = 0; kind < COUNT_KINDS; kind++)
        for (int f = 0; f < FIELD_SLOTS; f++)
            if (counts->asked[entry][kind][f] &&
                !ask(counts, entry, kind, f, GL_QUERY_RESULT_AVAILABLE))
                return false;
    return true;
}

static GLuint counted(const Counts *counts, int entry, CountKind kind, int slot)
{
    const bool asked = counts->asked[entry][kind][slot];
    return asked ? ask(counts, entry, kind, slot, GL_QUERY_RESULT) : 0;
}

static void take(Counts *counts, int entry)
{
    for (int f = 0; f < FIELD_SLOTS; f++) {
        counts->alive[f] = counted(counts, entry, COUNT_LIVING, f);
        counts->born += counted(counts, entry, COUNT_BORN, f);
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
