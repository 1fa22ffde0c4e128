/* SPDX-License-Identifier: Apache-2.0 */
/* Medians by sorting copies. */
#include "bench_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of_sorted(const double *sorted, size_t count)
{
    size_t middle = count / 2;
    return count % 2 != 0 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

struct bench_statistics bench_statistics_of(const double *samples, size_t count)
{
    struct bench_statistics result = {0};
    double *work = malloc(count * sizeof *work);
    if (work == NULL) {
        return result;
    }
    memcpy(work, samples, count * sizeof *work);
    qsort(work, count, sizeof *work, compare);
    result.median = median_of_sorted(work, count);
    result.minimum = work[0];
    result.maximum = work[count - 1];
    for (size_t i = 0; i < count; i++) {
        work[i] = fabs(work[i] - result.median);
    }
    qsort(work, count, sizeof *work, compare);
    result.deviation = median_of_sorted(work, count);
    free(work);
    return result;
}
