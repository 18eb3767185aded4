#include "gl/gl.h"

#define VERTEX                                                                                     \
    "#version 330 core\n"                                                                          \
    "void main()\n"                                                                                \
    "{\n"                                                                                          \
    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;\n"                     \
    "    gl_Position = vec4(corner, 0.0, 1.0);\n"                                                  \
    "}\n"

static const ProgramDesc desc = { "a.vert", "a.frag" };

static bool ends_in_one_sentence(const char *why)
{
    return strlen(why) > 10 && !strchr(why, '\n');
}

typedef struct {
    const char *what;
    const char *vertex, *fragment, *common, *deep; // NULL: the file is not there
    const char *place, *word;                      // that the sentence must hold
} Broken;

static const Broken broken[] = {
    { "an unknown name", VERTEX,
      "#version 330 core\nout vec4 color;\nvoid main()\n{\n    color = vec4(nonsense);\n}\n", "",
      "", "/a.frag:5: ", "nonsense" },
    { "an error in the vertex shader",
      "#version 330 core\nvoid main()\n{\n    gl_Position = 1;\n}\n",
      "#version 330 core\nvoid main() {}\n", "", "", "/a.vert:4: ", "" },
    { "an error after an include", VERTEX,
      "#version 330 core\n#include \"common/c.glsl\"\nout vec4 color;\nvoid main()\n{\n"
      "    color = vec4(nonsense);\n}\n",
      "// one\n// two\nfloat three() { return 3.0; }\n", "", "/a.frag:6: ", "nonsense" },
    { "an error in an include", VERTEX,
      "#version 330 core\n#include \"common/c.glsl\"\nout vec4 color;\nvoid main()\n{\n"
      "    color = vec4(three());\n}\n",
      "// one\nfloat three()\n{\n    return nonsense;\n}\n", "", "/common/c.glsl:4: ", "nonsense" },
    { "an error two includes deep, behind what is included twice", VERTEX,
      "#version 330 core\n#include \"common/d.glsl\"\n#include \"common/c.glsl\"\n"
      "#include \"common/c.glsl\"\nout vec4 color;\nvoid main()\n{\n    color = "
      "vec4(three());\n}\n",
      "// one\n#include \"common/d.glsl\"\n#include \"common/c.glsl\"\nfloat three()\n{\n"
      "    return nonsense;\n}\n",
      "float four() { return 4.0; }\n#include \"common/c.glsl\"\n",
      "/common/c.glsl:6: ", "nonsense" },
    { "an include that is not there", VERTEX,
      "#version 330 core\n\n#include \"common/c.glsl\"\nvoid main() {}\n", NULL, "",
      "/a.frag:3: ", "common/c.glsl" },
    { "an include in an include that is not there", VERTEX,
      "#version 330 core\n#include \"common/c.glsl\"\nvoid main() {}\n",
      "\n\n\n#include \"common/d.glsl\"\n", NULL, "/common/c.glsl:4: ", "common/d.glsl" },
    { "an include without quotes", VERTEX, "#version 330 core\n#include <common/c.glsl>\n", "", "",
      "/a.frag:2: ", "#include" },
    { "an include that climbs out", VERTEX, "#version 330 core\n#include \"../c.glsl\"\n", "", "",
      "/a.frag:2: ", "#include" },
    { "a missing fragment shader", VERTEX, NULL, "", "", "/a.frag: ", "No such file" },
    { "a missing vertex shader", NULL, "#version 330 core\nvoid main() {}\n", "", "",
      "/a.vert: ", "No such file" },
    { "an empty file", VERTEX, "", "", "", "/a.frag", "" },
    { "a last line without an end", VERTEX,
      "#version 330 core\nout vec4 color;\nvoid main()\n{\n    color = vec4(nonsense); }", "", "",
      "/a.frag:5: ", "nonsense" },
    { "what does not link",
      "#version 330 core\nout vec2 two;\nvoid main()\n{\n    two = vec2(1);\n"
      "    gl_Position = vec4(1);\n}\n",
      "#version 330 core\nin vec3 two;\nout vec4 color;\nvoid main()\n{\n"
      "    color = two.xyzz;\n}\n",
      "", "", "/a.vert with a.frag: ", "two" },
};

