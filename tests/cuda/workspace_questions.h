/* SPDX-License-Identifier: Apache-2.0 */
/* What tests ask plans, and CUB was asked: operations on so many items, and its workspace. */
#ifndef CONSORT_TEST_WORKSPACE_QUESTIONS_H
#define CONSORT_TEST_WORKSPACE_QUESTIONS_H

#include <stddef.h>

#include "consort.h"

struct asked {
    int32_t operation;
    consort_type type;
    uint64_t value_bytes; /* argsort: of the index */
    uint64_t count, segments;
    uint64_t cub;
    uint64_t k;
    const char *algorithm; /* NULL: the planner's choice */
};

#define KEYS_OF(type, count, cub)                                                                  \
    {                                                                                              \
        CONSORT_OPERATION_SORT, type, 0, count, 0, cub, 0, NULL                                    \
    }
#define KEYS(type, count, cub) KEYS_OF(type, UINT64_C(1) << (count), cub)
#define PAIRS_OF(type, bytes, count, cub)                                                          \
    {                                                                                              \
        CONSORT_OPERATION_SORT, type, bytes, count, 0, cub, 0, NULL                                \
    }
#define PAIRS(type, bytes, count, cub) PAIRS_OF(type, bytes, UINT64_C(1) << (count), cub)
#define ARGSORT(type, bytes, count, cub)                                                           \
    {                                                                                              \
        CONSORT_OPERATION_ARGSORT, type, bytes, UINT64_C(1) << (count), 0, cub, 0, NULL            \
    }
#define MERGE(type, bytes, count, cub)                                                             \
    {                                                                                              \
        CONSORT_OPERATION_MERGE, type, bytes, UINT64_C(1) << (count), 0, cub, 0, NULL              \
    }
#define MERGE_SORT(type, bytes, count, cub)                                                        \
    {                                                                                              \
        CONSORT_OPERATION_SORT, type, bytes, UINT64_C(1) << (count), 0, cub, 0, "merge"            \
    }
#define SEGMENTS_OF(type, bytes, count, items, cub)                                                \
    {                                                                                              \
        CONSORT_OPERATION_SEGMENTED_SORT, type, bytes, count, (count) / (items), cub, 0, NULL      \
    }
#define SEGMENTS(type, bytes, items, cub) SEGMENTS_OF(type, bytes, 100000000, items, cub)

#define TOP_K(type, k, count, cub)                                                                 \
    {                                                                                              \
        CONSORT_OPERATION_TOP_K, type, 0, UINT64_C(1) << (count), 0, cub, k, NULL                  \
    }

/* With what CUB 3.0.1, for top-k 3.4.2, said on an H200 (2026-11). */
extern const struct asked workspace_questions[];
extern const size_t workspace_question_count;

#endif
