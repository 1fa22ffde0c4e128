/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that follow from a case alone: names, sizes, traffic. */
#include "bench_case.h"

#include <string.h>

enum {
    /* Items of one timing at least: 2^16 take the fastest sorts 0.1 ms, a thousand times what the
     * clock itself costs. */
    BATCH_ITEMS = 1 << 16
};

struct operation_entry {
    const char *name;
    int32_t number;
};

static const struct operation_entry operations[BENCH_OPERATION_COUNT] = {
    [BENCH_SORT] = {"sort", CONSORT_OPERATION_SORT},
    [BENCH_PAIRS] = {"pairs", CONSORT_OPERATION_SORT},
    [BENCH_ARGSORT] = {"argsort", CONSORT_OPERATION_ARGSORT},
    [BENCH_SEGMENTED] = {"segmented", CONSORT_OPERATION_SEGMENTED_SORT},
    [BENCH_TOP_K] = {"top-k", CONSORT_OPERATION_TOP_K},
    [BENCH_MERGE] = {"merge", CONSORT_OPERATION_MERGE},
    [BENCH_RECORDS] = {"records", CONSORT_OPERATION_SORT},
};

const char *bench_operation_name(enum bench_operation operation)
{
    return operations[operation].name;
}

bool bench_operation_parse(const char *name, enum bench_operation *operation)
{
    for (int i = 0; i < BENCH_OPERATION_COUNT; i++) {
        if (strcmp(operations[i].name, name) == 0) {
            *operation = (enum bench_operation)i;
            return true;
        }
    }
    return false;
}

int32_t bench_operation_number(enum bench_operation operation)
{
    return operations[operation].number;
}

uint64_t bench_case_stride(const struct bench_case *shape)
{
    return shape->operation == BENCH_RECORDS ? shape->record_bytes : consort_type_size(shape->type);
}

uint64_t bench_case_traffic(const struct bench_case *shape)
{
    uint64_t stride = bench_case_stride(shape);
    switch (shape->operation) {
    case BENCH_ARGSORT:
        return shape->count * (stride + shape->value_bytes);
    case BENCH_TOP_K:
        return (shape->count + shape->k) * stride;
    default:
        return 2 * shape->count * (stride + shape->value_bytes);
    }
}

uint64_t bench_case_batch(const struct bench_case *shape)
{
    if (shape->count == 0 || shape->operation == BENCH_SEGMENTED || shape->gpu >= 0) {
        return 1;
    }
    uint64_t batch = BATCH_ITEMS / shape->count;
    return batch > 0 ? batch : 1;
}

bool bench_case_same_input(const struct bench_case *a, const struct bench_case *b)
{
    return a->operation == b->operation && a->type == b->type && a->value_bytes == b->value_bytes &&
           a->distribution == b->distribution && a->count == b->count && a->seed == b->seed &&
           a->k == b->k && a->segment == b->segment && a->lengths == b->lengths &&
           a->record_bytes == b->record_bytes && a->on_device == b->on_device &&
           a->spread == b->spread && a->pinned == b->pinned && (a->gpu >= 0) == (b->gpu >= 0);
}
