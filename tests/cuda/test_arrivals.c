/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `merge-arrivals`: lists in however many pieces, of every key it takes and in every kind of
 * memory, compared with the CPU engine; lists too short to be cut, plans for longer lists,
 * cancelling.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "distributions.h"
#include "places.h"
#include "progress_watch.h"
#include "trial_share.h"

enum {
    LONG = 2400016, /* bytes of keys that are cut, nine pieces included */
    SHORT = 3001    /* keys that are not */
};

struct trial {
    consort_type type;
    const char *distribution;
    uint64_t count, maximum;
    int64_t pieces;
    int32_t direction;
    enum place_kind from, to;
    bool in_place;
};

static struct trial trial_of(consort_type type, const char *distribution, uint64_t count)
{
    return (struct trial){.type = type,
                          .distribution = distribution,
                          .count = count,
                          .maximum = count,
                          .pieces = 5,
                          .to = PLACE_PINNED};
}

static consort_plan *plan_of(const struct trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    const consort_parameter pieces = {"pieces", trial->pieces};
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = 0;
    options.algorithm = "merge-arrivals";
    options.parameters = &pieces;
    options.parameter_count = 1;
    options.direction = trial->direction;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->maximum;
    descriptor.options = &options;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

static void *keys_of(const struct trial *trial, uint64_t bytes)
{
    void *keys = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(keys);
    assert_true(distribution_fill(distribution_find(trial->distribution), trial->type, keys, 0,
                                  trial->count, trial->count, trial->count + 1));
    return keys;
}

static void *sorted_of(const struct trial *trial, const void *keys, uint64_t bytes)
{
    consort_options options;
    void *sorted = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(sorted);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    options.direction = trial->direction;
    assert_int_equal(consort_sort(keys, sorted, trial->count, trial->type, &options), CONSORT_OK);
    return sorted;
}

static void expect(const struct trial *trial, enum place_kind kind, const void *place,
                   const unsigned char *wanted, uint64_t bytes)
{
    unsigned char *read = malloc(bytes + 1);
    assert_non_null(read);
    place_read(kind, read, place, bytes);
    for (uint64_t i = 0; i < bytes; i++)
        if (read[i] != wanted[i])
            fail_msg("byte %llu of %llu %s keys of %llu bytes in %lld pieces differs",
                     (unsigned long long)i, (unsigned long long)trial->count, trial->distribution,
                     (unsigned long long)consort_type_size(trial->type), (long long)trial->pieces);
    free(read);
}

static void try(const struct trial *trial)
{
    uint64_t bytes = trial->count * consort_type_size(trial->type);
    if (!trial_share_takes_next())
        return;
    void *keys = keys_of(trial, bytes), *sorted = sorted_of(trial, keys, bytes);
    consort_plan *plan = plan_of(trial);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = place_new(trial->from, keys, bytes);
    arguments.out = trial->in_place ? (void *)arguments.in : place_new(trial->to, NULL, bytes);
    if (consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    expect(trial, trial->in_place ? trial->from : trial->to, arguments.out, sorted, bytes);
    if (!trial->in_place) {
        expect(trial, trial->from, arguments.in, keys, bytes);
        place_free(trial->to, arguments.out);
    }
    place_free(trial->from, (void *)arguments.in);
    consort_plan_destroy(plan);
    free(keys);
    free(sorted);
}

static void test_pieces(void **state)
{
    (void)state;
    for (int64_t pieces = 1; pieces <= 9; pieces += pieces == 1 ? 1 : 2) {
        struct trial trial = trial_of(CONSORT_U128, "uniform", LONG / 16);
        trial.pieces = pieces;
        trial.in_place = pieces % 4 == 1;
        try(&trial);
    }
}

static void test_keys(void **state)
{
    (void)state;
    static const struct {
        consort_type type;
        const char *distribution;
    } keys[] = {{CONSORT_U32, "uniform"},    {CONSORT_F64, "gaussian"}, {CONSORT_I128, "zipf"},
                {CONSORT_U64, "few-unique"}, {CONSORT_I128, "sorted"},  {CONSORT_U128, "equal"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct trial trial = trial_of(keys[i].type, keys[i].distribution,
                                      LONG / consort_type_size(keys[i].type) - 37 * i);
        trial.direction = i % 2 ? CONSORT_DESCENDING : CONSORT_ASCENDING;
        try(&trial);
    }
}

/* Among them the GPU's own, from which nothing arrives and where the run comes and goes. */
static void test_every_kind_of_memory(void **state)
{
    (void)state;
    static const enum place_kind ways[][2] = {
        {PLACE_PAGEABLE, PLACE_PAGEABLE}, {PLACE_PINNED, PLACE_PINNED},
        {PLACE_MANAGED, PLACE_MANAGED},   {PLACE_DEVICE, PLACE_DEVICE},
        {PLACE_PAGEABLE, PLACE_DEVICE},   {PLACE_DEVICE, PLACE_PINNED},
        {PLACE_OTHER, PLACE_OTHER},       {PLACE_OTHER, PLACE_DEVICE}};
    size_t count = device_count() > 1 ? 8 : 6;
    for (size_t i = 0; i < 2 * count; i++) {
        struct trial trial = trial_of(CONSORT_U128, "uniform", LONG / 16 + i);
        trial.from = ways[i / 2][0];
        trial.to = ways[i / 2][1];
        trial.in_place = i % 2 && trial.from == trial.to;
        if (i % 2 == 0 || trial.in_place)
            try(&trial);
    }
}

static void test_shorter_lists(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < LONG / 16; count = 3 * count + 1) {
        struct trial trial = trial_of(CONSORT_U128, "uniform", count);
        trial.in_place = count % 2;
        trial.maximum = count % 4 < 2 ? count : LONG / 16;
        try(&trial);
    }
    struct trial cut = trial_of(CONSORT_U128, "uniform", LONG / 16);
    cut.maximum = LONG / 8;
    try(&cut);
}

/* Pieces that blocks of one launch hold, of plans for lists that they do not, and of some that they
 * do: a piece's sort takes the workspace that it was given. */
static void test_pieces_that_blocks_hold(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U32, CONSORT_F64};
    for (uint64_t i = 0; i < 24; i++) {
        struct trial trial = trial_of(types[i % 2], "uniform", 20000 + 5003 * (i / 2));
        trial.pieces = 3 + 2 * (int64_t)(i / 2 % 4);
        trial.maximum = i / 4 % 2 ? trial.count : 1 << 22;
        trial.in_place = i / 8 % 2;
        try(&trial);
    }
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct trial trial = trial_of(CONSORT_U128, "uniform", LONG / 16);
    uint64_t bytes = LONG / 16 * 16;
    void *keys = keys_of(&trial, bytes), *sorted = sorted_of(&trial, keys, bytes);
    void *copy = aligned_alloc(64, (bytes + 64) / 64 * 64);
    consort_plan *plan = plan_of(&trial);
    consort_status status = CONSORT_ERROR_CANCELLED;
    assert_non_null(copy);
    for (uint64_t stop = 1; status != CONSORT_OK; stop++) {
        struct progress_watch progress;
        consort_arguments arguments;
        consort_arguments_init(&arguments);
        memcpy(copy, keys, bytes);
        arguments.count = LONG / 16;
        arguments.in = arguments.out = copy;
        progress_watch_begin(&progress, &arguments, stop);
        status = consort_plan_run(plan, &arguments, NULL, 0, NULL);
        if (status == CONSORT_OK) {
            assert_memory_equal(copy, sorted, bytes);
            assert_int_equal(progress.last, progress.total);
            assert_true(stop > 5);
        } else {
            assert_int_equal(status, CONSORT_ERROR_CANCELLED);
            if (consort_last_error()->input_whole)
                assert_memory_equal(copy, keys, bytes);
        }
    }
    consort_plan_destroy(plan);
    free(keys);
    free(sorted);
    free(copy);
}

static consort_status plan_for(int32_t memory, consort_type type)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = "merge-arrivals";
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.maximum_count = SHORT;
    descriptor.memory = memory;
    descriptor.options = &options;
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status == CONSORT_OK)
        consort_plan_destroy(plan);
    return status;
}

