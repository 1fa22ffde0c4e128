/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Smoke test of the benchmark's peers: each one that is there sorts what it says it can. A peer
 * that sorts wrongly, or not at all, would be beaten for the wrong reason.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "peers.h"
#include "support/random.h"

enum {
    KEYS = 1000,
    MAXIMUM = 16
};

static const struct peer_table *table;
static const char *plugin_path;

static const consort_type types[] = {
    CONSORT_U8,  CONSORT_U16, CONSORT_U32, CONSORT_U64,  CONSORT_U128, CONSORT_I8,
    CONSORT_I16, CONSORT_I32, CONSORT_I64, CONSORT_I128, CONSORT_F16,  CONSORT_BF16,
    CONSORT_F32, CONSORT_F64, 0x0503,      0x050A,       0x0510,       CONSORT_RECORD,
};

static int load(void **state)
{
    (void)state;
    void *plugin = dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        return -1;
    }
    peers_function function;
    void *symbol = dlsym(plugin, PEERS_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    table = function != NULL ? function() : NULL;
    return table != NULL ? 0 : -1;
}

static size_t type_bytes(consort_type type)
{
    return (size_t)type & 0xFF;
}

/* Random bytes; floats lose the lowest exponent bit, so that none is infinite or NaN, and zeros
 * their sign. Every fourth key repeats the one before it. */
static void fill(unsigned char *keys, consort_type type)
{
    size_t bytes = type_bytes(type);
    uint64_t state = 1;
    random_bytes(&state, keys, KEYS * bytes);
    for (size_t i = 0; i < KEYS; i++) {
        unsigned char *key = keys + i * bytes;
        if (type >> 8 == CONSORT_KIND_FLOAT || type >> 8 == CONSORT_KIND_BFLOAT) {
            key[bytes - 1] &= 0xBF;
            key[0] |= 1;
        }
        if (i % 4 == 3) {
            memcpy(key, key - bytes, bytes);
        }
    }
}

/* Little-endian keys by sign and magnitude or two's complement; byte strings by memcmp. */
static int compare(consort_type type, const unsigned char *a, const unsigned char *b)
{
    int32_t kind = type >> 8;
    size_t bytes = type_bytes(type);
    if (kind == CONSORT_KIND_BYTES) {
        return memcmp(a, b, bytes);
    }
    int a_negative = kind != CONSORT_KIND_UNSIGNED && a[bytes - 1] >= 0x80;
    int b_negative = kind != CONSORT_KIND_UNSIGNED && b[bytes - 1] >= 0x80;
    if (a_negative != b_negative) {
        return b_negative - a_negative;
    }
    int order = 0;
    for (size_t i = 0; i < bytes; i++) {
        order = a[i] != b[i] ? (int)a[i] - (int)b[i] : order;
    }
    return a_negative && kind != CONSORT_KIND_SIGNED ? -order : order;
}

struct arrays {
    unsigned char before[KEYS * MAXIMUM];
    unsigned char keys[KEYS * MAXIMUM];
    unsigned char values[KEYS * MAXIMUM];
    unsigned char used[KEYS];
};

static void sort_with(const struct peer *peer, struct peer_job *job)
{
    assert_int_equal(peer->memory, PEER_HOST);
    assert_int_equal(peer->prepare(job), PEER_OK);
    assert_int_equal(peer->run(job), PEER_OK);
    assert_int_equal(peer->finish(job), PEER_OK);
}

static void check_order(const struct arrays *arrays, consort_type type)
{
    size_t bytes = type_bytes(type);
    for (size_t i = 1; i < KEYS; i++) {
        assert_true(compare(type, arrays->keys + (i - 1) * bytes, arrays->keys + i * bytes) <= 0);
    }
}

/* Takes each sorted key away from those before: none may be left over or missing. */
static void check_multiset(struct arrays *arrays, consort_type type)
{
    size_t bytes = type_bytes(type);
    memset(arrays->used, 0, sizeof arrays->used);
    for (size_t i = 0; i < KEYS; i++) {
        const unsigned char *key = arrays->keys + i * bytes;
        size_t j = 0;
        while (j < KEYS &&
               (arrays->used[j] != 0 || memcmp(arrays->before + j * bytes, key, bytes) != 0)) {
            j++;
        }
        assert_true(j < KEYS);
        arrays->used[j] = 1;
    }
}

