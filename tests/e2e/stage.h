// A stage for whole-program tests: a sound server of its own with one output named "stage", in a
// folder of its own, on a machine without sound card.  It is PulseAudio, or where that is not
// installed PipeWire with its Pulse service.  The processes that a test starts see nothing else.
//
// Every call that can fail ends the test with the reason (cmocka's fail_msg).
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct Stage Stage;

// Makes the folder, and points XDG_RUNTIME_DIR and HOME of this process there; no server yet.
Stage *stage_open(void);

// Ends everything that runs on it and removes the folder; NULL is fine.
void stage_close(Stage *stage);

// A path in the stage's folder; valid until the next call.
const char *stage_path(Stage *stage, const char *name);

// Starts the server and waits until it answers.
void stage_start_sound(Stage *stage);

// The same without an output: the server then makes up a dummy one of its own.
void stage_start_without_card(Stage *stage);

// Kills it as a crash does.  What it played ends too.
void stage_kill_sound(Stage *stage);

// Stops it from answering (SIGSTOP), or lets it go on.
void stage_freeze_sound(Stage *stage, bool frozen);

// Plays that file into the output "stage" from now on, once; ends what was played before.
void stage_play(Stage *stage, const char *path);

// The same into another output.
void stage_play_into(Stage *stage, const char *output, const char *path);

// Adds one more output of that name, in letters only; takes it away again.
void stage_add_output(Stage *stage, const char *name);
void stage_remove_output(Stage *stage, const char *name);

// One of another kind: "rate=96000 channels=8 format=s24le".
void stage_add_odd_output(Stage *stage, const char *name, const char *kind);

// Gives what an output plays another title, by the server's own command line; its name stays.  False where
// the server has none (PipeWire).
bool stage_title_output(Stage *stage, const char *name, const char *title);

// From now on what is played goes there when it names no output.
void stage_set_default_output(Stage *stage, const char *name);

// Starts a program, found in PATH, quietly; it dies with this one.  `words` ends with NULL.
pid_t stage_run(const char *const words[]);

// Ends it with that signal and reaps it; 0 is fine.
void stage_end(pid_t process, int signal);

// The capture processes that `parent` has started; the last of them in `one` (may be NULL).
int stage_captures(pid_t parent, pid_t *one);

// Shared memories with a name on this machine.
int stage_shared_memories(void);

// A limit for something that takes at most `seconds` on a machine with nothing else to do: that, or
// more where more programs want to run than there are processors.
double stage_patience(double seconds);

double stage_seconds(void); // of a clock that only goes forward
void stage_sleep(double seconds);
