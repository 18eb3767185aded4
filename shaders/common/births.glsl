// births.glsl: this frame's births by rate, newest last, in runs.
// in:  u_births of them, in u_run_count runs: u_run_start (number of the first birth within the frame),
//      u_run_away (from where the field is, its place; its age at the frame's end), u_run_step (how much farther
//      and younger each next one is)
// out: newborn_away
uniform uint u_births;
uniform int u_run_count;
uniform uint u_run_start[32];
uniform vec4 u_run_away[32];
uniform vec4 u_run_step[32];

// Place and age at the frame's end of the frame's n-th birth.
vec4 newborn_away(uint n)
{
    int run = 0;
    for (int r = 1; r < u_run_count; r++)
        if (u_run_start[r] <= n) run = r;
    float later = float(n - u_run_start[run]);
    return u_run_away[run] + later * vec4(u_run_step[run].xyz, -u_run_step[run].w);
}
