// The one clock of the process, and how it speaks on the terminal.
#pragma once

// Seconds that run on steadily, from some beginning.
double clock_now(void);

// Sleeps until clock_now() reaches `until`; at once when it has.
void clock_wait(double until);

// "motes: WHY" on standard error; returns `code`, so that a caller can end with it.
int complain(const char *why, int code);
