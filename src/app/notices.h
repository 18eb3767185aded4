// What is wrong, by where it comes from: each origin has one sentence at a time, said once on the
// terminal and shown by the HUD for as long as it lasts.
#pragma once

// In order of weight for somebody on stage: the HUD shows the first.
typedef enum {
    NOTICE_SOUND,
    NOTICE_WINDOW,
    NOTICE_PICTURE,
    NOTICE_SHADERS,
    NOTICE_PRESETS,
    NOTICE_HANDS,
    NOTICE_ORIGINS,
} NoticeOrigin;

enum { NOTICE_LENGTH = 256 };

typedef struct {
    char text[NOTICE_ORIGINS][NOTICE_LENGTH];
} Notices;

// What is wrong there now; "" when nothing is.  Does not wait for the terminal.
void notices_set(Notices *notices, NoticeOrigin origin, const char *text);

// The weightiest, or "".
const char *notices_worst(const Notices *notices);
