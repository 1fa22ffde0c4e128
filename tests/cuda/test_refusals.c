/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs on device memory that are refused before anything is queued: arrays, workspaces and outcomes
 * of a GPU that is no peer of the plan's, and such as overlap; and plans for GPUs that are not
 * alike. With one GPU what overlaps only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "places.h"

enum {
    COUNT = 1000,
    ITEM = 4,
    BYTES = COUNT * ITEM,
    ROOM = 4 << 20
};

/* Keys with a column: the places of a run, each at its own offset of a room. */
enum part {
    IN,
    OUT,
    VALUES_IN,
    VALUES_OUT,
    OUTCOME,
    WORKSPACE,
    PARTS
};

static const char *const names[PARTS] = {
    "in", "out", "in of a value column", "out of a value column", "outcome", "workspace"};

static consort_plan *plan_new(void)
{
    static const uint64_t value_bytes = ITEM;
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = 0;
    options.algorithm = "lsd"; /* others sort so few without workspace */
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    descriptor.value_bytes = &value_bytes;
    descriptor.value_count = 1;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_OK);
    assert_true(consort_plan_workspace(plan) > 0);
    assert_true((PARTS - 1) * 2 * BYTES + consort_plan_workspace(plan) <= ROOM);
    return plan;
}

static consort_status run_at(const consort_plan *plan, char *const *places)
{
    consort_column column = {
        .in = places[VALUES_IN], .out = places[VALUES_OUT], .element_bytes = ITEM};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = places[IN];
    arguments.out = places[OUT];
    arguments.values = &column;
    arguments.outcome = (consort_outcome *)places[OUTCOME];
    return consort_plan_run(plan, &arguments, places[WORKSPACE], consort_plan_workspace(plan),
                            NULL);
}

static void places_in(char *room, char **places)
{
    for (int part = 0; part < PARTS; part++)
        places[part] = room + (uint64_t)part * 8192;
}

static void expect_sorted(const uint32_t *keys, const uint32_t *values)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(keys[i], i);
        assert_int_equal(values[i], COUNT - 1 - i);
    }
}

/* The run works: refusals have no other reason. */
static void run_works(const consort_plan *plan, char *const *places, enum place_kind out,
                      enum place_kind values_out)
{
    uint32_t keys[COUNT], values[COUNT];
    if (run_at(plan, places) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    const struct device *device = device_open(0);
    assert_int_equal(device_enter(device), CONSORT_OK);
    assert_int_equal(driver_get()->cuCtxSynchronize(), CUDA_SUCCESS);
    device_leave(device);
    place_read(out, keys, places[OUT], BYTES);
    place_read(values_out, values, places[VALUES_OUT], BYTES);
    expect_sorted(keys, values);
}

/* In falling order, and the numbers of the items. */
static char *room_new(enum place_kind kind)
{
    uint32_t *host = calloc(1, ROOM);
    assert_non_null(host);
    for (uint32_t i = 0; i < COUNT; i++) {
        host[IN * 2048 + i] = COUNT - 1 - i;
        host[VALUES_IN * 2048 + i] = i;
    }
    char *room = place_new(kind, host, ROOM);
    free(host);
    return room;
}

static void refused(consort_status status, consort_status wanted, const char *what)
{
    assert_int_equal(status, wanted);
    if (!strstr(consort_last_error()->message, what))
        fail_msg("\"%s\" does not name %s", consort_last_error()->message, what);
}

static bool other_is_a_peer(void)
{
    int can = 0;
    assert_int_equal(
        driver_get()->cuDeviceCanAccessPeer(&can, device_open(0)->handle, device_open(1)->handle),
        CUDA_SUCCESS);
    return can;
}

/* Each place in turn on the other GPU, then all: of a peer as good as any. */
static void test_memory_of_another_gpu(void **state)
{
    (void)state;
    if (device_count() < 2)
        skip();
    consort_plan *plan = plan_new();
    char *near = room_new(PLACE_DEVICE), *far = room_new(PLACE_OTHER);
    char *places[PARTS], *others[PARTS];
    places_in(near, places);
    places_in(far, others);
    run_works(plan, places, PLACE_DEVICE, PLACE_DEVICE);
    for (int part = 0; part <= PARTS; part++) {
        char *mixed[PARTS];
        memcpy(mixed, part < PARTS ? places : others, sizeof mixed);
        if (part < PARTS)
            mixed[part] = others[part];
        if (other_is_a_peer()) {
            run_works(plan, mixed, part == OUT || part == PARTS ? PLACE_OTHER : PLACE_DEVICE,
                      part == VALUES_OUT || part == PARTS ? PLACE_OTHER : PLACE_DEVICE);
        } else {
            refused(run_at(plan, mixed), CONSORT_ERROR_ARGUMENT,
                    names[part < PARTS ? part : WORKSPACE]);
            refused(run_at(plan, mixed), CONSORT_ERROR_ARGUMENT, "memory of GPU 1");
        }
    }
    place_free(PLACE_DEVICE, near);
    place_free(PLACE_OTHER, far);
    consort_plan_destroy(plan);
}

/* Of what is written, nothing may overlap anything else. */
static void test_overlaps(void **state)
{
    (void)state;
    consort_plan *plan = plan_new();
    char *room = room_new(PLACE_DEVICE), *places[PARTS];
    places_in(room, places);
    for (int part = OUTCOME; part < PARTS; part++)
        for (int other = 0; other < part; other++) {
            char *moved[PARTS];
            memcpy(moved, places, sizeof moved);
            moved[part] = moved[other];
            refused(run_at(plan, moved), CONSORT_ERROR_OVERLAP, names[part]);
        }
    places[OUTCOME] += 4;
    refused(run_at(plan, places), CONSORT_ERROR_ALIGNMENT, names[OUTCOME]);
    places[OUTCOME] -= 4;
    run_works(plan, places, PLACE_DEVICE, PLACE_DEVICE);
    place_free(PLACE_DEVICE, room);
    consort_plan_destroy(plan);
}

static consort_status plan_wide(int32_t device, consort_plan **plan)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = "msd";
    options.device = device;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U128;
    descriptor.maximum_count = COUNT;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    return consort_plan_create(&descriptor, plan);
}

/* Blocks of `msd` for keys of 128 bits need more shared memory than some GPUs have: the one that
 * the plan is for is asked, whether by its number or as that of the current context. */
static void test_unlike_gpus(void **state)
{
    (void)state;
    if (device_count() < 2)
        skip();
    for (int32_t current = 0; current < 2; current++) {
        const struct device *device = device_open(current);
        assert_int_equal(device_enter(device), CONSORT_OK);
        for (int32_t asked = -1; asked < 2; asked++) {
            const int32_t of = asked < 0 ? current : asked;
            const bool suits = device_describe(of)->shared_optin > 163 * 1024;
            consort_plan *plan;
            consort_plan_info info;
            consort_plan_info_init(&info);
            consort_status status = plan_wide(asked, &plan);
            assert_int_equal(status, suits ? CONSORT_OK : CONSORT_ERROR_UNSUPPORTED);
            if (!suits)
                continue;
            assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
            assert_int_equal(info.device, of);
            consort_plan_destroy(plan);
        }
        device_leave(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_of_another_gpu),
        cmocka_unit_test(test_overlaps),
        cmocka_unit_test(test_unlike_gpus),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
