// The whole chain with real parts: a sound server plays real music, motes hears it through PortAudio,
// another program plays the forces over OSC, and a screen shows what came of it.
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sndfile.h>

#include "base/base.h"
#include "program.h"
#include "screen.h"
#include "stage.h"

enum { RATE = 48000, WIDTH = 320, HEIGHT = 180 };

static const char *const music = "/usr/share/sonic-pi/samples/loop_amen_full.flac";

// A look that shows what it hears and nothing else: no births without sound, short lives, two hues.
static const char *const look =
    "{\"version\": 1, \"title\": \"Test\","
    " \"parameters\": {\"look\": {\"bloom\": {\"amount\": 0.3}, \"trail\": {\"amount\": 0.5, "
    "\"half_life\": 0.1}}},"
    " \"emitters\": {\"spark\": {\"rate\": 0, \"life\": 0.6, \"size\": 0.2, \"area_size\": [2, "
    "1.5, 1],"
    "  \"colour\": [[0, 1, 0.4, 0.05, 1], [1, 0.8, 0.1, 0.02, 0]], \"intensity\": 2}},"
    " \"fields\": {\"mist\": {\"rate\": 0, \"life\": 0.6, \"size\": 0.12, \"area_size\": [3, 2, "
    "1], \"capacity\": 16384,"
    "  \"colour\": [[0, 0.05, 0.2, 1, 1], [1, 0.1, 0.05, 0.8, 0]], \"intensity\": 1}},"
    " \"routes\": {\"emitter-spark\": {\"amount\": 1200}, \"field-mist\": {\"amount\": 6000}}}";

typedef struct {
    Stage *stage;
    Screen *screen;
    char preset[128], stats[128], sound[128];
    int port, motes;
} Scene;

static void write_text(const char *path, const char *text)
{
    char why[256];
    if (!file_write(path, text, strlen(text), why, sizeof why)) fail_msg("%s", why);
}

static int open_scene(void **state)
{
    Scene *s = calloc(1, sizeof *s);
    s->stage = stage_open();
    stage_start_sound(s->stage);
    s->screen = screen_open(WIDTH, HEIGHT);
    snprintf(s->preset, sizeof s->preset, "%s", stage_path(s->stage, "test.json"));
    snprintf(s->stats, sizeof s->stats, "%s", stage_path(s->stage, "stats.json"));
    snprintf(s->sound, sizeof s->sound, "%s", stage_path(s->stage, "sound.wav"));
    write_text(s->preset, look);
    s->port = 20000 + getpid() % 20000;
    *state = s;
    return 0;
}

static int close_scene(void **state)
{
    Scene *s = *state;
    stage_end(s->motes, SIGKILL);
    screen_close(s->screen);
    stage_close(s->stage);
    free(s);
    return 0;
}

static void start_motes(Scene *s, const char *more)
{
    char line[1024];
    snprintf(line, sizeof line,
             "%s --size %dx%d --fps 60 --osc-port %d --set quality/auto=0 --stats %s %s", s->preset,
             WIDTH, HEIGHT, s->port, s->stats, more);
    unlink(s->stats);
    s->motes = program_start(line);
    program_wait(s->stats, 0.3, 20);
}

#define HEAR_STAGE "--audio input:stage.monitor "

static void stop_motes(Scene *s)
{
    const int motes = s->motes;
    s->motes = 0;
    assert_int_equal(program_stop(motes, 2), 0);
}

static void send_osc(const Scene *s, const char *const words[])
{
    char port[16];
    const char *line[16] = { "oscsend", "127.0.0.1", port };
    snprintf(port, sizeof port, "%d", s->port);
    for (int i = 0; words[i]; i++) line[3 + i] = words[i];
    stage_end(stage_run(line), 0);
}

#define OSC(scene, ...) send_osc(scene, (const char *const[]){ __VA_ARGS__, NULL })

// ---- sounds ------------------------------------------------------------------------------------------------

typedef float (*Gain)(double time);

