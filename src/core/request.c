/* SPDX-License-Identifier: Apache-2.0 */
/* From a descriptor to a request: every member checked, every array copied. */
#include "core/request.h"

#include <stdlib.h>
#include <string.h>

#include "core/sized.h"
#include "core/status.h"
#include "core/type.h"

bool request_is_aligned(const struct request *request)
{
    int32_t kind = type_kind(request->type);
    bool anywhere = kind == CONSORT_KIND_BYTES || kind == CONSORT_KIND_RECORD;
    return !anywhere || request->item_bytes == 1;
}

bool request_is_apart(const struct request *request)
{
    return request->apart && request->memory == CONSORT_MEMORY_DEVICE;
}

bool request_is_plain(const struct request *request)
{
    return request_is_aligned(request) && order_is_plain(&request->order);
}

uint64_t request_bytes(uint64_t a, uint64_t b)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product) || product > (uint64_t)PTRDIFF_MAX)
        return UINT64_MAX;
    return product;
}

void consort_options_init(consort_options *options)
{
    if (options)
        *options = (consort_options){
            .size = sizeof *options, .stable = 1, .device = -1, .workspace_limit = UINT64_MAX};
}

void consort_descriptor_init(consort_descriptor *descriptor)
{
    if (descriptor)
        *descriptor = (consort_descriptor){.size = sizeof *descriptor, .maximum_rows = 1};
}

static consort_status request_bad(const char *what)
{
    return status_fail(CONSORT_ERROR_ARGUMENT, "%s", what);
}

static bool request_order_is_valid(int32_t direction, int32_t float_order)
{
    return (direction == CONSORT_ASCENDING || direction == CONSORT_DESCENDING) &&
           float_order >= CONSORT_NAN_LAST && float_order <= CONSORT_NUMPY_ORDER;
}

static consort_status request_check_options(const consort_options *options)
{
    if (!request_order_is_valid(options->direction, options->float_order))
        return request_bad("options: direction must be 0 or 1 and float_order 0 to 3");
    if (options->stable != 0 && options->stable != 1)
        return request_bad("options: stable must be 0 or 1");
    if (options->engine < CONSORT_ENGINE_AUTO || options->engine > CONSORT_ENGINE_CUDA)
        return request_bad("options: unknown engine");
    if (options->device < CONSORT_DEVICE_ALL)
        return request_bad("options: device must be CONSORT_DEVICE_ALL, -1 or a device number");
    if (options->device != -1 && options->engine != CONSORT_ENGINE_CUDA)
        return request_bad("options: a device needs engine = CONSORT_ENGINE_CUDA");
    if (options->parameter_count > 0 && !options->algorithm)
        return request_bad("options: parameters need an algorithm by force");
    if (options->parameter_count > 64 || (options->parameter_count > 0 && !options->parameters))
        return request_bad("options: parameters is NULL or parameter_count is above 64");
    return CONSORT_OK;
}

static consort_status request_copy_options(struct request *request, const consort_options *options)
{
    request->engine = options->engine;
    request->workspace_limit = options->workspace_limit;
    request->context = options->context ? options->context : context_default();
    if (!request->context)
        return CONSORT_ERROR_MEMORY;
    uint32_t threads = request->context->threads;
    request->threads = options->threads && options->threads < threads ? options->threads : threads;
    if (!options->algorithm)
        return CONSORT_OK;
    request->algorithm = strdup(options->algorithm);
    request->parameters = calloc(options->parameter_count + 1, sizeof *request->parameters);
    if (!request->algorithm || !request->parameters)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    for (uint64_t i = 0; i < options->parameter_count; i++) {
        if (!options->parameters[i].name)
            return request_bad("options: a parameter's name is NULL");
        request->parameters[i].value = options->parameters[i].value;
        request->parameters[i].name = strdup(options->parameters[i].name);
        if (!request->parameters[i].name)
            return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
        request->parameter_count++;
    }
    return CONSORT_OK;
}

