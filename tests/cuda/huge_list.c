/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of more than 2^32 items for tests on a GPU: made and looked at by all processors. */
#include "huge_list.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "support/random.h"

enum {
    HUGE_THREADS = 16
};

struct huge_share {
    huge_list_part *part;
    void *context;
    uint64_t begin, end, sum;
};

void huge_list_need(uint64_t bytes)
{
    const struct device *device = device_describe(0);
    if (!getenv("CONSORT_TEST_LARGE") || !device || device->memory < bytes)
        skip();
}

void *huge_list_new(uint64_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void *huge_work(void *argument)
{
    struct huge_share *share = argument;
    share->sum = share->part(share->context, share->begin, share->end);
    return NULL;
}

uint64_t huge_list_each(uint64_t count, huge_list_part *part, void *context)
{
    struct huge_share shares[HUGE_THREADS];
    pthread_t threads[HUGE_THREADS];
    uint64_t sum = 0;
    for (uint64_t i = 0; i < HUGE_THREADS; i++) {
        shares[i] = (struct huge_share){part, context, count / HUGE_THREADS * i,
                                        count / HUGE_THREADS * (i + 1), 0};
        if (i == HUGE_THREADS - 1)
            shares[i].end = count;
        assert_int_equal(pthread_create(&threads[i], NULL, huge_work, &shares[i]), 0);
    }
    for (uint64_t i = 0; i < HUGE_THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        sum += shares[i].sum;
    }
    return sum;
}

uint64_t huge_list_random_bytes(void *keys, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++)
        ((uint8_t *)keys)[i] = (uint8_t)(random_mix(i) >> 56);
    return 0;
}

uint64_t huge_list_random_words(void *keys, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++)
        ((uint32_t *)keys)[i] = (uint32_t)(random_mix(i) >> 32);
    return 0;
}

uint64_t huge_list_sum_words(void *keys, uint64_t begin, uint64_t end)
{
    uint64_t sum = 0;
    for (uint64_t i = begin; i < end; i++)
        sum += random_mix(((const uint32_t *)keys)[i]);
    return sum;
}

struct huge_bytes {
    const uint8_t *keys;
    uint64_t *counts;
};

static uint64_t huge_count_part(void *context, uint64_t begin, uint64_t end)
{
    const struct huge_bytes *bytes = context;
    uint64_t counts[256] = {0};
    for (uint64_t i = begin; i < end; i++)
        counts[bytes->keys[i]]++;
    for (int value = 0; value < 256; value++)
        __atomic_fetch_add(&bytes->counts[value], counts[value], __ATOMIC_RELAXED);
    return 0;
}

void huge_list_count_bytes(const uint8_t *keys, uint64_t count, uint64_t counts[256])
{
    struct huge_bytes bytes = {keys, counts};
    memset(counts, 0, 256 * sizeof *counts);
    huge_list_each(count, huge_count_part, &bytes);
}

struct huge_pair {
    const char *found, *expected;
};

static uint64_t huge_compare_part(void *context, uint64_t begin, uint64_t end)
{
    const struct huge_pair *pair = context;
    return memcmp(pair->found + begin, pair->expected + begin, end - begin) != 0;
}

void huge_list_expect_equal(const void *found, const void *expected, uint64_t bytes)
{
    struct huge_pair pair = {found, expected};
    assert_true(huge_list_each(bytes, huge_compare_part, &pair) == 0);
}

void huge_list_expect_sorted(const void *keys, uint64_t count, consort_type type)
{
    uint64_t disorder;
    assert_int_equal(consort_is_sorted(keys, count, type, NULL, &disorder), CONSORT_OK);
    assert_true(disorder == count);
}

consort_plan *huge_list_plan(const char *algorithm, int32_t operation, consort_type type,
                             uint64_t count, uint64_t value_bytes)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.algorithm = algorithm;
    options.engine = CONSORT_ENGINE_CUDA;
    descriptor.operation = operation;
    descriptor.type = type;
    descriptor.maximum_count = count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.value_bytes = &value_bytes;
    descriptor.value_count = value_bytes > 0;
    descriptor.options = &options;
    consort_plan *plan;
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status == CONSORT_OK)
        return plan;
    if (status != CONSORT_ERROR_UNSUPPORTED)
        fail_msg("%s", consort_last_error()->message);
    print_message("not by %s: %s\n", algorithm, consort_last_error()->message);
    return NULL;
}
