/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a test case is made of: one level of each factor, and a seed for its data. A case is a pure
 * function of these, so that its number reproduces it.
 */
#ifndef CONSORT_TESTS_FACTORS_H
#define CONSORT_TESTS_FACTORS_H

#include "operations/key_orders.h"

enum factor {
    FACTOR_KEY, /* key_order_at */
    FACTOR_ORDER,
    FACTOR_ENTRY,   /* operation and algorithm */
    FACTOR_DATASET, /* dataset_name */
    FACTOR_LENGTH,
    FACTOR_PLACE,
    FACTOR_VALUES,
    FACTOR_INDEX,
    FACTOR_THREADS,
    FACTOR_WORKSPACE,
    FACTOR_STABLE,
    FACTOR_SHAPE, /* of segments, of k, of the two lists of a merge */
    FACTOR_CALL,
    FACTOR_PARAMETERS,
    FACTOR_ROOM, /* of the plan above the run */
    FACTOR_COUNT
};

enum place {
    PLACE_COPY,
    PLACE_SAME,
    PLACE_DOUBLE,
    PLACE_SAME_KEYS,
    PLACE_SAME_VALUES,
    PLACES
};
enum workspace_kind {
    WORKSPACE_OWN,
    WORKSPACE_NULL,
    WORKSPACE_NONE,
    WORKSPACE_SMALL,
    WORKSPACE_PART,
    WORKSPACES
};
enum index_kind {
    INDEX_U32,
    INDEX_U64,
    INDEX_ALONE,
    INDEX_ABSENT,
    INDICES
};
enum parameter_kind {
    PARAMETERS_STANDARD,
    PARAMETERS_LEAST,
    PARAMETERS_MOST,
    PARAMETERS_MIDDLE,
    PARAMETERS
};

enum {
    FACTOR_SMALL_LENGTHS = 6,
    FACTOR_MIDDLE_LENGTH = 11,
    FACTOR_COLUMNS = 3,
    FACTOR_SHAPES = 6
};

/* One (operation, algorithm) of the registry; algorithm NULL = the planner's choice. */
struct entry {
    int32_t operation;
    const char *algorithm;
    int32_t engine;
    bool stable;
    bool quadratic;
    bool serial;
    uint32_t parameter_count;
    const consort_parameter_info *parameters;
};

struct test_case {
    uint64_t seed;
    const void *bytes; /* if not NULL: the items, instead of a dataset's */
    uint64_t byte_count;
    uint32_t level[FACTOR_COUNT];
};

/* The key and order of a case. */
const struct key_order *factor_key_order(const struct test_case *test);

/* Restricts the entries to one operation, 0 = all. Call before anything else. */
void factors_select(int32_t operation);

uint32_t factor_levels(enum factor factor);
const struct entry *entry_at(uint32_t index);

/* The number of items of a case. */
uint64_t factor_length(const struct test_case *test);

/* The columns of values of a case: how many, and their sizes. */
uint32_t factor_columns(const struct test_case *test, uint64_t bytes[FACTOR_COLUMNS]);

/* Does the operation of this case look at the factor at all? */
bool factor_matters(const struct test_case *test, enum factor factor);

/* Sets every factor that does not matter to level 0. */
void factors_normalise(struct test_case *test);

/* "f32-desc-numpy sort/lsd uniform n=33 …" */
void factors_describe(const struct test_case *test, char *text, size_t size);

#endif
