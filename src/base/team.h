// A few threads of our own that share out the work of a frame and sleep between frames.  (OpenMP's
// spin, and the thread sanitizer cannot see through them.)
#pragma once

typedef struct Team Team;

// With `threads` in all, the caller's included.  Where the system gives fewer, fewer work.  NULL
// when out of memory; team_free takes NULL.
Team *team_new(int threads);
void team_free(Team *team);
int team_threads(const Team *team); // those that work, the caller's included

// job(work, n) for n = 0..count-1, each once, on any thread and in any order; back when all are
// done.
void team_run(Team *team, void (*job)(void *work, int n), void *work, int count);
