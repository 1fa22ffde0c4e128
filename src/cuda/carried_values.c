/* SPDX-License-Identifier: Apache-2.0 */
/* Which values move with the keys. */
#include "cuda/carried_values.h"

bool carried_values_are_indices(const struct request *request)
{
    uint64_t bytes = request->value_count == 1 ? request->value_bytes[0] : 0;
    return request->value_count > 0 && bytes != 4 && bytes != 8 && bytes != 16;
}

uint32_t carried_values_bytes(const struct request *request)
{
    if (request->operation == CONSORT_OPERATION_ARGSORT)
        return request->index_bytes;
    if (carried_values_are_indices(request))
        return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
    return request->value_count == 1 ? (uint32_t)request->value_bytes[0] : 0;
}

uint64_t carried_values_widest_column(const struct request *request)
{
    uint64_t widest = 0;
    if (request_is_apart(request))
        return 0;
    for (uint32_t i = 0; i < request->value_count; i++)
        if (request->value_bytes[i] > widest)
            widest = request->value_bytes[i];
    return widest * request->maximum_count;
}

bool carried_values_use_both_buffers(const struct request *request)
{
    return request->form == CONSORT_FORM_DOUBLE_BUFFER && request->memory == CONSORT_MEMORY_DEVICE;
}
