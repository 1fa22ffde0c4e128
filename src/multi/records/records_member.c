/* SPDX-License-Identifier: Apache-2.0 */
/* One part of a spread list of records: its kernels, its memory, its windows. */
#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/items/items_layout.h"
#include "cuda/sorts/normalised/normalised_windows.h"
#include "cuda/sorts/scan/cuda_scan.h"
#include "multi/multi_devices.h"
#include "multi/records/records.h"

enum {
    MEMBER_BLOCKS = 8 /* a multiprocessor: all that fit */
};

static consort_status member_prepare_check(struct records_member *member,
                                           const struct request *request)
{
    member->check.request = *request;
    member->check.request.operation = CONSORT_OPERATION_IS_SORTED;
    member->check.request.memory = CONSORT_MEMORY_DEVICE;
    member->check.algorithm = &cuda_scan_is_sorted;
    member->check.workspace = cuda_scan_is_sorted.workspace(&member->check.request, NULL);
    return cuda_scan_is_sorted.prepare(&member->check, member->device);
}

consort_status records_member_prepare(struct records_member *member, const struct request *request)
{
    const struct device *device = member->device;
    char encode[32];
    snprintf(encode, sizeof encode, "normalised_encode_%u", 8 * records_window_bytes(request));
    member->blocks = MEMBER_BLOCKS * (uint32_t)device->processors;
    member->encode =
        (struct launch){kernels_find(device, "normalised", encode, 0), NORMALISED_THREADS, 0};
    if (!member->encode.function)
        return consort_last_error()->status;
    member->number =
        (struct launch){kernels_find(device, "items", "items_number", 0), ITEMS_THREADS, 0};
    if (!member->number.function)
        return consort_last_error()->status;
    return member_prepare_check(member, request);
}

static consort_status member_check_arrays(const struct records *r,
                                          const struct records_member *member)
{
    const struct request *request = &r->plan->request;
    const consort_part *part = member->part;
    consort_status status = multi_device_holds(member->device, "an input", part->in);
    if (status == CONSORT_OK)
        status = multi_device_holds(member->device, "an output", part->out);
    if (status == CONSORT_OK)
        status = multi_device_holds(member->device, "an output", part->indices);
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++) {
        status = multi_device_holds(member->device, "an input", part->values[i].in);
        if (status == CONSORT_OK)
            status = multi_device_holds(member->device, "an output", part->values[i].out);
    }
    return status;
}

static bool member_copies_items(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_ARGSORT && records_move(request);
}

static consort_status member_allocate(const struct records *r, struct records_member *member)
{
    const struct request *request = &r->plan->request;
    uint64_t count = member->part->count, end = 0;
    bool copies = member_copies_items(request);
    uint64_t windows = launch_take(&end, count * records_window_bytes(request));
    uint64_t items = launch_take(&end, copies ? count * request->item_bytes : 0);
    uint64_t spare = launch_take(&end, member->check.workspace);
    uint64_t found = launch_take(&end, sizeof(consort_outcome));
    consort_status status =
        staging_store_allocate(member->store, member->lane, end, &member->memory);
    char *memory = (char *)(uintptr_t)member->memory;
    if (status != CONSORT_OK)
        return status;
    member->windows = memory + windows;
    member->items = copies ? memory + items : member->part->out;
    member->spare = memory + spare;
    member->found = memory + found;
    return CONSORT_OK;
}

/* Work that the caller has queued may still write the part. */
static consort_status member_await_caller(const struct records *r)
{
    CUresult result = driver_get()->cuStreamSynchronize(r->run->stream);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "waiting for the caller's stream");
}

static consort_status member_open_entered(struct records *r, struct records_member *member)
{
    const struct request *request = &r->plan->request;
    member->columns =
        calloc(r->state->exchange.request.value_count + (uint64_t)1, sizeof *member->columns);
    if (!member->columns)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    member->store = staging_store_of(request->context, member->device);
    member->lane = member->store ? staging_store_borrow(member->store, 1) : NULL;
    if (!member->lane)
        return consort_last_error()->status;
    consort_status status = records_member_prepare(member, request);
    if (status == CONSORT_OK)
        status = member_await_caller(r);
    if (status == CONSORT_OK)
        status = member_check_arrays(r, member);
    if (status == CONSORT_OK)
        status = member_allocate(r, member);
    return status;
}

