#include "sim/sim.h"

#include <string.h>

static void bake(SpeedCurve *curve, const Stops *stops, int curves)
{
    curve->stops = *stops;
    curve->curves = curves;
    curve->flat = true;
    curve->version++;
    for (int n = 0; n < SPEED_ENTRIES; n++) {
        curve->x[n] = curve_at(stops, curves, (float)n / (SPEED_ENTRIES - 1));
        curve->flat = curve->flat && curve->x[n] == 1;
    }
}

const float *speed_bake(SpeedCurve *curve, const Params *params, Owner owner, int slot)
{
    const Stops *stops = params_stops(params, params_id(owner, slot, SWARM_SPEED_CURVE));
    const int curves = (int)params_values(params, owner, slot)[SWARM_CURVES];
    const bool same = curve->version > 0 && curve->curves == curves &&
                      memcmp(&curve->stops, stops, sizeof *stops) == 0;
    if (!same) bake(curve, stops, curves);
    return curve->flat ? NULL : curve->x;
}
