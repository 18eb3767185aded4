// Inside sim: a few threads of our own that sleep between frames.  (OpenMP's spin, and the thread
// sanitizer cannot see through them.)
#pragma once

typedef struct Team Team;

// With `threads` in all, the caller's included.  Where the system gives fewer, fewer work.  NULL
// when out of memory; team_free takes NULL.
Team *team_new(int threads);
void team_free(Team *team);

// job(work, n) for n = 0..count-1, each once, on any thread and in any order; back when all are
// done.
void team_run(Team *team, void (*job)(void *work, int n), void *work, int count);
