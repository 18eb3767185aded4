#include "app/notices.h"

#include <stdio.h>
#include <string.h>

#include "app/clock.h"

void notices_set(Notices *notices, NoticeOrigin origin, const char *text)
{
    char *last = notices->text[origin];
    if (!strncmp(text, last, NOTICE_LENGTH - 1)) return;
    snprintf(last, NOTICE_LENGTH, "%s", text);
    if (text[0]) complain(text, 0);
}

const char *notices_worst(const Notices *notices)
{
    for (int i = 0; i < NOTICE_ORIGINS; i++)
        if (notices->text[i][0]) return notices->text[i];
    return "";
}