// `seconds` of the music loop (NULL: noise) under a gain, as a file; its RMS over each `bin` seconds.
static void make_sound(const char *path, const char *source, double seconds, Gain gain, double bin,
                       double *rms)
{
    const int frames = (int)(seconds * RATE), per_bin = (int)(bin * RATE);
    float *pairs = calloc((size_t)frames, 2 * sizeof *pairs);
    SF_INFO info = { 0 };
    SNDFILE *in = source ? sf_open(source, SFM_READ, &info) : NULL;
    if (source && !in) fail_msg("%s is missing: install the package sonic-pi-samples", source);
    if (in && info.channels > 2) fail_msg("%s has %d channels", source, info.channels);
    for (int i = 0; i < frames; i++) {
        float pair[2] = { 0 };
        if (!in)
            pair[0] = 0.5f * (rng_unit(rng_mix((uint32_t)i)) - 0.5f);
        else if (sf_readf_float(in, pair, 1) < 1) {
            sf_seek(in, 0, SEEK_SET);
            sf_readf_float(in, pair, 1);
        }
        const float g = gain ? gain(i / (double)RATE) : 1;
        pairs[2 * i] = g * pair[0];
        pairs[2 * i + 1] = g * (in && info.channels == 2 ? pair[1] : pair[0]);
    }
    for (int b = 0; rms && b < frames / per_bin; b++) {
        double sum = 0;
        for (int i = 0; i < 2 * per_bin; i++) sum += pow(pairs[2 * b * per_bin + i], 2);
        rms[b] = sqrt(sum / (2 * per_bin));
    }
    SF_INFO as = { .samplerate = RATE, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT };
    SNDFILE *out = sf_open(path, SFM_WRITE, &as);
    assert_non_null(out);
    assert_int_equal(sf_writef_float(out, pairs, frames), frames);
    sf_close(out);
    if (in) sf_close(in);
    free(pairs);
}

static double correlation(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        sx += x[i], sy += y[i];
        sxx += x[i] * x[i], syy += y[i] * y[i], sxy += x[i] * y[i];
    }
    const double vx = sxx - sx * sx / count, vy = syy - sy * sy / count;
    return vx > 0 && vy > 0 ? (sxy - sx * sy / count) / sqrt(vx * vy) : 0;
}

// ---- it is seen what is heard -------------------------------------------------------------------------------

// The player needs a while to begin, on a busy machine a long one: what is seen is compared with what
// was played at the lag that fits best.  (How late light really is, the clicks below tell.)
#define SECONDS     20
#define BIN         0.25
#define LAG_SECONDS 2
enum { BINS = (int)(SECONDS / BIN), LAGS = (int)(LAG_SECONDS / BIN), SEEN_BINS = BINS + LAGS };

static double correlation_at_best(const double *played, const double *seen, int *lag)
{
    double best = -1;
    for (int i = 0; i < LAGS; i++) {
        const double r = correlation(played, seen + i, BINS);
        if (r > best) best = r, *lag = i;
    }
    return best;
}

// Loud and soft by turns, two seconds each.
static float in_turns(double time)
{
    static const float gains[] = { 1, 0.05f, 0.5f, 0.02f, 1, 0.15f, 0.7f, 0.03f, 0.3f, 1 };
    return gains[(int)(time / 2) % COUNT_OF(gains)];
}

typedef struct {
    double brightness[SEEN_BINS], most_clipped;
    double hues[12];
} Seen;

static Seen watch(const Scene *s)
{
    Seen seen = { 0 };
    int looks[SEEN_BINS] = { 0 };
    const double begun = stage_seconds();
    for (double t; (t = stage_seconds() - begun) < SEEN_BINS * BIN; stage_sleep(0.04)) {
        const Sight sight = screen_look(s->screen);
        const int bin = clampi((int)(t / BIN), 0, SEEN_BINS - 1);
        seen.brightness[bin] += sight.brightness;
        looks[bin]++;
        if (sight.clipped > seen.most_clipped) seen.most_clipped = sight.clipped;
        for (int i = 0; i < 12; i++) seen.hues[i] += sight.hues[i];
    }
    for (int i = 0; i < SEEN_BINS; i++) seen.brightness[i] /= looks[i] ? looks[i] : 1;
    return seen;
}

