// audio: where samples come from.  One door, several sources: a sound card heard through a capture
// process, a sound file, or a synthesised demo.
//
// Samples are always interleaved pairs of floats (left, right); a mono source gives both alike.  All
// counts below are in frames, one pair each.  The room prints nothing.  Frame thread only, unless
// said otherwise.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    AUDIO_CHANNELS = 2,
    AUDIO_RATE_MIN = 8000,   // Hz: what is slower or faster is not heard, because nobody
    AUDIO_RATE_MAX = 192000, // could say how it sounds
};

typedef enum {
    AUDIO_OPENING,   // a device is being opened; silence until then
    AUDIO_PLAYING,   // samples arrive
    AUDIO_NO_SIGNAL, // the device is open or retried, but no samples have come for half a second
    AUDIO_NO_DEVICE, // there is no input on this machine; looked for again for ever
    AUDIO_ENDED,     // the file is over (a file that does not loop)
    AUDIO_PAUSED,    // a file or the demo, held by audio_pause
} AudioState;

// "OPENING", "PLAYING", ...: how the HUD and the stats call it.
const char *audio_state_name(AudioState state);

// Which of its two channels a source is heard with.
typedef enum {
    AUDIO_LOUDEST, // both, analysed each for itself: the greater of the two counts, bin by bin
    AUDIO_LEFT,
    AUDIO_RIGHT,
    AUDIO_MIX, // half the sum: what is in anti-phase is gone
    AUDIO_CHANNEL_MAPS,
} AudioChannels;

// What a device that gives nothing but exact zeros for five seconds is said to be (in `notice`); it is
// then opened once more, in case it came up deaf.
#define AUDIO_DIGITAL_SILENCE "digital silence: muted, or no permission?"

// A source in words:
//     input[:NAME][#PAIR]   the default input, or the one of that name (a device's or a server source's
//                           name, or a part of it or of its title)
//     system[#PAIR]         what the machine plays: the monitor of the default output, wherever it moves
//     file:PATH             any sound file
//     demo[:KIND]           a synthesised loop, or what KIND says
// PAIR picks two channels of a card with many, counted from 1: "input:Scarlett#3-4"; "#3" is one alone.
// Without it the first two are heard, or the only one.  (A name that itself ends in # and a number needs a
// pair behind it.)
typedef struct {
    const char *source; // NULL or "": "input"
    int rate;           // Hz: of the demo, 0 is 48000; a file and a device have their own
    bool loop;          // a file starts again at its end (the demo always does)
    bool strict;        // a name that is not there is an error instead of a fallback
    bool wait;          // audio_read waits for a slow disk: for hosts that are not live
    uint64_t seed;      // of the demo's noise
    const char *log;    // file for the libraries' chatter, NULL: thrown away
} AudioDesc;

typedef struct Audio Audio;

// Opens the source.  Returns within 50 ms whatever the sound server does: a device goes on opening
// in the capture process, and a device that is missing or goes away is retried for ever by name.
// NULL and one sentence in `why` when the words of `source` are wrong, the file cannot be read or its
// rate is not within the range above, or (strict) the named device is absent; only a strict opening may
// take up to 3 s.
Audio *audio_open(const AudioDesc *desc, char *why, int why_size);

// Ends the capture process, if any, within half a second even when the sound server hangs.  NULL is
// fine.
void audio_close(Audio *audio);

// The next samples.  A file or the demo gives exactly those of the next `seconds` (the fraction of a
// frame, and what is beyond `capacity`, is carried over); a device gives what has arrived and ignores
// `seconds`.  Writes at most `capacity` frames and returns how many; never allocates.  Never waits,
// unless `wait` was asked for: a file, read two seconds ahead, then waits for its disk, and is always
// exact; without it a late disk makes the file play later, with nothing left out.  What a device sent
// too long ago (more than 0.25 s of backlog, after a stall) is skipped and counted, so that the newest
// is heard.  Samples come as they are: not-a-number and beyond full scale included.
uint32_t audio_read(Audio *audio, double seconds, float *samples, uint32_t capacity);

// For every frame, before audio_read; cheap.  `offset` is in seconds: so much later than it comes the
// sound is read, at most AUDIO_OFFSET_MAX, for listeners whom it reaches late.  Below 0 is as 0: nothing
// can be heard before it is there (beats, which are foretold, can: see HearingSettings).
static const double AUDIO_OFFSET_MAX = 0.5;
void audio_tune(Audio *audio, AudioChannels channels, double offset);

// Changes to another source (`strict` and `wait` are ignored).  Never waits, so that it may be called
// between frames: the opening goes on beside, and until then, or when it comes to nothing (the notice
// then says why), what is heard is heard on.  A second change before that replaces the first.
void audio_change(Audio *audio, const AudioDesc *desc);

// For a file: goes on at that time (s from its start, held within the file); never waits.  False for
// every other source.
bool audio_seek(Audio *audio, double seconds);

// For a file or the demo: gives nothing while held, and then goes on where it was.  A device cannot be
// held: false.
bool audio_pause(Audio *audio, bool held);

typedef struct {
    AudioState state;
    int rate;          // Hz, of what audio_read gave last; a reopening or a change may change it
    bool live;         // true for a device: samples come by its clock, not by `seconds`
    char name[128];    // what is really heard: device, file or demo
    char notice[192];  // one sentence when that is not what was asked for, else ""
    uint64_t dropped;  // frames lost to a full ring or skipped as stale
    double duration;   // s, of a file; 0 where there is no end or it is not known
    double position;   // s from the start, of a file
    bool stands_in;    // of a device: the one that was asked for is not there
    uint64_t reopened; // times that the capture process was replaced
    // Grows when what audio_read gave last does not follow on what it gave before (a stall, a reopening, a
    // seek, another source): the join is no sound, so it is no onset either.
    uint64_t joins;
    uint64_t gaps; // of a device: pauses of more than 0.15 s between blocks, and losses it told
    double age;    // s, of a device: since its newest sample came; 0 before the first
    double callback_worst; // s, of a device: the longest time that its callback has taken
} AudioStatus;

// As of the last audio_read.
AudioStatus audio_status(const Audio *audio);

// Prints the inputs and monitors, defaults marked, for `motes devices`: one a line, or with `json` one
// JSON array of {"name", "title", "kind": "input"|"monitor", "default", "channels", "rate"}.  False when there
// are none or the sound server did not answer within 3 s (and says so on `out`).
bool audio_list(FILE *out, bool json);

enum { AUDIO_NAME = 128 };

typedef struct {
    char name[AUDIO_NAME];  // as `input:NAME` takes it
    char title[AUDIO_NAME]; // for people; not unique
    bool monitor;           // of an output
} AudioInput;

// The inputs and monitors, at most `most`; how many, or -1 when the sound server did not answer within `seconds`, or
// `ending` became true, which another thread may set.  Any thread but the frame's.
int audio_inputs(AudioInput *inputs, int most, double seconds, const _Atomic bool *ending);

// Which of them `source` ("input:NAME[#PAIR]") names: the one of that name, else the first with it in its title or
// name; -1: none.
int audio_find_input(const AudioInput *inputs, int count, const char *source);

// The body of the capture process, and its exit code: main() of any program that opens devices or
// lists them calls it, before anything else, when its first argument is AUDIO_CAPTURE_COMMAND.
#define AUDIO_CAPTURE_COMMAND "--capture-process"
int audio_capture_main(int argc, char **argv);
