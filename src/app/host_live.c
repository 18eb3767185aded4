// The live host: a window, the clock, and every hand; all that is not pure has its place here.
//
// What can take long stands outside the frame or in another thread or process: the sound card in the
// capture process, OSC in its thread, presets and stats in workers.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "app/clock.h"
#include "app/cues.h"
#include "app/ears.h"
#include "app/hosts.h"
#include "app/keys.h"
#include "app/memory.h"
#include "app/notices.h"
#include "app/quality.h"
#include "app/setup.h"
#include "app/sources.h"
#include "app/stats.h"
#include "app/status.h"

enum {
    MESSAGES_A_FRAME = 256, // of OSC; more wait for the next frame
    READ_FRAMES = 192000,   // room for one second of the fastest device
    CAPACITY_FPS = 250,     // no faster than this without vsync
};
static const double BANNER_SECONDS = 6;
static const double REFRESH_SECONDS = 10; // a window may have come to another monitor
static const double SOURCES_SECONDS = 5;  // the list of sources stays after a key

typedef struct {
    const Options *options;
    Context *context;
    Render *render;
    Show *show;
    Assets *assets;
    Ears ears;
    Cues cues;
    Notices notices;
    Memory memory;
    Sources *sources;
    Osc *osc;
    Stats *stats;
    Governor governor;
    char quality[GOVERNOR_SENTENCE]; // what it did last
    double refresh, refresh_asked;   // Hz, of the monitor; s, when
    bool software;                   // the processor draws
    int signals;                     // signalfd of SIGINT and SIGTERM

    float *samples;
    Message messages[MESSAGES_A_FRAME + 16];
    int message_count;
    Size size; // the last that was not 0 x 0
    Hud hud;
    char banner[192];
    double banner_until, sources_until;
    bool demo_told;
    bool sources_shown;

    double last; // s, when the last frame began; < 0 before the first
    double frame_ms, fps, worst_ms, worst_next, worst_since;
    bool held; // a mouse button was down
} Live;

static void show_banner(Live *live, const char *text)
{
    snprintf(live->banner, sizeof live->banner, "%s", text);
    live->banner_until = clock_now() + BANNER_SECONDS;
}

// ---- opening and closing -----------------------------------------------------------------------------------

static sigset_t ending_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

