// libebur128 was weighed and is what the test holds this against, but another rate costs it an
// allocation, and a device may change its rate inside a frame.  The two filters are ITU-R BS.1770's,
// given there for 48 kHz; as analogue prototypes with these constants they are the same at any rate.
#include "analysis/loudness.h"

#include <math.h>
#include <string.h>

static const double SHELF_HZ = 1681.974450955533, SHELF_Q = 0.7071752369554196;
static const double SHELF_DB = 3.999843853973347, SHELF_BEND = 0.4996667741545416;
static const double PASS_HZ = 38.13547087602444, PASS_Q = 0.5003270373238773;
static const double OFFSET = -0.691; // LU, of the standard
static const double QUIETEST = -70;  // LUFS, the standard's absolute gate
static const double NOTHING = 1e-30; // a filter's rest below it is 0, which keeps denormals out

static Biquad shelf_at(int rate)
{
    const double k = tan(M_PI * SHELF_HZ / rate), q = k / SHELF_Q;
    const double top = pow(10, SHELF_DB / 20), bend = pow(top, SHELF_BEND);
    const double a0 = 1 + q + k * k;
    return (Biquad){
        .b = { (top + bend * q + k * k) / a0, 2 * (k * k - top) / a0,
               (top - bend * q + k * k) / a0 },
        .a = { 2 * (k * k - 1) / a0, (1 - q + k * k) / a0 },
    };
}

static Biquad high_pass_at(int rate)
{
    const double k = tan(M_PI * PASS_HZ / rate), q = k / PASS_Q;
    const double a0 = 1 + q + k * k;
    return (Biquad){
        .b = { 1, -2, 1 },
        .a = { 2 * (k * k - 1) / a0, (1 - q + k * k) / a0 },
    };
}

void loudness_tune(Loudness *l, int rate)
{
    *l = (Loudness){ .shelf = shelf_at(rate), .high_pass = high_pass_at(rate) };
}

static double filter(Biquad *f, int channel, double x)
{
    double *s = f->state[channel];
    const double y = f->b[0] * x + s[0];
    s[0] = f->b[1] * x - f->a[0] * y + s[1];
    s[1] = f->b[2] * x - f->a[1] * y;
    return y;
}

static void settle(Biquad *f, int channel)
{
    for (int i = 0; i < 2; i++)
        if (fabs(f->state[channel][i]) < NOTHING) f->state[channel][i] = 0;
}

// Both channels in one loop: a filter waits for its own last output, and the other fills the wait.
static double power_of(Loudness *l, const float *left, const float *right, int count)
{
    double sum[2] = { 0 };
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 2; c++) {
            const double x = c == 0 ? left[i] : right[i];
            const double y = filter(&l->high_pass, c, filter(&l->shelf, c, x));
            sum[c] += y * y;
        }
    for (int c = 0; c < 2; c++) {
        settle(&l->shelf, c);
        settle(&l->high_pass, c);
    }
    return (sum[0] + sum[1]) / count;
}

float loudness_hear(Loudness *l, const float *left, const float *right, int count)
{
    l->power[l->next] = power_of(l, left, right, count);
    l->next = (l->next + 1) % LOUDNESS_HOPS;
    double mean = 0;
    for (int i = 0; i < LOUDNESS_HOPS; i++) mean += l->power[i] / LOUDNESS_HOPS;
    return mean > 0 ? (float)fmax(QUIETEST, OFFSET + 10 * log10(mean)) : (float)QUIETEST;
}
