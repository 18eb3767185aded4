#include "base/json.h"

#include "base/utf8.h"

void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (int length; *text; text += length ? length : 1) {
        length = utf8_length(text);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (length == 1 && *text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fwrite(text, 1, (size_t)length, out);
    }
    fputc('"', out);
}
