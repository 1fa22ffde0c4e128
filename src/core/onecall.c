/* SPDX-License-Identifier: Apache-2.0 */
/* The one-call functions: describe, plan, run, destroy. */
#include <stddef.h>
#include <stdlib.h>

#include "core/request.h"
#include "core/sized.h"
#include "core/status.h"
#include "cuda/array_check.h"

/* Arrays in the memory of a GPU are sorted there, unless an engine is forced. */
static consort_status onecall_place(consort_descriptor *descriptor,
                                    const consort_arguments *arguments, consort_options *options)
{
    int32_t device = array_check_device_of(arguments, descriptor->value_count);
    consort_options_init(options);
    if (device < 0)
        return CONSORT_OK;
    if (descriptor->options &&
        !sized_read(options, sizeof *options, descriptor->options, "consort_options"))
        return CONSORT_ERROR_ARGUMENT;
    if (options->engine != CONSORT_ENGINE_AUTO)
        return CONSORT_OK;
    options->engine = CONSORT_ENGINE_CUDA;
    options->device = options->device < 0 ? device : options->device;
    descriptor->options = options;
    return CONSORT_OK;
}

static consort_status onecall_run(const consort_descriptor *caller,
                                  const consort_arguments *arguments)
{
    consort_plan *plan;
    consort_descriptor placed = *caller;
    consort_options options;
    consort_status status = onecall_place(&placed, arguments, &options);
    if (status == CONSORT_OK)
        status = consort_plan_create(&placed, &plan);
    if (status != CONSORT_OK)
        return status;
    status = consort_plan_run(plan, arguments, NULL, 0, NULL);
    consort_plan_destroy(plan);
    return status;
}

/* The sizes of the columns stand in a list of their own in the descriptor. */
static consort_status onecall_run_columns(consort_descriptor *descriptor,
                                          consort_arguments *arguments,
                                          const consort_column *values, uint32_t value_count)
{
    if (value_count > 0 && !values)
        return status_fail(CONSORT_ERROR_ARGUMENT, "values is NULL, value_count is %u",
                           value_count);
    if (value_count > REQUEST_MAXIMUM_COLUMNS)
        return status_fail(CONSORT_ERROR_ARGUMENT, "value_count is %u, at most %d are possible",
                           value_count, REQUEST_MAXIMUM_COLUMNS);
    uint64_t few[8];
    uint64_t *bytes = few;
    if (value_count > 8)
        bytes = malloc(value_count * sizeof *bytes);
    if (!bytes)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; i < value_count; i++)
        bytes[i] = values[i].element_bytes;
    descriptor->value_bytes = bytes;
    descriptor->value_count = value_count;
    arguments->values = values;
    consort_status status = onecall_run(descriptor, arguments);
    if (bytes != few)
        free(bytes);
    return status;
}

static void onecall_begin(consort_descriptor *descriptor, consort_arguments *arguments,
                          int32_t operation, consort_type type, const void *in, void *out,
                          uint64_t count, const consort_options *options)
{
    consort_descriptor_init(descriptor);
    consort_arguments_init(arguments);
    descriptor->operation = operation;
    descriptor->type = type;
    descriptor->maximum_count = count;
    descriptor->options = options;
    arguments->count = count;
    arguments->in = in;
    arguments->out = out;
}

consort_status consort_sort(const void *in, void *out, uint64_t count, consort_type type,
                            const consort_options *options)
{
    return consort_sort_pairs(in, out, NULL, 0, count, type, options);
}

consort_status consort_sort_pairs(const void *keys_in, void *keys_out, const consort_column *values,
                                  uint32_t value_count, uint64_t count, consort_type type,
                                  const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_SORT, type, keys_in, keys_out, count,
                  options);
    return onecall_run_columns(&descriptor, &arguments, values, value_count);
}

consort_status consort_argsort(const void *keys, void *indices, consort_type index_type,
                               uint64_t count, consort_type type, const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_ARGSORT, type, keys, NULL, count,
                  options);
    descriptor.index_type = index_type;
    arguments.indices = indices;
    return onecall_run(&descriptor, &arguments);
}

consort_status consort_sort_records(const void *in, void *out, uint64_t count,
                                    uint64_t record_bytes, const consort_field *fields,
                                    uint32_t field_count, const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_SORT, CONSORT_RECORD, in, out, count,
                  options);
    descriptor.record_bytes = record_bytes;
    descriptor.fields = fields;
    descriptor.field_count = field_count;
    return onecall_run(&descriptor, &arguments);
}

consort_status consort_sort_by(const void *in, void *out, uint64_t count, uint64_t element_bytes,
                               consort_compare compare, void *compare_context,
                               const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_SORT, CONSORT_CALLBACK, in, out, count,
                  options);
    descriptor.record_bytes = element_bytes;
    descriptor.compare = compare;
    descriptor.compare_context = compare_context;
    return onecall_run(&descriptor, &arguments);
}

consort_status consort_merge(const void *a, uint64_t count_a, const void *b, uint64_t count_b,
                             void *out, const consort_column *values, uint32_t value_count,
                             consort_type type, const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    uint64_t total = count_a + count_b;
    if (total < count_a)
        return status_fail(CONSORT_ERROR_ARGUMENT, "merge: count_a + count_b overflows");
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_MERGE, type, a, out, total, options);
    arguments.count = count_a;
    arguments.in_b = b;
    arguments.count_b = count_b;
    return onecall_run_columns(&descriptor, &arguments, values, value_count);
}

consort_status consort_segmented_sort(const void *in, void *out, uint64_t count,
                                      const void *offsets, consort_type offset_type,
                                      uint64_t segment_count, const consort_column *values,
                                      uint32_t value_count, consort_type type,
                                      const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_SEGMENTED_SORT, type, in, out, count,
                  options);
    descriptor.offset_type = offset_type;
    descriptor.maximum_segments = segment_count;
    arguments.offsets = offsets;
    arguments.segment_count = segment_count;
    return onecall_run_columns(&descriptor, &arguments, values, value_count);
}

consort_status consort_top_k(const void *in, uint64_t count, uint64_t k, void *keys_out,
                             void *indices_out, consort_type index_type, consort_type type,
                             const consort_options *options)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_TOP_K, type, in, keys_out, count,
                  options);
    descriptor.index_type = indices_out ? index_type : 0;
    descriptor.maximum_k = k < count ? k : count;
    arguments.k = descriptor.maximum_k;
    arguments.indices = indices_out;
    return onecall_run(&descriptor, &arguments);
}

consort_status consort_is_sorted(const void *keys, uint64_t count, consort_type type,
                                 const consort_options *options, uint64_t *first_disorder)
{
    if (!first_disorder)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_is_sorted: first_disorder is NULL");
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_outcome outcome;
    onecall_begin(&descriptor, &arguments, CONSORT_OPERATION_IS_SORTED, type, keys, NULL, count,
                  options);
    arguments.outcome = &outcome;
    consort_status status = onecall_run(&descriptor, &arguments);
    if (status == CONSORT_OK)
        *first_disorder = outcome.position;
    return status;
}
