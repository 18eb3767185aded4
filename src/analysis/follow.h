// A level in time: smoothed, slow, and summed up.
#pragma once

#include <stdbool.h>

typedef struct {
    float smooth;       // of the level as it is shown
    double brief, past; // means over seconds and over half a minute, of the level as it is heard
    double heard;       // s of sound
    double clock;       // 0..1, wrapped
} Follower;

typedef struct {
    float attack, release; // s, time constants
    float seconds;         // the hop's length
    bool silent;           // nothing is learnt from it
} FollowSettings;

// Hears a level in 0..1 of its range, as it is shown and before any gain.
void follow(Follower *follower, float shown, float heard, const FollowSettings *settings);

// 0 where there is nothing, 0.5 where the level is what it has been, towards 1 where it is more.
float follow_presence(const Follower *follower);
