/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a long list and where they are. */
#include "multi/multi_list.h"

#include <stdlib.h>

#include "core/status.h"
#include "cuda/driver/pointer.h"

enum {
    LIST_ALIGNMENT = 64
};

static bool list_is_numbered(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_ARGSORT;
}

uint32_t multi_list_columns(const struct request *request)
{
    return 1 + (list_is_numbered(request) ? 1 : request->value_count);
}

uint64_t multi_list_bytes(const struct request *request, uint32_t column)
{
    if (column == 0)
        return request->item_bytes;
    return list_is_numbered(request) ? request->index_bytes : request->value_bytes[column - 1];
}

/* UINT64_MAX if that is more than an address space holds. */
static uint64_t list_column_room(const struct request *request, uint32_t column, uint64_t count)
{
    uint64_t bytes = request_bytes(multi_list_bytes(request, column), count);
    return bytes == UINT64_MAX ? bytes : (bytes + LIST_ALIGNMENT - 1) & -(uint64_t)LIST_ALIGNMENT;
}

uint64_t multi_list_workspace(const struct request *request)
{
    uint64_t bytes = 0;
    for (uint32_t c = 0; c < multi_list_columns(request); c++)
        if (__builtin_add_overflow(bytes, list_column_room(request, c, request->maximum_count),
                                   &bytes))
            return UINT64_MAX;
    return bytes;
}

static consort_status list_locate(const void *pointer, bool *carried, bool *on_device)
{
    struct pointer_place place;
    consort_status status = pointer_locate(pointer, &place);
    *carried = place.kind == POINTER_PAGEABLE || place.kind == POINTER_MANAGED;
    *on_device |= place.kind == POINTER_DEVICE || place.kind == POINTER_MANAGED;
    return status;
}

static void list_point(struct multi_list *list, const struct request *request,
                       const consort_arguments *arguments, char *workspace)
{
    for (uint32_t c = 0; c < list->column_count; c++) {
        struct multi_column *column = &list->columns[c];
        const consort_column *values = c > 0 && !list_is_numbered(request) //
                                           ? &arguments->values[c - 1]
                                           : NULL;
        column->bytes = multi_list_bytes(request, c);
        column->in = values ? values->in : c == 0 ? arguments->in : NULL;
        column->out = values ? values->out : c == 0 ? arguments->out : arguments->indices;
        if (c == 0 && list_is_numbered(request))
            column->out = NULL;
        column->runs = workspace;
        if (workspace)
            workspace += list_column_room(request, c, list->count);
        list->in_place |= column->in == column->out;
    }
}

consort_status multi_list_make(struct multi_list *list, const struct request *request,
                               const consort_arguments *arguments, void *workspace)
{
    *list =
        (struct multi_list){.count = arguments->count, .column_count = multi_list_columns(request)};
    list->columns = calloc(list->column_count, sizeof *list->columns);
    if (!list->columns)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    list_point(list, request, arguments, workspace);
    consort_status status = list_locate(workspace, &list->runs_carried, &list->on_device);
    for (uint32_t c = 0; c < list->column_count && status == CONSORT_OK; c++) {
        struct multi_column *column = &list->columns[c];
        status = list_locate(column->in, &column->in_carried, &list->on_device);
        if (status == CONSORT_OK)
            status = list_locate(column->out, &column->out_carried, &list->on_device);
    }
    return status;
}

void multi_list_release(struct multi_list *list)
{
    free(list->columns);
}
