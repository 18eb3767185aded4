// GLSL 3.30 has no #include, and its #line takes numbers whose meaning drivers disagree on.  So the
// text is put together here, no #line is written, and a table remembers where each line came from.
#include "gfx/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum {
    FILES_MOST = 32, // also bounds the depth, as a file comes in only once
    PATH_MOST = 1024,
};

typedef struct {
    int file, line;
} Origin;

struct Source {
    char folder[PATH_MOST];
    char *files[FILES_MOST]; // names below the folder, in order of appearance
    int file_count;
    char *text;
    size_t length, room; // in bytes, without the closing 0
    Origin *lines;       // of each line of the text
    int line_count, line_room;
};

static bool add_line(Source *s, const char *line, size_t length, Origin origin)
{
    if (s->length + length + 2 > s->room) {
        const size_t room = 2 * (s->length + length + 2);
        char *text = realloc(s->text, room);
        if (!text) return false;
        s->text = text;
        s->room = room;
    }
    if (s->line_count == s->line_room) {
        const int room = s->line_room ? 2 * s->line_room : 256;
        Origin *lines = realloc(s->lines, (size_t)room * sizeof *lines);
        if (!lines) return false;
        s->lines = lines;
        s->line_room = room;
    }
    memcpy(s->text + s->length, line, length);
    s->length += length;
    s->text[s->length++] = '\n';
    s->text[s->length] = 0;
    s->lines[s->line_count++] = origin;
    return true;
}

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t");
}

typedef enum { PLAIN, INCLUDE, BAD_INCLUDE } LineKind;

// What a line is; `name` gets what an include names.
static LineKind read_line(const char *line, char *name, size_t name_size)
{
    line = skip_blank(line);
    if (*line != '#') return PLAIN;
    line = skip_blank(line + 1);
    if (strncmp(line, "include", 7) != 0) return PLAIN;
    line = skip_blank(line + 7);
    const size_t length = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    if (length == 0 || length >= name_size || line[1 + length] != '"') return BAD_INCLUDE;
    memcpy(name, line + 1, length);
    name[length] = 0;
    return INCLUDE;
}

static bool leaves_folder(const char *name)
{
    return name[0] == '/' || strcmp(name, "..") == 0 || strncmp(name, "../", 3) == 0 ||
           strstr(name, "/../");
}

static bool holds(const Source *s, const char *name)
{
    for (int i = 0; i < s->file_count; i++)
        if (strcmp(s->files[i], name) == 0) return true;
    return false;
}

// Words of what went wrong at a line of a file.
static bool complain(const Source *s, Origin at, const char *what, char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "%s/%s:%d: %s", s->folder, s->files[at.file], at.line, what);
    return false;
}

static bool add_file(Source *s, const char *name, char *why, int why_size);

static bool add_include(Source *s, const char *name, Origin at, char *why, int why_size)
{
    char what[PATH_MOST + 256], inner[PATH_MOST + 128];
    // The include's own line stays as an empty one, so that the text keeps a line for each line.
    if (holds(s, name)) return add_line(s, "", 0, at);
    if (leaves_folder(name))
        return complain(s, at, "#include takes a file below the shader folder", why, why_size);
    snprintf(what, sizeof what, "%s/%s", s->folder, name);
    if (!file_exists(what)) {
        snprintf(inner, sizeof inner, "#include \"%.900s\": there is no such file", name);
        return complain(s, at, inner, why, why_size);
    }
    if (s->file_count == FILES_MOST) return complain(s, at, "too many includes", why, why_size);
    return add_line(s, "", 0, at) && add_file(s, name, why, why_size);
}

static bool add_lines(Source *s, int file, const char *content, char *why, int why_size)
{
    char name[256];
    int number = 1;
    for (const char *line = content; *line; number++) {
        const Origin at = { file, number };
        const size_t length = strcspn(line, "\n");
        bool done = false;
        switch (read_line(line, name, sizeof name)) {
        case PLAIN:
            done = add_line(s, line, length, at);
            break;
        case INCLUDE:
            done = add_include(s, name, at, why, why_size);
            break;
        case BAD_INCLUDE:
            return complain(s, at, "write it as #include \"folder/file.glsl\"", why, why_size);
        }
        if (!done) return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

static bool add_file(Source *s, const char *name, char *why, int why_size)
{
    char path[PATH_MOST];
    if (snprintf(path, sizeof path, "%s/%s", s->folder, name) >= (int)sizeof path) {
        snprintf(why, (size_t)why_size, "%s: the path is too long", name);
        return false;
    }
    char *content = file_read(path, NULL, why, why_size);
    if (!content) return false;
    const int file = s->file_count;
    bool done = (s->files[file] = strdup(name)) != NULL;
    if (done) s->file_count++;
    done = done && add_lines(s, file, content, why, why_size);
    free(content);
    return done;
}

Source *source_load(const char *folder, const char *name, char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "%s/%s: out of memory", folder, name);
    Source *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    if (snprintf(s->folder, sizeof s->folder, "%s", folder) >= (int)sizeof s->folder)
        snprintf(why, (size_t)why_size, "%s: the path is too long", folder);
    else if (add_file(s, name, why, why_size) && (s->text || add_line(s, "", 0, (Origin){ 0, 1 })))
        return s;
    source_free(s);
    return NULL;
}

void source_free(Source *source)
{
    if (!source) return;
    for (int i = 0; i < source->file_count; i++) free(source->files[i]);
    free(source->text);
    free(source->lines);
    free(source);
}

const char *source_text(const Source *source)
{
    return source->text;
}

// ---- the driver's log ----

// The place in front of a log's line: the line number, and `text` moved behind it; 0 without one.
static int read_place(const char **text)
{
    const char *at = *text;
    char *end;
    if (strncmp(at, "ERROR: ", 7) == 0 || strncmp(at, "WARNING: ", 9) == 0)
        at = strchr(at, ' ') + 1;
    if (!isdigit((unsigned char)*at)) return 0;
    strtol(at, &end, 10);
    if (*end != ':' && *end != '(') return 0;
    if (!isdigit((unsigned char)end[1])) return 0;
    const long line = strtol(end + 1, &end, 10);
    if (*end == '(') end += strcspn(end, ")\n"); // Mesa's column
    *text = end + strspn(end, "): \t");
    return line > 0 && line < 1 << 30 ? (int)line : 0;
}

static bool is_error(const char *line, size_t length)
{
    for (size_t i = 0; i + 5 <= length; i++)
        if (strncasecmp(line + i, "error", 5) == 0) return true;
    return false;
}

// The first line of the log that is an error, else the first that says anything.
static const char *first_complaint(const char *log)
{
    const char *first = NULL;
    for (const char *line = log; *line;) {
        const size_t length = strcspn(line, "\n");
        if (is_error(line, length)) return line;
        if (!first && length > 0) first = line;
        line += length + (line[length] == '\n');
    }
    return first ? first : "the driver gives no reason";
}

void source_explain(const Source *source, const char *log, char *why, int why_size)
{
    const char *text = first_complaint(log);
    const int line = read_place(&text);
    if (line >= 1 && strncmp(text, "error: ", 7) == 0) text += 7;
    const int length = (int)strcspn(text, "\r\n");
    if (line < 1 || line > source->line_count) {
        snprintf(why, (size_t)why_size, "%s/%s: %.*s", source->folder, source->files[0], length,
                 text);
        return;
    }
    const Origin origin = source->lines[line - 1];
    snprintf(why, (size_t)why_size, "%s/%s:%d: %.*s", source->folder, source->files[origin.file],
             origin.line, length, text);
}
