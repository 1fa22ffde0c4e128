/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans for device memory whose arrays lie in every kind of memory that a GPU reads, each in its
 * own, values of every size at every address, a dozen columns; in place and apart, the same plan by
 * ten threads at once; nobody writes beside an array.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "device_array.h"
#include "device_run.h"
#include "distributions.h"
#include "places.h"
#include "support/random.h"
#include "test_threads.h"
#include "trial_share.h"

enum {
    COLUMNS = 12,
    MARGIN = 16, /* bytes, which nobody may write */
    THREADS = 10
};

/* An array of the caller's: at any place of an allocation of any kind. */
struct array {
    enum place_kind kind;
    uint64_t shift, bytes;
    unsigned char *whole; /* of the allocation: a margin, the array, a margin */
};

struct trial {
    int32_t operation;
    consort_type type, index_type;
    uint64_t count;
    uint32_t columns;
    uint64_t sizes[COLUMNS];
    bool in_place;
};

static const enum place_kind kinds[] = {PLACE_DEVICE, PLACE_MANAGED, PLACE_PINNED};

static struct array array_of(uint64_t *random, uint64_t alignment, const void *host, uint64_t bytes)
{
    struct array a = {.kind = kinds[random_below(random, 3)],
                      .shift = MARGIN + random_below(random, MARGIN) / alignment * alignment,
                      .bytes = bytes};
    uint64_t whole = a.shift + bytes + MARGIN;
    unsigned char *copy = malloc(whole);
    assert_non_null(copy);
    memset(copy, 0xa5, whole);
    if (host)
        memcpy(copy + a.shift, host, bytes);
    a.whole = place_new(a.kind, copy, whole);
    free(copy);
    return a;
}

static void *array_at(const struct array *a)
{
    return a->whole + a->shift;
}

static void array_expect(const struct array *a, const void *wanted, const char *what)
{
    uint64_t whole = a->shift + a->bytes + MARGIN;
    unsigned char *read = malloc(whole), *right = malloc(whole);
    assert_true(read && right);
    memset(right, 0xa5, whole);
    memcpy(right + a->shift, wanted, a->bytes);
    place_read(a->kind, read, a->whole, whole);
    for (uint64_t i = 0; i < whole; i++)
        if (read[i] != right[i])
            fail_msg("%s: byte %lld of %llu is not what it should be", what,
                     (long long)i - (long long)a->shift, (unsigned long long)a->bytes);
    free(read);
    free(right);
}

static void array_free(const struct array *a)
{
    place_free(a->kind, a->whole);
}

static consort_plan *plan_of(const struct trial *trial, int32_t engine, int32_t memory)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = engine;
    options.device = engine == CONSORT_ENGINE_CUDA ? 0 : -1;
    descriptor.operation = trial->operation;
    descriptor.type = trial->type;
    descriptor.index_type = trial->index_type;
    descriptor.maximum_count = trial->count + device_run_room(trial->count);
    descriptor.memory = memory;
    descriptor.value_bytes = trial->sizes;
    descriptor.value_count = trial->columns;
    descriptor.options = &options;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

/* What a trial sorts, on the host, and what it shall become. */
struct data {
    uint64_t key_bytes, result_bytes;
    unsigned char *keys, *result, *values[COLUMNS], *sorted[COLUMNS];
};

