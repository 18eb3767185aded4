// A reader for the part of OBJ that says where points are and what they bound.  Libraries for it (tinyobj,
// fast_obj, assimp) are not packaged for C, or bring materials and scenes along; this is a screen of code.
#include "base/mesh.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- growing ------------------------------------------------------------------------------------

// A mesh while it is read; the arrays have room for MESH_MOST from the start, and shrink at the end.
typedef struct {
    Mesh *mesh;
    const char *file;
    int line;
    char *why;
    int why_size;
} Reader;

static bool wrong(const Reader *reader, const char *what)
{
    snprintf(reader->why, (size_t)reader->why_size, "%s:%d: %s", reader->file, reader->line, what);
    return false;
}

static Mesh *new_mesh(void)
{
    Mesh *mesh = calloc(1, sizeof *mesh);
    if (!mesh) return NULL;
    mesh->points = malloc(MESH_MOST * sizeof *mesh->points);
    mesh->faces = malloc(MESH_MOST * sizeof *mesh->faces);
    mesh->edges = malloc(MESH_MOST * sizeof *mesh->edges);
    if (mesh->points && mesh->faces && mesh->edges) return mesh;
    mesh_free(mesh);
    return NULL;
}

void mesh_free(Mesh *mesh)
{
    if (!mesh) return;
    free(mesh->points);
    free(mesh->faces);
    free(mesh->edges);
    free(mesh);
}

static bool add_face(Mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (mesh->face_count == MESH_MOST) return false;
    uint32_t *face = mesh->faces[mesh->face_count++];
    face[0] = a;
    face[1] = b;
    face[2] = c;
    return true;
}

static bool add_edge(Mesh *mesh, uint32_t a, uint32_t b)
{
    if (mesh->edge_count == MESH_MOST) return false;
    uint32_t *edge = mesh->edges[mesh->edge_count++];
    edge[0] = a < b ? a : b;
    edge[1] = a < b ? b : a;
    return true;
}

static int by_ends(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static void drop_double_edges(Mesh *mesh)
{
    int kept = 0;
    qsort(mesh->edges, (size_t)mesh->edge_count, sizeof *mesh->edges, by_ends);
    for (int n = 0; n < mesh->edge_count; n++) {
        if (kept > 0 && by_ends(mesh->edges[n], mesh->edges[kept - 1]) == 0) continue;
        memcpy(mesh->edges[kept++], mesh->edges[n], sizeof *mesh->edges);
    }
    mesh->edge_count = kept;
}

// Middle to the origin, longest half side to 1; a mesh of one place stays a place.
static void fit(Mesh *mesh)
{
    Vec3 low = mesh->points[0], high = mesh->points[0];
    for (int n = 1; n < mesh->point_count; n++) {
        const Vec3 p = mesh->points[n];
        low = (Vec3){ fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z) };
        high = (Vec3){ fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z) };
    }
    // Halved first: the sides of a mesh of huge numbers would overflow.
    const Vec3 half = { high.x / 2 - low.x / 2, high.y / 2 - low.y / 2, high.z / 2 - low.z / 2 };
    const Vec3 middle = { high.x / 2 + low.x / 2, high.y / 2 + low.y / 2, high.z / 2 + low.z / 2 };
    const float longest = fmaxf(half.x, fmaxf(half.y, half.z));
    for (int n = 0; n < mesh->point_count; n++) {
        Vec3 *p = &mesh->points[n];
        const Vec3 from = { p->x - middle.x, p->y - middle.y, p->z - middle.z };
        *p = longest > 0 ? (Vec3){ from.x / longest, from.y / longest, from.z / longest }
                         : (Vec3){ 0, 0, 0 };
    }
}

// Gives back what was not needed; keeps what it has when the system does not shrink.
static void *shrunk(void *array, size_t size)
{
    void *smaller = realloc(array, size ? size : 1);
    return smaller ? smaller : array;
}

static void finish(Mesh *mesh)
{
    drop_double_edges(mesh);
    fit(mesh);
    mesh->points = shrunk(mesh->points, (size_t)mesh->point_count * sizeof *mesh->points);
    mesh->faces = shrunk(mesh->faces, (size_t)mesh->face_count * sizeof *mesh->faces);
    mesh->edges = shrunk(mesh->edges, (size_t)mesh->edge_count * sizeof *mesh->edges);
}