// Births a frame, summed over bins of show time.
static void births_in_bins(const StatsLine *lines, int count, double from, double cpu[SEEN_BINS],
                           double gpu[SEEN_BINS])
{
    for (int i = 0; i < SEEN_BINS; i++) cpu[i] = gpu[i] = 0;
    for (int i = 0; i < count; i++) {
        const int bin = (int)floor((lines[i].time - from) / BIN);
        if (bin < 0 || bin >= SEEN_BINS) continue;
        cpu[bin] += lines[i].births_cpu;
        gpu[bin] += lines[i].births_gpu;
    }
}

static double last_time(const Scene *s)
{
    StatsLine *lines;
    const int count = program_stats(s->stats, &lines);
    const double time = count ? lines[count - 1].time : 0;
    free(lines);
    return time;
}

static void the_picture_follows_the_music(void **state)
{
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    Scene *s = *state;
    double rms[BINS], cpu[SEEN_BINS], gpu[SEEN_BINS];
    int lag_light = 0, lag = 0;
    make_sound(s->sound, music, SECONDS, in_turns, BIN, rms);
    start_motes(s, HEAR_STAGE);
    stage_sleep(2.5); // an idle monitor wakes up late
    stage_play(s->stage, s->sound);
    const double from = last_time(s);
    const Seen seen = watch(s);
    stage_sleep(3); // silence
    stop_motes(s);

    StatsLine *lines;
    const int count = program_stats(s->stats, &lines);
    births_in_bins(lines, count, from, cpu, gpu);
    const double r_light = correlation_at_best(rms, seen.brightness, &lag_light);
    const double r_cpu = correlation_at_best(rms, cpu, &lag),
                 r_gpu = correlation_at_best(rms, gpu, &lag);
    print_message("loudness against brightness r = %.3f, CPU births %.3f, GPU births %.3f; clipped "
                  "at most %.2f %%\n",
                  r_light, r_cpu, r_gpu, 100 * seen.most_clipped);
    assert_true(r_light > 0.6);
    assert_true(r_cpu > 0.6);
    assert_true(r_gpu > 0.6);
    assert_true(seen.most_clipped < 0.01);

    int hues = 0;
    double all = 0;
    for (int i = 0; i < 12; i++) all += seen.hues[i];
    for (int i = 0; i < 12; i++) hues += seen.hues[i] > 0.05 * all;
    assert_true(hues >= 2);

    // With a base rate of 0 the births end within a second of the silence.
    uint32_t late = 0, heard = 0;
    for (int i = 0; i < count; i++) {
        heard += lines[i].births_cpu;
        if (lines[i].time > from + SECONDS + lag * BIN + 1.3)
            late += lines[i].births_cpu + lines[i].births_gpu;
    }
    assert_true(heard > 1000);
    assert_int_equal(late, 0);
    free(lines);
}

// ---- forces from another program --------------------------------------------------------------------------

static Sight mean_sight(const Scene *s, double seconds)
{
    Sight mean = { 0 };
    int count = 0;
    for (const double end = stage_seconds() + seconds; stage_seconds() < end;
         count++, stage_sleep(0.03)) {
        const Sight sight = screen_look(s->screen);
        mean.centre_x += sight.centre_x;
        mean.centre_y += sight.centre_y;
        mean.brightness += sight.brightness;
    }
    mean.centre_x /= count, mean.centre_y /= count, mean.brightness /= count;
    return mean;
}

