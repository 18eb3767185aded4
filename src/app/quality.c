#include "app/quality.h"

static const float *globals(const Params *params)
{
    return params_values(params, OWNER_GLOBAL, 0);
}

static void tell(Params *params, Quality quality)
{
    params_tell(params, params_id(OWNER_GLOBAL, 0, GLOBAL_QUALITY_SCALE_NOW), quality.scale);
    params_tell(params, params_id(OWNER_GLOBAL, 0, GLOBAL_QUALITY_SHARE_NOW), quality.share);
}

void quality_by_hand(Params *params)
{
    const float *values = globals(params);
    tell(params, (Quality){ values[GLOBAL_QUALITY_SCALE], values[GLOBAL_QUALITY_SHARE] });
}

// Work without any waiting.  A graphics chip draws one frame while the processor makes the next one, and
// quality is a matter of the chip's work alone.  Where the processor draws, both times are of one machine
// and overlap: the longer one counts.
static double work_of(const QualityFrame *frame)
{
    const double gpu = (double)frame->stats->gpu_ms_all;
    return frame->software ? fmax(gpu, frame->cpu_ms) : gpu;
}

static double budget_of(const Params *params, double display)
{
    const double asked = (double)globals(params)[GLOBAL_QUALITY_FPS];
    const double fps = asked > 0 ? asked : display;
    return fps > 0 ? 1000 / fps : 0;
}

bool quality_frame(Governor *governor, Params *params, const QualityFrame *frame, char *said)
{
    if (globals(params)[GLOBAL_QUALITY_AUTO] <= 0) {
        quality_by_hand(params);
        return false;
    }
    // Where the driver tells no times there is nothing to judge by.
    const bool changed =
        frame->stats->timed && governor_frame(governor, frame->seconds, work_of(frame),
                                              budget_of(params, frame->fps), said);
    tell(params, governor_quality(governor));
    return changed;
}
