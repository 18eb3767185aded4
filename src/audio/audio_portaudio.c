// The capture process: the one place where PortAudio and the sound server are spoken to.  It may hang
// in them; its parent then kills it (capture.c).  Its tasks:
//     capture PARENT NAME [strict]   hear that input into the shared memory
//     find PARENT NAME               exit code 0 when there is such an input
//     list PARENT "" text|json       print the inputs; exit code 0 when there is one
#include <portaudio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"
#include "audio/audio_pulse.h"
#include "audio/capture.h"
#include "audio/capture_shared.h"

enum { MOST_SOURCES = 64, FOUND = 0, NOT_FOUND = 1 };

// What can be heard on this machine, as of now.
typedef struct {
    PulseSource sources[MOST_SOURCES];
    int source_count;    // -1: no sound server, or no way to open its sources
    int devices;         // of PortAudio
    PaDeviceIndex pulse; // the device that opens the server's sources, or paNoDevice
} Machine;

// How to open one input.
typedef struct {
    PaDeviceIndex device;
    const char *source; // for PULSE_SOURCE, NULL: leave it
    const char *title;
    int rate;   // Hz, its own
    bool guess; // only opening it shows whether it is there
} Input;

static const PaDeviceInfo *input_info(PaDeviceIndex device)
{
    const PaDeviceInfo *info = device >= 0 ? Pa_GetDeviceInfo(device) : NULL;
    return info && info->maxInputChannels > 0 ? info : NULL;
}

static PaDeviceIndex device_named(const Machine *m, const char *name)
{
    for (PaDeviceIndex d = 0; d < m->devices; d++) {
        const PaDeviceInfo *info = input_info(d);
        if (info && strcmp(info->name, name) == 0) return d;
    }
    return paNoDevice;
}

static bool look_around(Machine *m)
{
    if (Pa_Initialize() != paNoError) return false;
    const int count = Pa_GetDeviceCount();
    m->devices = count > 0 ? count : 0;
    m->pulse = device_named(m, "pulse");
    m->source_count = m->pulse != paNoDevice ? pulse_sources(m->sources, MOST_SOURCES) : -1;
    return true;
}

// Next to a sound server PortAudio lists mostly other ways to that server; cards themselves remain.
static bool stands_alone(const Machine *m, PaDeviceIndex device)
{
    const PaDeviceInfo *info = input_info(device);
    if (!info) return false;
    if (m->source_count < 0) return true;
    const PaHostApiInfo *api = Pa_GetHostApiInfo(info->hostApi);
    return strstr(info->name, "(hw:") || (api && api->type != paALSA);
}

static Input of_device(PaDeviceIndex device)
{
    const PaDeviceInfo *info = input_info(device);
    if (!info) return (Input){ .device = paNoDevice };
    return (Input){ .device = device, .title = info->name, .rate = (int)info->defaultSampleRate };
}

// `how` is what PULSE_SOURCE gets: the name itself, or a word that the server resolves.
static Input of_source(const Machine *m, const PulseSource *source, const char *how)
{
    return (
        Input){ .device = m->pulse, .source = how, .title = source->title, .rate = source->rate };
}

static const PulseSource *source_named(const Machine *m, const char *name)
{
    const bool system = strcmp(name, CAPTURE_SYSTEM) == 0;
    for (int n = 0; n < m->source_count; n++)
        if (system ? m->sources[n].system : strcmp(m->sources[n].name, name) == 0)
            return &m->sources[n];
    for (int n = 0; n < m->source_count; n++)
        if (strcasestr(m->sources[n].title, name) || strcasestr(m->sources[n].name, name))
            return &m->sources[n];
    return NULL;
}

// Never the dummy that a server makes up where there is no card: it is silent for ever.
static Input find_default(const Machine *m)
{
    const char *set = getenv("PULSE_SOURCE"); // the user's own choice for every program
    for (int n = 0; n < m->source_count; n++) {
        const PulseSource *s = &m->sources[n];
        if (set && set[0] ? strcmp(s->name, set) == 0 : s->chosen && !s->dummy)
            return of_source(m, s, NULL);
    }
    if (stands_alone(m, Pa_GetDefaultInputDevice())) return of_device(Pa_GetDefaultInputDevice());
    for (PaDeviceIndex d = 0; d < m->devices; d++)
        if (stands_alone(m, d)) return of_device(d);
    return (Input){ .device = paNoDevice };
}