static unsigned char *bytes_new(uint64_t bytes)
{
    unsigned char *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void point(const struct trial *trial, consort_arguments *arguments, void *in, void *result,
                  const consort_column *columns)
{
    consort_arguments_init(arguments);
    arguments->count = trial->count;
    arguments->in = in;
    arguments->values = columns;
    if (trial->operation == CONSORT_OPERATION_ARGSORT)
        arguments->indices = result;
    else
        arguments->out = result;
}

static struct data data_of(const struct trial *trial, uint64_t *random)
{
    uint64_t key = consort_type_size(trial->type);
    struct data d = {.key_bytes = trial->count * key, .result_bytes = trial->count * key};
    consort_column columns[COLUMNS];
    consort_arguments arguments;
    if (trial->operation == CONSORT_OPERATION_ARGSORT)
        d.result_bytes = trial->count * consort_type_size(trial->index_type);
    d.keys = bytes_new(d.key_bytes);
    d.result = bytes_new(d.result_bytes);
    assert_true(distribution_fill(distribution_find("few-unique"), trial->type, d.keys, 0,
                                  trial->count, trial->count, random_next(random)));
    for (uint32_t c = 0; c < trial->columns; c++) {
        d.values[c] = bytes_new(trial->count * trial->sizes[c]);
        d.sorted[c] = bytes_new(trial->count * trial->sizes[c]);
        random_bytes(random, d.values[c], trial->count * trial->sizes[c]);
        columns[c] = (consort_column){
            .in = d.values[c], .out = d.sorted[c], .element_bytes = trial->sizes[c]};
    }
    point(trial, &arguments, d.keys, d.result, columns);
    consort_plan *plan = plan_of(trial, CONSORT_ENGINE_CPU, CONSORT_MEMORY_HOST);
    assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
    consort_plan_destroy(plan);
    return d;
}

static void data_free(struct data *d, uint32_t columns)
{
    free(d->keys);
    free(d->result);
    for (uint32_t c = 0; c < columns; c++) {
        free(d->values[c]);
        free(d->sorted[c]);
    }
}

static void run(const consort_plan *plan, const consort_arguments *arguments)
{
    const struct driver *driver = driver_get();
    const struct device *device = device_open(0);
    uint64_t bytes = consort_plan_workspace(plan);
    CUstream stream;
    assert_int_equal(device_enter(device), CONSORT_OK);
    void *workspace = device_array_new(NULL, bytes, 0);
    assert_int_equal(driver->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    if (consort_plan_run(plan, arguments, workspace, bytes, stream) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    assert_int_equal(driver->cuStreamSynchronize(stream), CUDA_SUCCESS);
    driver->cuStreamDestroy(stream);
    device_array_free(workspace, 0);
    device_leave(device);
}

static void try(const struct trial *trial, const consort_plan *plan, uint64_t seed)
{
    uint64_t random = seed, key = consort_type_size(trial->type);
    bool argsort = trial->operation == CONSORT_OPERATION_ARGSORT;
    bool same = trial->in_place && !argsort;
    struct data d = data_of(trial, &random);
    struct array in = array_of(&random, key, d.keys, d.key_bytes), out = in, from[COLUMNS],
                 to[COLUMNS];
    consort_column columns[COLUMNS];
    consort_arguments arguments;
    if (!same)
        out = array_of(&random, argsort ? consort_type_size(trial->index_type) : key, NULL,
                       d.result_bytes);
    for (uint32_t c = 0; c < trial->columns; c++) {
        uint64_t bytes = trial->count * trial->sizes[c];
        from[c] = array_of(&random, 1, d.values[c], bytes);
        to[c] = same ? from[c] : array_of(&random, 1, NULL, bytes);
        columns[c] = (consort_column){
            .in = array_at(&from[c]), .out = array_at(&to[c]), .element_bytes = trial->sizes[c]};
    }
    point(trial, &arguments, array_at(&in), array_at(&out), columns);
    run(plan, &arguments);
    array_expect(&out, d.result, "result");
    if (!same) {
        array_expect(&in, d.keys, "keys");
        array_free(&out);
    }
    array_free(&in);
    for (uint32_t c = 0; c < trial->columns; c++) {
        array_expect(&to[c], d.sorted[c], "values");
        if (!same) {
            array_expect(&from[c], d.values[c], "values before");
            array_free(&to[c]);
        }
        array_free(&from[c]);
    }
    data_free(&d, trial->columns);
}

static void try_alone(const struct trial *trial, uint64_t seed)
{
    if (!trial_share_takes_next())
        return;
    consort_plan *plan = plan_of(trial, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE);
    try(trial, plan, seed);
    consort_plan_destroy(plan);
}

static const consort_type types[] = {CONSORT_U8,  CONSORT_U32,  CONSORT_F64,
                                     CONSORT_U16, CONSORT_U128, CONSORT_I64};

static void test_every_size_of_values(void **state)
{
    (void)state;
    for (uint64_t bytes = 1; bytes <= 64; bytes++) {
        struct trial trial = {.operation = CONSORT_OPERATION_SORT,
                              .type = types[bytes % 6],
                              .count = 1 + bytes * 37 % 1900,
                              .columns = 1,
                              .sizes = {bytes},
                              .in_place = bytes % 3 == 0};
        try_alone(&trial, bytes);
    }
}

static void test_many_columns(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 112; seed++) {
        uint64_t random = seed;
        struct trial trial = {.operation = CONSORT_OPERATION_SORT,
                              .type = types[seed % 6],
                              .count = 1 + random_below(&random, 1500),
                              .columns = 2 + (uint32_t)random_below(&random, COLUMNS - 1),
                              .in_place = seed % 2};
        for (uint32_t c = 0; c < trial.columns; c++)
            trial.sizes[c] = 1 + random_below(&random, c % 4 == 3 ? 700 : 24);
        try_alone(&trial, seed);
    }
}

static void test_argsorts(void **state)
{
    (void)state;
    for (uint64_t seed = 200; seed < 212; seed++) {
        struct trial trial = {.operation = CONSORT_OPERATION_ARGSORT,
                              .type = types[seed % 6],
                              .index_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                              .count = 1 + seed * 997 % 3000};
        try_alone(&trial, seed);
    }
}

struct sharer {
    const struct trial *trial;
    const consort_plan *plan;
    uint64_t seed;
};

static void *share(void *context)
{
    const struct sharer *sharer = context;
    for (uint64_t turn = 0; turn < 3; turn++)
        try(sharer->trial, sharer->plan, sharer->seed + turn);
    return NULL;
}

/* Everything that changes is in arguments and workspace. */
static void test_one_plan_by_ten_threads(void **state)
{
    (void)state;
    struct trial trial = {.operation = CONSORT_OPERATION_SORT,
                          .type = CONSORT_U32,
                          .count = 1777,
                          .columns = 2,
                          .sizes = {8, 5}};
    struct sharer sharers[THREADS];
    if (!trial_share_takes_test())
        return;
    consort_plan *plan = plan_of(&trial, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE);
    for (uint64_t t = 0; t < THREADS; t++)
        sharers[t] = (struct sharer){.trial = &trial, .plan = plan, .seed = 300 + 10 * t};
    test_threads_run(THREADS, share, sharers, sizeof *sharers);
    consort_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_of_values),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_argsorts),
        cmocka_unit_test(test_one_plan_by_ten_threads),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