static consort_status request_check_field(const consort_field *field, uint64_t record_bytes,
                                          uint32_t index)
{
    if (!type_is_key(field->type))
        return status_fail(CONSORT_ERROR_ARGUMENT, "field %u: 0x%x is no key type", index,
                           (unsigned)field->type);
    if (!request_order_is_valid(field->direction, field->float_order) || field->reserved != 0)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "field %u: bad direction, float_order or reserved", index);
    uint32_t bytes = consort_type_size(field->type);
    if (field->offset > record_bytes || bytes > record_bytes - field->offset)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "field %u: %u bytes from byte %llu on are outside the record of %llu "
                           "bytes",
                           index, bytes, (unsigned long long)field->offset,
                           (unsigned long long)record_bytes);
    return CONSORT_OK;
}

static consort_status request_order_of_records(struct request *request,
                                               const consort_descriptor *descriptor)
{
    if (descriptor->record_bytes == 0)
        return request_bad("descriptor: record_bytes must be at least 1");
    if (descriptor->field_count == 0 || descriptor->field_count > REQUEST_MAXIMUM_FIELDS)
        return status_fail(CONSORT_ERROR_ARGUMENT, "descriptor: field_count must be 1 to %d",
                           REQUEST_MAXIMUM_FIELDS);
    if (!descriptor->fields)
        return request_bad("descriptor: fields is NULL");
    for (uint32_t i = 0; i < descriptor->field_count; i++) {
        consort_status status =
            request_check_field(&descriptor->fields[i], descriptor->record_bytes, i);
        if (status != CONSORT_OK)
            return status;
    }
    if (!order_of_fields(&request->order, descriptor->record_bytes, descriptor->fields,
                         descriptor->field_count))
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    return CONSORT_OK;
}

static consort_status request_make_order(struct request *request,
                                         const consort_descriptor *descriptor,
                                         const consort_options *options)
{
    bool is_key = type_is_key(descriptor->type);
    if (!is_key && (options->direction != 0 || options->float_order != 0))
        return request_bad("options: direction and float_order must be 0 for records (the fields "
                           "have their own) and for callbacks");
    if (is_key) {
        if (!order_of_type(&request->order, descriptor->type, options->direction,
                           options->float_order))
            return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
        return CONSORT_OK;
    }
    if (descriptor->type == CONSORT_RECORD)
        return request_order_of_records(request, descriptor);
    if (descriptor->type != CONSORT_CALLBACK)
        return status_fail(CONSORT_ERROR_ARGUMENT, "descriptor: 0x%x is no type",
                           (unsigned)descriptor->type);
    if (!descriptor->compare || descriptor->record_bytes == 0)
        return request_bad("descriptor: a callback order needs compare and record_bytes");
    order_of_callback(&request->order, descriptor->record_bytes, descriptor->compare,
                      descriptor->compare_context);
    return CONSORT_OK;
}

static consort_status request_copy_values(struct request *request,
                                          const consort_descriptor *descriptor)
{
    uint32_t count = descriptor->value_count;
    bool takes_values = descriptor->operation == CONSORT_OPERATION_SORT ||
                        descriptor->operation == CONSORT_OPERATION_MERGE ||
                        descriptor->operation == CONSORT_OPERATION_SEGMENTED_SORT;
    if (count > 0 && !takes_values)
        return status_fail(CONSORT_ERROR_ARGUMENT, "descriptor: %s takes no values",
                           consort_operation_name(descriptor->operation));
    if (count > 0 && (!descriptor->value_bytes || count > REQUEST_MAXIMUM_COLUMNS))
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "descriptor: value_bytes is NULL or value_count is above %d",
                           REQUEST_MAXIMUM_COLUMNS);
    request->value_bytes = calloc((uint64_t)count + 1, sizeof *request->value_bytes);
    if (!request->value_bytes)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    request->value_bytes[count] = request->item_bytes;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes = descriptor->value_bytes[i];
        if (bytes == 0 || request_bytes(bytes, request->maximum_count) == UINT64_MAX)
            return status_fail(CONSORT_ERROR_ARGUMENT,
                               "value column %u: %llu bytes an element are 0 or too many", i,
                               (unsigned long long)bytes);
        request->value_bytes[i] = bytes;
    }
    request->value_count = count;
    return CONSORT_OK;
}

