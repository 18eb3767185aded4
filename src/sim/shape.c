#include "sim/shape.h"

#include <stdlib.h>
#include <string.h>

#include "sim/step.h"

static void put(float to[3], Vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static Vec3 minus(Vec3 a, Vec3 b)
{
    return (Vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static float length_of(Vec3 v)
{
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static Vec3 across(Vec3 a, Vec3 b)
{
    return (Vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static Vec3 unit_of(Vec3 v)
{
    const float length = length_of(v);
    return length > 0 ? (Vec3){ v.x / length, v.y / length, v.z / length } : (Vec3){ 0, 0, 0 };
}

static Shape *new_shape(int count, const char *name, char *why, int why_size)
{
    Shape *shape = calloc(1, sizeof *shape);
    if (shape) shape->patches = calloc((size_t)count, sizeof *shape->patches);
    if (shape && shape->patches) return shape;
    shape_free(shape);
    snprintf(why, (size_t)why_size, "%s: out of memory", name);
    return NULL;
}

void shape_free(Shape *shape)
{
    if (!shape) return;
    free(shape->patches);
    free(shape);
}

// ---- picking ------------------------------------------------------------------------------------

// Vose's alias method (1991): a pick costs the same however many patches there are.  `keep` holds each
// one's weight at first.  Patches below the mean are filled up by one above it.
static bool make_pickable(Shape *shape)
{
    const int count = shape->count;
    double sum = 0;
    int *queue =
        malloc((size_t)count * sizeof *queue); // the small from the front, the large from behind
    double *share = malloc((size_t)count * sizeof *share);
    for (int n = 0; n < count; n++) sum += (double)shape->patches[n].keep;
    if (!queue || !share || !(sum > 0)) {
        free(queue);
        free(share);
        return false;
    }
    int small = 0, large = count;
    for (int n = 0; n < count; n++) {
        share[n] = (double)shape->patches[n].keep * count / sum;
        shape->patches[n].keep = 1;
        shape->patches[n].other = (float)n;
        queue[share[n] < 1 ? small++ : --large] = n;
    }
    for (int at = 0; at < small && large < count; at++) {
        const int poor = queue[at], rich = queue[large];
        shape->patches[poor].keep = (float)share[poor];
        shape->patches[poor].other = (float)rich;
        share[rich] -= 1 - share[poor];
        // Now poor itself, it queues behind the others: its place among the large is free.
        if (share[rich] >= 1) continue;
        large++;
        queue[small++] = rich;
    }
    free(queue);
    free(share);
    return true;
}

static Shape *ready(Shape *shape, const char *name, const char *missing, char *why, int why_size)
{
    if (shape && shape->count > 0 && make_pickable(shape)) return shape;
    if (shape) snprintf(why, (size_t)why_size, "%s: %s", name, missing);
    shape_free(shape);
    return NULL;
}

Vec3 shape_place(const Shape *shape, uint32_t key, Vec3 *normal)
{
    const float last = (float)(shape->count - 1);
    const float any = rng_unit(rng_draw(key, DRAW_FACE)) * (float)shape->count;
    const Patch *patch = &shape->patches[(int)(any < last ? any : last)];
    if (!(rng_unit(rng_draw(key, DRAW_DEPTH)) < patch->keep))
        patch = &shape->patches[(int)patch->other];
    float a = rng_unit(rng_draw(key, DRAW_AREA_X)), b = rng_unit(rng_draw(key, DRAW_AREA_Y));
    if (patch->folded > 0 && a + b > 1) {
        a = 1 - a;
        b = 1 - b;
    }
    *normal = (Vec3){ patch->normal[0], patch->normal[1], patch->normal[2] };
    return (Vec3){ patch->at[0] + a * patch->u[0] + b * patch->v[0],
                   patch->at[1] + a * patch->u[1] + b * patch->v[1],
                   patch->at[2] + a * patch->u[2] + b * patch->v[2] };
}

// ---- of a mesh ----------------------------------------------------------------------------------

static void take_face(Shape *shape, const Mesh *mesh, int n)
{
    const Vec3 a = mesh->points[mesh->faces[n][0]];
    const Vec3 u = minus(mesh->points[mesh->faces[n][1]], a);
    const Vec3 v = minus(mesh->points[mesh->faces[n][2]], a);
    Patch *patch = &shape->patches[shape->count++];
    *patch = (Patch){ .keep = length_of(across(u, v)) / 2, .folded = 1 };
    put(patch->at, a);
    put(patch->u, u);
    put(patch->v, v);
    put(patch->normal, mesh_face_normal(mesh, n));
}

// Out of edges and corners, births go away from the middle.
static void take_edge(Shape *shape, const Mesh *mesh, int n)
{
    const Vec3 a = mesh->points[mesh->edges[n][0]], b = mesh->points[mesh->edges[n][1]];
    Patch *patch = &shape->patches[shape->count++];
    *patch = (Patch){ .keep = length_of(minus(b, a)) };
    put(patch->at, a);
    put(patch->u, minus(b, a));
    put(patch->normal, unit_of((Vec3){ a.x + b.x, a.y + b.y, a.z + b.z }));
}

static void take_vertex(Shape *shape, const Mesh *mesh, int n)
{
    Patch *patch = &shape->patches[shape->count++];
    *patch = (Patch){ .keep = 1 };
    put(patch->at, mesh->points[n]);
    put(patch->normal, unit_of(mesh->points[n]));
}

Shape *shape_of_mesh(const Mesh *mesh, int from, const char *name, char *why, int why_size)
{
    static const struct {
        void (*take)(Shape *shape, const Mesh *mesh, int n);
        const char *missing;
    } ways[] = {
        { take_face, "it has no faces" },
        { take_edge, "it has no edges" },
        { take_vertex, "it has no points" },
    };
    const int counts[] = { mesh->face_count, mesh->edge_count, mesh->point_count };
    Shape *shape = new_shape(counts[from] > 0 ? counts[from] : 1, name, why, why_size);
    for (int n = 0; shape && n < counts[from]; n++) ways[from].take(shape, mesh, n);
    return ready(shape, name, ways[from].missing, why, why_size);
}

// ---- of an image --------------------------------------------------------------------------------

static const float DARK = 0.02f;

// Linear light of each byte of sRGB, near enough for choosing places.
static void make_linear(float linear[256])
{
    for (int n = 0; n < 256; n++) linear[n] = powf((float)n / 255, 2.2f);
}

static float light_of(const float linear[256], const uint8_t *pixel)
{
    return (0.2126f * linear[pixel[0]] + 0.7152f * linear[pixel[1]] + 0.0722f * linear[pixel[2]]) *
           (float)pixel[3] / 255;
}

// The mean light of the pixels that one cell of the reduced image covers.
static float cell_light(const float linear[256], const uint8_t *rgba, int width, int x0, int x1,
                        int y0, int y1)
{
    double sum = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            sum += (double)light_of(linear, rgba + 4 * ((size_t)y * (size_t)width + (size_t)x));
    return (float)(sum / ((double)(x1 - x0) * (y1 - y0)));
}

Shape *shape_of_image(const uint8_t *rgba, int width, int height, const char *name, char *why,
                      int why_size)
{
    float linear[256];
    make_linear(linear);
    const int longer = width > height ? width : height;
    const int reduce = (longer + SHAPE_IMAGE_SIDE - 1) / SHAPE_IMAGE_SIDE;
    const int columns = (width + reduce - 1) / reduce, rows = (height + reduce - 1) / reduce;
    Shape *shape = new_shape(columns * rows, name, why, why_size);
    for (int row = 0; shape && row < rows; row++)
        for (int column = 0; column < columns; column++) {
            const int x0 = column * reduce, x1 = x0 + reduce < width ? x0 + reduce : width;
            const int y0 = row * reduce, y1 = y0 + reduce < height ? y0 + reduce : height;
            const float light = cell_light(linear, rgba, width, x0, x1, y0, y1);
            if (!(light > DARK)) continue;
            const float scale = 2 / (float)longer;
            Patch *patch = &shape->patches[shape->count++];
            *patch = (Patch){
                .at = { (float)x0 * scale - (float)width / (float)longer,
                        (float)height / (float)longer - (float)y1 * scale, 0 },
                .keep = light * (float)(x1 - x0) * (float)(y1 - y0),
                .u = { (float)(x1 - x0) * scale, 0, 0 },
                .v = { 0, (float)(y1 - y0) * scale, 0 },
                .normal = { 0, 0, 1 },
            };
        }
    return ready(shape, name, "it has no bright pixels", why, why_size);
}
