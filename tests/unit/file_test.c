#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

enum { LARGEST = 64 << 20 };

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/file_test.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); // fails when something was left behind
}

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int entries(void)
{
    int count = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened));) count += entry->d_name[0] != '.';
    closedir(opened);
    return count;
}

static void holds(const char *path, const char *content)
{
    char why[256] = "";
    size_t length;
    char *read = file_read(path, &length, why, sizeof why);
    if (!read) fail_msg("%s", why);
    assert_int_equal(length, strlen(content));
    assert_string_equal(read, content);
    free(read);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    char why[256];
    const char *path = in_folder("a");
    static const char bytes[] = "one\0two\xff";
    size_t length;
    assert_false(file_exists(path));
    assert_true(file_write(path, bytes, sizeof bytes, why, sizeof why));
    assert_true(file_exists(path));
    char *read = file_read(path, &length, why, sizeof why);
    assert_non_null(read);
    assert_int_equal(length, sizeof bytes);
    assert_memory_equal(read, bytes, sizeof bytes);
    assert_int_equal(read[length], 0);
    free(read);
    assert_true(file_write(path, "shorter", 7, why, sizeof why));
    holds(path, "shorter");
    assert_int_equal(entries(), 1);
    unlink(path);
}

static void an_empty_file_is_an_empty_text(void **state)
{
    (void)state;
    char why[256];
    const char *path = in_folder("empty");
    assert_true(file_write(path, "", 0, why, sizeof why));
    holds(path, "");
    unlink(path);
}

static void make_pipe(const char *path)
{
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_directory(const char *path)
{
    assert_int_equal(mkdir(path, 0700), 0);
}

static void make_device(const char *path)
{
    assert_int_equal(symlink("/dev/zero", path), 0);
}

static void make_nothing(const char *path)
{
    (void)path;
}

// A pipe would wait for ever, /dev/zero would never end.
static void what_is_no_file_is_a_sentence_at_once(void **state)
{
    (void)state;
    static const struct {
        void (*make)(const char *path);
        const char *says;
    } kinds[] = { { make_pipe, "not a file" },
                  { make_directory, "not a file" },
                  { make_device, "not a file" },
                  { make_nothing, "No such file" } };
    const char *path = in_folder("odd");
    for (int i = 0; i < COUNT_OF(kinds); i++) {
        char why[256] = "";
        kinds[i].make(path);
        assert_null(file_read(path, NULL, why, sizeof why));
        assert_non_null(strstr(why, path));
        assert_non_null(strstr(why, kinds[i].says));
        assert_int_equal(file_open(path, why, sizeof why), -1);
        remove(path);
    }
}

static void a_file_of_64_mib_is_read_and_a_larger_one_is_not(void **state)
{
    (void)state;
    char why[256] = "";
    const char *path = in_folder("large");
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, LARGEST), 0);
    size_t length;
    char *read = file_read(path, &length, why, sizeof why);
    assert_non_null(read);
    assert_int_equal(length, LARGEST);
    free(read);
    assert_int_equal(ftruncate(fd, LARGEST + 1), 0);
    assert_null(file_read(path, &length, why, sizeof why));
    assert_non_null(strstr(why, path));
    close(fd);
    unlink(path);
}

// The limit on the size of files stands for the full disk: writing breaks off in the middle.
static void a_full_disk_leaves_the_old_content_and_nothing_else(void **state)
{
    (void)state;
    char why[256] = "";
    const char *path = in_folder("kept");
    static const char large[8192];
    assert_true(file_write(path, "old", 3, why, sizeof why));
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = 4096, .rlim_max = before.rlim_max });
    const bool written = file_write(path, large, sizeof large, why, sizeof why);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(written);
    assert_non_null(strstr(why, path));
    holds(path, "old");
    assert_int_equal(entries(), 1);
    unlink(path);
}

static void what_cannot_be_replaced_leaves_nothing_behind(void **state)
{
    (void)state;
    char why[256] = "", inside[128];
    const char *path = in_folder("directory");
    make_directory(path);
    assert_false(file_write(path, "x", 1, why, sizeof why));
    assert_non_null(strstr(why, path));
    assert_int_equal(entries(), 1);
    rmdir(path);
    snprintf(inside, sizeof inside, "%s/missing/file", folder);
    why[0] = 0;
    assert_false(file_write(inside, "x", 1, why, sizeof why));
    assert_non_null(strstr(why, inside));
    assert_int_equal(entries(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(an_empty_file_is_an_empty_text),
        cmocka_unit_test(what_is_no_file_is_a_sentence_at_once),
        cmocka_unit_test(a_file_of_64_mib_is_read_and_a_larger_one_is_not),
        cmocka_unit_test(a_full_disk_leaves_the_old_content_and_nothing_else),
        cmocka_unit_test(what_cannot_be_replaced_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
