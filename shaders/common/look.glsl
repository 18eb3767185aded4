// look.glsl: size, rotation and frame of a particle over its life, as paint.c of src/sim has them.
// Needs rng.glsl and birth.glsl (the list of draws) in front.
// in:  the swarm's rows (src/control/params.def) by their names, angles in turns; u_frames (of its
//      sheet; 0: it has none)
// out: look_size, look_rotation, look_frame, look_axis
uniform float u_size;
uniform float u_size_random;
uniform bool u_size_change;
uniform float u_size_end;
uniform float u_size_end_random;
uniform float u_rotation;
uniform float u_rotation_random;
uniform float u_rotation_speed; // turns/s
uniform float u_rotation_speed_random;
uniform float u_rotation_flip;
uniform int u_frames;
uniform int u_sheet_fit; // 0 life, 1 free, 2 still
uniform float u_sheet_fps;
uniform int u_sheet_start;
uniform bool u_sheet_random;
uniform bool u_sheet_blend;

float upper_half(uint bits)
{
    return float(bits >> 16) * (1.0 / 65536.0);
}

// `over` is the size curve's value at this share of life.
float look_size(uint key, float share, float over)
{
    float size = u_size * size_factor(key, u_size_random);
    if (!u_size_change) return size;
    float end = u_size_end * (1.0 - u_size_end_random * unit(key, DRAW_SIZE_END));
    return size * mix(1.0, end, share) * over;
}

// In turns; `over` is what of a life's turning is done.
float look_rotation(uint key, float life, float over)
{
    float turns = u_rotation + u_rotation_random * (1.0 / 1024.0) * float(key >> 22);
    uint bits = rng_draw(key, DRAW_TURNING);
    float speed = u_rotation_speed * (1.0 - u_rotation_speed_random * upper_half(bits));
    if (float(bits & 65535u) * (1.0 / 65536.0) < u_rotation_flip) speed = -speed;
    turns += speed * life * over;
    return turns - floor(turns);
}

// Which of the 256 axes of body.glsl a body turns about.
float look_axis(uint key)
{
    return float((rng_draw(key, DRAW_FRAME) & 65535u) >> 8);
}

float look_frame(uint key, float share, float age)
{
    if (u_frames < 2) return 0.0;
    float frames = float(u_frames);
    float frame = float(u_sheet_start % u_frames);
    if (u_sheet_random)
        frame += float(((rng_draw(key, DRAW_FRAME) & 65535u) * uint(u_frames)) >> 16);
    // A life ends on the last frame, not on the first again.
    if (u_sheet_fit == 0) frame += min(share, 0.999999) * (u_sheet_blend ? frames - 1.0 : frames);
    if (u_sheet_fit == 1) frame += age * u_sheet_fps;
    frame -= floor(frame / frames) * frames;
    return u_sheet_blend ? frame : floor(frame);
}
