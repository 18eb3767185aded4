#version 330 core
// body.frag: a body lit by one light from above the left shoulder, with a bright rim.
// in: v_light (light and opacity), v_cover, v_normal, v_to_eye   out: light, premultiplied
flat in vec4 v_light;
flat in float v_cover;
in vec3 v_normal;
in vec3 v_to_eye;
out vec4 colour;

const vec3 TO_LIGHT = vec3(-0.48, 0.72, 0.5);
const float AMBIENT = 0.12;

void main()
{
    vec3 normal = normalize(v_normal), to_eye = normalize(v_to_eye);
    float facing = max(dot(normal, to_eye), 0.0);
    float lit = AMBIENT + (1.0 - AMBIENT) * max(dot(normal, TO_LIGHT), 0.0);
    float glint = pow(max(dot(normal, normalize(TO_LIGHT + to_eye)), 0.0), 24.0);
    float rim = pow(1.0 - facing, 3.0);
    vec3 light = v_light.rgb * (lit + 0.5 * rim) + vec3(glint) * dot(v_light.rgb, vec3(0.3));
    colour = vec4(light * v_light.a, v_light.a * v_cover);
}
