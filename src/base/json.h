// The one thing that everybody who writes JSON by hand needs.
#pragma once

#include <stdio.h>

// Writes a text (UTF-8) as a JSON string, in quotes, with what JSON does not take escaped; bytes that
// are no UTF-8 (half a letter where a name was cut, a device's name in another code) as U+FFFD.
void json_text(FILE *out, const char *text);
