/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radix and counting sorts on the CPU: what a caller asks for, and one entry per algorithm.
 *
 * All of them are stable and order by the codes of a job's codec. `codec` may be the identity
 * (magnitude = flip = bias = 0, swap = false) for keys that are codes already. `equal_floats` is
 * not looked at: such keys must arrive as codes.
 */
#ifndef CONSORT_CPU_RADIX_H
#define CONSORT_CPU_RADIX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/checkpoint.h"
#include "core/codec.h"
#include "cpu/team.h"

enum radix_result {
    RADIX_DONE = 0,
    RADIX_CANCELLED = 1,
    RADIX_SMALL_WORKSPACE = 2, /* nothing was touched */
};

/* In and out are either the same (in place) or disjoint; disjoint input is never written. */
struct radix_job {
    const void *keys_in;
    void *keys_out;        /* NULL: do not write keys (with values or index only) */
    const void *values_in; /* any alignment */
    void *values_out;
    uint64_t count;
    uint32_t width;       /* bytes of a key: 1, 2, 4, 8 or 16 */
    uint32_t value_bytes; /* 0, 4, 8 or 16 */
    bool index;           /* values are positions (4 or 8 bytes), values_in is not read */
    struct codec codec;
    void *workspace; /* aligned to 64 bytes */
    uint64_t workspace_bytes;
    struct team *team;
    const struct checkpoint *checkpoint; /* may be NULL */
    /* Keys alone, in and out apart: the input may be overwritten and is used as workspace. */
    bool input_is_spare;
    bool ends_in_input; /* out: the result is in keys_in; only with input_is_spare */
    bool modified;      /* out: the output (in place: the input) had been written when it ended */
};

/* Arrays as long as the input that a job takes of its workspace. */
enum radix_takes {
    RADIX_TAKES_ITEMS,
    RADIX_TAKES_CODES_TOO, /* a job with `index` */
    RADIX_TAKES_NOTHING    /* a job with `input_is_spare` */
};

/* What each algorithm needs for a job of `count` keys and a team of at most `members`, in bytes;
 * UINT64_MAX when that overflows. */
uint64_t radix_lsd_workspace(uint64_t count, uint32_t width, uint32_t value_bytes,
                             enum radix_takes takes, uint32_t members);
uint64_t radix_msd_workspace(uint64_t count, uint32_t width, uint32_t value_bytes,
                             enum radix_takes takes, uint32_t members);
uint64_t counting_workspace(uint64_t count, uint32_t width, uint32_t members);
uint64_t inplace_workspace(uint64_t count, uint32_t width, uint32_t members);

/* Least significant digit first, whole passes over memory. */
enum radix_result radix_lsd(struct radix_job *job);

/* Most significant digit first into buckets that fit a core's cache, finished there. */
enum radix_result radix_msd(struct radix_job *job);

/* Histogram and expansion: keys of 1 or 2 bytes, no values. */
enum radix_result counting_sort(struct radix_job *job);

/* Keys only, in place, with a workspace that does not grow with the count. */
enum radix_result inplace_sort(struct radix_job *job);

/* Reads until the keys are neither non-descending nor descending (with values: strictly). If they
 * are one of the two to the end, finishes the job by copying or reversing and returns true. No
 * workspace. */
bool presorted_finish(struct radix_job *job);

enum presorted_order {
    PRESORTED_RISING, /* each key is at least the one before */
    PRESORTED_FALLING,
    PRESORTED_FALLING_STRICTLY
};

/* Whether each key of [first, last), first > 0, stands in that order to the one before; at most 512
 * keys. */
bool presorted_holds(const struct codec *codec, const void *keys, enum presorted_order order,
                     uint64_t first, uint64_t last);

#endif