static void put(const char *folder, const char *name, const char *text)
{
    if (text) write_file(folder, name, text);
}

static void every_error_names_file_and_line(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(broken); i++) {
        char why[512] = "";
        char *folder = new_folder();
        put(folder, "a.vert", broken[i].vertex);
        put(folder, "a.frag", broken[i].fragment);
        put(folder, "common/c.glsl", broken[i].common);
        put(folder, "common/d.glsl", broken[i].deep);
        Program *program = program_load(folder, &desc, why, sizeof why);
        if (program || strncmp(why, folder, strlen(folder)) != 0 || !strstr(why, broken[i].place) ||
            !strstr(why, broken[i].word) || !ends_in_one_sentence(why))
            fail_msg("%s: %s", broken[i].what, why);
        free_folder(folder);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void paint(const Program *program, uint8_t *rgb)
{
    char why[256];
    Target target;
    assert_true(target_init(&target, (Size){ 4, 4 }, GL_RGBA8, 1, false, why, sizeof why));
    target_bind(&target);
    program_use(program);
    draw_fullscreen();
    target_read_rgb(&target, rgb);
    target_free(&target);
}

#define PLAIN(red)                                                                                 \
    "#version 330 core\nout vec4 color;\nvoid main() { color = vec4(" red ", 0, 0, 1); }\n"

static void a_reload_takes_the_new_and_keeps_the_last_good(void **state)
{
    (void)state;
    char why[512];
    uint8_t rgb[48];
    char *folder = new_folder();
    write_file(folder, "a.vert", VERTEX);
    write_file(folder, "a.frag", PLAIN("1"));
    Program *program = program_load(folder, &desc, why, sizeof why);
    assert_non_null(program);
    paint(program, rgb);
    assert_int_equal(rgb[0], 255);

    write_file(folder, "a.frag", PLAIN("nonsense"));
    assert_false(program_reload(program, why, sizeof why));
    assert_non_null(strstr(why, "/a.frag:3: "));
    paint(program, rgb);
    assert_int_equal(rgb[45], 255);

    write_file(folder, "a.frag", PLAIN("0.2"));
    assert_true(program_reload(program, why, sizeof why));
    paint(program, rgb);
    assert_int_equal(rgb[0], 51);
    program_free(program);
    free_folder(folder);
}

static void every_uniform_is_found_by_name_and_by_element(void **state)
{
    (void)state;
    char why[512];
    char *folder = new_folder();
    write_file(folder, "a.vert", VERTEX);
    write_file(folder, "a.frag",
               "#version 330 core\n"
               "struct Lamp { vec3 place; float power[2]; };\n"
               "uniform float u_b;\nuniform vec4 u_list[3];\nuniform Lamp u_lamps[2];\n"
               "uniform mat4 u_matrix;\nuniform uint u_bits;\nuniform int u_a;\n"
               "uniform float u_unused;\n"
               "out vec4 color;\n"
               "void main()\n{\n"
               "    color = u_b + u_list[0] + u_list[1] + u_list[2] + u_matrix[1] + float(u_a) +\n"
               "            u_lamps[1].power[1] + u_lamps[0].power[0] + float(u_bits);\n"
               "}\n");
    Program *program = program_load(folder, &desc, why, sizeof why);
    if (!program) fail_msg("%s", why);
    static const char *const present[] = {
        "u_b",      "u_list[0]", "u_list[1]", "u_list[2]",           "u_list",
        "u_matrix", "u_bits",    "u_a",       "u_lamps[1].power[1]", "u_lamps[0].power"
    };
    GLint id = 0;
    program_use(program);
    glGetIntegerv(GL_CURRENT_PROGRAM, &id);
    for (int i = 0; i < COUNT_OF(present); i++) {
        assert_int_equal(program_uniform(program, present[i]),
                         glGetUniformLocation((GLuint)id, present[i]));
        assert_true(program_uniform(program, present[i]) >= 0);
    }
    static const char *const absent[] = { "u_unused", "u_list[3]", "u_lamps", "nonsense", "" };
    for (int i = 0; i < COUNT_OF(absent); i++)
        assert_int_equal(program_uniform(program, absent[i]), -1);
    program_free(program);
    free_folder(folder);
}

// Each setter adds its part to one channel; together they make a known colour.
static void the_setters_reach_the_shader(void **state)
{
    (void)state;
    char why[512];
    uint8_t rgb[48];
    char *folder = new_folder();
    write_file(folder, "a.vert", VERTEX);
    write_file(folder, "a.frag",
               "#version 330 core\n"
               "uniform float u_f;\nuniform vec2 u_2;\nuniform vec3 u_3;\nuniform vec4 u_4;\n"
               "uniform int u_i;\nuniform uint u_u;\nuniform mat4 u_m;\nuniform sampler2D u_t;\n"
               "out vec4 color;\n"
               "void main()\n{\n"
               "    bool good = u_f == 1.5 && u_2 == vec2(1, 2) && u_3 == vec3(3, 4, 5) &&\n"
               "                u_4 == vec4(6, 7, 8, 9) && u_i == -4 && u_u == 4000000000u &&\n"
               "                u_m[3] == vec4(12, 13, 14, 15);\n"
               "    color = vec4(good ? 1 : 0, texelFetch(u_t, ivec2(0), 0).rg, 1);\n"
               "}\n");
    Program *program = program_load(folder, &desc, why, sizeof why);
    if (!program) fail_msg("%s", why);
    float matrix[16];
    for (int i = 0; i < 16; i++) matrix[i] = (float)i;
    Target texture;
    assert_true(target_init(&texture, (Size){ 1, 1 }, GL_RGBA8, 1, false, why, sizeof why));
    target_bind(&texture);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);

    program_use(program);
    program_float(program, "u_f", 1.5f);
    program_vec2(program, "u_2", 1, 2);
    program_vec3(program, "u_3", (Vec3){ 3, 4, 5 });
    program_vec4(program, "u_4", 6, 7, 8, 9);
    program_int(program, "u_i", -4);
    program_uint(program, "u_u", 4000000000U);
    program_mat4(program, "u_m", matrix);
    program_texture(program, "u_t", 3, texture.textures[0]);
    program_float(program, "nonsense", 1); // ignored
    // Setting up the target of paint() binds textures to unit 0 only.
    paint(program, rgb);
    assert_int_equal(rgb[0], 255);
    assert_int_equal(rgb[1], 0);
    assert_int_equal(rgb[2], 255);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    target_free(&texture);
    program_free(program);
    free_folder(folder);
}

static void a_screenful_needs_no_vertices(void **state)
{
    (void)state;
    char why[512];
    uint8_t rgb[48];
    char *folder = new_folder();
    write_file(folder, "a.vert", VERTEX);
    write_file(folder, "a.frag", PLAIN("1"));
    Program *program = program_load(folder, &desc, why, sizeof why);
    assert_non_null(program);
    paint(program, rgb);
    for (int i = 0; i < 16; i++) assert_int_equal(rgb[3 * i], 255);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    program_free(program);
    free_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_names_file_and_line),
        cmocka_unit_test(a_reload_takes_the_new_and_keeps_the_last_good),
        cmocka_unit_test(every_uniform_is_found_by_name_and_by_element),
        cmocka_unit_test(the_setters_reach_the_shader),
        cmocka_unit_test(a_screenful_needs_no_vertices),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