consort_status records_member_open(struct records *r, uint32_t number)
{
    struct records_member *member = &r->members[number];
    member->part = &r->run->arguments->parts[number];
    member->first =
        number > 0 ? r->members[number - 1].first + r->members[number - 1].part->count : 0;
    consort_status status = multi_device_enter(member->part->device, &member->device);
    if (status != CONSORT_OK)
        return status;
    if (member->part->count > 0)
        status = member_open_entered(r, member);
    device_leave(member->device);
    return status;
}

/* The numbers of an argsort by several windows move as values. */
consort_status records_member_number(const struct records *r, const struct records_member *member)
{
    void *indices = member->part->indices;
    uint32_t index_bytes = r->plan->request.index_bytes;
    uint64_t first = member->first, count = member->part->count;
    uint64_t blocks = (count + ITEMS_THREADS - 1) / ITEMS_THREADS;
    void *arguments[] = {&indices, &index_bytes, &first, &count};
    if (!member_copies_items(&r->plan->request))
        return CONSORT_OK;
    return launch_kernel(&member->number, blocks < member->blocks ? blocks : member->blocks,
                         member->lane->sort, arguments);
}

void records_member_close(struct records_member *member, bool sound)
{
    if (member->lane && device_enter_again(member->device)) {
        staging_store_free(member->store, member->lane, member->memory);
        staging_store_return(member->store, member->lane, sound);
        device_leave(member->device);
    }
    if (member->check.algorithm)
        plan_release_state(&member->check);
    free(member->columns);
}

/* Items are where the caller has them until they have moved. */
static const void *member_items(const struct records *r, const struct records_member *member)
{
    return r->pass == 0 ? member->part->in : member->items;
}

consort_status records_member_make(const struct records *r, struct records_member *member,
                                   uint64_t window)
{
    const struct order *order = &r->plan->request.order;
    uint64_t first = window * NORMALISED_WINDOW_BYTES, left = order->total_bits / 8 - first;
    struct normalised_items items = {.items = member_items(r, member),
                                     .item_bytes = r->plan->request.item_bytes,
                                     .count = member->part->count};
    struct normalised_window seen = normalised_windows_of(
        order, first, left < NORMALISED_WINDOW_BYTES ? (uint32_t)left : NORMALISED_WINDOW_BYTES);
    void *parameters[] = {&items, &seen, &member->windows};
    uint64_t blocks = (items.count + NORMALISED_THREADS - 1) / NORMALISED_THREADS;
    return launch_kernel(&member->encode, blocks < member->blocks ? blocks : member->blocks,
                         member->lane->sort, parameters);
}

/* The caller's columns, then the items; or the items, then their numbers. */
static void member_point(const struct records *r, struct records_member *member)
{
    const struct request *request = &r->plan->request;
    const consort_part *part = member->part;
    consort_column *column = member->columns;
    for (uint32_t i = 0; i < request->value_count; i++, column++) {
        *column = part->values[i];
        column->in = r->pass == 0 ? column->in : column->out;
    }
    *column++ = (consort_column){
        .in = member_items(r, member), .out = member->items, .element_bytes = request->item_bytes};
    if (part->indices)
        *column = (consort_column){
            .in = part->indices, .out = part->indices, .element_bytes = request->index_bytes};
}

consort_part records_member_part(const struct records *r, struct records_member *member)
{
    consort_part part = {.device = member->part->device, .count = member->part->count};
    if (part.count == 0)
        return part;
    part.in = member->windows;
    if (!records_move(&r->plan->request)) {
        part.indices = member->part->indices;
        return part;
    }
    member_point(r, member);
    part.out = member->windows;
    part.values = member->columns;
    return part;
}
