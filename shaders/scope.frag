#version 330 core
// scope.frag: the sound itself as light: a wave, a ring, a spectrum or a spectrogram.  All lengths are
// shares of the picture's height.
// in:  u_kind (1 wave, 2 ring, 3 spectrum, 4 spectrogram), u_picture (pixels), u_offset (of the picture
//      in the target), u_middle, u_turn (cosine, sine), u_size, u_reach, u_line, u_amount, u_soft,
//      u_loud (colours, linear); and of sound.glsl
// out: colour, linear, added
#include "common/sound.glsl"
uniform int u_kind;
uniform vec2 u_picture;
uniform int u_offset;
uniform vec2 u_middle;
uniform vec2 u_turn;
uniform float u_size;
uniform float u_reach;
uniform float u_line;
uniform float u_amount;
uniform vec3 u_soft;
uniform vec3 u_loud;
out vec4 colour;

const float TAU = 6.2831853;
const int FAR_MOST = 24; // points to each side in which a thick line is looked for

// How much of a pixel a line covers whose middle is `far` away; a line thinner than a pixel is dimmer
// instead.
float covered(float far, float pixel)
{
    float half_width = max(0.5 * u_line, 0.5 * pixel);
    return clamp((half_width - far) / pixel + 0.5, 0.0, 1.0) * min(1.0, u_line / pixel);
}

// How much of a pixel lies between two edges.
float inside(float at, float low, float high, float pixel)
{
    return clamp((at - low) / pixel + 0.5, 0.0, 1.0) * clamp((high - at) / pixel + 0.5, 0.0, 1.0);
}

float to_segment(vec2 at, vec2 from, vec2 to)
{
    vec2 way = to - from;
    float share = clamp(dot(at - from, way) / max(dot(way, way), 1.0e-12), 0.0, 1.0);
    return length(at - from - share * way);
}

// Distance from `at` to the wave drawn over `size`; its place `along` may be folded: see ring.
float to_wave(vec2 at, float size, bool folded, float pixel)
{
    float step = 1.0 / float(WAVE_POINTS - 1);
    int far = min(int((0.5 * u_line + pixel) / (step * size)) + 1, FAR_MOST);
    float first = floor((at.x / size + 0.5) / step) - float(far);
    float nearest = 1.0e3;
    vec2 before = vec2(0.0);
    if (abs(at.y) > u_reach + u_line + pixel) return nearest;
    for (int i = 0; i <= 2 * far + 1; i++) {
        float place = (first + float(i)) * step;
        if (!folded) place = clamp(place, 0.0, 1.0);
        float of_wave = folded ? 1.0 - abs(1.0 - 2.0 * fract(place)) : place;
        vec2 point = vec2((place - 0.5) * size, u_reach * wave_at(of_wave));
        if (i > 0) nearest = min(nearest, to_segment(at, before, point));
        before = point;
    }
    return nearest;
}

vec3 tinted(float loudness)
{
    return mix(u_soft, u_loud, clamp(loudness, 0.0, 1.0));
}

// Its ends fade.
vec3 wave(vec2 at, float pixel)
{
    float share = abs(at.x) / (0.5 * u_size);
    float light = covered(to_wave(at, u_size, false, pixel), pixel) * smoothstep(1.0, 0.8, share);
    return light * tinted(1.5 * abs(at.y) / max(u_reach, 1.0e-4));
}

// The wave there and back, so that it closes; it begins at the bottom.
vec3 ring(vec2 at, float pixel)
{
    float radius = 0.25 * u_size, out_of = length(at);
    float round_length = TAU * radius;
    vec2 unrolled = vec2(atan(at.x, at.y) / TAU * round_length, out_of - radius);
    float light = covered(to_wave(unrolled, round_length, true, pixel), pixel);
    return light * tinted(1.5 * abs(unrolled.y) / max(u_reach, 1.0e-4));
}

// Bars to both sides; a thin line where it is silent.
vec3 spectrum(vec2 at, float pixel)
{
    float cell = u_size / float(SPECTRUM_BINS);
    float place = floor((at.x + 0.5 * u_size) / cell);
    if (place < 0.0 || place >= float(SPECTRUM_BINS)) return vec3(0.0);
    float middle = (place + 0.5) * cell - 0.5 * u_size;
    float loud = as_heard(spectrum_falling_at(place / float(SPECTRUM_BINS - 1)));
    float tall = max(0.5 * u_line, u_reach * loud * loud);
    float light = inside(at.x, middle - 0.32 * cell, middle + 0.32 * cell, pixel) *
                  inside(abs(at.y), -1.0, tall, pixel);
    float share = abs(at.y) / max(u_reach, 1.0e-4);
    return light * tinted(share) * (0.25 + 0.75 * loud);
}

// Now is at the right, the lows are below; the oldest fade.
vec3 spectrogram(vec2 at, float pixel)
{
    vec2 share = vec2(at.x / u_size, 0.5 * at.y / max(u_reach, 1.0e-4)) + 0.5;
    float edge = inside(at.x, -0.5 * u_size, 0.5 * u_size, pixel) *
                 inside(at.y, -u_reach, u_reach, pixel);
    if (edge <= 0.0) return vec3(0.0);
    float loud = as_heard(spectrogram_at(share.y, (1.0 - share.x) * SPECTROGRAM_SECONDS));
    float age = smoothstep(0.0, 0.35, share.x);
    return edge * age * 0.7 * loud * loud * loud * loud * tinted(2.2 * loud - 1.0);
}

void main()
{
    vec2 from_middle = (gl_FragCoord.xy - float(u_offset) - 0.5 * u_picture) / u_picture.y - u_middle;
    vec2 at = vec2(dot(from_middle, u_turn), dot(from_middle, vec2(-u_turn.y, u_turn.x)));
    float pixel = 1.0 / u_picture.y;
    vec3 light = vec3(0.0);
    if (u_kind == 1) light = wave(at, pixel);
    if (u_kind == 2) light = ring(at, pixel);
    if (u_kind == 3) light = spectrum(at, pixel);
    if (u_kind == 4) light = spectrogram(at, pixel);
    colour = vec4(u_amount * light, 0.0);
}
