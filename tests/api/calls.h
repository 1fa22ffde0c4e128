/* SPDX-License-Identifier: Apache-2.0 */
/* Every one-call function, the arrays that it has, and a right call of it, to be made wrong. */
#ifndef CONSORT_TESTS_CALLS_H
#define CONSORT_TESTS_CALLS_H

#include "api/api_test.h"

#include <stdbool.h>

enum array {
    IN,
    IN_B,
    OUT,
    INDICES,
    OFFSETS,
    VALUES_IN,
    VALUES_IN_B,
    VALUES_OUT,
    ARRAYS
};

enum {
    COUNT = 16,
    KEY = 4, /* bytes of a key, an index, an offset */
    VALUE = 12,
    PLACE = 1024, /* from one array to the next */
    SHIFT = 8     /* how far an array stands behind the one that it overlaps: its type allows it */
};

extern const char *const array_names[ARRAYS];

/* CONSORT_ENGINE_CPU, unless main says another. */
extern int32_t calls_engine;

/* What a caller passes; each function takes what is its. */
struct call {
    void *at[ARRAYS];
    uint64_t count;
    uint64_t count_b;
    uint64_t segments;
    uint64_t k;
    uint64_t record_bytes;
    consort_type type;
    consort_type index_type;
    consort_type offset_type;
    consort_column column;
    consort_field field;
    consort_options options;
};

#define BIT(array) (1u << (array))
#define COLUMN     (BIT(VALUES_IN) | BIT(VALUES_OUT))

enum plan_of {
    PLAN_OF_KEYS,
    PLAN_OF_RECORDS,
    PLAN_OF_CALLBACK
};

/* A function; which arrays it has; which of them may be any address or NULL; whether an output may
 * be its input. */
struct function {
    const char *name;
    consort_status (*call)(struct call *);
    int32_t operation;
    enum plan_of plan;
    uint32_t arrays;
    uint32_t unaligned;
    uint32_t optional;
    bool in_place;
};

enum {
    FUNCTIONS = 9
};

extern const struct function functions[FUNCTIONS];

bool function_has(const struct function *function, int array);

/* With all its arrays, each in a place of its own. */
struct call call_of(const struct function *function);

/* Its arrays as they stand in the column. */
void call_columns(struct call *call);

/* By a plan, in the caller's workspace, or in one of the context's if that is NULL. */
consort_status call_by_plan(const struct function *function, struct call *call, void *workspace);

/* Bytes that such a plan needs. */
uint64_t call_workspace(const struct function *function, struct call *call);

/* Calls, and runs a plan for the same. What fails has written nothing and says why; `where` and
 * `what` are for the message of a test that fails. */
void expect(const struct function *function, struct call *call, consort_status expected,
            const char *what, const char *where);

/* The offsets of a right call, for a place that is filled anew. */
void calls_put_offsets(void *place);

#endif