static void forces_over_osc_bend_the_particles(void **state)
{
    Scene *s = *state;
    make_sound(s->sound, NULL, 40, NULL, 1, NULL);
    start_motes(s, HEAR_STAGE "--set emitters/spark/life=1.5 --set fields/mist/life=1.5");
    stage_play(s->stage, s->sound);
    stage_sleep(4);
    const Sight still = mean_sight(s, 1.5);
    OSC(s, "/forces/gravity", "f", "-12");
    stage_sleep(2);
    const Sight fallen = mean_sight(s, 1.5);
    OSC(s, "/forces/gravity", "i", "0");
    OSC(s, "/forces/wind", "fff", "16", "0", "0");
    stage_sleep(2);
    const Sight right = mean_sight(s, 1.5);
    OSC(s, "/inc/forces/wind/x", "f", "-32");
    stage_sleep(2);
    const Sight left = mean_sight(s, 1.5);
    OSC(s, "/show/blackout", "T");
    stage_sleep(0.6);
    const Sight black = screen_look(s->screen);
    stop_motes(s);

    print_message("centre: still %.3f %.3f, gravity y %.3f, wind x %.3f and %.3f\n", still.centre_x,
                  still.centre_y, fallen.centre_y, right.centre_x, left.centre_x);
    assert_true(still.brightness > 0.01);
    assert_true(fallen.centre_y < still.centre_y - 0.05);
    assert_true(right.centre_y > fallen.centre_y + 0.03);
    assert_true(right.centre_x > still.centre_x + 0.04);
    assert_true(left.centre_x < still.centre_x - 0.04);
    assert_true(black.brightness == 0);
}

// ---- keys and mouse -------------------------------------------------------------------------------------------

static void type_key(const char *key)
{
    const char *const words[] = { "xdotool", "key", key, NULL };
    stage_end(stage_run(words), 0);
    stage_sleep(0.5);
}

static void point(const char *x, const char *y)
{
    const char *const words[] = { "xdotool", "mousemove", x, y, NULL };
    stage_end(stage_run(words), 0);
}

static void keys_and_mouse_play(void **state)
{
    Scene *s = *state;
    start_motes(s, "--audio demo:noise --set forces/drag=2 --set forces/attractor1/strength=400 "
                   "--set emitters/spark/life=1.5 --set fields/mist/life=1.5");
    point("280", "90");
    stage_sleep(2);
    const Sight right = mean_sight(s, 1);
    point("40", "90");
    stage_sleep(2);
    const Sight left = mean_sight(s, 1);
    print_message("centre: mouse right %.3f, left %.3f\n", right.centre_x, left.centre_x);
    assert_true(right.centre_x > left.centre_x + 0.03);

    type_key("b");
    assert_true(screen_look(s->screen).brightness == 0);
    type_key("Tab"); // levels and state are readable even then
    assert_true(screen_look(s->screen).brightness > 0.005);
    type_key("Tab");
    type_key("h");
    assert_true(screen_look(s->screen).brightness > 0.005);
    type_key("h");
    assert_true(screen_look(s->screen).brightness == 0);
    type_key("b");
    assert_true(screen_look(s->screen).brightness > 0.005);
    type_key("f");
    type_key("Escape");
    type_key("space");
    const int motes = s->motes;
    s->motes = 0;
    type_key("ctrl+q");
    assert_int_equal(program_end(motes, stage_patience(2)), 0);
}

static bool hears(const Scene *s, const char *source)
{
    StatsLine *lines;
    const int count = program_stats(s->stats, &lines);
    const bool found = count && strstr(lines[count - 1].source, source);
    free(lines);
    return found;
}

// Presses the key until the source is that one.
static bool step_to(const Scene *s, const char *source, const char *key)
{
    point("160", "90");
    for (int press = 0; press < 6; press++) {
        type_key(key);
        for (const double end = stage_seconds() + stage_patience(3); stage_seconds() < end;
             stage_sleep(0.2))
            if (hears(s, source)) return true;
    }
    return false;
}

static bool is_black_within(const Scene *s, double seconds)
{
    for (const double end = stage_seconds() + stage_patience(seconds); stage_seconds() < end;
         stage_sleep(0.1))
        if (screen_look(s->screen).brightness == 0) return true;
    return false;
}

