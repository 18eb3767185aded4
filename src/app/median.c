#include "app/median.h"

#include <stdlib.h>

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *figures, int count)
{
    qsort(figures, (size_t)count, sizeof *figures, rising);
    return figures[count / 2];
}

double median_run(double (*run)(void *subject), void *subject)
{
    double figures[MEDIAN_RUNS];
    run(subject);
    for (int n = 0; n < MEDIAN_RUNS; n++) figures[n] = run(subject);
    return median_of(figures, MEDIAN_RUNS);
}