static void test_what_is_refused(void **state)
{
    (void)state;
    assert_int_equal(plan_for(CONSORT_MEMORY_HOST, CONSORT_U32), CONSORT_OK);
    assert_int_equal(plan_for(CONSORT_MEMORY_HOST, CONSORT_U16), CONSORT_ERROR_UNSUPPORTED);
    assert_int_equal(plan_for(CONSORT_MEMORY_DEVICE, CONSORT_U32), CONSORT_ERROR_UNSUPPORTED);
}

/* Where copies take their time, the planner takes it by itself. */
static void test_planner(void **state)
{
    (void)state;
    struct trial trial = trial_of(CONSORT_U32, "uniform", (uint64_t)1 << 28);
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_plan_info info;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = 0;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = trial.type;
    descriptor.options = &options;
    consort_plan_info_init(&info);
    if (device_describe(0)->memory < trial.count * 12)
        skip();
    for (descriptor.maximum_count = trial.count; descriptor.maximum_count >= SHORT;
         descriptor.maximum_count /= 1 << 14) {
        assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_OK);
        assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
        bool arrives = strcmp(info.algorithm, "merge-arrivals") == 0;
        assert_int_equal(arrives, descriptor.maximum_count == trial.count);
        consort_plan_destroy(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_planner),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_every_kind_of_memory),
        cmocka_unit_test(test_shorter_lists),
        cmocka_unit_test(test_pieces_that_blocks_hold),
        cmocka_unit_test(test_progress_and_cancel),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
