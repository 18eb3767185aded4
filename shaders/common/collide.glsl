// collide.glsl: how a particle bounces off the colliders in one step, as src/sim/collide.h has it:
// read there why.
// in:  u_collider (position, shape: 1 plane, 2 sphere, 3 box), u_collider_form (size, or a plane's normal;
//      side: 1 keeps out, -1 keeps in), u_collider_count; the swarm's u_bounce, u_tangent_keep, u_hit_life
// Needs Course of law.glsl in front.
// out: Flight, collide

uniform vec4 u_collider[4];
uniform vec4 u_collider_form[4];
uniform int u_collider_count;
uniform float u_bounce;
uniform float u_tangent_keep;
uniform float u_hit_life;

const int ROUNDS = 4;
const float SKIN = 1e-4;
const float REST_TIME = 1.0 / 48.0;
const float NO_MEETING = 2.0;

struct Flight {
    vec3 at, to;
    vec3 before, then;
    vec3 force, kick;
    float left, speed;
};

struct Meeting {
    float share;
    vec3 normal;
    float push, bend;
};

Meeting meet_plane(vec3 m, vec3 normal, vec3 way)
{
    float above = dot(m, normal), rise = dot(way, normal);
    float share = above > 0.0 ? above / -rise : 0.0;
    if (!(above + min(rise, 0.0) < -SKIN)) share = NO_MEETING;
    return Meeting(share, normal, above < -2.0 * SKIN ? -above : 0.0, 0.0);
}

Meeting meet_sphere(vec3 m, float radius, float side, vec3 way)
{
    float a = dot(way, way) + 1e-30, b = dot(m, way), square = dot(m, m);
    float above = (sqrt(square) - radius) * side;
    bool deep = above < -2.0 * SKIN;
    float near = clamp(-b / a, 0.0, 1.0);
    float farthest = side > 0.0 ? square + near * (2.0 * b + near * a) : max(square, square + 2.0 * b + a);
    float lowest = (sqrt(max(farthest, 0.0)) - radius) * side;
    float root = sqrt(max(b * b - a * (square - radius * radius), 0.0));
    float share = deep ? 0.0 : clamp((-b - side * root) / a, 0.0, 1.0);
    vec3 outward = m + share * way;
    float len = length(outward);
    vec3 normal = len < 1e-6 ? vec3(0.0, 1.0, 0.0) : outward * (side / len);
    return Meeting(lowest < -SKIN ? share : NO_MEETING, normal, deep ? -above : 0.0, side < 0.0 ? 1.0 / radius : 0.0);
}

vec3 greatest_axis(vec3 v)
{
    float greatest = max(v.x, max(v.y, v.z));
    if (v.x == greatest) return vec3(1.0, 0.0, 0.0);
    return v.y == greatest ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
}

float greatest_of(vec3 v)
{
    return max(v.x, max(v.y, v.z));
}

float least_of(vec3 v)
{
    return min(v.x, min(v.y, v.z));
}

vec3 sides_of(vec3 v)
{
    return vec3(v.x < 0.0 ? -1.0 : 1.0, v.y < 0.0 ? -1.0 : 1.0, v.z < 0.0 ? -1.0 : 1.0);
}

