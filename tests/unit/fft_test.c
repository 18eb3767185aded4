#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/fft.h"

enum { LARGEST = 600 };

// Loud enough everywhere that no bin is near 0.
static void fill(float *samples, int size)
{
    for (int i = 0; i < size; i++)
        samples[i] = sinf(0.37f * (float)i) + 0.5f * cosf(1.9f * (float)i + 1) + (i % 7 == 3);
}

static double direct_power(const float *samples, int size, int bin)
{
    double re = 0, im = 0;
    for (int i = 0; i < size; i++) {
        const double turn = 2 * M_PI * bin * i / size;
        re += samples[i] * cos(turn);
        im -= samples[i] * sin(turn);
    }
    return re * re + im * im;
}

static void check_against_direct(Fft *fft, int size)
{
    float samples[LARGEST] = { 0 }, power[LARGEST / 2 + 1];
    fill(samples, size);
    fft_power(fft, samples, power);
    double total = 0;
    for (int bin = 0; bin <= size / 2; bin++) total += direct_power(samples, size, bin);
    for (int bin = 0; bin <= size / 2; bin++)
        assert_true(fabs(power[bin] - direct_power(samples, size, bin)) <= 1e-5 * total);
}

static void each_size_is_the_direct_transform(void **state)
{
    (void)state;
    static const int sizes[] = { 600, 180, 360, 512, 240, 2, 250, 600 };
    Fft *fft = fft_new(LARGEST);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fft_set_size(fft, sizes[i]);
        check_against_direct(fft, sizes[i]);
    }
    fft_free(fft);
}

static void a_good_size_holds_what_is_asked_and_has_small_factors(void **state)
{
    (void)state;
    for (int count = 2; count < 10000; count += 7) {
        int size = fft_good_size(count);
        assert_true(size >= count && size < count + count / 4 + 4);
        assert_int_equal(size % 2, 0);
        static const int factors[] = { 2, 3, 5 };
        for (int f = 0; f < 3; f++)
            while (size % factors[f] == 0) size /= factors[f];
        assert_int_equal(size, 1);
    }
}

static void free_takes_nothing(void **state)
{
    (void)state;
    fft_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_size_is_the_direct_transform),
        cmocka_unit_test(a_good_size_holds_what_is_asked_and_has_small_factors),
        cmocka_unit_test(free_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
