/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first k in device and host memory: every type, order and shape of rows, with data that makes
 * each path of the selection run, against the CPU engine on the same bytes. Runs on the emulator
 * and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that only a GPU selects from in reasonable
 * time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "cuda/sorts/topk/topk_sizes.h"
#include "device_array.h"
#include "device_run.h"
#include "support/number_types.h"
#include "support/random.h"
#include "trial_share.h"

enum data {
    DATA_UNIFORM,
    DATA_EQUAL,
    DATA_FEW,    /* 3 different keys */
    DATA_RISING, /* positions as keys */
    DATA_FALLING,
    DATA_MASKED, /* bits that make NaNs and zeros of floats */
    DATA_HIDDEN, /* one key but for a few small ones, which a sample misses */
    DATA_SKEWED, /* half one small key, the rest uniform */
    DATA_KINDS,
    DATA_UNSEEN = DATA_KINDS, /* keys that the sample has come last, the rest are many … */
    DATA_UNSEEN_FEW           /* … or two different ones */
};

struct trial {
    consort_type type;
    int32_t direction;
    int32_t float_order;
    uint64_t rows, length, k;
    consort_type index_type; /* 0: keys alone */
    bool no_keys;
    bool captured;
    bool far; /* a plan for more than 2³² items, so that positions take 8 bytes */
    enum data data;
    uint64_t shift;
    uint64_t seed;
};

struct result {
    unsigned char *keys, *indices;
    uint64_t key_bytes, index_bytes;
};

/* As topk_guess.cuh chooses keys. */
static bool is_sampled(const struct trial *trial, uint64_t i)
{
    const uint64_t samples = topk_sizes_samples(trial->length), stride = trial->length / samples;
    const uint64_t mixed = (i / stride + 1) * 0x9e3779b97f4a7c15u;
    return i / stride < samples && i % stride == (mixed >> 32) % stride;
}

static uint64_t make_word(const struct trial *trial, uint64_t i, uint64_t *seed)
{
    uint64_t random = random_next(seed);
    switch (trial->data) {
    case DATA_EQUAL:
        return 0x0707070707070707u;
    case DATA_FEW:
        return random % 3 * 0x0102030405060708u;
    case DATA_RISING:
        return i;
    case DATA_FALLING:
        return UINT64_MAX - i;
    case DATA_MASKED:
        return random & 0x80017c0080007c01u;
    case DATA_HIDDEN:
        return random % 1000 ? 0x7070707070707070u : random >> 10;
    case DATA_UNSEEN:
        return is_sampled(trial, i % trial->length) ? random | 0x8080808080808080u
                                                    : random & 0x7f7f7f7f7f7f7f7fu;
    case DATA_UNSEEN_FEW:
        return is_sampled(trial, i % trial->length) ? random | 0x8080808080808080u
                                                    : random % 2 * 0x0101010101010101u;
    case DATA_SKEWED:
        return random % 2 ? 0x0101010101010101u : random;
    default:
        return random;
    }
}

static unsigned char *make_keys(const struct trial *trial, uint64_t bytes)
{
    uint64_t seed = trial->seed, size = consort_type_size(trial->type);
    unsigned char *keys = aligned_alloc(64, (bytes + 64) / 64 * 64);
    for (uint64_t i = 0; i < trial->rows * trial->length; i++) {
        uint64_t word[2] = {make_word(trial, i, &seed), 0};
        word[1] = trial->data == DATA_UNIFORM ? random_next(&seed) : word[0];
        memcpy(keys + i * size, word, size);
    }
    return keys;
}

static uint64_t kept(const struct trial *trial)
{
    return trial->k < trial->length ? trial->k : trial->length;
}

static struct result result_of(const struct trial *trial)
{
    struct result result = {0};
    uint64_t items = trial->rows * kept(trial);
    if (!trial->no_keys)
        result.key_bytes = items * consort_type_size(trial->type);
    result.index_bytes = items * (trial->index_type ? consort_type_size(trial->index_type) : 0);
    result.keys = aligned_alloc(64, (result.key_bytes + 64) / 64 * 64);
    result.indices = aligned_alloc(64, (result.index_bytes + 64) / 64 * 64);
    return result;
}