// ---- OBJ ----------------------------------------------------------------------------------------

static bool at_end(char c)
{
    return c == 0 || c == '\n' || c == '\r' || c == '#';
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

static bool read_point(const Reader *reader, const char *at)
{
    Mesh *mesh = reader->mesh;
    float numbers[3];
    for (int n = 0; n < 3; n++) {
        char *behind;
        at = skip_blanks(at);
        if (at_end(*at)) return wrong(reader, "a point takes three numbers");
        numbers[n] = strtof(at, &behind);
        if (behind == at || !isfinite(numbers[n]))
            return wrong(reader, "a point takes three numbers");
        at = behind;
    }
    if (mesh->point_count == MESH_MOST) return wrong(reader, "more points than a mesh may have");
    mesh->points[mesh->point_count++] = (Vec3){ numbers[0], numbers[1], numbers[2] };
    return true;
}

// The next corner, "7", "7/2", "7//3" or "-1", as an index.  False at the end of the line with `*index`
// -1, or for a wrong one with a sentence.
static bool read_corner(const Reader *reader, const char **text, int64_t *index)
{
    char *behind;
    const char *at = skip_blanks(*text);
    *index = -1;
    if (at_end(*at)) return true;
    const long long number = strtoll(at, &behind, 10);
    const int count = reader->mesh->point_count;
    if (behind == at || number == 0) return wrong(reader, "a corner is the number of a point");
    *index = number > 0 ? number - 1 : count + number;
    if (*index < 0 || *index >= count) return wrong(reader, "a corner is no point so far");
    while (!at_end(*behind) && *behind != ' ' && *behind != '\t') behind++;
    *text = behind;
    return true;
}

// A polygon becomes a fan of triangles; its rim, or a line, becomes edges.
static bool read_corners(const Reader *reader, const char *at, bool face)
{
    int64_t first, before, next;
    int corners = 0;
    if (!read_corner(reader, &at, &first)) return false;
    for (before = first; before >= 0; before = next, corners++) {
        if (!read_corner(reader, &at, &next)) return false;
        if (next < 0) continue;
        if (!add_edge(reader->mesh, (uint32_t)before, (uint32_t)next))
            return wrong(reader, "more edges than a mesh may have");
        if (face && corners >= 1 &&
            !add_face(reader->mesh, (uint32_t)first, (uint32_t)before, (uint32_t)next))
            return wrong(reader, "more faces than a mesh may have");
        if (face && corners >= 1 && at_end(*skip_blanks(at)) &&
            !add_edge(reader->mesh, (uint32_t)next, (uint32_t)first))
            return wrong(reader, "more edges than a mesh may have");
    }
    if (corners >= (face ? 3 : 2)) return true;
    return wrong(reader, face ? "a face has at least three corners" : "a line has at least two");
}

static bool read_line(const Reader *reader, const char *at)
{
    at = skip_blanks(at);
    const char kind = *at;
    if (kind == 0 || (at[1] != ' ' && at[1] != '\t')) return true; // vt, vn, usemtl...
    if (kind == 'v') return read_point(reader, at + 1);
    if (kind == 'f' || kind == 'l') return read_corners(reader, at + 1, kind == 'f');
    return true;
}

Mesh *mesh_read(const char *text, const char *file, char *why, int why_size)
{
    Reader reader = { .mesh = new_mesh(), .file = file, .why = why, .why_size = why_size };
    if (!reader.mesh) {
        snprintf(why, (size_t)why_size, "%s: out of memory", file);
        return NULL;
    }
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        reader.line++;
        if (read_line(&reader, at)) continue;
        mesh_free(reader.mesh);
        return NULL;
    }
    if (reader.mesh->point_count == 0) {
        wrong(&reader, "it has no points");
        mesh_free(reader.mesh);
        return NULL;
    }
    finish(reader.mesh);
    return reader.mesh;
}

// ---- built in -----------------------------------------------------------------------------------

static const char tetrahedron[] = "v 1 1 1\nv 1 -1 -1\nv -1 1 -1\nv -1 -1 1\n"
                                  "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
static const char cube[] = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                           "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";
static const char octahedron[] = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                                 "f 3 5 1\nf 3 1 6\nf 3 6 2\nf 3 2 5\n"
                                 "f 4 1 5\nf 4 6 1\nf 4 2 6\nf 4 5 2\n";

