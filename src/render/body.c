#include "render/body.h"

#include <stdlib.h>
#include <string.h>

static const float EDGE = 0.766f; // cosine of 40 degrees

// As shaders/common/body.glsl takes it.
typedef struct {
    float position[3], normal[3];
} Corner;

enum { POSITION_ATTRIBUTE = 6, NORMAL_ATTRIBUTE = 7 };

static Vec3 sum_of(Vec3 a, Vec3 b)
{
    return (Vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static Vec3 unit_of(Vec3 v, Vec3 otherwise)
{
    const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return length > 0 ? (Vec3){ v.x / length, v.y / length, v.z / length } : otherwise;
}

// The mean normal of the faces at each point.
static void add_normals(const Mesh *mesh, Vec3 *sums)
{
    for (int f = 0; f < mesh->face_count; f++)
        for (int c = 0; c < 3; c++)
            sums[mesh->faces[f][c]] = sum_of(sums[mesh->faces[f][c]], mesh_face_normal(mesh, f));
}

static void make_corners(const Mesh *mesh, const Vec3 *sums, Corner *corners)
{
    for (int f = 0; f < mesh->face_count; f++) {
        const Vec3 flat = mesh_face_normal(mesh, f);
        for (int c = 0; c < 3; c++) {
            const uint32_t point = mesh->faces[f][c];
            const Vec3 p = mesh->points[point], round = unit_of(sums[point], flat);
            const bool smooth = flat.x * round.x + flat.y * round.y + flat.z * round.z > EDGE;
            const Vec3 n = smooth ? round : flat;
            corners[3 * f + c] = (Corner){ { p.x, p.y, p.z }, { n.x, n.y, n.z } };
        }
    }
}

static Corner *corners_of(const Mesh *mesh)
{
    Corner *corners = malloc(sizeof *corners * 3 * (size_t)mesh->face_count);
    Vec3 *sums = calloc((size_t)mesh->point_count, sizeof *sums);
    if (corners && sums) {
        add_normals(mesh, sums);
        make_corners(mesh, sums, corners);
    } else {
        free(corners);
        corners = NULL;
    }
    free(sums);
    return corners;
}

static bool upload(Body *body, const Corner *corners, int count, int attributes)
{
    const GLsizei stride = sizeof(Corner);
    gfx_take_error(); // what others left
    glGenVertexArrays(1, &body->array);
    glGenBuffers(1, &body->buffer);
    glBindVertexArray(body->array);
    glBindBuffer(GL_ARRAY_BUFFER, body->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(Corner) * count, corners, GL_STATIC_DRAW);
    glVertexAttribPointer(POSITION_ATTRIBUTE, 3, GL_FLOAT, GL_FALSE, stride, (void *)0);
    glVertexAttribPointer(NORMAL_ATTRIBUTE, 3, GL_FLOAT, GL_FALSE, stride,
                          (void *)(3 * sizeof(float)));
    glEnableVertexAttribArray(POSITION_ATTRIBUTE);
    glEnableVertexAttribArray(NORMAL_ATTRIBUTE);
    for (GLuint a = 0; a < (GLuint)attributes; a++) {
        glEnableVertexAttribArray(a);
        glVertexAttribDivisor(a, 1);
    }
    body->corners = count;
    return gfx_take_error() == GL_NO_ERROR;
}

bool body_set(Body *body, const Mesh *mesh, int attributes, const char *name, char *why,
              int why_size)
{
    body_free(body);
    if (!mesh) return true;
    Corner *corners = corners_of(mesh);
    const bool made = corners && upload(body, corners, 3 * mesh->face_count, attributes);
    free(corners);
    if (made) return true;
    snprintf(why, (size_t)why_size, "%s: no memory for its mesh", name);
    body_free(body);
    return false;
}

void body_free(Body *body)
{
    if (body->buffer) glDeleteBuffers(1, &body->buffer);
    if (body->array) glDeleteVertexArrays(1, &body->array);
    memset(body, 0, sizeof *body);
}
