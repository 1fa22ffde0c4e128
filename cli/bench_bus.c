/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's own copies, waited for one by one. */
#include "bench_bus.h"

#include "bench_clock.h"
#include "bench_memory.h"
#include "bench_statistics.h"

enum {
    ROUNDS = 5,
    WARM_UPS = 1
};

static bool copy(const struct bench_gpu *gpu, bool in, uint64_t memory, void *host, uint64_t bytes,
                 double *seconds)
{
    struct problem ignored;
    double start = bench_clock_seconds();
    bool good = in ? bench_gpu_write(gpu, memory, host, bytes, &ignored)
                   : bench_gpu_read(gpu, host, memory, bytes, &ignored);
    *seconds = bench_clock_seconds() - start;
    return good;
}

/* The median of one direction. */
static bool time_direction(const struct bench_gpu *gpu, bool in, uint64_t memory, void *host,
                           uint64_t bytes, double *seconds)
{
    double samples[ROUNDS];
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
        if (!copy(gpu, in, memory, host, bytes, &samples[round > 0 ? round : 0])) {
            return false;
        }
    }
    *seconds = bench_statistics_of(samples, ROUNDS).median;
    return true;
}

double bench_bus_rate(const struct bench_gpu *gpu, uint64_t bytes)
{
    struct bench_block host = {0};
    struct bench_span span = {0};
    struct problem ignored;
    double in = 0;
    double out = 0;
    bool good = bench_memory_reserve(&host, bytes) &&
                bench_gpu_reserve(gpu, &span, bytes, &ignored) &&
                time_direction(gpu, true, span.memory, host.memory, bytes, &in) &&
                time_direction(gpu, false, span.memory, host.memory, bytes, &out);
    bench_gpu_free(gpu, &span);
    bench_memory_release(&host);
    return good && in + out > 0 ? 2 * (double)bytes / (in + out) : 0;
}