static consort_plan *make_plan(const struct trial *trial, int32_t engine, int32_t memory)
{
    consort_options options;
    consort_descriptor descriptor;
    consort_options_init(&options);
    consort_descriptor_init(&descriptor);
    options.engine = engine;
    options.direction = trial->direction;
    options.float_order = trial->float_order;
    descriptor.operation = CONSORT_OPERATION_TOP_K;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->rows * trial->length;
    if (trial->far)
        descriptor.maximum_count += (uint64_t)1 << 32;
    descriptor.maximum_rows = trial->rows + trial->seed / 3 % 3;
    descriptor.maximum_k = trial->k;
    descriptor.index_type = trial->index_type;
    descriptor.memory = memory;
    descriptor.options = &options;
    consort_plan *plan;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

static consort_arguments arguments_of(const struct trial *trial, const void *in, void *out,
                                      void *indices)
{
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->rows * trial->length;
    arguments.rows = trial->rows;
    arguments.k = trial->k;
    arguments.in = in;
    arguments.out = trial->no_keys ? NULL : out;
    arguments.indices = trial->index_type ? indices : NULL;
    return arguments;
}

static void run_on_host(const struct trial *trial, int32_t engine, const void *keys,
                        struct result *result)
{
    consort_plan *plan = make_plan(trial, engine, CONSORT_MEMORY_HOST);
    consort_arguments arguments = arguments_of(trial, keys, result->keys, result->indices);
    if (consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    consort_plan_destroy(plan);
}

static void run_on_device(const struct trial *trial, const void *keys, uint64_t bytes,
                          struct result *result)
{
    consort_plan *plan = make_plan(trial, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE);
    void *in = device_array_new(keys, bytes, trial->shift);
    void *out = device_array_new(NULL, result->key_bytes, trial->shift);
    void *indices = device_array_new(NULL, result->index_bytes, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_arguments arguments = arguments_of(trial, in, out, indices);
    device_run(plan, &arguments, workspace, trial->captured);
    device_array_read(result->keys, out, result->key_bytes);
    device_array_read(result->indices, indices, result->index_bytes);
    device_array_free(workspace, 0);
    device_array_free(indices, 0);
    device_array_free(out, trial->shift);
    device_array_free(in, trial->shift);
    consort_plan_destroy(plan);
}

static void compare(const struct trial *trial, const struct result *expected,
                    const struct result *found, const char *where)
{
    bool keys = memcmp(expected->keys, found->keys, expected->key_bytes) == 0;
    bool indices = memcmp(expected->indices, found->indices, expected->index_bytes) == 0;
    if (keys && indices)
        return;
    fail_msg("%s differ in %s memory: type 0x%x, direction %d, float order %d, %llu rows of %llu, "
             "k %llu, index type 0x%x, no keys %d, far %d, data %d, shift %llu, seed %llu",
             keys ? "indices" : "keys", where, (unsigned)trial->type, trial->direction,
             trial->float_order, (unsigned long long)trial->rows, (unsigned long long)trial->length,
             (unsigned long long)trial->k, (unsigned)trial->index_type, trial->no_keys, trial->far,
             trial->data, (unsigned long long)trial->shift, (unsigned long long)trial->seed);
}

static void result_free(struct result *result)
{
    free(result->keys);
    free(result->indices);
}

static void try_one(const struct trial *trial)
{
    if (!trial_share_takes_next())
        return;
    uint64_t bytes = trial->rows * trial->length * consort_type_size(trial->type);
    unsigned char *keys = make_keys(trial, bytes);
    struct result expected = result_of(trial), found = result_of(trial);
    run_on_host(trial, CONSORT_ENGINE_CPU, keys, &expected);
    run_on_device(trial, keys, bytes, &found);
    compare(trial, &expected, &found, "device");
    if (trial->seed % 4 == 0) {
        run_on_host(trial, CONSORT_ENGINE_CUDA, keys, &found);
        compare(trial, &expected, &found, "host");
    }
    result_free(&expected);
    result_free(&found);
    free(keys);
}

/* A trial whose less important sides follow from the seed. */
static struct trial trial_of(uint64_t seed, uint64_t rows, uint64_t length, uint64_t k)
{
    static const consort_type index_types[] = {0, CONSORT_U32, CONSORT_U64};
    struct trial trial = {.type = number_types[seed % NUMBER_TYPES],
                          .direction = (int32_t)(seed / 2 % 2),
                          .float_order = (int32_t)(seed / 3 % 4),
                          .rows = rows,
                          .length = length,
                          .k = k,
                          .index_type = index_types[seed % 3],
                          .no_keys = seed % 3 != 0 && seed % 5 == 0,
                          .data = (enum data)(seed / 5 % DATA_KINDS),
                          .seed = seed};
    trial.shift = seed % 2 * consort_type_size(trial.type);
    trial.far = seed % 7 == 0 && trial.index_type != CONSORT_U32 && trial.rows == 1;
    return trial;
}

static void test_short_rows(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 3, 31, 32, 33, 64, 100, 200, 511, 512};
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (uint64_t rows = 1; rows < 300; rows = rows * 6 + 1, seed++) {
            uint64_t ks[] = {1, lengths[i] / 3 + 1, lengths[i], lengths[i] + 5, 0, 10, 32};
            struct trial trial = trial_of(seed, rows, lengths[i], ks[seed % 7]);
            try_one(&trial);
        }
}

static void test_rows(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {513, 1024, 1100, 2500, 4096, 4097, 9000};
    uint64_t seed = 100;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (uint64_t rows = 1; rows < 20; rows = rows * 3 + 1, seed++) {
            uint64_t ks[] = {1, 10, 100, lengths[i] / 2, lengths[i]};
            struct trial trial = trial_of(seed, rows, lengths[i], ks[seed % 5]);
            try_one(&trial);
        }
}

static void test_every_kind_of_data(void **state)
{
    (void)state;
    uint64_t seed = 200;
    for (int data = 0; data < DATA_KINDS; data++)
        for (int t = 0; t < NUMBER_TYPES; t++, seed++) {
            uint64_t ks[] = {1, 70, 1500, 3000};
            struct trial trial = trial_of(seed, 1 + seed % 2, 12000, ks[seed % 4]);
            trial.type = number_types[t];
            trial.shift = 0;
            trial.data = (enum data)data;
            try_one(&trial);
        }
}

static void test_long_rows(void **state)
{
    (void)state;
    static const uint64_t ks[] = {1, 10, 1000, 2041, 2049, 6000, 30000, 70000};
    uint64_t seed = 400;
    for (int i = 0; i < 32; i++, seed++) {
        struct trial trial = trial_of(seed, 1 + (i % 8 == 7), 70000, ks[i % 8]);
        trial.data = (enum data)(i / 4 % DATA_KINDS);
        try_one(&trial);
    }
}

/* What the sample says lets too many keys through: the row's own threshold is found. */
static void test_odd_samples(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U8, CONSORT_U16, CONSORT_U32, CONSORT_U64,
                                         CONSORT_U128};
    static const uint64_t ks[] = {1, 70, 3000};
    uint64_t seed = 700;
    for (int i = 0; i < 30; i++, seed++) {
        struct trial trial = trial_of(seed, 1 + i % 4 / 3, i % 2 ? 70000 : 20000, ks[i / 2 % 3]);
        trial.type = types[i % 5];
        trial.direction = 0;
        trial.shift = seed / 2 % 2 * consort_type_size(trial.type);
        trial.data = i / 5 % 2 ? DATA_UNSEEN_FEW : DATA_UNSEEN;
        try_one(&trial);
    }
}

static void test_byte_strings(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 520; seed++) {
        struct trial trial = trial_of(seed, 1 + seed % 3, 300 + seed * 37 % 3000, 20);
        trial.type = consort_type_bytes(1u << seed % 5);
        trial.float_order = 0;
        trial.shift = seed % 16;
        try_one(&trial);
    }
}

static void test_graph_capture(void **state)
{
    (void)state;
    for (uint64_t seed = 600; seed < 608; seed++) {
        struct trial trial = seed < 606 ? trial_of(seed, 1 + seed % 2 * 3, 6000, 500)
                                        : trial_of(seed, 1 + seed % 2 * 3, 240, 50);
        trial.captured = true;
        try_one(&trial);
    }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const uint64_t ks[] = {1, 10, 5000, 100000, 1000000, 3000000};
    for (uint64_t seed = 1000; seed < 1000 + NUMBER_TYPES; seed++) {
        struct trial trial = trial_of(seed, 1, 9000017, ks[seed % 6]);
        trial.data = (enum data)(seed % DATA_KINDS);
        trial.captured = seed % 2;
        try_one(&trial);
        trial = trial_of(seed, 1000, 70 + seed * 977 % 40000, ks[seed % 3]);
        try_one(&trial);
        trial = trial_of(seed, 100000, 1 + seed * 7 % 500, 5);
        try_one(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_rows),         cmocka_unit_test(test_rows),
        cmocka_unit_test(test_every_kind_of_data), cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_odd_samples),        cmocka_unit_test(test_byte_strings),
        cmocka_unit_test(test_graph_capture),      cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
