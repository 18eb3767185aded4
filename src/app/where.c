#include "app/where.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

bool where_folder(const char *name, char path[WHERE_PATH], char *why, int why_size)
{
    char self[WHERE_PATH / 2];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        *strrchr(self, '/') = 0;
        snprintf(path, WHERE_PATH, "%s/../share/motes/%s", self, name);
        if (file_exists(path)) return true;
    }
    snprintf(path, WHERE_PATH, "%s/%s", MOTES_SOURCE, name);
    if (file_exists(path)) return true;
    snprintf(why, (size_t)why_size, "the folder %s is neither beside the program nor in %s", name,
             MOTES_SOURCE);
    return false;
}

bool where_preset(const char *name, char path[WHERE_PATH], char *why, int why_size)
{
    char folder[WHERE_PATH];
    if (strchr(name, '/') || (strlen(name) > 5 && !strcmp(name + strlen(name) - 5, ".json"))) {
        snprintf(path, WHERE_PATH, "%s", name);
        if (file_exists(path)) return true;
        snprintf(why, (size_t)why_size, "%s: no such preset file", name);
        return false;
    }
    if (!where_folder("presets", folder, why, why_size)) return false;
    const int needed = snprintf(path, WHERE_PATH, "%s/%s.json", folder, name);
    if (needed < WHERE_PATH && file_exists(path)) return true;
    snprintf(why, (size_t)why_size, "there is no preset \"%s\" in %s", name, folder);
    return false;
}