// From outside, or with side < 0 from inside.
Meeting meet_box(vec3 m, vec3 size, float side, vec3 way)
{
    vec3 tiny = vec3(lessThan(abs(way), vec3(1e-20)));
    vec3 inverse = 1.0 / mix(way, vec3(1e-20), tiny);
    vec3 a = (-size - m) * inverse, b = (size - m) * inverse;
    vec3 enter = min(a, b), leave = max(a, b), skin = SKIN * abs(inverse);
    vec3 outside = abs(m) - size, ends = abs(m + way) - size;
    float above = greatest_of(outside);
    if (side > 0.0) {
        bool within = above < 0.0;
        bool meets = min(least_of(leave - skin), 1.0) > max(greatest_of(enter + skin), 0.0);
        float share = within ? 0.0 : clamp(greatest_of(enter), 0.0, 1.0);
        vec3 normal = greatest_axis(within ? outside : enter) * (within ? sides_of(m) : -sides_of(way));
        return Meeting(meets ? share : NO_MEETING, normal, above < -2.0 * SKIN ? -above : 0.0, 0.0);
    }
    bool deep = above > 2.0 * SKIN;
    float share = deep ? 0.0 : clamp(least_of(leave), 0.0, 1.0);
    vec3 normal = -greatest_axis(deep ? outside : -leave) * (deep ? sides_of(m) : sides_of(way));
    return Meeting(max(above, greatest_of(ends)) > SKIN ? share : NO_MEETING, normal, deep ? above : 0.0, 0.0);
}

Meeting meet(int n, vec3 at, vec3 way)
{
    vec4 collider = u_collider[n], form = u_collider_form[n];
    vec3 m = at - collider.xyz;
    int shape = int(collider.w);
    if (shape == 1) return meet_plane(m, form.xyz, way);
    if (shape == 2) return meet_sphere(m, form.x, form.w, way);
    return meet_box(m, form.xyz, form.w, way);
}

// Takes the flight to the meeting and on from there; 1 for a bounce, else 0.
float take_meeting(Course course, Meeting m, bool last, inout Flight f)
{
    vec3 n = m.normal;
    vec3 into = f.before + m.share * (f.then - f.before);
    float across = dot(into, n), before = dot(f.before, n), then = dot(f.then, n);
    float hard = sqrt(max(before * before + m.share * (then * then - before * before), 0.0));
    vec3 along = into - across * n;
    float pressed = max(-dot(f.force, n), 0.0), kicked = max(-dot(f.kick, n), 0.0);
    bool rests = hard <= (pressed + m.bend * dot(along, along)) * REST_TIME;
    bool pushed = m.push > 0.0, comes = across < 0.0;
    float off = comes ? (pushed ? 0.0 : u_bounce * hard) : across;
    float rest_keep = 1.0 - (1.0 - u_tangent_keep) * clamp(course.dt * 60.0, 0.0, 1.0);

    f.at += m.share * (f.to - f.at) + m.push * n;
    f.before = along * (rests || pushed ? rest_keep : u_tangent_keep) + (rests ? 0.0 : off) * n;
    vec3 force = f.force + (rests ? pressed : 0.0) * n, kick = f.kick + (rests ? kicked : 0.0) * n;
    f.left = last ? 0.0 : f.left * (1.0 - m.share);
    vec3 way = f.before * (course.reach * f.left * f.speed) + course.fall * f.left * f.left * f.speed * force;
    float wide = dot(way, way) * m.bend;
    float rise = rests ? wide / (1.0 + sqrt(max(1.0 - wide * m.bend, 0.0))) : 0.0;
    f.to = f.at + way + rise * n;
    vec3 after = f.before * (1.0 - (1.0 - course.keep) * f.left) + course.reach * f.left * force;
    float lost = 2.0 * (rests ? pressed : 0.0) * rise / (dot(after, after) + 1e-30);
    f.then = after * sqrt(max(1.0 - lost, 0.0)) + f.left * kick;
    return !rests && !pushed && comes ? 1.0 : 0.0;
}

// Lets the flight bounce until it is over; how often it did.
float collide(Course course, inout Flight f)
{
    float bounces = 0.0;
    for (int round = 1; round <= ROUNDS; round++) {
        Meeting first = Meeting(NO_MEETING, vec3(0.0), 0.0, 0.0);
        for (int n = 0; n < u_collider_count; n++) {
            Meeting other = meet(n, f.at, f.to - f.at);
            if (other.share < first.share) first = other;
        }
        if (first.share > 1.0) break;
        bounces += take_meeting(course, first, round == ROUNDS, f);
    }
    return bounces;
}
