#include "base/utf8.h"

#include <stdbool.h>

int utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const int length = at[0] < 0x80   ? 1
                       : at[0] < 0xc2 ? 0
                       : at[0] < 0xe0 ? 2
                       : at[0] < 0xf0 ? 3
                                      : 4;
    if (at[0] > 0xf4) return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0; // a closing 0 ends here too
    const bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    const bool surrogate = at[0] == 0xed && at[1] > 0x9f;
    const bool beyond = at[0] == 0xf4 && at[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}
