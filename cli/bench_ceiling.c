/* SPDX-License-Identifier: Apache-2.0 */
/* On the host: memcpy, slice by slice on each thread, the median of several rounds. */
#include "bench_ceiling.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench_bus.h"
#include "bench_clock.h"
#include "bench_memory.h"
#include "bench_statistics.h"

enum {
    SMALLEST = 1 << 12,
    LARGEST = 1 << 29, /* two of them are larger than any cache yet */
    ROUNDS = 5,
    ROUND_BYTES = 1 << 28 /* copied between two looks at the clock */
};

struct copier {
    pthread_t thread;
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
    uint64_t times;
    double seconds[ROUNDS];
};

/* Through a pointer that the compiler cannot see through: it may not drop copies that nobody reads.
 */
static void *(*volatile const copy)(void *, const void *, size_t) = memcpy;

static void *copy_rounds(void *context)
{
    struct copier *copier = context;
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_clock_seconds();
        for (uint64_t i = 0; i < copier->times; i++) {
            copy(copier->to, copier->from, copier->bytes);
        }
        copier->seconds[round] = bench_clock_seconds() - start;
    }
    return NULL;
}

/* Each thread has a clock of its own, so none has to wait for another; the median forgives the
 * rounds in which not all of them were running. */
static double rate_of(const struct copier *copier)
{
    double seconds = bench_statistics_of(copier->seconds, ROUNDS).median;
    return seconds > 0 ? 2.0 * (double)copier->bytes * (double)copier->times / seconds : 0;
}

static double run_copiers(struct copier *copiers, uint32_t threads)
{
    uint32_t started = 1;
    while (started < threads &&
           pthread_create(&copiers[started].thread, NULL, copy_rounds, &copiers[started]) == 0) {
        started++;
    }
    copy_rounds(&copiers[0]);
    double rate = rate_of(&copiers[0]);
    for (uint32_t i = 1; i < started; i++) {
        pthread_join(copiers[i].thread, NULL);
        rate += rate_of(&copiers[i]);
    }
    return started == threads ? rate : 0;
}

static double measure(uint64_t bytes, uint32_t threads)
{
    struct bench_block from = {0};
    struct bench_block to = {0};
    struct copier *copiers = calloc(threads, sizeof *copiers);
    double rate = 0;
    if (copiers != NULL && bench_memory_reserve(&from, bytes) && bench_memory_reserve(&to, bytes)) {
        uint64_t slice = bytes / threads;
        for (uint32_t i = 0; i < threads; i++) {
            copiers[i].to = (unsigned char *)to.memory + i * slice;
            copiers[i].from = (const unsigned char *)from.memory + i * slice;
            copiers[i].bytes = (size_t)slice;
            copiers[i].times = ROUND_BYTES / bytes > 0 ? ROUND_BYTES / bytes : 1;
        }
        rate = run_copiers(copiers, threads);
    }
    free(copiers);
    bench_memory_release(&from);
    bench_memory_release(&to);
    return rate;
}

static uint64_t rounded(uint64_t traffic)
{
    uint64_t bytes = SMALLEST;
    while (bytes < LARGEST && 2 * bytes <= traffic / 2) {
        bytes *= 2;
    }
    return bytes;
}

static double rate_on(enum bench_way way, const struct bench_gpu *gpu, uint64_t bytes,
                      uint32_t threads)
{
    switch (way) {
    case BENCH_WAY_HOST:
        return measure(bytes, threads);
    case BENCH_WAY_DEVICE:
        return bench_gpu_copy_rate(gpu, bytes);
    default:
        return bench_bus_rate(gpu, bytes);
    }
}

const struct bench_ceiling *bench_ceiling_of(struct bench_ceilings *ceilings, enum bench_way way,
                                             const struct bench_gpu *gpu, uint64_t traffic,
                                             uint32_t threads)
{
    bool bus = way == BENCH_WAY_BUS || way == BENCH_WAY_PINNED;
    uint64_t bytes = bus && traffic > SMALLEST ? traffic / 2 : rounded(traffic);
    for (size_t i = 0; i < ceilings->count; i++) {
        const struct bench_ceiling *known = &ceilings->entries[i];
        if (known->way == way && known->bytes == bytes && known->threads == threads) {
            return known;
        }
    }
    struct bench_ceiling *entry =
        &ceilings
             ->entries[ceilings->count < BENCH_CEILINGS ? ceilings->count++ : BENCH_CEILINGS - 1];
    *entry = (struct bench_ceiling){way, threads, bytes, rate_on(way, gpu, bytes, threads)};
    return entry;
}
