// The capture process: the one place where PortAudio and the sound server are spoken to.  It may hang
// in them; its parent then kills it (keeper.c).  Its tasks:
//     capture PARENT NAME OPTION PAIR   hear that input into the shared memory; OPTION may be "strict",
//                                       PAIR the two channels as "3-4", "" for the first two
//     find PARENT NAME                  exit code 0 when there is such an input
//     list PARENT "" text|json|lines    print the inputs; exit code 0 when there is one
#include <portaudio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"
#include "audio/audio_pulse.h"
#include "audio/capture.h"
#include "audio/capture_shared.h"

enum { MOST_SOURCES = 64, FOUND = 0, NOT_FOUND = 1 };
static const double LOOK = 0.05; // s between two looks at what goes on

// What can be heard on this machine, as of now.
typedef struct {
    PulseSource sources[MOST_SOURCES];
    int source_count;    // -1: no sound server, or no way to open its sources
    int devices;         // of PortAudio
    PaDeviceIndex pulse; // the device that opens the server's sources, or paNoDevice
    char set[128];       // PULSE_SOURCE at the start: the user's own choice for every program
} Machine;

// How to open one input.
typedef struct {
    PaDeviceIndex device;
    const char *source; // of the server, for PULSE_SOURCE; NULL: none
    const char *title;
    int rate;     // Hz, its own
    int channels; // its own
    bool guess;   // only opening it shows whether it is there
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
    const char *set = getenv("PULSE_SOURCE");
    snprintf(m->set, sizeof m->set, "%s", set ? set : "");
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
    return (Input){ .device = device,
                    .title = info->name,
                    .rate = (int)info->defaultSampleRate,
                    .channels = info->maxInputChannels };
}

