// JSON written by hand: numbers as short as a person would write them.
#include "control/state.h"

#include <stdlib.h>

int number_text(float value, char *text, int size)
{
    if (value == truncf(value) && fabsf(value) < 1e9f)
        return snprintf(text, (size_t)size, "%.0f", value);
    for (int digits = 1; digits < 9; digits++) {
        const int length = snprintf(text, (size_t)size, "%.*g", digits, value);
        if (strtof(text, NULL) == value) return length;
    }
    return snprintf(text, (size_t)size, "%.9g", value);
}

void json_number(FILE *out, float value)
{
    char text[32];
    number_text(value, text, sizeof text);
    fputs(text, out);
}

void json_stops(FILE *out, const Stops *stops, int width)
{
    fputc('[', out);
    for (int i = 0; i < stops->count; i++) {
        fputs(i > 0 ? ", [" : "[", out);
        json_number(out, stops->at[i]);
        for (int v = 0; v < width; v++) {
            fputs(", ", out);
            json_number(out, stops->value[i][v]);
        }
        fputc(']', out);
    }
    fputc(']', out);
}