// A device of exactly that name, else a source of the server, else a device with it in its name.
static Input find_named(const Machine *m, const char *name)
{
    const PaDeviceIndex exact = device_named(m, name);
    if (exact != paNoDevice) return of_device(exact);

    const PulseSource *source = source_named(m, name);
    if (source) return of_source(m, source, strcmp(name, CAPTURE_SYSTEM) ? source->name : name);
    for (PaDeviceIndex d = 0; d < m->devices; d++) {
        const PaDeviceInfo *info = input_info(d);
        if (info && strcasestr(info->name, name)) return of_device(d);
    }
    if (m->source_count >= 0 || m->pulse == paNoDevice) return (Input){ .device = paNoDevice };
    // A build without libpulse cannot ask the server.
    return (Input){ m->pulse, .source = name, .title = name, .rate = 48000, .guess = true };
}

// ---- capture -------------------------------------------------------------------------------------

typedef struct {
    CaptureShared *shared;
    int channels;
    _Atomic bool finished;
} Hearing;

static RT_SAFE int on_audio(const void *in, void *out, unsigned long count,
                            const PaStreamCallbackTimeInfo *when, PaStreamCallbackFlags flags,
                            void *hearing)
{
    const Hearing *h = hearing;
    (void)out, (void)when, (void)flags;
    capture_hear(h->shared, in, (uint32_t)count, h->channels);
    return paContinue;
}

static void on_finished(void *hearing)
{
    atomic_store(&((Hearing *)hearing)->finished, true);
}

// Opens with the input's own rate where that can be analysed, else with one of the usual; two channels,
// else one.
static PaStream *open_stream(const Input *input, Hearing *h, int *rate)
{
    const int rates[] = { input->rate, 48000, 44100, 96000, 192000, 32000, 16000, 8000 };
    PaStream *stream = NULL;
    if (input->source) setenv("PULSE_SOURCE", input->source, 1);
    for (int n = 0; n < COUNT_OF(rates); n++) {
        for (h->channels = 2; h->channels > 0; h->channels--) {
            const PaStreamParameters how = {
                .device = input->device,
                .channelCount = h->channels,
                .sampleFormat = paFloat32,
                .suggestedLatency = Pa_GetDeviceInfo(input->device)->defaultLowInputLatency,
            };
            *rate = rates[n];
            if (*rate >= AUDIO_RATE_MIN && *rate <= AUDIO_RATE_MAX &&
                Pa_OpenStream(&stream, &how, NULL, *rate, paFramesPerBufferUnspecified, paNoFlag,
                              on_audio, h) == paNoError)
                return stream;
        }
    }
    return NULL;
}

// The rate and the start are told before the first sample of the stream can be.
static bool start_stream(PaStream *stream, Hearing *h, int rate)
{
    CaptureShared *shared = h->shared;
    atomic_store(&shared->rate, (uint32_t)rate);
    atomic_store(&shared->start, atomic_load(&capture_ring(shared)->written));
    atomic_fetch_add(&shared->openings, 1);
    Pa_SetStreamFinishedCallback(stream, on_finished);
    return Pa_StartStream(stream) == paNoError;
}

static bool hear(CaptureShared *shared, const Input *input, const char *notice, int parent)
{
    static Hearing hearing; // outlives this call: the callback's thread is never stopped
    int rate = 0;
    hearing.shared = shared;
    PaStream *stream = open_stream(input, &hearing, &rate);
    if (!stream || !start_stream(stream, &hearing, rate)) return false;
    snprintf(shared->name, sizeof shared->name, "%s", input->title);
    snprintf(shared->notice, sizeof shared->notice, "%s", notice);
    atomic_store(&shared->step, CHILD_OPEN);
    while (!atomic_load(&hearing.finished) && getppid() == parent)
        nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    return true;
}

static ChildStep capture(CaptureShared *shared, const char *name, bool strict, int parent)
{
    static Machine machine;
    char notice[192] = "";
    if (!look_around(&machine)) return CHILD_FAILED;
    const Input usual = find_default(&machine);
    const Input wanted = name[0] ? find_named(&machine, name) : usual;
    if (wanted.device != paNoDevice) {
        if (hear(shared, &wanted, "", parent)) return CHILD_OPEN;
        if (!wanted.guess) return CHILD_FAILED;
        unsetenv("PULSE_SOURCE");
    }
    if (usual.device == paNoDevice) return CHILD_NO_DEVICE;
    if (strict) return CHILD_MISSING;
    if (strcmp(name, CAPTURE_SYSTEM) == 0)
        snprintf(notice, sizeof notice, "the system's own sound cannot be heard: %.60s instead",
                 usual.title);
    else
        snprintf(notice, sizeof notice, "there is no input \"%.60s\": %.60s until it appears", name,
                 usual.title);
    return hear(shared, &usual, notice, parent) ? CHILD_OPEN : CHILD_FAILED;
}

