/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a result right? One read of it tells: the order of the keys, the order of equal keys' tags,
 * and a checksum of the multiset of (key, tag) pairs, which the input has to share. The tag of an
 * item is its place in the input, and travels as its value; so a value under a wrong key changes
 * the checksum, and tags that fall within equal keys betray an unstable sort.
 */
#ifndef CONSORT_CLI_BENCH_VERIFY_H
#define CONSORT_CLI_BENCH_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include <consort.h>

/* Items somewhere in host memory. `values` is NULL for keys alone. */
struct bench_view {
    const void *keys;
    const void *values;
    uint64_t key_stride;
    uint64_t value_stride;
    uint32_t value_bytes;
    consort_type type;
    uint64_t count;
};

struct bench_findings {
    uint64_t checksum;
    uint64_t disorder; /* first item that stands before its predecessor, or count */
    uint64_t unstable; /* first item that overtook an equal one, or count */
    uint64_t torn;     /* first value whose bytes no longer belong together, or count */
};

/* Values of fewer bytes could not name every item of the arrays we sort. */
enum {
    BENCH_VALUE_MINIMUM = 4,
    BENCH_VALUE_MAXIMUM = 1024
};

/* Writes the value of item `tag`: the tag, and then bytes that follow from it. */
void bench_verify_write_value(void *value, uint32_t value_bytes, uint64_t tag);

/* `zeros_equal`: −0 and +0 are one key, as they are for `<`. The view's type is native. */
void bench_verify_scan(const struct bench_view *view, bool zeros_equal,
                       struct bench_findings *findings);

/* Are these the smallest `top->count` keys of `all`, sorted? `all` in any order, keys only. */
bool bench_verify_top(const struct bench_view *all, const struct bench_view *top);

bool bench_verify_has_nan(const struct bench_view *view);

#endif
