/* SPDX-License-Identifier: Apache-2.0 */
/* The host's clock for timings. */
#ifndef CONSORT_CLI_BENCH_CLOCK_H
#define CONSORT_CLI_BENCH_CLOCK_H

#include <time.h>

static inline double bench_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
