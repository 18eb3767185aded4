// Routes: signal -> range -> curve -> smoothing -> parameter, once a hop.
#include "control/state.h"

#include <string.h>

static float setting(const Params *params, int slot, RouteRow row)
{
    return params->base[params_id(OWNER_ROUTE, slot, row)];
}

// ---- what a route may say ----

bool route_signal_fits(Params *params, const char *signal, char *why, int why_size)
{
    if (*signal == 0 || signal_find(signal) >= 0) return true;
    Suggestion suggestion = suggest_for(signal);
    const int candidates = suggest_allowed(params) ? SIGNAL_COUNT : 0;
    for (int i = 0; i < candidates; i++) suggest(&suggestion, signal_rows[i].name);
    snprintf(why, (size_t)why_size, "no signal %.40s%s%s%s", signal,
             *suggestion.nearest ? "; did you mean " : "", suggestion.nearest,
             *suggestion.nearest ? "?" : "");
    return false;
}

bool route_target_fits(Params *params, const char *to, ParamId *target, char *why, int why_size)
{
    char nearest[MESSAGE_PATH];
    if (*to == '/') to++;
    *target = PARAM_NONE;
    if (*to == 0) return true;
    *target = params_find(params, to);
    if (*target == PARAM_NONE) {
        suggest_path(params, to, nearest, sizeof nearest);
        snprintf(why, (size_t)why_size, "no parameter %.80s%s%s%s", to,
                 *nearest ? "; did you mean " : "", nearest, *nearest ? "?" : "");
        return false;
    }
    const ParamKind kind = params_row(*target)->kind;
    const char *wrong = NULL;
    if (!kind_is_number(kind))
        wrong = "a route moves numbers only";
    else if (kind == KIND_STRUCTURAL)
        wrong = "a route cannot move what needs preparation";
    else if (params_owner(*target, NULL, NULL) == OWNER_ROUTE)
        wrong = "a route cannot move routes";
    else if (params_owner(*target, NULL, NULL) == OWNER_TYPE)
        wrong = "a route cannot move a type, only the emitters that have it";
    else if (*target == GLOBAL_AUDIO_REACTION)
        wrong = "a route cannot move the master of routes";
    if (wrong) snprintf(why, (size_t)why_size, "%s: %s", to, wrong);
    return !wrong;
}

// ---- moving ----

// The target's live value anew, from all routes that move it.
static void retake(Params *params, ParamId target)
{
    if (target == PARAM_NONE) return;
    float moved = 0;
    for (int i = 0; i < ROUTE_SLOTS; i++)
        if (params->routes[i].target == target) moved += params->routes[i].adds;
    params->moved[target] = moved;
    param_follow(params, target);
}

void route_stop(Params *params, int slot)
{
    const ParamId target = params->routes[slot].target;
    params->routes[slot] = (RouteState){ .target = PARAM_NONE, .signal = SIGNAL_LEVEL };
    retake(params, target);
}

void route_refresh(Params *params, int slot)
{
    char why[MESSAGE_TEXT];
    ParamId target;
    const char *signal = params_text(params, params_id(OWNER_ROUTE, slot, ROUTE_SIGNAL));
    const char *to = params_text(params, params_id(OWNER_ROUTE, slot, ROUTE_TO));
    route_target_fits(params, to, &target, why, sizeof why);
    if (target != params->routes[slot].target) route_stop(params, slot);
    params->routes[slot].target = target;
    params->routes[slot].signal = *signal ? (SignalId)signal_find(signal) : SIGNAL_LEVEL;
}

// 0..1: where the signal stands in the route's range, through its curve.
static float shaped(const Params *params, int slot, const Features *features)
{
    const SignalId signal = params->routes[slot].signal;
    const SignalRow *row = &signal_rows[signal];
    const float low = setting(params, slot, ROUTE_LOW), high = setting(params, slot, ROUTE_HIGH);
    const float heard = clampf(features->signal[signal], row->low, row->high);
    const float share = (heard - row->low) / (row->high - row->low);
    if (high <= low) return share > low; // no range: a switch
    return powf(clampf((share - low) / (high - low), 0, 1), setting(params, slot, ROUTE_EXPONENT));
}

// An exponential release never ends by itself; in silence it ends here, after 5.5 time constants at
// the most, so that births without a base rate do end.
static const float TAIL = 1.0f / 256;

static void hear(Params *params, int slot, const Features *features, float seconds)
{
    RouteState *route = &params->routes[slot];
    if (setting(params, slot, ROUTE_ENABLED) == 0) {
        route->shape = route->adds = 0;
        return;
    }
    const float shape = shaped(params, slot, features);
    const RouteRow smoothing = shape > route->shape ? ROUTE_ATTACK : ROUTE_RELEASE;
    route->shape += (shape - route->shape) * approach(setting(params, slot, smoothing), seconds);
    if (shape == 0 && route->shape < TAIL) route->shape = 0;
    route->adds =
        params->base[GLOBAL_AUDIO_REACTION] * setting(params, slot, ROUTE_AMOUNT) * route->shape;
}

void routes_hop(Params *params, const Features *features, float seconds)
{
    seconds = seconds > 0 ? seconds : 0;
    params->searches = SEARCHES_A_HOP;
    for (int i = 0; i < ROUTE_SLOTS; i++) {
        if (params->routes[i].target == PARAM_NONE) continue;
        hear(params, i, features, seconds);
        params->moved[params->routes[i].target] = 0;
    }
    for (int i = 0; i < ROUTE_SLOTS; i++)
        if (params->routes[i].target != PARAM_NONE)
            params->moved[params->routes[i].target] += params->routes[i].adds;
    for (int i = 0; i < ROUTE_SLOTS; i++)
        if (params->routes[i].target != PARAM_NONE) param_follow(params, params->routes[i].target);
}