static consort_status request_check_index(struct request *request, consort_type index_type)
{
    bool optional = request->operation == CONSORT_OPERATION_TOP_K;
    if (optional && index_type == 0)
        return CONSORT_OK;
    if (!type_is_index(index_type))
        return request_bad("descriptor: index_type must be CONSORT_U32 or CONSORT_U64");
    request->index_bytes = type_bytes(index_type);
    if (request->index_bytes == 4 && request->maximum_count > (uint64_t)1 << 32)
        return request_bad("descriptor: u32 indices reach 2^32 items; use CONSORT_U64");
    if (!optional && request_bytes(request->index_bytes, request->maximum_count) == UINT64_MAX)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "descriptor: indices of %llu items are more than an address space",
                           (unsigned long long)request->maximum_count);
    return CONSORT_OK;
}

static consort_status request_check_operation(struct request *request,
                                              const consort_descriptor *descriptor)
{
    switch (request->operation) {
    case CONSORT_OPERATION_ARGSORT:
        return request_check_index(request, descriptor->index_type);
    case CONSORT_OPERATION_TOP_K:
        request->maximum_k = descriptor->maximum_k;
        request->maximum_rows = descriptor->maximum_rows;
        if (request->maximum_rows == 0)
            return request_bad("descriptor: maximum_rows must be at least 1");
        return request_check_index(request, descriptor->index_type);
    case CONSORT_OPERATION_SEGMENTED_SORT:
        if (!type_is_index(descriptor->offset_type))
            return request_bad("descriptor: offset_type must be CONSORT_U32 or CONSORT_U64");
        request->offset_bytes = type_bytes(descriptor->offset_type);
        request->maximum_segments = descriptor->maximum_segments;
        if (request->maximum_segments >= (uint64_t)PTRDIFF_MAX / 16)
            return request_bad("descriptor: maximum_segments is beyond any address space");
        return CONSORT_OK;
    case CONSORT_OPERATION_SORT:
    case CONSORT_OPERATION_MERGE:
    case CONSORT_OPERATION_IS_SORTED:
        return CONSORT_OK;
    default:
        return status_fail(CONSORT_ERROR_ARGUMENT, "descriptor: %d is no operation",
                           request->operation);
    }
}

/* The devices of a list that is spread over several. */
static consort_status request_copy_devices(struct request *request,
                                           const consort_descriptor *descriptor)
{
    uint64_t count = descriptor->device_count;
    if (request->memory != CONSORT_MEMORY_SPREAD)
        return count == 0 ? CONSORT_OK
                          : request_bad("descriptor: devices are for CONSORT_MEMORY_SPREAD");
    if (count == 0 || count > REQUEST_MOST_PARTS || !descriptor->devices)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "descriptor: a spread list has 1 to %d parts, each with its device",
                           REQUEST_MOST_PARTS);
    if (request->device != -1 || request->engine == CONSORT_ENGINE_CPU)
        return request_bad("descriptor: a spread list is sorted by the GPUs of its parts, not by "
                           "an engine or a device of the options");
    request->devices = calloc(count, sizeof *request->devices);
    if (!request->devices)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    for (uint64_t i = 0; i < count; i++) {
        request->devices[i] = descriptor->devices[i];
        if (request->devices[i] < 0)
            return request_bad("descriptor: a part's device is no device number");
    }
    request->device_count = (uint32_t)count;
    return CONSORT_OK;
}

