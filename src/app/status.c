#include "app/status.h"

#include <stdio.h>

#define LINE(hud, ...)                                                                             \
    ((hud)->line_count < HUD_LINES                                                                 \
         ? snprintf((hud)->lines[(hud)->line_count++], HUD_LINE, __VA_ARGS__)                      \
         : 0)

static double decibel(float level)
{
    return level > 1e-6f ? 20 * log10(level) : -120;
}

// "GPU       4.1 ms: step 0.3   draw 2.1": the passes that were drawn.
static void put_times(Hud *hud, const ShowStats *s)
{
    char line[HUD_LINE];
    int at = snprintf(line, sizeof line, "GPU       %.1f ms:", s->gpu_ms_all);
    for (int p = 0; p < TIMED_PASSES && at < HUD_LINE; p++)
        if (s->gpu_ms[p] > 0)
            at += snprintf(line + at, sizeof line - (size_t)at, "  %s %.1f", timed_names[p],
                           s->gpu_ms[p]);
    LINE(hud, "%s", line);
}

void status_lines(Hud *hud, const Status *s)
{
    const Features *heard = &s->show.features;
    const float *signal = heard->signal;
    hud->line_count = 0;
    LINE(hud, "preset    %s", s->preset);
    LINE(hud, "audio     %s  %s  %d Hz", audio_state_name(s->audio.state), s->audio.name,
         s->audio.rate);
    if (s->audio.notice[0]) LINE(hud, "          %s", s->audio.notice);
    if (s->audio.live)
        LINE(hud, "          newest %.0f ms ago   gaps %llu   callback at worst %.2f ms",
             s->audio.age * 1000, (unsigned long long)s->audio.gaps,
             s->audio.callback_worst * 1000);
    LINE(hud, "level     peak %6.1f dB   rms %6.1f dB   onsets %llu", decibel(signal[SIGNAL_PEAK]),
         decibel(signal[SIGNAL_RMS]), (unsigned long long)s->show.onsets_all);
    LINE(hud, "gain      %s %+.0f dB%s", heard->automatic ? "automatic" : "by hand",
         decibel(heard->gain), heard->silent ? ", held in silence" : "");
    if (signal[SIGNAL_BPM] > 0)
        LINE(hud, "tempo     %.1f BPM   sure %.0f %%", signal[SIGNAL_BPM],
             100 * signal[SIGNAL_CONFIDENCE]);
    LINE(hud, "cpu       %u alive   %u born", s->show.alive_cpu, s->show.births_cpu);
    LINE(hud, "gpu       %u alive   %u born%s", s->show.alive_gpu, s->show.births_gpu,
         s->show.crowded ? "   CROWDED: the oldest die early" : "");
    LINE(hud, "frame     %.1f ms   worst %.1f ms   %.0f fps   %d x %d", s->frame_ms, s->worst_ms,
         s->fps, s->size.width, s->size.height);
    if (s->show.timed) put_times(hud, &s->show);
    if (s->show.scale < 1 || s->show.share < 1)
        LINE(hud, "quality   scale %.2f   share %.2f", s->show.scale, s->show.share);
    if (s->quality[0]) LINE(hud, "          last: %s", s->quality);
    LINE(hud, "OpenGL    %s", s->renderer);
    if (s->has_osc)
        LINE(hud, "OSC       %s:%d   %llu messages   %llu refused   %s", s->osc.bind, s->osc.port,
             (unsigned long long)s->osc.messages, (unsigned long long)s->osc.malformed,
             s->osc.last);
    else
        LINE(hud, "OSC       off");
    LINE(hud, "dropped   %llu samples   %llu messages   %llu events",
         (unsigned long long)s->audio.dropped,
         (unsigned long long)(s->has_osc ? s->osc.dropped : 0),
         (unsigned long long)s->show.events_lost);
    if (s->notice[0]) LINE(hud, "! %s", s->notice);
}