// Before any other thread exists, the driver's too: a signal must find nobody but the frame thread.
static int open_signals(void)
{
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void close_signals(int signals)
{
    const sigset_t set = ending_signals();
    if (signals >= 0) close(signals);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// A graphics error is a code of its own; anything else that is wrong was named by the user.
static int open_picture(Live *live, char *why, int why_size)
{
    char shaders[WHERE_PATH];
    if (!setup_shaders(shaders, why, why_size)) return EXIT_WRONG;
    live->size = context_size(live->context);
    live->render =
        render_new(&(RenderDesc){ .shaders = shaders, .size = live->size, .brought_sheets = true },
                   why, why_size);
    return live->render ? EXIT_DONE : EXIT_FAILED;
}

static OscDesc osc_desc(const Options *o)
{
    return (OscDesc){ .port = o->osc_port > 0 ? o->osc_port : 0,
                      .bind = o->osc_bind,
                      .allow = o->osc_allow };
}

static void open_osc(Live *live)
{
    char why[256];
    const OscDesc desc = osc_desc(live->options);
    if (live->options->osc_port < 0) return;
    live->osc = osc_open(&desc, why, sizeof why);
    if (!live->osc) notices_set(&live->notices, NOTICE_HANDS, why); // the show runs without
}

// The control says what is heard, also where the command line chose it, whatever was remembered; but for a
// path that is too long for a control.
static void name_source(Live *live)
{
    const ParamId source = params_id(OWNER_GLOBAL, 0, GLOBAL_AUDIO_SOURCE);
    const char *audio = live->options->audio;
    char why[256];
    if (audio && !params_set_text(show_params(live->show), source, audio, why, sizeof why))
        params_set_text(show_params(live->show), source, "", why, sizeof why);
}

// `preset` gets the name of the look that is on.
static int open_show(Live *live, char *preset, char *why, int why_size)
{
    const Options *o = live->options;
    live->assets = assets_open(false, why, why_size);
    if (!live->assets) return EXIT_FAILED;
    live->show =
        show_new(&(ShowDesc){ .seed = o->seed, .render = live->render, .assets = live->assets },
                 why, why_size);
    live->samples = malloc(READ_FRAMES * AUDIO_CHANNELS * sizeof(float));
    if (!live->show || !live->samples) return EXIT_FAILED;
    if (!memory_open(&live->memory, show_params(live->show))) return EXIT_FAILED;
    if (!setup_show(live->show, o, preset, why, why_size)) return EXIT_WRONG;
    live->sources = sources_open();
    if (!live->sources) return EXIT_FAILED;
    name_source(live);
    memory_begin(&live->memory, show_params(live->show));
    if (!cues_open(&live->cues, show_params(live->show), preset, why, why_size)) return EXIT_FAILED;
    return EXIT_DONE;
}

static int open_all(Live *live, char *why, int why_size)
{
    const Options *o = live->options;
    char preset[PLAYLIST_NAME];
    int code = open_picture(live, why, why_size);
    if (code == EXIT_DONE) code = open_show(live, preset, why, why_size);
    if (code != EXIT_DONE) return code;
    if (!ears_open(&live->ears, o, show_params(live->show), why, why_size)) return EXIT_WRONG;
    open_osc(live);
    if (!o->stats) return EXIT_DONE;
    live->stats = stats_open(o->stats, false, why, why_size);
    return live->stats ? EXIT_DONE : EXIT_WRONG;
}

// Returns the exit code: `code`, unless something could not be finished.
static int close_all(Live *live, int code)
{
    char why[256];
    osc_close(live->osc);
    ears_close(&live->ears);
    if (!stats_close(live->stats, why, sizeof why))
        code = complain(why, code == EXIT_DONE ? EXIT_FAILED : code);
    cues_close(&live->cues);
    sources_close(live->sources);
    if (!memory_close(&live->memory, live->memory.on ? show_params(live->show) : NULL, why,
                      sizeof why))
        complain(why, 0);
    show_free(live->show);
    render_free(live->render);
    assets_close(live->assets);
    context_free(live->context);
    free(live->samples);
    close_signals(live->signals);
    return code;
}

// ---- hands --------------------------------------------------------------------------------------------------

static void add_message(Live *live, const Message *message)
{
    if (live->message_count < COUNT_OF(live->messages))
        live->messages[live->message_count++] = *message;
}

static void add_place(Live *live, const char *path, Vec3 at)
{
    Message message = message_number(path, (double)at.x);
    memcpy(message.types, "fff", 4);
    message.number[1] = (double)at.y;
    message.number[2] = (double)at.z;
    add_message(live, &message);
}

// The mouse moves the hand, which areas may follow, and attractor 1, which pulls.
static void take_mouse(Live *live, const WindowInput *input)
{
    if (input->mouse_moved) {
        const Vec3 at = camera_unproject(show_params(live->show), show_stats(live->show).orbit,
                                         live->size, input->mouse_x, input->mouse_y);
        add_place(live, "/forces/hand/position", at);
        add_place(live, "/forces/attractor1/position", at);
    }
    const bool held = input->left || input->right;
    if (held || live->held) {
        const Message hold =
            message_number("/forces/hand/hold", (double)input->left - (double)input->right);
        add_message(live, &hold);
    }
    live->held = held;
}

static void take_source(Live *live, int steps)
{
    const double now = clock_now();
    Message message;
    if (steps) live->sources_until = now + SOURCES_SECONDS;
    live->sources_shown = live->hud.visible || now < live->sources_until;
    sources_step(live->sources, steps);
    if (!sources_take(live->sources, now, live->sources_shown, live->ears.desc.source, &message))
        return;
    add_message(live, &message);
    live->sources_until = now + SOURCES_SECONDS;
}

// Whoever works on a shader looks at the picture: the error is shown there too.
static void reload_shaders(Live *live)
{
    char why[512] = "";
    if (!render_reload(live->render, why, sizeof why)) show_banner(live, why);
    notices_set(&live->notices, NOTICE_SHADERS, why);
}

// False when the show shall end.
static bool take_window(Live *live)
{
    const WindowInput input = context_poll(live->context, clock_now());
    KeyActions actions = { 0 };
    struct signalfd_siginfo signal;
    if (input.close || read(live->signals, &signal, sizeof signal) == sizeof signal) return false;
    for (int i = 0; i < input.key_count; i++)
        keys_press(&actions, show_params(live->show), input.keys[i]);
    for (int i = 0; i < actions.message_count; i++) add_message(live, &actions.messages[i]);
    take_mouse(live, &input);
    take_source(live, actions.source_steps);

    if (actions.toggle_hud) live->hud.visible = !live->hud.visible;
    if (actions.toggle_keys) live->hud.keys = !live->hud.keys;
    if (actions.toggle_fullscreen)
        context_set_fullscreen(live->context, !context_is_fullscreen(live->context));
    if (actions.leave_fullscreen) context_set_fullscreen(live->context, false);
    if (actions.reload_shaders) reload_shaders(live);
    notices_set(&live->notices, NOTICE_WINDOW, context_notice(live->context));
    return !actions.quit;
}

static void answer(void *hand, const Message *message)
{
    Live *live = hand;
    if (live->osc && message->sender) osc_reply(live->osc, message);
}

static void refuse(void *hand, const Message *message, const char *why)
{
    Live *live = hand;
    if (live->osc && message->sender) osc_refuse(live->osc, message, why);
}

static void drop_messages(Live *live, int count)
{
    live->message_count -= count;
    memmove(live->messages, live->messages + count,
            (size_t)live->message_count * sizeof *live->messages);
}

// ---- quality --------------------------------------------------------------------------------------------------------

static void begin_quality(Live *live)
{
    governor_init(&live->governor);
    live->refresh_asked = -REFRESH_SECONDS;
    live->software = context_is_software();
}

static void decide_quality(Live *live, double dt)
{
    const double now = clock_now();
    if (now - live->refresh_asked > REFRESH_SECONDS) {
        live->refresh = context_refresh(live->context);
        live->refresh_asked = now;
    }
    const ShowStats stats = show_stats(live->show);
    const double most = live->options->fps > 0 ? live->options->fps : live->refresh;
    const QualityFrame frame = { .seconds = dt,
                                 .cpu_ms = live->frame_ms,
                                 .fps = fmin(live->refresh, most),
                                 .software = live->software,
                                 .stats = &stats };
    if (quality_frame(&live->governor, show_params(live->show), &frame, live->quality))
        complain(live->quality, 0);
}

// ---- one frame -------------------------------------------------------------------------------------------------------

static void measure(Live *live, double begun, double dt)
{
    live->frame_ms = (clock_now() - begun) * 1000;
    live->fps = dt > 0 ? lerpf((float)live->fps, (float)(1 / dt), 0.05f) : live->fps;
    live->worst_next = fmax(live->worst_next, live->frame_ms);
    if (begun - live->worst_since < 1) return;
    live->worst_ms = live->worst_next;
    live->worst_next = 0;
    live->worst_since = begun;
}

static void list_sources(Live *live, const Heard *heard)
{
    const SourceList *list = sources_list(live->sources);
    live->hud.row_count = 0;
    if (list && live->sources_shown && !live->hud.keys)
        source_list_show(list, live->ears.desc.source, &heard->status, heard->demo, &live->hud);
}

static void draw_hud(Live *live, const Heard *heard, const Target *target)
{
    const ShowStats stats = show_stats(live->show);
    Hud *hud = &live->hud;
    hud->banner = clock_now() < live->banner_until ? live->banner : NULL;
    hud->features = &stats.features;
    if (hud->keys) {
        keys_help(hud);
    } else if (hud->visible) {
        status_lines(hud, &(Status){ .show = stats,
                                     .audio = heard->status,
                                     .osc = live->osc ? osc_status(live->osc) : (OscStatus){ 0 },
                                     .has_osc = live->osc,
                                     .frame_ms = live->frame_ms,
                                     .fps = live->fps,
                                     .worst_ms = live->worst_ms,
                                     .size = live->size,
                                     .renderer = context_renderer(live->context),
                                     .preset = live->cues.shown,
                                     .quality = live->quality,
                                     .notice = notices_worst(&live->notices),
                                     .refused = params_refused(show_params(live->show)) });
    }
    list_sources(live, heard);
    if (hud->visible || hud->keys || hud->banner || hud->row_count > 0)
        render_hud(live->render, hud, target);
    hud->features = NULL;
}

static void write_stats(Live *live, const AudioStatus *audio)
{
    if (!live->stats) return;
    const OscStatus osc = live->osc ? osc_status(live->osc) : (OscStatus){ 0 };
    StatsRow row = { .show = show_stats(live->show),
                     .frame_ms = live->frame_ms,
                     .dropped_messages = osc.dropped };
    snprintf(row.preset, sizeof row.preset, "%s", live->cues.shown);
    stats_hear(&row, audio);
    stats_row(live->stats, &row);
}

static void tell_sound(Live *live, const Heard *heard)
{
    if (heard->demo && !live->demo_told) show_banner(live, "NO SOUND INPUT: DEMO LOOP");
    live->demo_told = heard->demo;
    notices_set(&live->notices, NOTICE_SOUND,
                heard->demo ? "no sound input: playing the demo loop until one appears"
                            : heard->status.notice);
}

static void one_frame(Live *live)
{
    const double begun = clock_now();
    const double dt = live->last < 0 ? 0 : begun - live->last;
    const Size size = context_size(live->context);
    char text[256];
    live->last = begun;

    if (size.width > 0 && size.height > 0)
        live->size = size; // iconified: the last size is drawn on
    cues_take(&live->cues, live->show, &live->notices);
    decide_quality(live, dt);
    show_prepare(live->show, live->size, text, sizeof text);
    if (text[0]) notices_set(&live->notices, NOTICE_PICTURE, text); // said when something was asked

    const Heard heard = ears_read(&live->ears, show_params(live->show), fmin(dt, STALL_LONGEST),
                                  live->samples, READ_FRAMES);
    tell_sound(live, &heard);
    if (live->osc)
        live->message_count +=
            osc_receive(live->osc, live->messages + live->message_count,
                        MESSAGES_A_FRAME < COUNT_OF(live->messages) - live->message_count
                            ? MESSAGES_A_FRAME
                            : COUNT_OF(live->messages) - live->message_count);

    const int now = cues_allow(&live->cues, live->messages, live->message_count);
    Target target = target_window(live->context);
    target.size = live->size;
    show_frame(live->show,
               &(ShowInput){ .samples = live->samples,
                             .frames = heard.frames,
                             .rate = heard.status.rate,
                             .joined = heard.joined,
                             .dt = dt,
                             .messages = live->messages,
                             .message_count = now,
                             .answer = answer,
                             .refuse = refuse,
                             .hand = live },
               &target);
    drop_messages(live, now);
    cues_ask(&live->cues, show_params(live->show), &live->notices);
    draw_hud(live, &heard, &target);
    measure(live, begun, dt);
    write_stats(live, &heard.status);
    context_present(live->context);
    clock_wait(begun + 1 / (live->options->fps > 0 ? live->options->fps : CAPACITY_FPS));
}

static int play(Live *live)
{
    uint64_t frames = 0;
    while (take_window(live)) {
        one_frame(live);
        if (!context_healthy(live->context))
            return complain("the graphics context was lost", EXIT_CONTEXT_LOST);
        if (live->options->frames && ++frames == live->options->frames) break;
    }
    return EXIT_DONE;
}

int host_live(const Options *options)
{
    char why[512] = "";
    if (options->word_count > 1)
        return complain("one preset at a time (motes help lists the commands)", EXIT_WRONG);
    const OscDesc osc = osc_desc(options);
    if (!setup_check(options, why, sizeof why)) return complain(why, EXIT_WRONG);
    if (!osc_understands(&osc, why, sizeof why)) return complain(why, EXIT_WRONG);
    const int signals = open_signals();
    Context *context = context_window(&(WindowDesc){ .title = "motes",
                                                     .size = { options->width, options->height },
                                                     .fullscreen = options->fullscreen,
                                                     .monitor = options->monitor,
                                                     .no_vsync = options->no_vsync },
                                      why, sizeof why);
    if (!context) {
        close_signals(signals);
        return host_without_display(options, why);
    }

    Live *live = calloc(1, sizeof *live);
    if (!live) return complain("out of memory", EXIT_FAILED);
    *live = (Live){ .options = options, .context = context, .signals = signals, .last = -1 };
    int code = open_all(live, why, sizeof why);
    begin_quality(live);
    if (code == EXIT_DONE)
        code = play(live);
    else
        complain(why, code);
    code = close_all(live, code);
    free(live);
    return code;
}