static void a_key_steps_through_the_sources(void **state)
{
    Scene *s = *state;
    start_motes(s, HEAR_STAGE "--set show/blackout=1");
    assert_true(is_black_within(s, 2));
    assert_true(step_to(s, "demo", "i"));
    assert_true(screen_look(s->screen).brightness > 0.005); // they are listed
    assert_true(step_to(s, "Monitor of", "u"));
    assert_true(is_black_within(s, 7)); // for a while
    stage_freeze_sound(s->stage, true);
    type_key("i"); // asks a server that does not answer
    stop_motes(s); // within two seconds all the same
    stage_freeze_sound(s->stage, false);
}

// ---- a sound server that hangs ------------------------------------------------------------------

static double seconds_to_first_frame(Scene *s, const char *more)
{
    const double begun = stage_seconds();
    start_motes(s, more);
    StatsLine *lines;
    assert_true(program_stats(s->stats, &lines) > 0);
    const double first = lines[0].frame_ms / 1000; // what drawing it took is this machine's affair
    free(lines);
    return stage_seconds() - begun - first;
}

static void a_hung_sound_server_delays_nothing(void **state)
{
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    Scene *s = *state;
    double plain = 1e9, hung = 1e9,
           ending = 1e9; // the best of three: a busy machine makes any of them slow
    for (int i = 0; i < 3; i++) {
        plain = fmin(plain, seconds_to_first_frame(s, "--audio demo"));
        stop_motes(s);
        stage_freeze_sound(s->stage, true);
        hung = fmin(hung, seconds_to_first_frame(s, "--audio input")); // whatever is remembered
        StatsLine *lines;
        const int count = program_stats(s->stats, &lines);
        assert_string_not_equal(lines[count - 1].audio, "PLAYING");
        free(lines);
        const double asked = stage_seconds();
        stop_motes(s); // within two seconds, or it fails
        ending = fmin(ending, stage_seconds() - asked);
        stage_freeze_sound(s->stage, false);
    }
    print_message("to a third of a second of show: %.2f s, with a hung sound server %.2f s; "
                  "quitting then %.2f s\n",
                  plain, hung, ending);
    assert_true(hung < plain + 0.5);
}

// ---- presets ------------------------------------------------------------------------------------

static void wait_preset(const Scene *s, const char *name)
{
    char last[64] = "";
    for (const double end = stage_seconds() + 15; stage_seconds() < end; stage_sleep(0.1)) {
        StatsLine *lines;
        const int count = program_stats(s->stats, &lines);
        snprintf(last, sizeof last, "%s", count ? lines[count - 1].preset : "");
        free(lines);
        if (!strcmp(last, name)) return;
    }
    fail_msg("the preset is %s, not %s", last, name);
}

static void presets_come_by_name_and_by_step(void **state)
{
    Scene *s = *state;
    write_text(stage_path(s->stage, "other.json"), look);
    start_motes(s, "--audio demo:silence");
    wait_preset(s, "test");
    OSC(s, "/show/preset", "s", stage_path(s->stage, "other.json"));
    wait_preset(s, "other");
    OSC(s, "/show/preset", "s", s->preset);
    wait_preset(s, "test");
    OSC(s, "/show/next"); // of the shipped ones
    wait_preset(s, "corona");
    OSC(s, "/show/preset", "s", s->preset); // named before: it comes back all the same
    wait_preset(s, "test");
    OSC(s, "/show/preset", "s", "no-such-preset");
    stage_sleep(0.5);
    wait_preset(s, "test");
    stop_motes(s);
}

// ---- how long from a click to light ------------------------------------------------------------------------

enum { CLICKS = 8 };

// Listens to the same monitor as motes, and notes when each click comes out of the sound server.
typedef struct {
    _Atomic double heard[CLICKS + 4];
    atomic_int count;
    atomic_bool ending;
} Listener;

