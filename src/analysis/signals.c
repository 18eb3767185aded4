#include "analysis/analysis.h"

#include <string.h>

const SignalRow signal_rows[SIGNAL_COUNT] = {
#define SIGNAL(id, name, low, high, unit, frame, help)                                             \
    { name, low, high, unit, FRAME_##frame, help },
#include "analysis/signals.def"
#undef SIGNAL
};

const SignalId analysis_bands[ANALYSIS_BANDS] = { SIGNAL_SUB, SIGNAL_LOW, SIGNAL_LOW_MID,
                                                  SIGNAL_HIGH_MID, SIGNAL_HIGH };

const char *const hearing_part_names[HEARING_PARTS] = { "windows", "levels", "loudness", "gain",
                                                        "slow",    "onset",  "beat" };

void past_hop(Past *past, const Features *features)
{
    memcpy(past->spectrum[past->hops % PAST_HOPS], features->spectrum, sizeof features->spectrum);
    past->hops++;
}

int signal_find(const char *name)
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (strcmp(signal_rows[i].name, name) == 0) return i;
    return -1;
}
