/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in the wrong memory. */
#include "cuda/array_check.h"

#include "core/status.h"
#include "cuda/driver/pointer.h"

/* What is looked for in the arrays of a run, and the first that is so. */
struct array_search {
    bool (*wanted)(const struct array_search *search, const void *pointer,
                   const struct pointer_place *place);
    const struct device *device;
    const char *what; /* NULL: none */
    struct pointer_place place;
};

static bool array_is_on_gpu(const struct array_search *search, const void *pointer,
                            const struct pointer_place *place)
{
    (void)search;
    (void)pointer;
    return place->kind == POINTER_DEVICE;
}

/* The device is entered. */
static bool array_is_out_of_reach(const struct array_search *search, const void *pointer,
                                  const struct pointer_place *place)
{
    if (place->kind == POINTER_PAGEABLE)
        return !search->device->pageable_access;
    return place->kind == POINTER_DEVICE && place->device != search->device->ordinal &&
           !pointer_is_writable((CUdeviceptr)(uintptr_t)pointer);
}

/* One array; true ends the search. */
static bool array_ends(struct array_search *search, const char *what, const void *pointer)
{
    struct pointer_place place;
    if (!pointer || pointer_locate(pointer, &place) != CONSORT_OK ||
        !search->wanted(search, pointer, &place))
        return false;
    search->what = what;
    search->place = place;
    return true;
}

static void array_find(struct array_search *search, const consort_arguments *arguments,
                       uint32_t value_count)
{
    if (arguments->count + arguments->count_b == 0 || array_ends(search, "in", arguments->in) ||
        array_ends(search, "out", arguments->out) || array_ends(search, "in_b", arguments->in_b) ||
        array_ends(search, "indices", arguments->indices) ||
        (arguments->segment_count > 0 && array_ends(search, "offsets", arguments->offsets)))
        return;
    for (uint32_t i = 0; i < value_count && arguments->values; i++) {
        const consort_column *column = &arguments->values[i];
        if (array_ends(search, "in of a value column", column->in) ||
            array_ends(search, "out of a value column", column->out) ||
            array_ends(search, "in_b of a value column", column->in_b))
            return;
    }
}

int32_t array_check_device_of(const consort_arguments *arguments, uint32_t value_count)
{
    struct array_search search = {.wanted = array_is_on_gpu};
    if (!driver_is_loaded() || !driver_get())
        return -1;
    array_find(&search, arguments, value_count);
    return search.what ? search.place.device : -1;
}

bool array_check_is_readable(const void *array)
{
    struct array_search search = {.wanted = array_is_on_gpu};
    return !driver_is_loaded() || !driver_get() || !array_ends(&search, "offsets", array);
}

consort_status array_check_host_run(const consort_arguments *arguments, uint32_t value_count)
{
    struct array_search search = {.wanted = array_is_on_gpu};
    if (!driver_is_loaded() || !driver_get())
        return CONSORT_OK;
    array_find(&search, arguments, value_count);
    if (!search.what)
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_ARGUMENT,
                       "%s is memory of GPU %d, and this plan runs on the CPU: plan for "
                       "CONSORT_MEMORY_DEVICE, or for CONSORT_ENGINE_CUDA",
                       search.what, search.place.device);
}

consort_status array_check_device_run(const consort_arguments *arguments, uint32_t value_count,
                                      const void *workspace, const struct device *device)
{
    struct array_search search = {.wanted = array_is_out_of_reach, .device = device};
    if (device->pageable_access && device_count() == 1)
        return CONSORT_OK;
    if (!array_ends(&search, "workspace", workspace) &&
        !array_ends(&search, "outcome", arguments->outcome))
        array_find(&search, arguments, value_count);
    if (!search.what)
        return CONSORT_OK;
    if (search.place.kind == POINTER_DEVICE)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "%s is memory of GPU %d that GPU %d does not reach: plan for that GPU",
                           search.what, search.place.device, device->ordinal);
    return status_fail(CONSORT_ERROR_ARGUMENT,
                       "%s is host memory that GPU %d cannot read: plan for CONSORT_MEMORY_HOST, "
                       "or use device, managed or pinned memory",
                       search.what, device->ordinal);
}
