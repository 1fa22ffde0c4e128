/* SPDX-License-Identifier: Apache-2.0 */
/* A list that is sorted again and again, and a driver that is watched meanwhile. */
#ifndef CONSORT_TESTS_REPLAYED_LIST_H
#define CONSORT_TESTS_REPLAYED_LIST_H

#include <stdbool.h>

#include "consort.h"
#include "cuda/driver/driver.h"

enum {
    REPLAYED_COUNT = 3000,
    REPLAYED_VALUE = 4,     /* bytes */
    REPLAYED_REMEMBERED = 8 /* runs, as src/cuda/replay.c has it */
};

/* The driver as it was, and what the library has asked of it since; what it refuses from now on;
 * what happens while it launches the next graph. */
struct watched_driver {
    struct driver real;
    _Atomic uint32_t graph_launches, instantiated, destroyed;
    bool refuse_capture, refuse_instance, refuse_launch;
    void (*_Atomic meanwhile)(void);
};

extern struct watched_driver watched;

void watched_begin(void);

/* Nothing was asked, nothing is refused, nothing happens. */
int watched_forget(void **state);

/* Keys with a column, the plan of them, and where both are sorted. */
struct replayed_list {
    consort_plan *plan;
    consort_arguments arguments;
    consort_column column;
    void *workspace;
    CUstream stream;
    uint64_t seed;
};

consort_plan *replayed_plan(int32_t replay, int32_t memory);

/* Of other keys, with a column or none (0). */
consort_plan *replayed_plan_of(consort_type type, uint64_t value_bytes, uint64_t count,
                               int32_t replay, int32_t memory);

void replayed_make(struct replayed_list *list, consort_plan *plan);
void replayed_free(struct replayed_list *list);

/* New items in the list's arrays: keys, of which `keys` gets a copy, and the same as values. */
void replayed_fill(struct replayed_list *list, uint32_t *keys);

/* Fails unless the list's results are the first of these keys and values in order. */
void replayed_check(const struct replayed_list *list, uint32_t *keys);

/* Queues a run over the list's arrays as they are. */
consort_status replayed_run(const struct replayed_list *list);

/* Sorts new items with the list's arguments as they are. True: by a graph. */
bool replayed_sort(struct replayed_list *list);

#endif
