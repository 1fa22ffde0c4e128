/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of the CPU engine: random types, orders, data and requests, each made from one number. */
#ifndef CONSORT_TEST_CPU_TRIAL_H
#define CONSORT_TEST_CPU_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu_reference.h"

enum {
    TRIAL_COLUMNS = 3 /* of values, at most */
};

struct trial {
    uint64_t seed; /* what it was made from */
    uint64_t random;
    struct reference_order order;
    consort_type type;
    bool callback;
    uint64_t count;
    char *items; /* the input, never given to the library */
    char *columns[TRIAL_COLUMNS];
    uint64_t value_bytes[TRIAL_COLUMNS];
    uint32_t value_count;
    bool in_place;
    bool double_buffer;
    consort_options options;
    consort_context *context;
};

extern consort_context *trial_contexts[3]; /* of 1, 2 and 5 threads */

/* A random number below `bound`. */
uint64_t trial_below(struct trial *trial, uint64_t bound);
/* Memory at a cache line, filled with a pattern. */
void *trial_allocate(uint64_t bytes);
void *trial_clone(const void *from, uint64_t bytes);
/* Makes the trial that belongs to `seed`. */
void trial_make(struct trial *trial, uint64_t seed);
void trial_free(struct trial *trial);
/* The descriptor of the trial for an operation, without columns. */
void trial_describe(const struct trial *trial, consort_descriptor *descriptor, int32_t operation);
/* Makes a plan by a random algorithm of the operation, or the planner's choice, with or without a
 * workspace limit; false if there is none that can do it. */
bool trial_plan(struct trial *trial, const consort_descriptor *descriptor, consort_plan **plan);
/* What a failing test says. */
const char *trial_words(const struct trial *trial, const consort_plan *plan);
/* Fails unless found[i] is from[indices[i]] for all i. */
void trial_expect(const struct trial *trial, const consort_plan *plan, const char *what,
                  const char *found, const char *from, const uint64_t *indices, uint64_t count,
                  uint64_t bytes);
/* Runs with a workspace of exactly the planned bytes; must succeed. */
void trial_run(const struct trial *trial, const consort_plan *plan,
               const consort_arguments *arguments);

#endif
