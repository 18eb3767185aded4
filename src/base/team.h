// A few threads of our own that share out the work of a frame.  Between two runs they look for the next
// one for a moment, some 20 us, and then sleep.  (OpenMP's spin for longer, and the thread sanitizer
// cannot see through them.)
#pragma once

typedef struct Team Team;

// With `threads` in all, the caller's included.  Where the system gives fewer, fewer work.  NULL
// when out of memory; team_free takes NULL.
Team *team_new(int threads);
void team_free(Team *team);
int team_threads(const Team *team); // those that work, the caller's included: at most 64

// job(work, n) for n = 0..count-1, each once, on any thread and in any order; back when all are
// done.  Each thread begins with a range of its own, the same in every run of as many jobs, and then
// takes from the others' what they have not come to.  One caller at a time.
void team_run(Team *team, void (*job)(void *work, int n), void *work, int count);