static uint64_t value_at(const struct arrays *arrays, size_t index, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, arrays->values + index * bytes, bytes < 8 ? bytes : 8);
    return value;
}

/* Values are the places before: each comes once, beside its key, in order if stable. */
static void check_values(const struct peer *peer, struct arrays *arrays, const struct peer_job *job)
{
    size_t bytes = type_bytes(job->type);
    memset(arrays->used, 0, sizeof arrays->used);
    for (size_t i = 0; i < KEYS; i++) {
        uint64_t place = value_at(arrays, i, job->value_bytes);
        assert_true(place < KEYS && arrays->used[place] == 0);
        arrays->used[place] = 1;
        assert_memory_equal(arrays->before + place * bytes, arrays->keys + i * bytes, bytes);
        if (peer->stable != 0 && i > 0 &&
            memcmp(arrays->keys + (i - 1) * bytes, arrays->keys + i * bytes, bytes) == 0) {
            assert_true(value_at(arrays, i - 1, job->value_bytes) < place);
        }
    }
}

static void check_peer(const struct peer *peer, struct peer_job *job)
{
    struct arrays *arrays = calloc(1, sizeof *arrays);
    assert_non_null(arrays);
    fill(arrays->before, job->type);
    memcpy(arrays->keys, arrays->before, KEYS * type_bytes(job->type));
    for (uint64_t i = 0; i < KEYS && job->value_bytes != 0; i++) {
        memcpy(arrays->values + i * job->value_bytes, &i, 4);
    }
    job->keys = arrays->keys;
    job->values = arrays->values;
    sort_with(peer, job);
    check_order(arrays, job->type);
    if (job->operation == PEER_SORT) {
        check_multiset(arrays, job->type);
    } else {
        check_values(peer, arrays, job);
    }
    free(arrays);
}

static size_t check_operations(const struct peer *peer, consort_type type)
{
    static const uint32_t value_bytes[] = {0, 4, 8, 16};
    size_t checked = 0;
    for (size_t v = 0; v < sizeof value_bytes / sizeof *value_bytes; v++) {
        int32_t operation = value_bytes[v] == 0 ? PEER_SORT : PEER_SORT_PAIRS;
        struct peer_job job = {.operation = operation,
                               .type = type,
                               .value_bytes = value_bytes[v],
                               .threads = 2,
                               .count = KEYS};
        if (peer->supports(operation, type, value_bytes[v]) != 0) {
            check_peer(peer, &job);
            checked++;
        } else {
            assert_int_not_equal(peer->run(&job), PEER_OK);
        }
    }
    return checked;
}

static void test_every_peer_sorts(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < table->count; p++) {
        const struct peer *peer = &table->peers[p];
        size_t checked = 0;
        if (peer->unavailable != NULL) {
            print_message("%s: %s\n", peer->name, peer->unavailable);
            continue;
        }
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            checked += check_operations(peer, types[t]);
        }
        print_message("%s: %zu combinations\n", peer->name, checked);
        assert_true(checked > 0);
    }
}

static void test_empty_arrays(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < table->count; p++) {
        const struct peer *peer = &table->peers[p];
        if (peer->unavailable == NULL) {
            struct peer_job job = {.type = CONSORT_U64, .threads = 1};
            sort_with(peer, &job);
            job.operation = PEER_SORT_PAIRS;
            job.value_bytes = 8;
            sort_with(peer, &job);
        }
    }
}

static void test_the_standard_library_is_there(void **state)
{
    (void)state;
    assert_int_equal(table->abi_version, PEERS_ABI_VERSION);
    assert_true(table->count >= 3);
    static const char *const names[] = {"qsort", "std_sort", "std_stable_sort"};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(table->peers[i].name, names[i]);
        assert_null(table->peers[i].unavailable);
        for (size_t t = 0; t < 14; t++) {
            assert_true(table->peers[i].supports(PEER_SORT, types[t], 0));
        }
    }
}

int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_standard_library_is_there),
        cmocka_unit_test(test_every_peer_sorts),
        cmocka_unit_test(test_empty_arrays),
    };
    if (argument_count != 2) {
        fprintf(stderr, "usage: %s PLUGIN\n", arguments[0]);
        return 2;
    }
    plugin_path = arguments[1];
    return cmocka_run_group_tests_name("peers", tests, load, NULL);
}
