/* SPDX-License-Identifier: Apache-2.0 */
/* The levels of every factor, and which of them an operation looks at. */
#include "operations/factors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations/datasets.h"
#include "support/random.h"

enum {
    FACTOR_ENTRIES = 256,
    FACTOR_QUADRATIC_LIMIT = 4097
};

static struct entry entries[FACTOR_ENTRIES];
static uint32_t entries_filled;

static const uint64_t factor_lengths[] = {0,   1,   2,    31,   32,   33,     255,
                                          256, 257, 4095, 4096, 4097, 100000, 0};
enum {
    FACTOR_LENGTHS = sizeof factor_lengths / sizeof *factor_lengths
};

static const uint64_t factor_layouts[][FACTOR_COLUMNS] = {
    {0}, {1}, {2}, {3}, {4}, {8}, {12}, {16}, {24}, {100}, {4, 8}, {1, 16, 3}, {8, 8, 8}};

static void entries_add(const struct entry *entry)
{
    if (entries_filled == FACTOR_ENTRIES) {
        fprintf(stderr, "factors.c: FACTOR_ENTRIES is too small\n");
        exit(99);
    }
    entries[entries_filled++] = *entry;
}

/* CONSORT_TEST_ENGINE=cuda: the algorithms of the GPU, on host arrays. */
static int32_t entries_engine(void)
{
    const char *wanted = getenv("CONSORT_TEST_ENGINE");
    return wanted && strcmp(wanted, consort_engine_name(CONSORT_ENGINE_CUDA)) == 0
               ? CONSORT_ENGINE_CUDA
               : CONSORT_ENGINE_CPU;
}

static void entries_add_algorithm(uint32_t index, int32_t operation)
{
    consort_algorithm_info info;
    consort_algorithm_info_init(&info);
    if (consort_algorithm_get_info(index, &info) != CONSORT_OK || info.engine != entries_engine())
        return;
    if (operation != 0 && info.operation != operation)
        return;
    if (strncmp(info.name, "exchange", 8) == 0) /* exchange…: several GPUs or nothing */
        return;
    entries_add(&(struct entry){.operation = info.operation,
                                .algorithm = info.name,
                                .engine = info.engine,
                                .stable = info.stable,
                                .quadratic = info.quadratic,
                                .serial = info.serial,
                                .parameter_count = info.parameter_count,
                                .parameters = info.parameters});
}

void factors_select(int32_t operation)
{
    entries_filled = 0;
    for (int32_t o = CONSORT_OPERATION_SORT; o <= CONSORT_OPERATION_IS_SORTED; o++)
        if (operation == 0 || operation == o)
            entries_add(&(struct entry){.operation = o});
    for (uint32_t i = 0; i < consort_algorithm_count(); i++)
        entries_add_algorithm(i, operation);
}

const struct entry *entry_at(uint32_t index)
{
    return &entries[index];
}

uint32_t factor_levels(enum factor factor)
{
    switch (factor) {
    case FACTOR_KEY:
        return key_count();
    case FACTOR_ORDER:
        return KEY_ORDERS;
    case FACTOR_ENTRY:
        return entries_filled;
    case FACTOR_DATASET:
        return dataset_count();
    case FACTOR_LENGTH:
        return FACTOR_LENGTHS;
    case FACTOR_PLACE:
        return PLACES;
    case FACTOR_VALUES:
        return sizeof factor_layouts / sizeof *factor_layouts;
    case FACTOR_INDEX:
        return INDICES;
    case FACTOR_THREADS:
        return 3;
    case FACTOR_WORKSPACE:
        return WORKSPACES;
    case FACTOR_SHAPE:
        return FACTOR_SHAPES;
    case FACTOR_PARAMETERS:
        return PARAMETERS;
    default:
        return 2;
    }
}

const struct key_order *factor_key_order(const struct test_case *test)
{
    return key_order_at(test->level[FACTOR_KEY], test->level[FACTOR_ORDER]);
}

uint64_t factor_length(const struct test_case *test)
{
    uint32_t level = test->level[FACTOR_LENGTH];
    if (test->bytes)
        return test->byte_count / factor_key_order(test)->item_bytes;
    uint64_t count = factor_lengths[level];
    if (level == FACTOR_LENGTHS - 1)
        count = random_mix(test->seed) % ((uint64_t)1 << random_mix(~test->seed) % 17);
    if (entries[test->level[FACTOR_ENTRY]].quadratic && count > FACTOR_QUADRATIC_LIMIT)
        count = FACTOR_QUADRATIC_LIMIT;
    return count;
}

uint32_t factor_columns(const struct test_case *test, uint64_t bytes[FACTOR_COLUMNS])
{
    uint32_t count = 0;
    while (count < FACTOR_COLUMNS && factor_layouts[test->level[FACTOR_VALUES]][count] != 0) {
        bytes[count] = factor_layouts[test->level[FACTOR_VALUES]][count];
        count++;
    }
    return count;
}

bool factor_matters(const struct test_case *test, enum factor factor)
{
    const struct entry *entry = &entries[test->level[FACTOR_ENTRY]];
    bool sort = entry->operation == CONSORT_OPERATION_SORT;
    bool segmented = entry->operation == CONSORT_OPERATION_SEGMENTED_SORT;
    bool merge = entry->operation == CONSORT_OPERATION_MERGE;
    switch (factor) {
    case FACTOR_PLACE:
        return sort || segmented;
    case FACTOR_VALUES:
        return sort || segmented || merge;
    case FACTOR_INDEX:
        return !sort && !merge && entry->operation != CONSORT_OPERATION_IS_SORTED;
    case FACTOR_SHAPE:
        return !sort && entry->operation != CONSORT_OPERATION_ARGSORT;
    case FACTOR_PARAMETERS:
        return entry->parameter_count > 0;
    case FACTOR_THREADS:
        return !entry->serial;
    default:
        return true;
    }
}

void factors_normalise(struct test_case *test)
{
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        if (!factor_matters(test, f))
            test->level[f] = 0;
}

void factors_describe(const struct test_case *test, char *text, size_t size)
{
    const struct entry *entry = &entries[test->level[FACTOR_ENTRY]];
    const uint64_t *layout = factor_layouts[test->level[FACTOR_VALUES]];
    snprintf(
        text, size,
        "%s %s/%s %s n=%llu place=%u values=%llu,%llu,%llu index=%u threads=%u workspace=%u "
        "stable=%d shape=%u call=%u parameters=%u room=%u",
        factor_key_order(test)->name, consort_operation_name(entry->operation),
        entry->algorithm ? entry->algorithm : "auto", dataset_name(test->level[FACTOR_DATASET]),
        (unsigned long long)factor_length(test), test->level[FACTOR_PLACE],
        (unsigned long long)layout[0], (unsigned long long)layout[1], (unsigned long long)layout[2],
        test->level[FACTOR_INDEX], test->level[FACTOR_THREADS] + 1, test->level[FACTOR_WORKSPACE],
        test->level[FACTOR_STABLE] == 0, test->level[FACTOR_SHAPE], test->level[FACTOR_CALL],
        test->level[FACTOR_PARAMETERS], test->level[FACTOR_ROOM]);
}
