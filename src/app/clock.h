// The one clock of the process, and how it speaks on the terminal.
#pragma once

// Seconds that run on steadily, from some beginning.
double clock_now(void);

// Sleeps until clock_now() reaches `until`; at once when it has.
void clock_wait(double until);

// "motes: WHY" on standard error, unless that is a pipe which is full: no frame waits for a reader.  Returns `code`, so that a caller can end with it.
int complain(const char *why, int code);
