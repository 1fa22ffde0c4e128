/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order that results are checked against, written down a second time and in another way than
 * the library does it, so that a mistake there is not repeated here.
 */
#ifndef CONSORT_CLI_BENCH_ORDER_H
#define CONSORT_CLI_BENCH_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <consort.h>

/* Where a key stands among all keys of its type, ascending, NaN last: greater rank, later place. */
__extension__ typedef unsigned __int128 bench_rank;

static inline uint64_t bench_order_load(const void *key, uint32_t bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, key, bytes);
    return bits;
}

/* `bytes` ≤ 8. Signed integers: shift the range up by half its length. */
static inline uint64_t bench_order_signed(uint64_t bits, uint32_t bytes)
{
    uint64_t half = UINT64_C(1) << (8 * bytes - 1);
    uint64_t all = half | (half - 1);
    return (bits + half) & all;
}

/*
 * Floats by sign and magnitude: negative ones count down from the middle, positive ones up. NaNs,
 * whose magnitude passes that of infinity, come after: first the positive ones by ascending
 * payload, then the negative by descending payload (docs/decisions/0002-key-order.md).
 */
static inline uint64_t bench_order_float(uint64_t bits, uint32_t bytes, uint64_t infinity,
                                         bool zeros_equal)
{
    uint64_t half = UINT64_C(1) << (8 * bytes - 1);
    bool negative = (bits & half) != 0;
    uint64_t magnitude = bits & (half - 1);
    if (magnitude > infinity) {
        uint64_t numbers = 2 * infinity + 2;
        uint64_t payloads = half - 1 - infinity;
        return negative ? numbers + payloads + (half - 1 - magnitude)
                        : numbers + (magnitude - infinity - 1);
    }
    if (magnitude == 0 && zeros_equal) {
        return infinity + 1;
    }
    return negative ? infinity - magnitude : infinity + 1 + magnitude;
}

#endif
