/* SPDX-License-Identifier: Apache-2.0 */
/* Which arrays each operation reads and writes, for runs on host arrays. */
#include "cuda/staging/staging_arrays.h"

#include <stdlib.h>

#include "core/status.h"

enum {
    STAGING_FIXED_ARRAYS = 5, /* items, items_b, out, indices, offsets */
    STAGING_COLUMN_ARRAYS = 3
};

static void staging_add(struct staging_arrays *arrays, struct staging_array array)
{
    if (array.bytes > 0 && (array.from || array.to))
        arrays->items[arrays->count++] = array;
}

static uint64_t staging_selected(const struct request *request, const consort_arguments *host)
{
    if (request->operation != CONSORT_OPERATION_TOP_K)
        return host->count;
    uint64_t row = host->count / host->rows;
    return host->rows * (host->k < row ? host->k : row);
}

/* Where input and output have one place, the algorithm works in place in device memory. */
static bool staging_works_in_place(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_SORT ||
           request->operation == CONSORT_OPERATION_SEGMENTED_SORT;
}

static bool staging_writes_items(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_MERGE ||
           request->operation == CONSORT_OPERATION_TOP_K;
}

static void staging_list_items(struct staging_arrays *arrays, const struct request *request,
                               const consort_arguments *host)
{
    uint64_t item = request->item_bytes;
    uint64_t selected = staging_selected(request, host);
    uint64_t out = (selected + host->count_b) * item;
    bool in_place = staging_works_in_place(request);
    staging_add(arrays, (struct staging_array){.role = STAGING_ITEMS,
                                               .from = host->in,
                                               .to = in_place ? host->out : NULL,
                                               .bytes = host->count * item});
    staging_add(arrays, (struct staging_array){.role = STAGING_ITEMS_B,
                                               .from = host->in_b,
                                               .bytes = host->count_b * item});
    if (staging_writes_items(request))
        staging_add(arrays,
                    (struct staging_array){.role = STAGING_OUT, .to = host->out, .bytes = out});
    staging_add(arrays, (struct staging_array){.role = STAGING_INDICES,
                                               .to = host->indices,
                                               .bytes = selected * request->index_bytes});
    uint64_t offsets = host->segment_count > 0 ? host->segment_count + 1 : 0;
    staging_add(arrays, (struct staging_array){.role = STAGING_OFFSETS,
                                               .from = host->offsets,
                                               .bytes = offsets * request->offset_bytes});
}

static void staging_list_column(struct staging_arrays *arrays, const struct request *request,
                                const consort_arguments *host, uint32_t column)
{
    const consort_column *values = &host->values[column];
    uint64_t bytes = request->value_bytes[column];
    bool in_place = staging_works_in_place(request);
    staging_add(arrays, (struct staging_array){.role = STAGING_COLUMN,
                                               .column = column,
                                               .from = values->in,
                                               .to = in_place ? values->out : NULL,
                                               .bytes = host->count * bytes});
    staging_add(arrays, (struct staging_array){.role = STAGING_COLUMN_B,
                                               .column = column,
                                               .from = values->in_b,
                                               .bytes = host->count_b * bytes});
    if (!in_place)
        staging_add(arrays, (struct staging_array){.role = STAGING_COLUMN_OUT,
                                                   .column = column,
                                                   .to = values->out,
                                                   .bytes = (host->count + host->count_b) * bytes});
}

consort_status staging_arrays_list(struct staging_arrays *arrays, const struct request *request,
                                   const consort_arguments *host)
{
    uint64_t most = STAGING_FIXED_ARRAYS + STAGING_COLUMN_ARRAYS * (uint64_t)request->value_count;
    arrays->items = calloc(most, sizeof *arrays->items);
    arrays->columns = calloc((uint64_t)request->value_count + 1, sizeof *arrays->columns);
    if (!arrays->items || !arrays->columns)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    staging_list_items(arrays, request, host);
    for (uint32_t i = 0; i < request->value_count; i++)
        staging_list_column(arrays, request, host, i);
    return CONSORT_OK;
}

void staging_arrays_release(struct staging_arrays *arrays)
{
    free(arrays->items);
    free(arrays->columns);
}

static consort_status staging_locate(const void *pointer, int32_t device, enum pointer_kind *kind,
                                     bool *here)
{
    struct pointer_place place;
    consort_status status = pointer_locate(pointer, &place);
    *kind = place.kind;
    *here = place.kind == POINTER_DEVICE && place.device == device;
    return status;
}

consort_status staging_arrays_locate(struct staging_arrays *arrays, int32_t device)
{
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < arrays->count && status == CONSORT_OK; i++) {
        struct staging_array *array = &arrays->items[i];
        status = staging_locate(array->from, device, &array->from_kind, &array->from_here);
        if (status == CONSORT_OK)
            status = staging_locate(array->to, device, &array->to_kind, &array->to_here);
        array->owns = array->to ? !array->to_here : !array->from_here;
    }
    return status;
}

void staging_arrays_place(struct staging_arrays *arrays, char *block)
{
    for (uint32_t i = 0; i < arrays->count; i++) {
        struct staging_array *array = &arrays->items[i];
        void *own = array->owns ? block + array->offset : NULL;
        if (array->to)
            array->target = array->to_here ? array->to : own;
        if (array->from)
            array->source = array->from_here ? (void *)array->from
                            : array->to      ? array->target
                                             : own;
    }
}

bool staging_arrays_on_device(const struct staging_arrays *arrays)
{
    for (uint32_t i = 0; i < arrays->count; i++) {
        const struct staging_array *array = &arrays->items[i];
        if (array->from_kind >= POINTER_MANAGED || array->to_kind >= POINTER_MANAGED)
            return true;
    }
    return false;
}

bool staging_arrays_overwrite(const struct staging_arrays *arrays)
{
    for (uint32_t i = 0; i < arrays->count; i++)
        if (arrays->items[i].from_here && arrays->items[i].from == arrays->items[i].to)
            return true;
    return false;
}

static void staging_put(struct staging_arrays *arrays, const struct staging_array *array,
                        consort_arguments *arguments)
{
    consort_column *column = &arrays->columns[array->column];
    switch (array->role) {
    case STAGING_ITEMS:
        arguments->in = array->source;
        arguments->out = array->target ? array->target : arguments->out;
        break;
    case STAGING_ITEMS_B:
        arguments->in_b = array->source;
        break;
    case STAGING_OUT:
        arguments->out = array->target;
        break;
    case STAGING_INDICES:
        arguments->indices = array->target;
        break;
    case STAGING_OFFSETS:
        arguments->offsets = array->source;
        break;
    case STAGING_COLUMN:
        column->in = array->source;
        column->out = array->target ? array->target : column->out;
        break;
    case STAGING_COLUMN_B:
        column->in_b = array->source;
        break;
    case STAGING_COLUMN_OUT:
        column->out = array->target;
        break;
    }
}

consort_arguments staging_arrays_arguments(struct staging_arrays *arrays,
                                           const struct request *request,
                                           const consort_arguments *host)
{
    consort_arguments arguments = *host;
    arguments.in = arguments.in_b = arguments.offsets = NULL;
    arguments.out = arguments.indices = NULL;
    arguments.values = arrays->columns;
    for (uint32_t i = 0; i < request->value_count; i++)
        arrays->columns[i] = (consort_column){.element_bytes = request->value_bytes[i]};
    for (uint32_t i = 0; i < arrays->count; i++)
        staging_put(arrays, &arrays->items[i], &arguments);
    return arguments;
}
