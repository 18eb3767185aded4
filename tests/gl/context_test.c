#include "gl/gl.h"

#include "gfx/context.h" // how keys are called

#include <dirent.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h> // names of keys

enum { SCREEN_WIDTH = 800, SCREEN_HEIGHT = 600, TRIES = 400 };

// ---- a screen of our own ----

// Starts an X server and points DISPLAY at it; its process.
static pid_t open_screen(void)
{
    int pipes[2];
    char number[16] = "", display[32] = ":", fd[16];
    assert_int_equal(pipe(pipes), 0);
    snprintf(fd, sizeof fd, "%d", pipes[1]);
    const pid_t server = fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!freopen("/dev/null", "w", stderr)) _exit(127);
        execlp("Xvfb", "Xvfb", "-displayfd", fd, "-screen", "0", "800x600x24", "-nolisten", "tcp",
               "-noreset", (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    // The number and a newline come once it listens; nothing at all when it does not start.
    for (size_t got = 0; got < sizeof number - 1 && !strchr(number, '\n'); got++)
        if (read(pipes[0], number + got, 1) != 1) break;
    close(pipes[0]);
    if (!strchr(number, '\n')) fail_msg("Xvfb does not start: is the package xvfb there?");
    strncat(display, number, strcspn(number, "\n"));
    setenv("DISPLAY", display, 1);
    unsetenv("WAYLAND_DISPLAY");
    return server;
}

static void close_screen(pid_t server)
{
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
}

// One screen for all tests, but for the one that kills it.
static int open_shared_screen(void **state)
{
    static pid_t server;
    server = open_screen();
    *state = &server;
    return 0;
}

static int close_shared_screen(void **state)
{
    close_screen(*(pid_t *)*state);
    return 0;
}

// Runs a program of the X tools on our screen.
static void do_on_screen(const char *command)
{
    if (system(command) != 0) fail_msg("failed, or its package is missing: %s", command);
}

static Context *open_window_as(const WindowDesc *desc)
{
    char why[256];
    Context *context = context_window(desc, why, sizeof why);
    if (!context) fail_msg("%s", why);
    return context;
}

// Frames until `done` says so; hands and screens answer in their own time.
static bool poll_until(Context *context, bool (*done)(Context *, const WindowInput *))
{
    for (int i = 0; i < TRIES; i++) {
        const WindowInput input = context_poll(context, 0);
        context_present(context);
        if (done(context, &input)) return true;
        usleep(5000);
    }
    return false;
}

static bool has_size(const Context *context, int width, int height)
{
    const Size size = context_size(context);
    return size.width == width && size.height == height;
}

static bool is_small(Context *context, const WindowInput *input)
{
    (void)input;
    return has_size(context, 320, 200) && !context_is_fullscreen(context);
}

static bool is_full(Context *context, const WindowInput *input)
{
    (void)input;
    return has_size(context, SCREEN_WIDTH, SCREEN_HEIGHT) && context_is_fullscreen(context);
}

static const WindowDesc small = { .title = "test", .size = { 320, 200 } };

// ---- offscreen ----

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

// Bytes that are allocated; 0 under the address sanitizer, which looks for leaks in its own way.
static size_t memory_in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void open_and_close(int times)
{
    char why[256];
    for (int i = 0; i < times; i++) {
        Context *context = context_offscreen(why, sizeof why);
        if (!context) fail_msg("%s", why);
        assert_true(context_healthy(context));
        glFinish();
        keep_drivers_loaded(); // loading them again each time takes most of a second in the sanitizer
        context_free(context);
    }
}

static void offscreen_contexts_come_and_go_without_a_trace(void **state)
{
    (void)state;
    open_and_close(5); // what the driver loads once
    const int files = open_files();
    const size_t before = memory_in_use();
    open_and_close(SANITIZED ? 20 : 100);
    assert_int_equal(open_files(), files);
    assert_true(memory_in_use() < before + (512 << 10)); // a context of llvmpipe has megabytes
}

static void an_offscreen_context_says_what_it_is(void **state)
{
    (void)state;
    char why[256];
    Context *context = context_offscreen(why, sizeof why);
    assert_non_null(context);
    assert_true(strncmp(context_renderer(context), "OpenGL ", 7) == 0);
    assert_non_null(strstr(context_renderer(context), (const char *)glGetString(GL_RENDERER)));
    assert_string_equal(context_notice(context), "");
    assert_false(context_is_fullscreen(context));
    assert_true(has_size(context, 0, 0));
    GLint array = 0;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    assert_int_not_equal(array, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    context_free(context);
    context_free(NULL);
}

// ---- windows ----

static void without_a_display_there_is_one_sentence(void **state)
{
    (void)state;
    static const char *const displays[] = { NULL, ":7654", "nonsense" };
    char *screen = strdup(getenv("DISPLAY"));
    for (int i = 0; i < COUNT_OF(displays); i++) {
        char why[256] = "";
        if (displays[i])
            setenv("DISPLAY", displays[i], 1);
        else
            unsetenv("DISPLAY");
        assert_null(context_window(&small, why, sizeof why));
        assert_true(strncmp(why, "window: ", 8) == 0 && strlen(why) > 20);
        assert_null(strchr(why, '\n'));
    }
    setenv("DISPLAY", screen, 1);
    free(screen);
}

static void a_window_has_the_size_asked_and_shows_what_is_drawn(void **state)
{
    (void)state;
    Context *context = open_window_as(&small);
    assert_true(poll_until(context, is_small));
    assert_true(context_healthy(context));
    assert_string_equal(context_notice(context), "");

    uint8_t *rgb = malloc(3 * 320 * 200);
    const Target target = target_window(context);
    assert_int_equal(target.size.width, 320);
    target_bind(&target);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    target_read_rgb(&target, rgb);
    assert_int_equal(pixel_at(rgb, target.size, 319, 199)[2], 255);
    context_present(context);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    free(rgb);
    context_free(context);
}

static void the_default_is_1280_by_720(void **state)
{
    (void)state;
    Context *context = open_window_as(&(WindowDesc){ .no_vsync = true });
    assert_true(has_size(context, 1280, 720));
    context_free(context);
}

static void fullscreen_goes_there_and_back(void **state)
{
    (void)state;
    Context *context = open_window_as(&small);
    for (int i = 0; i < 2; i++) {
        context_set_fullscreen(context, true);
        assert_true(poll_until(context, is_full));
        context_set_fullscreen(context, false);
        assert_true(poll_until(context, is_small));
    }
    assert_string_equal(context_notice(context), "");
    context_free(context);
}

static const char *const there[] = { NULL, "1", "scr" }; // Xvfb's only monitor is called "screen"
static const char *const not_there[] = { "2", "0", "-1", "beamer" };

static void fullscreen_at_once_takes_the_monitor_asked_for(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(there); i++) {
        WindowDesc desc = small;
        desc.fullscreen = true;
        desc.monitor = there[i];
        Context *context = open_window_as(&desc);
        assert_true(poll_until(context, is_full));
        context_set_fullscreen(context, false);
        assert_true(poll_until(context, is_small));
        context_free(context);
    }
}

static void a_missing_monitor_is_a_window_and_a_notice(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(not_there); i++) {
        WindowDesc desc = small;
        desc.fullscreen = true;
        desc.monitor = not_there[i];
        Context *context = open_window_as(&desc);
        assert_true(poll_until(context, is_small));
        assert_non_null(strstr(context_notice(context), not_there[i]));
        context_set_fullscreen(context, true); // by hand: the monitor that is there
        assert_true(poll_until(context, is_full));
        assert_string_equal(context_notice(context), "");
        context_free(context);
    }
}