static void *listen_to_clicks(void *argument)
{
    Listener *l = argument;
    FILE *pipe = popen("parec --latency-msec=3 --format=float32le --rate=48000 --channels=1 -d "
                       "stage.monitor --raw",
                       "re");
    float samples[48];
    double last = 0;
    while (pipe && !atomic_load(&l->ending) && fread(samples, sizeof samples, 1, pipe) == 1) {
        float peak = 0;
        for (int i = 0; i < COUNT_OF(samples); i++) peak = fmaxf(peak, fabsf(samples[i]));
        const double now = stage_seconds();
        const int count = atomic_load(&l->count);
        if (peak < 0.2f || now - last < 0.4 || count >= COUNT_OF(l->heard)) continue;
        atomic_store(&l->heard[count], now);
        atomic_store(&l->count, count + 1);
        last = now;
    }
    if (pipe) pclose(pipe);
    return NULL;
}

static float every_second(double time)
{
    return time - floor(time) < 0.04 && time > 0.9 ? 3.9f : 0;
}

static int rising(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void a_click_is_light_soon(void **state)
{
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    Scene *s = *state;
    Listener listener = { 0 };
    pthread_t thread;
    double seen[CLICKS + 4], late[CLICKS + 4];
    int seen_count = 0, matched = 0;
    make_sound(s->sound, NULL, CLICKS + 1, every_second, 1, NULL);
    start_motes(s, HEAR_STAGE "--set emitters/spark/life=0.2 --set fields/mist/life=0.2 "
                              "--set look/trail/amount=0");
    assert_int_equal(pthread_create(&thread, NULL, listen_to_clicks, &listener), 0);
    stage_sleep(3);
    stage_play(s->stage, s->sound);
    const double end = stage_seconds() + CLICKS + 2;
    for (double dark = 0; stage_seconds() < end; stage_sleep(0.001)) {
        const double light = screen_glance(s->screen), now = stage_seconds();
        if (light < 0.002) dark = now;
        if (light < 0.004 || (seen_count && now - seen[seen_count - 1] < 0.5) || now - dark > 0.3)
            continue;
        if (seen_count < COUNT_OF(seen)) seen[seen_count++] = now;
    }
    atomic_store(&listener.ending, true);
    stop_motes(s);
    stage_kill_sound(s->stage); // ends parec's read
    pthread_join(thread, NULL);
    for (int i = 0; i < atomic_load(&listener.count); i++) {
        for (int k = 0; k < seen_count; k++) {
            const double lateness = seen[k] - atomic_load(&listener.heard[i]);
            if (lateness > -0.1 && lateness < 0.5) {
                late[matched++] = lateness;
                break;
            }
        }
    }
    stage_start_sound(s->stage);
    assert_true(matched >= CLICKS - 2);
    qsort(late, (size_t)matched, sizeof late[0], rising);
    print_message("from a click on the sound server's monitor to a brighter frame: median %.0f ms "
                  "(%.0f to %.0f, %d clicks)\n",
                  1000 * late[matched / 2], 1000 * late[0], 1000 * late[matched - 1], matched);
}

// The last one: it takes the screen away.
static void a_lost_screen_ends_with_code_3(void **state)
{
    Scene *s = *state;
    start_motes(s, "--audio demo");
    screen_close(s->screen);
    s->screen = NULL;
    const int motes = s->motes;
    s->motes = 0;
    assert_int_equal(program_end(motes, 10), 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_follows_the_music),
        cmocka_unit_test(forces_over_osc_bend_the_particles),
        cmocka_unit_test(keys_and_mouse_play),
        cmocka_unit_test(a_key_steps_through_the_sources),
        cmocka_unit_test(a_hung_sound_server_delays_nothing),
        cmocka_unit_test(presets_come_by_name_and_by_step),
        cmocka_unit_test(a_click_is_light_soon),
        cmocka_unit_test(a_lost_screen_ends_with_code_3),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