// By its name, and not by a word that the server resolves: what is heard is then what is shown.
static Input of_source(const Machine *m, const PulseSource *source)
{
    return (Input){ .device = m->pulse,
                    .source = source->name,
                    .title = source->title,
                    .rate = source->rate,
                    .channels = source->channels };
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
    for (int n = 0; n < m->source_count; n++) {
        const PulseSource *s = &m->sources[n];
        if (m->set[0] ? strcmp(s->name, m->set) == 0 : s->chosen && !s->dummy)
            return of_source(m, s);
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
    if (source) return of_source(m, source);
    for (PaDeviceIndex d = 0; d < m->devices; d++) {
        const PaDeviceInfo *info = input_info(d);
        if (info && strcasestr(info->name, name)) return of_device(d);
    }
    if (m->source_count >= 0 || m->pulse == paNoDevice) return (Input){ .device = paNoDevice };
    // A build without libpulse cannot ask the server.
    return (Input){ .device = m->pulse,
                    .source = name,
                    .title = name,
                    .rate = 48000,
                    .channels = 2,
                    .guess = true };
}

// What a name comes to: the input to open, and what there is to say when it is not the one asked for.
typedef struct {
    ChildStep step; // CHILD_OPENING when there is one to open
    Input input;
    char notice[192];
} Choice;

static Choice stand_in(const Machine *m, const char *name, bool strict)
{
    const Input usual = find_default(m);
    Choice choice = { .step = CHILD_OPENING, .input = usual };
    if (usual.device == paNoDevice)
        choice.step = CHILD_NO_DEVICE;
    else if (strict)
        choice.step = CHILD_MISSING;
    else if (strcmp(name, CAPTURE_SYSTEM) == 0)
        snprintf(choice.notice, sizeof choice.notice,
                 "the system's own sound cannot be heard: %.60s instead", usual.title);
    else
        snprintf(choice.notice, sizeof choice.notice,
                 "there is no input \"%.60s\": %.60s until it appears", name, usual.title);
    return choice;
}

static Choice choose(const Machine *m, const char *name, bool strict)
{
    const Input wanted = name[0] ? find_named(m, name) : find_default(m);
    if (wanted.device != paNoDevice) return (Choice){ .step = CHILD_OPENING, .input = wanted };
    return name[0] ? stand_in(m, name, strict) : (Choice){ .step = CHILD_NO_DEVICE };
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

// What the same name comes to now on that machine, in `again`, which holds until the next call.  False when
// the server does not say; the stream will tell.
static bool choose_again(const Machine *before, const char *name, bool strict, Choice *again)
{
    static Machine now;
    now = *before;
    now.source_count = pulse_sources(now.sources, MOST_SOURCES);
    if (now.source_count < 0) return false;
    *again = choose(&now, name, strict);
    return true;
}

// A source is what its name says; its title may change while it is heard.
static bool has_moved(const Choice *open, const Choice *again)
{
    return again->step != CHILD_OPENING || again->input.device != open->input.device ||
           !same_text(again->input.source, open->input.source);
}

// ---- capture -------------------------------------------------------------------------------------

// What to hear, as the parent asked for it.
typedef struct {
    const char *name;
    bool strict;
    int left, right; // channels, from 0
    int parent;
} Task;

typedef struct {
    CaptureShared *shared;
    CaptureLayout layout;
    _Atomic bool finished;
} Hearing;

static RT_SAFE int on_audio(const void *in, void *out, unsigned long count,
                            const PaStreamCallbackTimeInfo *when, PaStreamCallbackFlags flags,
                            void *hearing)
{
    const Hearing *h = hearing;
    (void)out, (void)when;
    capture_hear(h->shared, in, (uint32_t)count, &h->layout, flags & paInputOverflow);
    return paContinue;
}

static void on_finished(void *hearing)
{
    atomic_store(&((Hearing *)hearing)->finished, true);
}

static PaStream *try_to_open(const Input *input, Hearing *h, int channels, int rate)
{
    PaStream *stream = NULL;
    const PaStreamParameters how = {
        .device = input->device,
        .channelCount = channels,
        .sampleFormat = paFloat32,
        .suggestedLatency = Pa_GetDeviceInfo(input->device)->defaultLowInputLatency,
    };
    const bool opened = Pa_OpenStream(&stream, &how, NULL, rate, paFramesPerBufferUnspecified,
                                      paNoFlag, on_audio, h) == paNoError;
    return opened ? stream : NULL;
}

// With that many channels at the input's own rate where that can be analysed, else at one of the usual.
static PaStream *open_at_some_rate(const Input *input, Hearing *h, int channels, int *rate)
{
    const int rates[] = { input->rate, 48000, 44100, 96000, 192000, 32000, 16000, 8000 };
    PaStream *stream = NULL;
    for (int n = 0; n < COUNT_OF(rates) && !stream; n++) {
        *rate = rates[n];
        if (*rate >= AUDIO_RATE_MIN && *rate <= AUDIO_RATE_MAX)
            stream = try_to_open(input, h, channels, *rate);
    }
    return stream;
}

// How many channels the wanted pair needs.
static int needed_for(const Task *task)
{
    return 1 + (task->left > task->right ? task->left : task->right);
}

// A card's pair beyond the first two: with as few channels as hold it, or with all that the card has.
static PaStream *open_far_pair(const Input *input, Hearing *h, const Task *task, int *rate)
{
    const int counts[] = { needed_for(task), input->channels };
    for (int n = 0; n < COUNT_OF(counts); n++) {
        h->layout = (CaptureLayout){ counts[n], task->left, task->right };
        PaStream *stream = open_at_some_rate(input, h, counts[n], rate);
        if (stream) return stream;
    }
    return NULL;
}

// Two channels, else one; never all that there are: a server's device claims 32.
static PaStream *open_first_two(const Input *input, Hearing *h, const Task *task, int *rate)
{
    for (int channels = 2; channels > 0; channels--) {
        const bool here = needed_for(task) <= channels;
        h->layout =
            (CaptureLayout){ channels, here ? task->left : 0, here ? task->right : channels - 1 };
        PaStream *stream = open_at_some_rate(input, h, channels, rate);
        if (stream) return stream;
    }
    return NULL;
}

// The rate and the start are told before the first sample of the stream can be.
static void announce(CaptureShared *shared, int rate)
{
    atomic_store(&shared->rate, (uint32_t)rate);
    atomic_store(&shared->start, atomic_load(&capture_ring(shared)->written));
    atomic_store(&shared->sounding, atomic_load(&shared->frames));
    atomic_fetch_add(&shared->openings, 1);
}

static void on_server_audio(void *hearing, const float *samples, uint32_t count)
{
    const Hearing *h = hearing;
    capture_hear(h->shared, samples, count, &h->layout, false);
}

static bool start_server_source(const Input *input, Hearing *h, const Task *task, PulseWatch *watch)
{
    const int rate = clampi(input->rate, AUDIO_RATE_MIN, AUDIO_RATE_MAX);
    h->layout = (CaptureLayout){ input->channels, task->left, task->right };
    announce(h->shared, rate);
    return pulse_watch_hear(watch, input->source, input->channels, rate, on_server_audio, h);
}

static bool start_device(const Input *input, Hearing *h, const Task *task)
{
    int rate = 0;
    PaStream *stream = NULL;
    if (input->source) setenv("PULSE_SOURCE", input->source, 1);
    if (!input->source && needed_for(task) > 2 && needed_for(task) <= input->channels)
        stream = open_far_pair(input, h, task, &rate);
    if (!stream) stream = open_first_two(input, h, task, &rate);
    if (!stream) return false;
    announce(h->shared, rate);
    Pa_SetStreamFinishedCallback(stream, on_finished);
    return Pa_StartStream(stream) == paNoError;
}

static void tell(const Hearing *h, const Task *task, const Choice *choice)
{
    CaptureShared *shared = h->shared;
    const uint32_t told = atomic_load(&shared->told);
    CaptureText text = { 0 };
    snprintf(text.name, sizeof text.name, "%s", choice->input.title);
    snprintf(text.notice, sizeof text.notice, "%s", choice->notice);
    if (needed_for(task) > h->layout.channels && needed_for(task) > 2 && !choice->notice[0])
        snprintf(text.notice, sizeof text.notice,
                 "%.80s has no channel %d: its first two are heard", choice->input.title,
                 needed_for(task));
    const bool open = atomic_load(&shared->step) == CHILD_OPEN;
    if (open && memcmp(&shared->text[told % 2], &text, sizeof text) == 0) return;
    shared->text[(told + 1) % 2] = text;
    atomic_store(&shared->told, told + 1);
    atomic_store(&shared->stands_in, choice->notice[0] != 0);
    atomic_store(&shared->step, CHILD_OPEN);
}

// Hears it until the stream ends or another input is the right one.
static ChildStep hear(CaptureShared *shared, const Task *task, const Machine *machine,
                      const Choice *choice)
{
    static Hearing hearing; // outlives this call: the callback's thread is never stopped
    const Input *input = &choice->input;
    PulseWatch *watch = pulse_watch_new();
    const bool whole = input->source && needed_for(task) > 2 && needed_for(task) <= input->channels;
    hearing.shared = shared;
    if (!(whole && start_server_source(input, &hearing, task, watch)) &&
        !start_device(input, &hearing, task))
        return CHILD_FAILED;
    tell(&hearing, task, choice);
    while (!atomic_load(&hearing.finished) && !pulse_watch_ended(watch) &&
           getppid() == task->parent) {
        Choice again;
        if (!pulse_watch_changed(watch, LOOK)) continue;
        if (!choose_again(machine, task->name, task->strict, &again)) continue;
        if (has_moved(choice, &again)) return CHILD_MOVED;
        tell(&hearing, task, &again);
    }
    return CHILD_OPEN;
}

static ChildStep capture(CaptureShared *shared, const Task *task)
{
    static Machine machine;
    if (!look_around(&machine)) return CHILD_FAILED;
    Choice choice = choose(&machine, task->name, task->strict);
    if (choice.step != CHILD_OPENING) return choice.step;
    const ChildStep came_to = hear(shared, task, &machine, &choice);
    if (came_to != CHILD_FAILED || !choice.input.guess) return came_to;
    unsetenv("PULSE_SOURCE");
    choice = stand_in(&machine, task->name, task->strict);
    return choice.step != CHILD_OPENING ? choice.step : hear(shared, task, &machine, &choice);
}

static int task_capture(const Task *task)
{
    void *memory =
        mmap(NULL, capture_shared_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, CAPTURE_FD, 0);
    if (memory == MAP_FAILED) return NOT_FOUND;
    CaptureShared *shared = memory;
    const ChildStep came_to = capture(shared, task);
    if (came_to != CHILD_OPEN) atomic_store(&shared->step, came_to);
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
    if (!input.guess) return FOUND;
    setenv("PULSE_SOURCE", input.source, 1);
    return open_first_two(&input, &hearing, &(Task){ .right = 1 }, &rate) ? FOUND : NOT_FOUND;
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

// `form`: "json", "lines" (for audio_inputs), "text".
static void print_line(const Line *line, const char *form, int *printed)
{
    if (strcmp(form, "json") == 0)
        print_json(line, *printed == 0);
    else if (strcmp(form, "lines") == 0)
        printf("%s\t%s\t%s\n", line->monitor ? "monitor" : "input", line->name, line->title);
    else
        print_text(line);
    ++*printed;
}

static int task_list(const char *form)
{
    static Machine m;
    int printed = 0;
    if (!look_around(&m)) m.source_count = -1;
    for (int n = 0; n < m.source_count; n++) {
        const PulseSource *s = &m.sources[n];
        print_line(
            &(Line){ s->name, s->title, s->monitor, s->chosen || s->system, s->channels, s->rate },
            form, &printed);
    }
    for (PaDeviceIndex d = 0; d < m.devices; d++) {
        const PaDeviceInfo *info = input_info(d);
        if (!stands_alone(&m, d)) continue;
        const bool standard = m.source_count < 0 && d == Pa_GetDefaultInputDevice();
        print_line(&(Line){ info->name, info->name, false, standard, info->maxInputChannels,
                            (int)info->defaultSampleRate },
                   form, &printed);
    }
    if (strcmp(form, "json") == 0) printf(printed ? "]\n" : "[]\n");
    if (strcmp(form, "text") == 0 && !printed) printf("there is no sound input on this machine\n");
    fflush(stdout);
    return printed ? FOUND : NOT_FOUND;
}

int audio_capture_main(int argc, char **argv)
{
    const char *words[5] = { "", "", "", "", "" }; // task, parent, name, option, pair
    for (int n = 0; n < COUNT_OF(words) && n + 2 < argc; n++) words[n] = argv[n + 2];
    const char *task = words[0];
    const int parent = atoi(words[1]);
    int code = 2;

    signal(SIGINT, SIG_IGN); // Ctrl-C goes to the whole group; the parent decides
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(code); // it was gone before that
    if (strcmp(task, "capture") == 0) {
        int left = 1, right = 2;
        sscanf(words[4], "%d-%d", &left, &right);
        code = task_capture(&(Task){ words[2], words[3][0] != 0, left - 1, right - 1, parent });
    }
    if (strcmp(task, "find") == 0) {
        setpriority(PRIO_PROCESS, 0, 10); // it comes every two seconds, and no frame shall feel it
        code = task_find(words[2]);
    }
    if (strcmp(task, "list") == 0) {
        if (strcmp(words[3], "lines") == 0) setpriority(PRIO_PROCESS, 0, 10); // while a show runs
        code = task_list(words[3]);
    }
    _exit(code); // no tidying up: PortAudio may wait in it for ever
}