static int task_capture(const char *name, bool strict, int parent)
{
    void *memory =
        mmap(NULL, capture_shared_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, CAPTURE_FD, 0);
    if (memory == MAP_FAILED) return NOT_FOUND;
    CaptureShared *shared = memory;
    const ChildStep result = capture(shared, name, strict, parent);
    if (result != CHILD_OPEN) atomic_store(&shared->step, result);
    return FOUND;
}

// ---- listing -------------------------------------------------------------------------------------

static int task_find(const char *name)
{
    static Machine machine;
    if (!look_around(&machine)) return NOT_FOUND;
    const Input input = find_named(&machine, name);
    if (input.device == paNoDevice) return NOT_FOUND;
    Hearing hearing = { 0 };
    int rate;
    return !input.guess || open_stream(&input, &hearing, &rate) ? FOUND : NOT_FOUND;
}

// One line of the list.
typedef struct {
    const char *name, *title;
    bool monitor, standard;
    int channels, rate;
} Line;

static void print_json(const Line *line, bool first)
{
    printf("%s{\"name\": ", first ? "[" : ",\n ");
    json_text(stdout, line->name);
    printf(", \"title\": ");
    json_text(stdout, line->title);
    printf(", \"kind\": \"%s\", \"default\": %s, \"channels\": %d, \"rate\": %d}",
           line->monitor ? "monitor" : "input", line->standard ? "true" : "false", line->channels,
           line->rate);
}

static void print_text(const Line *line)
{
    const bool same = strcmp(line->name, line->title) == 0;
    printf("%c %-7s  %s", line->standard ? '*' : ' ', line->monitor ? "monitor" : "input",
           line->name);
    printf(same ? "  (" : "  (%s, ", line->title);
    printf("%d channel%s, %d Hz)\n", line->channels, line->channels == 1 ? "" : "s", line->rate);
}

static void print_line(const Line *line, bool json, int *printed)
{
    if (json)
        print_json(line, *printed == 0);
    else
        print_text(line);
    ++*printed;
}

static int task_list(bool json)
{
    static Machine m;
    int printed = 0;
    if (!look_around(&m)) m.source_count = -1;
    for (int n = 0; n < m.source_count; n++) {
        const PulseSource *s = &m.sources[n];
        print_line(
            &(Line){ s->name, s->title, s->monitor, s->chosen || s->system, s->channels, s->rate },
            json, &printed);
    }
    for (PaDeviceIndex d = 0; d < m.devices; d++) {
        const PaDeviceInfo *info = input_info(d);
        if (!stands_alone(&m, d)) continue;
        const bool standard = m.source_count < 0 && d == Pa_GetDefaultInputDevice();
        print_line(&(Line){ info->name, info->name, false, standard, info->maxInputChannels,
                            (int)info->defaultSampleRate },
                   json, &printed);
    }
    if (json) printf(printed ? "]\n" : "[]\n");
    if (!json && !printed) printf("there is no sound input on this machine\n");
    fflush(stdout);
    return printed ? FOUND : NOT_FOUND;
}

int audio_capture_main(int argc, char **argv)
{
    const char *words[4] = { "", "", "", "" }; // task, parent, name, option
    for (int n = 0; n < 4 && n + 2 < argc; n++) words[n] = argv[n + 2];
    const char *task = words[0];
    const int parent = atoi(words[1]);
    int code = 2;

    signal(SIGINT, SIG_IGN); // Ctrl-C goes to the whole group; the parent decides
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(code); // it was gone before that
    if (strcmp(task, "capture") == 0) code = task_capture(words[2], words[3][0] != 0, parent);
    if (strcmp(task, "find") == 0) code = task_find(words[2]);
    if (strcmp(task, "list") == 0) code = task_list(strcmp(words[3], "json") == 0);
    _exit(code); // no tidying up: PortAudio may wait in it for ever
}