static void a_monitor_that_goes_leaves_a_window_and_is_taken_when_it_comes_back(void **state)
{
    (void)state;
    WindowDesc desc = small;
    desc.fullscreen = true;
    desc.monitor = "screen";
    Context *context = open_window_as(&desc);
    assert_true(poll_until(context, is_full));
    // Xvfb refuses to shrink the screen to nothing, after the monitor is off: hence the `;`.
    do_on_screen(
        "command -v xrandr >/dev/null && { xrandr --output screen --off 2>/dev/null; true; }");
    assert_true(poll_until(context, is_small));
    assert_non_null(strstr(context_notice(context), "screen is gone"));
    do_on_screen("xrandr --output screen --auto");
    assert_true(poll_until(context, is_full));
    assert_string_equal(context_notice(context), "");
    context_free(context);
}

// ---- hands ----

static void keys_come_in_order_with_what_was_held(void **state)
{
    (void)state;
    Context *context = open_window_as(&small);
    assert_true(poll_until(context, is_small));
    do_on_screen("xdotool mousemove 100 100 keydown ctrl keydown a keyup a keyup ctrl");
    WindowInput input = { 0 };
    for (int i = 0; i < TRIES && input.key_count < 2; i++) {
        const WindowInput more = context_poll(context, 0);
        for (int k = 0; k < more.key_count && input.key_count < 2; k++)
            input.keys[input.key_count++] = more.keys[k];
        usleep(5000);
    }
    assert_int_equal(input.key_count, 2);
    assert_int_equal(input.keys[0].key, GLFW_KEY_LEFT_CONTROL);
    assert_int_equal(input.keys[1].key, GLFW_KEY_A);
    assert_true(input.keys[1].control);
    assert_int_equal(context_poll(context, 0).key_count, 0);
    context_free(context);
}