static consort_status request_check_places(struct request *request,
                                           const consort_descriptor *descriptor)
{
    request->memory = descriptor->memory;
    request->apart = descriptor->form == CONSORT_FORM_APART;
    request->form = request->apart ? CONSORT_FORM_COPY : descriptor->form;
    if (request->memory < CONSORT_MEMORY_HOST || request->memory > CONSORT_MEMORY_SPREAD)
        return request_bad("descriptor: unknown memory");
    if (request->form < CONSORT_FORM_COPY || request->form > CONSORT_FORM_PIECES)
        return request_bad("descriptor: unknown form");
    if (request->form == CONSORT_FORM_DOUBLE_BUFFER &&
        request->operation != CONSORT_OPERATION_SORT &&
        request->operation != CONSORT_OPERATION_SEGMENTED_SORT)
        return request_bad("descriptor: CONSORT_FORM_DOUBLE_BUFFER is for sort and segmented sort");
    if (request->form == CONSORT_FORM_PIECES &&
        (request->operation != CONSORT_OPERATION_SORT || request->memory != CONSORT_MEMORY_HOST))
        return request_bad("descriptor: CONSORT_FORM_PIECES is for sort, in host memory");
    if (descriptor->replay != 0 && descriptor->replay != 1)
        return request_bad("descriptor: replay must be 0 or 1");
    if (descriptor->reserved != 0)
        return request_bad("descriptor: reserved must be 0");
    request->replay = descriptor->replay && request->memory == CONSORT_MEMORY_DEVICE;
    if (request->memory == CONSORT_MEMORY_DEVICE && request->device == CONSORT_DEVICE_ALL)
        return request_bad("descriptor: arrays in device memory are sorted by one GPU, not by "
                           "CONSORT_DEVICE_ALL");
    request->item_bytes = request->order.item_bytes;
    if (request_bytes(request->maximum_count, request->item_bytes) == UINT64_MAX)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "descriptor: %llu items of %llu bytes are more than an address space",
                           (unsigned long long)request->maximum_count,
                           (unsigned long long)request->item_bytes);
    return CONSORT_OK;
}

static bool request_stability_shows(const struct request *request)
{
    bool moves_items = request->operation == CONSORT_OPERATION_SORT ||
                       request->operation == CONSORT_OPERATION_SEGMENTED_SORT ||
                       request->operation == CONSORT_OPERATION_ARGSORT;
    return moves_items &&
           (request->value_count > 0 || request->index_bytes > 0 || !request->order.injective);
}

consort_status request_make(struct request *request, const consort_descriptor *caller)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    if (!sized_read(&descriptor, sizeof descriptor, caller, "consort_descriptor") ||
        (descriptor.options &&
         !sized_read(&options, sizeof options, descriptor.options, "consort_options")))
        return CONSORT_ERROR_ARGUMENT;
    request->operation = descriptor.operation;
    request->type = descriptor.type;
    request->maximum_count = descriptor.maximum_count;
    request->device = options.device;
    consort_status status = request_check_options(&options);
    if (status == CONSORT_OK)
        status = request_check_operation(request, &descriptor);
    if (status == CONSORT_OK)
        status = request_make_order(request, &descriptor, &options);
    if (status == CONSORT_OK)
        status = request_check_places(request, &descriptor);
    if (status == CONSORT_OK)
        status = request_copy_values(request, &descriptor);
    if (status == CONSORT_OK)
        status = request_copy_options(request, &options);
    if (status == CONSORT_OK)
        status = request_copy_devices(request, &descriptor);
    request->needs_stable = options.stable && request_stability_shows(request);
    return status;
}

void request_release(struct request *request)
{
    for (uint64_t i = 0; i < request->parameter_count; i++)
        free(request->parameters[i].name);
    free(request->parameters);
    free(request->algorithm);
    free(request->value_bytes);
    free(request->devices);
    order_release(&request->order);
}
