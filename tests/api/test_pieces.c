/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CONSORT_FORM_PIECES: the bytes are those of a sort of whole arrays, whatever the data, the sizes
 * of pieces and the number of threads; every item is written once; functions that fail end the run.
 */
#include "api/api_test.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/guarded.h"
#include "support/random.h"

enum {
    PAGE = 4096,
    MOST_WORKERS = 64,
    TRIALS = 400
};

struct pieces {
    consort_type type;
    uint64_t count;
    uint64_t bytes; /* of an item */
    uint32_t threads;
    const unsigned char *in;
    unsigned char *out;
    atomic_uchar *written;
    _Atomic int32_t busy[MOST_WORKERS];
    _Atomic int64_t reads_left; /* until one fails */
    _Atomic int64_t writes_left;
    atomic_bool writing;
    atomic_bool wrong; /* the library broke a promise */
};

static void promise(struct pieces *pieces, bool kept)
{
    if (!kept)
        atomic_store(&pieces->wrong, true);
}

static void check_call(struct pieces *pieces, uint64_t first, uint64_t count, const void *items,
                       uint32_t worker)
{
    promise(pieces, worker < pieces->threads && atomic_fetch_add(&pieces->busy[worker], 1) == 0);
    promise(pieces, count > 0 && first < pieces->count && count <= pieces->count - first);
    promise(pieces, (uintptr_t)items % PAGE == first * pieces->bytes % PAGE);
}

static int32_t read_items(void *context, uint64_t first, uint64_t count, void *items,
                          uint32_t worker)
{
    struct pieces *pieces = context;
    check_call(pieces, first, count, items, worker);
    promise(pieces, !atomic_load(&pieces->writing));
    memcpy(items, pieces->in + first * pieces->bytes, count * pieces->bytes);
    atomic_fetch_sub(&pieces->busy[worker], 1);
    return atomic_fetch_sub(&pieces->reads_left, 1) == 1;
}

static int32_t write_items(void *context, uint64_t first, uint64_t count, const void *items,
                           uint32_t worker)
{
    struct pieces *pieces = context;
    check_call(pieces, first, count, items, worker);
    atomic_store(&pieces->writing, true);
    for (uint64_t i = first; i < first + count; i++)
        promise(pieces, atomic_fetch_add(&pieces->written[i], 1) == 0);
    memcpy(pieces->out + first * pieces->bytes, items, count * pieces->bytes);
    atomic_fetch_sub(&pieces->busy[worker], 1);
    return atomic_fetch_sub(&pieces->writes_left, 1) == 1;
}

/* Keys of every kind of distribution that a sample may miss. */
static void fill(unsigned char *items, uint64_t count, uint64_t bytes, uint64_t *random)
{
    uint64_t shape = random_below(random, 9), rare = random_below(random, count + 1);
    random_bytes(random, items, count * bytes);
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *item = items + i * bytes;
        uint64_t few = random_next(random) % 3, rising = i;
        if (shape == 1 || (shape == 2 && i != rare))
            memset(item, 7, bytes);
        else if (shape == 3)
            memset(item, (int)few, bytes);
        else if (shape == 4 || shape == 5)
            for (uint64_t b = 0; b < bytes; b++, rising >>= 8)
                item[shape == 4 ? b : bytes - 1 - b] = (unsigned char)rising;
        else if (shape == 6 && bytes > 1)
            memset(item + 1, 0, bytes - 1);
        else if (shape == 7 && i % 50 != 0)
            memset(item, 3, bytes - 1);
        else if (shape == 8 && i % 50 != 0 && bytes > 3)
            memcpy(item + bytes - 2, "\0\x80", 2); /* most in one cell, some on either side */
    }
}

struct trial {
    struct pieces pieces;
    consort_context *context;
    consort_options options;
    consort_descriptor descriptor;
    consort_parameter parameters[2];
    consort_plan *plan;
    struct guarded workspace;
};

static const consort_type types[] = {CONSORT_U8,  CONSORT_I16, CONSORT_F32,  CONSORT_U32,
                                     CONSORT_F64, CONSORT_I64, CONSORT_U128, CONSORT_BF16};

