/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in the wrong memory. */
#include "cuda/array_check.h"

#include "core/status.h"
#include "cuda/driver/pointer.h"

struct array_finding {
    const char *what; /* the first array of a kind that is looked for; NULL: none */
    struct pointer_place place;
};

/* One array; true ends the search. */
static bool array_is(enum pointer_kind kind, const char *what, const void *pointer,
                     struct array_finding *finding)
{
    struct pointer_place place;
    if (!pointer || pointer_locate(pointer, &place) != CONSORT_OK || place.kind != kind)
        return false;
    *finding = (struct array_finding){what, place};
    return true;
}

static struct array_finding array_find(enum pointer_kind kind, const consort_arguments *arguments,
                                       uint32_t value_count)
{
    struct array_finding finding = {NULL, {POINTER_PAGEABLE, -1}};
    if (arguments->count + arguments->count_b == 0 ||
        array_is(kind, "in", arguments->in, &finding) ||
        array_is(kind, "out", arguments->out, &finding) ||
        array_is(kind, "in_b", arguments->in_b, &finding) ||
        array_is(kind, "indices", arguments->indices, &finding) ||
        (arguments->segment_count > 0 && array_is(kind, "offsets", arguments->offsets, &finding)))
        return finding;
    for (uint32_t i = 0; i < value_count && arguments->values; i++) {
        const consort_column *column = &arguments->values[i];
        if (array_is(kind, "in of a value column", column->in, &finding) ||
            array_is(kind, "out of a value column", column->out, &finding) ||
            array_is(kind, "in_b of a value column", column->in_b, &finding))
            return finding;
    }
    return finding;
}

int32_t array_check_device_of(const consort_arguments *arguments, uint32_t value_count)
{
    if (!driver_is_loaded() || !driver_get())
        return -1;
    struct array_finding finding = array_find(POINTER_DEVICE, arguments, value_count);
    return finding.what ? finding.place.device : -1;
}

bool array_check_is_readable(const void *array)
{
    struct array_finding finding;
    return !driver_is_loaded() || !driver_get() ||
           !array_is(POINTER_DEVICE, "offsets", array, &finding);
}

consort_status array_check_host_run(const consort_arguments *arguments, uint32_t value_count)
{
    if (!driver_is_loaded() || !driver_get())
        return CONSORT_OK;
    struct array_finding finding = array_find(POINTER_DEVICE, arguments, value_count);
    if (!finding.what)
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_ARGUMENT,
                       "%s is memory of GPU %d, and this plan runs on the CPU: plan for "
                       "CONSORT_MEMORY_DEVICE, or for CONSORT_ENGINE_CUDA",
                       finding.what, finding.place.device);
}

consort_status array_check_device_run(const consort_arguments *arguments, uint32_t value_count,
                                      const void *workspace, const struct device *device)
{
    struct array_finding finding = {NULL, {POINTER_PAGEABLE, -1}};
    if (device->pageable_access)
        return CONSORT_OK;
    if (!array_is(POINTER_PAGEABLE, "workspace", workspace, &finding) &&
        !array_is(POINTER_PAGEABLE, "outcome", arguments->outcome, &finding))
        finding = array_find(POINTER_PAGEABLE, arguments, value_count);
    if (!finding.what)
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_ARGUMENT,
                       "%s is host memory that GPU %d cannot read: plan for CONSORT_MEMORY_HOST, "
                       "or use device, managed or pinned memory",
                       finding.what, device->ordinal);
}
