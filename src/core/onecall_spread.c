/* SPDX-License-Identifier: Apache-2.0 */
/* The one-call functions for lists in the memory of several GPUs: describe, plan, run, destroy. */
#include <stdlib.h>

#include "core/request.h"
#include "core/status.h"

static consort_status spread_run(consort_descriptor *descriptor, const consort_part *parts,
                                 uint64_t count)
{
    consort_arguments arguments;
    consort_plan *plan;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.parts = parts;
    consort_status status = consort_plan_create(descriptor, &plan);
    if (status != CONSORT_OK)
        return status;
    status = consort_plan_run(plan, &arguments, NULL, 0, NULL);
    consort_plan_destroy(plan);
    return status;
}

/* The sizes of the columns stand in the first part that has items. */
static consort_status spread_value_bytes(const consort_part *parts, uint32_t part_count,
                                         uint64_t *bytes, uint32_t value_count)
{
    const consort_part *filled = NULL;
    for (uint32_t p = 0; p < part_count && !filled; p++)
        filled = parts[p].count > 0 ? &parts[p] : NULL;
    if (filled && !filled->values && value_count > 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "values is NULL, value_count is %u",
                           value_count);
    for (uint32_t i = 0; i < value_count; i++)
        bytes[i] = filled ? filled->values[i].element_bytes : 1;
    return CONSORT_OK;
}

static consort_status spread_sort(consort_descriptor *descriptor, const consort_part *parts,
                                  uint32_t part_count, uint32_t value_count)
{
    int32_t devices[REQUEST_MOST_PARTS];
    uint64_t count = 0;
    if (part_count == 0 || part_count > REQUEST_MOST_PARTS || !parts)
        return status_fail(CONSORT_ERROR_ARGUMENT, "a spread list has 1 to %d parts",
                           REQUEST_MOST_PARTS);
    for (uint32_t p = 0; p < part_count; p++) {
        devices[p] = parts[p].device;
        if (__builtin_add_overflow(count, parts[p].count, &count))
            return status_fail(CONSORT_ERROR_ARGUMENT, "the counts of the parts overflow");
    }
    uint64_t *bytes = malloc((value_count + (uint64_t)1) * sizeof *bytes);
    if (!bytes)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    consort_status status = spread_value_bytes(parts, part_count, bytes, value_count);
    descriptor->memory = CONSORT_MEMORY_SPREAD;
    descriptor->maximum_count = count;
    descriptor->devices = devices;
    descriptor->device_count = part_count;
    descriptor->value_bytes = bytes;
    descriptor->value_count = value_count;
    if (status == CONSORT_OK)
        status = spread_run(descriptor, parts, count);
    free(bytes);
    return status;
}

consort_status consort_sort_spread(const consort_part *parts, uint32_t part_count,
                                   uint32_t value_count, consort_type type,
                                   const consort_options *options)
{
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.options = options;
    return spread_sort(&descriptor, parts, part_count, value_count);
}

consort_status consort_argsort_spread(const consort_part *parts, uint32_t part_count,
                                      consort_type index_type, consort_type type,
                                      const consort_options *options)
{
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_ARGSORT;
    descriptor.type = type;
    descriptor.index_type = index_type;
    descriptor.options = options;
    return spread_sort(&descriptor, parts, part_count, 0);
}
