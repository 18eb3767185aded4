// finish.glsl: light becomes picture: light, trail, glow and background are summed, exposed, toned,
// encoded as sRGB and dithered.  Whoever includes it says how the light is read: picture_light.
// in: u_light, u_trail, u_bloom and how much of each; u_light_gain (1, more where the finest glow
//     is the light itself), u_background (linear), u_exposure (factor), u_saturation, u_vignette,
//     u_aspect, u_master, u_frame
// out: colour, sRGB, opaque
#include "common/light.glsl"
uniform sampler2D u_trail;
uniform sampler2D u_bloom;
uniform float u_light_gain;
uniform float u_trail_amount;
uniform float u_bloom_amount;
uniform vec3 u_background;
uniform float u_exposure;
uniform float u_saturation;
uniform float u_vignette;
uniform float u_aspect;
uniform float u_master;
uniform int u_frame;
in vec2 v_uv;
out vec4 colour;

const vec3 LUMA = vec3(0.2126, 0.7152, 0.0722);
const float KNEE = 0.45;     // up to here light is shown as it is
const float WHITEST = 0.985; // what endless light comes to: still below the largest byte
const float BLEACH = 0.4;    // how white the brightest may become

vec4 picture_light(vec2 uv);

vec3 gathered(vec2 uv)
{
    vec4 light = picture_light(uv);
    vec3 sum = light.rgb;
    if (u_trail_amount > 0.0) sum += u_trail_amount * texture(u_trail, uv).rgb;
    sum *= u_light_gain;
    if (u_bloom_amount > 0.0) sum += u_bloom_amount * texture(u_bloom, uv).rgb;
    sum += u_background * (1.0 - min(light.a, 1.0));
    return sum;
}

// How much light reaches this place: a lens' own darkening, cos^4 like.
float vignette(vec2 uv)
{
    vec2 from_middle = (uv - 0.5) * vec2(u_aspect, 1.0) / (0.5 * length(vec2(u_aspect, 1.0)));
    float fall = 1.0 / (1.0 + 1.6 * dot(from_middle, from_middle));
    return mix(1.0, fall * fall, u_vignette);
}

// The largest channel rolls off towards WHITEST and takes the others along, which keeps the hue;
// what is far too bright bleaches a little, as film and eyes do, so that cores look hot.
vec3 toned(vec3 light)
{
    float peak = max(max(light.r, light.g), light.b);
    if (peak <= KNEE) return light;
    float over = (peak - KNEE) / (WHITEST - KNEE);
    float share = over / (1.0 + over);
    float shown = KNEE + (WHITEST - KNEE) * share;
    return mix(light * (shown / peak), vec3(shown), BLEACH * share * share);
}

// sRGB by square roots, within a quarter of a byte's step; powers are slow without a GPU.
vec3 encoded(vec3 value)
{
    vec3 root = sqrt(value);
    vec3 fourth = sqrt(root);
    vec3 eighth = sqrt(fourth);
    vec3 high = 0.662002687 * root + 0.684122060 * fourth - 0.323583601 * eighth -
                0.022541147 * value;
    return mix(value * 12.92, high, vec3(greaterThan(value, vec3(0.0031308))));
}

// Triangular noise of +-1 from interleaved gradient noise, another every frame.
float noise()
{
    vec2 at = gl_FragCoord.xy + 5.588238 * float(u_frame & 63);
    float even = 2.0 * fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715)))) - 1.0;
    return sign(even) * (1.0 - sqrt(1.0 - abs(even)));
}

void main()
{
    vec3 light = max(gathered(v_uv) * u_exposure * vignette(v_uv), vec3(0.0));
    light = max(mix(vec3(dot(light, LUMA)), light, u_saturation), vec3(0.0));
    vec3 shown = encoded(toned(min(vec3(1.0e9), light)) * u_master);
    vec3 levels = shown * 255.0;
    // Towards black the noise fades: what is dark stays black.
    colour = vec4((levels + noise() * min(levels, vec3(1.0))) / 255.0, 1.0);
}