static void trial_begin(struct trial *trial, uint64_t count, uint64_t *random)
{
    struct pieces *pieces = &trial->pieces;
    consort_context_options context;
    *trial = (struct trial){.parameters = {{"piece", 4 * (int64_t)(1 + random_below(random, 3))},
                                           {"buckets", 4 << random_below(random, 8)}}};
    pieces->type = types[random_below(random, sizeof types / sizeof *types)];
    pieces->bytes = consort_type_size(pieces->type);
    pieces->count = count;
    pieces->threads = 1 + (uint32_t)random_below(random, 4);
    unsigned char *in = malloc(count * pieces->bytes + 1);
    fill(in, count, pieces->bytes, random);
    pieces->in = in;
    pieces->out = malloc(count * pieces->bytes + 1);
    pieces->written = calloc(count + 1, sizeof *pieces->written);
    consort_context_options_init(&context);
    context.threads = pieces->threads;
    assert_works(consort_context_create(&context, &trial->context));
    consort_options_init(&trial->options);
    trial->options.context = trial->context;
    trial->options.direction = (int32_t)random_below(random, 2);
    trial->options.float_order = (int32_t)random_below(random, 3);
    trial->options.algorithm = "pieces";
    trial->options.parameters = trial->parameters;
    trial->options.parameter_count = 2;
    consort_descriptor_init(&trial->descriptor);
    trial->descriptor.operation = CONSORT_OPERATION_SORT;
    trial->descriptor.type = pieces->type;
    trial->descriptor.maximum_count = count;
    trial->descriptor.form = CONSORT_FORM_PIECES;
    trial->descriptor.options = &trial->options;
    assert_works(consort_plan_create(&trial->descriptor, &trial->plan));
}

static consort_status trial_run(struct trial *trial)
{
    uint64_t bytes = consort_plan_workspace(trial->plan);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->pieces.count;
    arguments.read = read_items;
    arguments.write = write_items;
    arguments.pieces_context = &trial->pieces;
    void *workspace = guarded_take(&trial->workspace, bytes, 64);
    consort_status status =
        consort_plan_run(trial->plan, &arguments, bytes ? workspace : NULL, bytes, NULL);
    assert_true(guarded_intact(&trial->workspace));
    assert_false(atomic_load(&trial->pieces.wrong));
    return status;
}

static void trial_end(struct trial *trial)
{
    consort_plan_destroy(trial->plan);
    consort_context_destroy(trial->context);
    guarded_free(&trial->workspace);
    free((void *)trial->pieces.in);
    free(trial->pieces.out);
    free(trial->pieces.written);
}

static uint64_t trial_count(uint64_t *random)
{
    return random_below(random, (uint64_t)1 << (1 + random_below(random, 17)));
}

static void test_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        uint64_t random = seed;
        struct trial trial;
        trial_begin(&trial, trial_count(&random), &random);
        struct pieces *pieces = &trial.pieces;
        unsigned char *expected = malloc(pieces->count * pieces->bytes + 1);
        trial.options.algorithm = NULL;
        trial.options.parameter_count = 0;
        assert_works(
            consort_sort(pieces->in, expected, pieces->count, pieces->type, &trial.options));
        assert_works(trial_run(&trial));
        if (memcmp(expected, pieces->out, pieces->count * pieces->bytes) != 0)
            fail_msg("seed %llu: the bytes differ", (unsigned long long)seed);
        for (uint64_t i = 0; i < pieces->count; i++)
            assert_int_equal(atomic_load(&pieces->written[i]), 1);
        free(expected);
        trial_end(&trial);
    }
}

/* All keys of the sample are equal, some others are above and below. */
static void test_what_the_sample_misses(void **state)
{
    (void)state;
    enum {
        ITEMS = 4 << 20,
        UNSEEN = PAGE / 4
    };
    uint32_t *items = malloc(ITEMS * sizeof *items), *sorted = malloc(ITEMS * sizeof *items);
    consort_options options;
    consort_options_init(&options);
    options.algorithm = "pieces";
    for (uint64_t i = 0; i < ITEMS; i++)
        items[i] = i / UNSEEN == 1 ? (i % 2 ? 8 : 6) : 7;
    assert_works(consort_sort(items, sorted, ITEMS, CONSORT_U32, &options));
    for (uint64_t i = 0; i < ITEMS; i++) {
        uint32_t expected = i < UNSEEN / 2 ? 6 : i < ITEMS - UNSEEN / 2 ? 7 : 8;
        assert_int_equal(sorted[i], expected);
    }
    free(items);
    free(sorted);
}

