// Every shader of the folder through the reference compiler: what one driver lets pass, another may not.
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "gfx/source.h"

static void check_shader(const char *folder, const char *name)
{
    char why[512], path[64], command[256], said[4096];
    Source *source = source_load(SOURCE_DIR "/shaders", name, why, sizeof why);
    if (!source) fail_msg("%s", why);
    if (strncmp(source_text(source), "#version 330 core\n", 18)) fail_msg("%s: its version", name);
    snprintf(path, sizeof path, "%s/shader%s", folder, strrchr(name, '.'));
    assert_true(
        file_write(path, source_text(source), strlen(source_text(source)), why, sizeof why));
    snprintf(command, sizeof command, "glslangValidator %s 2>&1", path);
    FILE *validator = popen(command, "r");
    assert_non_null(validator);
    said[fread(said, 1, sizeof said - 1, validator)] = 0;
    const int status = pclose(validator);
    if (status != 0 || strstr(said, "WARNING")) fail_msg("%s: %s", name, said);
    unlink(path);
    source_free(source);
}

static void every_shader_passes_the_reference_compiler(void **state)
{
    (void)state;
    char folder[] = "/tmp/motes_test_XXXXXX";
    int count = 0;
    assert_non_null(mkdtemp(folder));
    DIR *shaders = opendir(SOURCE_DIR "/shaders");
    assert_non_null(shaders);
    for (struct dirent *entry; (entry = readdir(shaders));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".vert") && strcmp(dot, ".frag"))) continue;
        check_shader(folder, entry->d_name);
        count++;
    }
    closedir(shaders);
    rmdir(folder);
    assert_true(count > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        every_shader_passes_the_reference_compiler) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
