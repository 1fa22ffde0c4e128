/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input of a case: made once, never written again; everybody sorts copies of it.
 *
 * It is `arrays` arrays of `length` items, one after the other; more than one for short inputs that
 * are timed in batches, and for segmented sorts, where each segment is one, of any length. Keys and
 * values are two arrays, except for records, which hold both. The two lists of a merge are the
 * halves of an array.
 */
#ifndef CONSORT_CLI_BENCH_INPUT_H
#define CONSORT_CLI_BENCH_INPUT_H

#include "bench_case.h"
#include "bench_memory.h"
#include "bench_verify.h"

struct bench_input {
    struct bench_case shape;
    uint64_t arrays;
    uint64_t length; /* of one; of segments that differ, about their mean */
    uint64_t items;  /* of all */
    struct bench_block keys;
    struct bench_block values;
    struct bench_block offsets; /* segmented: u64, arrays + 1 of them */
    uint64_t checksum;          /* of all arrays */
    bool has_nan;
};

/* Why a case cannot be made, or NULL. */
const char *bench_input_refuses(const struct bench_case *shape);

/* Bytes of memory that making and measuring this case takes, roughly. */
uint64_t bench_input_footprint(const struct bench_case *shape);

/* Makes the input; memory that the struct holds already is used again. False: out of memory. */
bool bench_input_make(struct bench_input *input, const struct bench_case *shape);

void bench_input_release(struct bench_input *input);

/* Array number `array` of keys and values that lie as the input does. */
struct bench_view bench_input_view(const struct bench_input *input, const void *keys,
                                   const void *values, uint64_t array);

#endif