static const char *text_of(const char *name)
{
    if (!strcmp(name, "tetrahedron")) return tetrahedron;
    if (!strcmp(name, "cube")) return cube;
    return octahedron;
}

// A grid of quads wound around: `around` by `along` steps, closed both ways.
static void add_grid(Mesh *mesh, uint32_t around, uint32_t along)
{
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < along; j++) {
            const uint32_t i1 = (i + 1) % around, j1 = (j + 1) % along;
            const uint32_t a = i * along + j, b = i1 * along + j, c = i1 * along + j1,
                           d = i * along + j1;
            add_face(mesh, a, b, c);
            add_face(mesh, a, c, d);
            add_edge(mesh, a, b);
            add_edge(mesh, a, d);
        }
}

static const float TURN = 6.28318531f;

static void make_torus(Mesh *mesh)
{
    enum { AROUND = 32, ALONG = 16 };
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ALONG; j++) {
            const float a = TURN * (float)i / AROUND, b = TURN * (float)j / ALONG;
            const float far = 1 + 0.4f * cosf(b);
            mesh->points[mesh->point_count++] =
                (Vec3){ far * cosf(a), far * sinf(a), 0.4f * sinf(b) };
        }
    add_grid(mesh, AROUND, ALONG);
}

// The octahedron, each face cut into CUTS x CUTS and blown up.
static void make_sphere(Mesh *mesh)
{
    enum { CUTS = 6 };
    static const float sides[2] = { 1, -1 };
    for (int octant = 0; octant < 8; octant++) {
        const float sx = sides[octant & 1], sy = sides[octant >> 1 & 1], sz = sides[octant >> 2];
        const bool flipped = sx * sy * sz < 0;
        const uint32_t base = (uint32_t)mesh->point_count;
        for (int row = 0; row <= CUTS; row++)
            for (int at = 0; at <= row; at++) {
                const Vec3 p = { sx * (float)(row - at), sy * (float)(CUTS - row), sz * (float)at };
                const float long_way = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
                mesh->points[mesh->point_count++] =
                    (Vec3){ p.x / long_way, p.y / long_way, p.z / long_way };
            }
        for (uint32_t row = 0; row < CUTS; row++)
            for (uint32_t at = 0; at <= row; at++) {
                const uint32_t top = base + row * (row + 1) / 2 + at;
                const uint32_t left = base + (row + 1) * (row + 2) / 2 + at, right = left + 1;
                add_face(mesh, top, flipped ? left : right, flipped ? right : left);
                add_edge(mesh, top, left);
                add_edge(mesh, left, right);
                add_edge(mesh, top, right);
                if (at < row) {
                    const uint32_t beside = top + 1;
                    add_face(mesh, top, flipped ? right : beside, flipped ? beside : right);
                }
            }
    }
}

static const char *const built_in[] = { "tetrahedron", "cube", "octahedron", "sphere", "torus" };

const char *mesh_built_in_name(int n)
{
    return n >= 0 && n < (int)(sizeof built_in / sizeof built_in[0]) ? built_in[n] : NULL;
}

Mesh *mesh_built_in(const char *name)
{
    char why[128];
    int n = 0;
    while (mesh_built_in_name(n) && strcmp(name, mesh_built_in_name(n)) != 0) n++;
    if (!mesh_built_in_name(n)) return NULL;
    if (n < 3) return mesh_read(text_of(name), name, why, sizeof why);
    Mesh *mesh = new_mesh();
    if (!mesh) return NULL;
    if (n == 3)
        make_sphere(mesh);
    else
        make_torus(mesh);
    finish(mesh);
    return mesh;
}

Vec3 mesh_face_normal(const Mesh *mesh, int face)
{
    const Vec3 a = mesh->points[mesh->faces[face][0]], b = mesh->points[mesh->faces[face][1]],
               c = mesh->points[mesh->faces[face][2]];
    const Vec3 u = { b.x - a.x, b.y - a.y, b.z - a.z }, v = { c.x - a.x, c.y - a.y, c.z - a.z };
    const Vec3 n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
    const float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    return length > 0 ? (Vec3){ n.x / length, n.y / length, n.z / length } : (Vec3){ 0, 0, 0 };
}
