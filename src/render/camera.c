#include "render/camera.h"

#include <string.h>

#include <cglm/cglm.h>

#include "render/render.h"

static Vec3 scaled(Vec3 a, float scale)
{
    return (Vec3){ a.x * scale, a.y * scale, a.z * scale };
}

static Vec3 plus(Vec3 a, Vec3 b)
{
    return (Vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static void look(Camera *camera, const float *values, double orbit)
{
    const float yaw = glm_rad((float)fmod(values[GLOBAL_CAMERA_YAW] + orbit, 360));
    const float pitch = glm_rad(values[GLOBAL_CAMERA_PITCH]);
    const Vec3 back = { sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch) };
    camera->forward = scaled(back, -1);
    camera->right = (Vec3){ cosf(yaw), 0, -sinf(yaw) };
    camera->up = (Vec3){ -sinf(yaw) * sinf(pitch), cosf(pitch), -cosf(yaw) * sinf(pitch) };
}

static void project(Camera *camera, float height, Size picture, int margin)
{
    const Vec3 eye = camera->eye = scaled(camera->forward, -camera->distance);
    mat4 view, projection, both;
    glm_look((vec3){ eye.x, eye.y, eye.z },
             (vec3){ camera->forward.x, camera->forward.y, camera->forward.z },
             (vec3){ camera->up.x, camera->up.y, camera->up.z }, view);

    const float near = 0.01f * camera->distance, far = camera->distance + 1000;
    const float up = 0.5f * height / camera->distance * near; // of the picture at the near plane
    const float wide = up * (float)picture.width / (float)picture.height;
    const float x = wide * (1 + 2 * (float)margin / (float)picture.width);
    const float y = up * (1 + 2 * (float)margin / (float)picture.height);
    glm_frustum(-x, x, -y, y, near, far, projection);
    glm_mat4_mul(projection, view, both);
    memcpy(camera->view_projection, both, sizeof camera->view_projection);
}

Camera camera_of(const Params *params, double orbit, Size picture, int margin)
{
    const float *values = params_values(params, OWNER_GLOBAL, 0);
    const float height = values[GLOBAL_CAMERA_HEIGHT];
    Camera camera = { .distance = values[GLOBAL_CAMERA_DISTANCE] };
    camera.pixels = (float)picture.height * camera.distance / height;
    look(&camera, values, orbit);
    project(&camera, height, picture, margin);
    return camera;
}

Vec3 camera_unproject(const Params *params, double orbit, Size size, float x, float y)
{
    const float height = params_values(params, OWNER_GLOBAL, 0)[GLOBAL_CAMERA_HEIGHT];
    if (size.width <= 0 || size.height <= 0) return (Vec3){ 0 };
    Camera camera = { 0 };
    look(&camera, params_values(params, OWNER_GLOBAL, 0), orbit);
    const float half = 0.5f * height, aspect = (float)size.width / (float)size.height;
    return plus(scaled(camera.right, x * half * aspect), scaled(camera.up, y * half));
}
