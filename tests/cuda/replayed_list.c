/* SPDX-License-Identifier: Apache-2.0 */
#include "replayed_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "device_array.h"
#include "device_run.h"
#include "support/random.h"

struct watched_driver watched;

static CUresult count_launch(CUgraphExec graph, CUstream stream)
{
    if (watched.refuse_launch)
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    void (*const meanwhile)(void) = atomic_exchange(&watched.meanwhile, NULL);
    if (meanwhile)
        meanwhile();
    watched.graph_launches++;
    return watched.real.cuGraphLaunch(graph, stream);
}

static CUresult count_instance(CUgraphExec *graph, CUgraph from, unsigned long long flags)
{
    watched.instantiated++;
    return watched.refuse_instance ? CUDA_ERROR_OUT_OF_MEMORY
                                   : watched.real.cuGraphInstantiate(graph, from, flags);
}

static CUresult count_destroyed(CUgraphExec graph)
{
    watched.destroyed++;
    return watched.real.cuGraphExecDestroy(graph);
}

static CUresult begin_capture(CUstream stream, CUstreamCaptureMode mode)
{
    return watched.refuse_capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
                                  : watched.real.cuStreamBeginCapture(stream, mode);
}

void watched_begin(void)
{
    struct driver *driver = (struct driver *)driver_get();
    watched.real = *driver;
    driver->cuGraphLaunch = count_launch;
    driver->cuGraphInstantiate = count_instance;
    driver->cuGraphExecDestroy = count_destroyed;
    driver->cuStreamBeginCapture = begin_capture;
}

int watched_forget(void **state)
{
    (void)state;
    watched = (struct watched_driver){.real = watched.real};
    return 0;
}

consort_plan *replayed_plan(int32_t replay, int32_t memory)
{
    return replayed_plan_of(CONSORT_U32, REPLAYED_VALUE, REPLAYED_COUNT, replay, memory);
}

consort_plan *replayed_plan_of(consort_type type, uint64_t value_bytes, uint64_t count,
                               int32_t replay, int32_t memory)
{
    consort_descriptor descriptor;
    consort_options options = device_run_options(CONSORT_ENGINE_CUDA, 0, 0);
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.maximum_count = count;
    descriptor.value_bytes = &value_bytes;
    descriptor.value_count = value_bytes > 0;
    descriptor.memory = memory;
    descriptor.options = &options;
    descriptor.replay = replay;
    return device_run_plan(&descriptor);
}

void replayed_make(struct replayed_list *list, consort_plan *plan)
{
    *list = (struct replayed_list){.plan = plan, .seed = 1};
    consort_arguments_init(&list->arguments);
    list->arguments.count = REPLAYED_COUNT;
    list->arguments.in = device_array_new(NULL, REPLAYED_COUNT * sizeof(uint32_t), 0);
    list->arguments.out = device_array_new(NULL, REPLAYED_COUNT * sizeof(uint32_t), 0);
    list->column =
        (consort_column){.in = device_array_new(NULL, REPLAYED_COUNT * REPLAYED_VALUE, 0),
                         .out = device_array_new(NULL, REPLAYED_COUNT * REPLAYED_VALUE, 0),
                         .element_bytes = REPLAYED_VALUE};
    list->workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    assert_int_equal(watched.real.cuStreamCreate(&list->stream, CU_STREAM_NON_BLOCKING),
                     CUDA_SUCCESS);
}

void replayed_free(struct replayed_list *list)
{
    watched.real.cuStreamDestroy(list->stream);
    device_array_free(list->workspace, 0);
    device_array_free((void *)list->column.in, 0);
    device_array_free(list->column.out, 0);
    device_array_free((void *)list->arguments.in, 0);
    device_array_free(list->arguments.out, 0);
}

static void upload(const void *to, const void *from, uint64_t bytes)
{
    assert_int_equal(watched.real.cuMemcpyHtoD((CUdeviceptr)(uintptr_t)to, from, bytes),
                     CUDA_SUCCESS);
    assert_int_equal(watched.real.cuCtxSynchronize(), CUDA_SUCCESS);
}

void replayed_fill(struct replayed_list *list, uint32_t *keys)
{
    for (uint64_t i = 0; i < REPLAYED_COUNT; i++)
        keys[i] = (uint32_t)random_below(&list->seed, 1000);
    upload(list->arguments.in, keys, REPLAYED_COUNT * sizeof *keys);
    upload(list->column.in, keys, REPLAYED_COUNT * sizeof *keys);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void replayed_check(const struct replayed_list *list, uint32_t *keys)
{
    const uint64_t bytes = list->arguments.count * sizeof *keys;
    uint32_t *found = malloc(REPLAYED_COUNT * sizeof *keys);
    assert_non_null(found);
    qsort(keys, list->arguments.count, sizeof *keys, by_value);
    device_array_read(found, list->arguments.out, bytes);
    assert_memory_equal(found, keys, bytes);
    device_array_read(found, list->column.out, bytes);
    assert_memory_equal(found, keys, bytes);
    free(found);
}

consort_status replayed_run(const struct replayed_list *list)
{
    return consort_plan_run(list->plan, &list->arguments, list->workspace,
                            consort_plan_workspace(list->plan), list->stream);
}

bool replayed_sort(struct replayed_list *list)
{
    uint32_t *keys = malloc(REPLAYED_COUNT * sizeof *keys);
    assert_non_null(keys);
    const uint32_t before = watched.graph_launches;
    list->arguments.values = &list->column;
    replayed_fill(list, keys);
    if (replayed_run(list) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    assert_int_equal(watched.real.cuStreamSynchronize(list->stream), CUDA_SUCCESS);
    replayed_check(list, keys);
    free(keys);
    return watched.graph_launches > before;
}
