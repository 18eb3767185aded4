// base: the words that every room shares.  The one door of the room.
#pragma once

#include "base/file.h"
#include "base/half.h"
#include "base/json.h"
#include "base/maths.h"
#include "base/mesh.h"
#include "base/ring.h"
#include "base/rng.h"
#include "base/team.h"
#include "base/utf8.h"

// Marks a function that the audio callback may call: it never locks, allocates,
// logs or waits.
#define RT_SAFE

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