/* The function that fails is the last to be called, but for those under way. */
static void test_failing_functions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TRIALS / 4; seed++) {
        uint64_t random = seed;
        struct trial trial;
        trial_begin(&trial, 1 + trial_count(&random), &random);
        struct pieces *pieces = &trial.pieces;
        bool reading = seed % 2;
        int64_t left = 1 + (int64_t)random_below(&random, 3) * (int64_t)random_below(&random, 3);
        atomic_store(reading ? &pieces->reads_left : &pieces->writes_left, left);
        consort_status status = trial_run(&trial);
        int64_t beyond = -atomic_load(reading ? &pieces->reads_left : &pieces->writes_left);
        if (beyond >= 0)
            assert_int_equal(status, CONSORT_ERROR_CANCELLED);
        else
            assert_int_equal(status, CONSORT_OK);
        assert_true(beyond < (int64_t)pieces->threads);
        assert_false(reading && beyond >= 0 && atomic_load(&pieces->writing));
        assert_int_equal(consort_last_error()->input_whole, 1);
        trial_end(&trial);
    }
}

/* When all has been read, and some may be written. */
static int32_t cancel_writing(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    return done > total / 2;
}

/* A whole array that is written over when the run is cancelled is not said to be whole. */
static void test_cancelled_in_place(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const uint64_t count = 100003, bytes = count * consort_type_size(types[t]);
        unsigned char *items = malloc(bytes), *before = malloc(bytes);
        struct trial trial;
        consort_arguments arguments;
        random_bytes(&random, items, bytes);
        memcpy(before, items, bytes);
        trial_begin(&trial, count, &random);
        trial.descriptor.form = CONSORT_FORM_COPY;
        trial.descriptor.type = types[t];
        consort_plan_destroy(trial.plan);
        assert_works(consort_plan_create(&trial.descriptor, &trial.plan));
        consort_arguments_init(&arguments);
        arguments.count = count;
        arguments.in = arguments.out = items;
        arguments.progress = cancel_writing;
        assert_int_equal(consort_plan_run(trial.plan, &arguments, NULL, 0, NULL),
                         CONSORT_ERROR_CANCELLED);
        assert_int_not_equal(memcmp(items, before, bytes), 0);
        assert_int_equal(consort_last_error()->input_whole, 0);
        trial_end(&trial);
        free(before);
        free(items);
    }
}

static void test_arguments(void **state)
{
    (void)state;
    uint64_t random = 1;
    uint32_t array[1] = {0};
    struct trial trial;
    consort_arguments arguments;
    trial_begin(&trial, 100, &random);
    consort_arguments_init(&arguments);
    arguments.count = 100;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(trial.plan, &arguments, NULL, 0, NULL));
    arguments.read = read_items;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(trial.plan, &arguments, NULL, 0, NULL));
    arguments.write = write_items;
    arguments.in = array;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(trial.plan, &arguments, NULL, 0, NULL));
    arguments.in = NULL;
    arguments.out = array;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(trial.plan, &arguments, NULL, 0, NULL));
    arguments.out = NULL;
    arguments.count = 0;
    assert_works(consort_plan_run(trial.plan, &arguments, NULL, 0, NULL));
    trial_end(&trial);
}

static void test_arrays_take_no_functions(void **state)
{
    (void)state;
    uint32_t array[2] = {2, 1};
    consort_plan *plan;
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = 2;
    assert_works(consort_plan_create(&descriptor, &plan));
    consort_arguments_init(&arguments);
    arguments.count = 2;
    arguments.in = arguments.out = array;
    arguments.read = read_items;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(plan, &arguments, NULL, 0, NULL));
    assert_int_equal(array[0], 2);
    consort_plan_destroy(plan);
}

static void test_refusals(void **state)
{
    (void)state;
    uint64_t random = 1, value_bytes = 4;
    struct trial trial;
    consort_plan *plan;
    trial_begin(&trial, 100, &random);
    trial.options.algorithm = NULL;
    trial.options.parameter_count = 0;
    trial.descriptor.type = CONSORT_F32;
    trial.options.float_order = CONSORT_NUMPY_ORDER;
    assert_fails(CONSORT_ERROR_UNSUPPORTED, consort_plan_create(&trial.descriptor, &plan));
    trial.options.float_order = CONSORT_NAN_LAST;
    trial.descriptor.value_count = 1;
    trial.descriptor.value_bytes = &value_bytes;
    assert_fails(CONSORT_ERROR_UNSUPPORTED, consort_plan_create(&trial.descriptor, &plan));
    trial.descriptor.value_count = 0;
    trial.options.workspace_limit = 100;
    assert_fails(CONSORT_ERROR_WORKSPACE, consort_plan_create(&trial.descriptor, &plan));
    trial_end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),        cmocka_unit_test(test_what_the_sample_misses),
        cmocka_unit_test(test_failing_functions), cmocka_unit_test(test_cancelled_in_place),
        cmocka_unit_test(test_arguments),         cmocka_unit_test(test_arrays_take_no_functions),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("pieces", tests, NULL, NULL);
}
