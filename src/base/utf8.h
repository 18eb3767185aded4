// Texts from outside may be anything; those that are shown or written are UTF-8.
#pragma once

// How many bytes the letter has that starts at `at`, 1..4 (1 for the closing 0); 0 where there is
// none: a byte out of place, a letter that is cut off, overlong, a surrogate or beyond Unicode.
int utf8_length(const char *at);