// As glfwGetKeyName has them.
static void a_key_is_what_is_written_on_it(void **state)
{
    (void)state;
    static const struct {
        int place;
        const char *name;
        int key;
    } rows[] = {
        { GLFW_KEY_Q, "q", 'Q' },
        { GLFW_KEY_A, "q", 'Q' }, // AZERTY
        { GLFW_KEY_Q, "a", 'A' },
        { GLFW_KEY_SEMICOLON, "m", 'M' },
        { GLFW_KEY_1, "&", '&' },
        { GLFW_KEY_2, "\xc3\xa9", '2' },
        { GLFW_KEY_Z, "y", 'Y' }, // QWERTZ
        { GLFW_KEY_SLASH, "-", '-' },
        { GLFW_KEY_MINUS, "\xc3\x9f", '-' },
        { GLFW_KEY_RIGHT_BRACKET, "+", '+' },
        { GLFW_KEY_Q, "\xd0\xb9", 'Q' }, // Cyrillic
        { GLFW_KEY_Z, "z", 'Z' },
        { GLFW_KEY_A, "A", 'A' },
        { GLFW_KEY_B, NULL, 'B' },
        { GLFW_KEY_B, "", 'B' },
        { GLFW_KEY_B, " ", 'B' },
        { GLFW_KEY_B, "\x7f", 'B' },
        { GLFW_KEY_SPACE, NULL, ' ' },
        { GLFW_KEY_ESCAPE, NULL, GLFW_KEY_ESCAPE },
        { GLFW_KEY_TAB, NULL, GLFW_KEY_TAB },
    };
    for (int r = 0; r < COUNT_OF(rows); r++)
        assert_int_equal(context_key(rows[r].place, rows[r].name), rows[r].key);
}

static bool is_left_of_middle(Context *context, const WindowInput *input)
{
    (void)context;
    return input->mouse_moved && fabsf(input->mouse_x + 0.5f) < 0.01f &&
           fabsf(input->mouse_y - 0.5f) < 0.01f;
}

static bool is_clicked(Context *context, const WindowInput *input)
{
    (void)context;
    return input->left && !input->right;
}

static bool is_released(Context *context, const WindowInput *input)
{
    (void)context;
    return !input->left && !input->mouse_moved;
}

static void the_mouse_is_told_over_the_picture_with_y_up(void **state)
{
    (void)state;
    WindowDesc desc = small;
    desc.fullscreen = true;
    Context *context = open_window_as(&desc);
    assert_true(poll_until(context, is_full));
    do_on_screen("xdotool mousemove 200 150");
    assert_true(poll_until(context, is_left_of_middle));
    do_on_screen("xdotool click 1"); // down and up before we look
    assert_true(poll_until(context, is_clicked));
    assert_true(poll_until(context, is_released));
    context_free(context);
}

// ---- the worst ----

// Xlib's own answer is exit(1).
static void a_lost_screen_is_an_unhealthy_context_and_no_exit(void **state)
{
    (void)state;
    const pid_t screen = open_screen();
    const pid_t show = fork();
    if (show == 0) {
        char why[256];
        Context *context = context_window(&small, why, sizeof why);
        if (!context) _exit(1);
        kill(screen, SIGKILL);
        for (int i = 0; i < TRIES && context_healthy(context); i++) {
            context_poll(context, i);
            context_present(context);
            usleep(5000);
        }
        const bool lost = !context_healthy(context);
        context_free(context);
        _exit(lost ? 3 : 4);
    }
    int status = 0;
    waitpid(show, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    waitpid(screen, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offscreen_contexts_come_and_go_without_a_trace),
        cmocka_unit_test(an_offscreen_context_says_what_it_is),
        cmocka_unit_test(without_a_display_there_is_one_sentence),
        cmocka_unit_test(a_window_has_the_size_asked_and_shows_what_is_drawn),
        cmocka_unit_test(the_default_is_1280_by_720),
        cmocka_unit_test(fullscreen_goes_there_and_back),
        cmocka_unit_test(fullscreen_at_once_takes_the_monitor_asked_for),
        cmocka_unit_test(a_missing_monitor_is_a_window_and_a_notice),
        cmocka_unit_test(a_monitor_that_goes_leaves_a_window_and_is_taken_when_it_comes_back),
        cmocka_unit_test(keys_come_in_order_with_what_was_held),
        cmocka_unit_test(a_key_is_what_is_written_on_it),
        cmocka_unit_test(the_mouse_is_told_over_the_picture_with_y_up),
        cmocka_unit_test(a_lost_screen_is_an_unhealthy_context_and_no_exit),
    };
    return cmocka_run_group_tests(tests, open_shared_screen, close_shared_screen);
}
