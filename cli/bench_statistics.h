/* SPDX-License-Identifier: Apache-2.0 */
/* What a list of timings says: robust figures, since timings have outliers to one side only. */
#ifndef CONSORT_CLI_BENCH_STATISTICS_H
#define CONSORT_CLI_BENCH_STATISTICS_H

#include <stddef.h>

struct bench_statistics {
    double median;
    double minimum;
    double maximum;
    double deviation; /* median absolute deviation from the median */
};

/* `samples`: count ≥ 1; they stay as they are. All 0 if memory runs out. */
struct bench_statistics bench_statistics_of(const double *samples, size_t count);

#endif
