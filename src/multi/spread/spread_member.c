/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU's part of a host list: taking the GPU, its memory, the part's way up and down. */
#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cuda/launch.h"
#include "multi/spread/spread.h"

static bool member_is_numbered(const struct spread *spread)
{
    return spread->plan->request.operation == CONSORT_OPERATION_ARGSORT;
}

/* All that is free but a little: what sorting needs is part of an item's bytes. */
static uint64_t member_room(const struct spread_member *member)
{
    const struct consort_plan *plan = member->spread->plan;
    uint64_t memory = (uint64_t)plan->parameters[SPREAD_PARAMETER_MEMORY];
    uint64_t unused = staging_store_available(plan->request.context, member->device);
    unused -= unused / 16;
    return memory > 0 && memory < unused ? memory : unused;
}

static consort_status member_open_entered(struct spread_member *member)
{
    struct spread *spread = member->spread;
    const struct request *request = &spread->plan->request;
    member->values = calloc(spread->list.column_count, sizeof *member->values);
    if (!member->values)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    member->store = staging_store_of(request->context, member->device);
    if (!member->store)
        return consort_last_error()->status;
    member->carry.device = member->device;
    member->carry.checkpoint = spread->run->checkpoint;
    member->carry.stopped = &spread->stopped;
    consort_status status =
        multi_carry_open(&member->carry, member->store, request->threads / spread->member_count);
    if (status == CONSORT_OK && spread->list.on_device)
        status = multi_carry_await_caller(spread->run->stream);
    if (status == CONSORT_OK)
        member->capacity = (uint64_t)((double)member_room(member) / spread_item_bytes(request));
    return status;
}

int32_t spread_member_ordinal(const struct spread_member *member)
{
    return member->spread->state->devices[member - member->spread->members];
}

static void member_fail(struct spread_member *member)
{
    status_keep(&member->trouble);
    atomic_store(&member->spread->stopped, true);
    log_write(LOG_WARN, "GPU %d fails: %s", spread_member_ordinal(member), member->trouble.message);
}

void spread_member_open(struct spread_member *member)
{
    consort_status status = multi_device_enter(spread_member_ordinal(member), &member->device);
    if (status == CONSORT_OK) {
        status = member_open_entered(member);
        device_leave(member->device);
    }
    if (status != CONSORT_OK)
        member_fail(member);
}

/* Where a column of the part is; `end`: behind the last. */
static uint64_t member_place(const struct spread_member *member, uint32_t column)
{
    uint64_t end = 0;
    for (uint32_t c = 0; c < column; c++)
        launch_take(&end, member->count * member->spread->list.columns[c].bytes);
    return end;
}

static void *member_column(const struct spread_member *member, uint32_t column)
{
    return (void *)(uintptr_t)(member->memory + member_place(member, column));
}

/* Before outputs are written. */
static consort_status member_reserve(struct spread_member *member)
{
    const struct multi_list *list = &member->spread->list;
    uint64_t pieces = 0;
    for (uint32_t c = 0; c < list->column_count; c++)
        pieces += multi_carry_pieces(member->count * list->columns[c].bytes);
    consort_status status = multi_carry_reserve(&member->carry, STAGING_UP, pieces);
    return status == CONSORT_OK ? multi_carry_reserve(&member->carry, STAGING_DOWN, pieces)
                                : status;
}

static consort_status member_allocate_entered(struct spread_member *member)
{
    consort_status status = member_reserve(member);
    if (status == CONSORT_OK)
        status = staging_store_allocate(member->store, member->carry.lane,
                                        member_place(member, member->spread->list.column_count),
                                        &member->memory);
    if (status != CONSORT_OK)
        return status;
    const struct staging_lane *lane = member->carry.lane;
    CUresult result = staging_lane_order(lane, lane->sort, lane->bus[STAGING_UP]);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "cuStreamWaitEvent");
}

bool spread_member_allocate(struct spread_member *member)
{
    if (member->count == 0)
        return true;
    consort_status status = device_enter(member->device);
    if (status == CONSORT_OK) {
        status = member_allocate_entered(member);
        device_leave(member->device);
    }
    if (status != CONSORT_OK)
        member_fail(member);
    return status == CONSORT_OK;
}

consort_part spread_member_part(const struct spread_member *member)
{
    const struct multi_list *list = &member->spread->list;
    consort_part part = {.device = member->device->ordinal, .count = member->count};
    if (member->count == 0)
        return part;
    part.in = member_column(member, 0);
    if (member_is_numbered(member->spread)) {
        part.indices = member_column(member, 1);
        return part;
    }
    part.out = member_column(member, 0);
    part.values = list->column_count > 1 ? member->values : NULL;
    for (uint32_t c = 1; c < list->column_count; c++) {
        void *place = member_column(member, c);
        member->values[c - 1] =
            (consort_column){.in = place, .out = place, .element_bytes = list->columns[c].bytes};
    }
    return part;
}

/* Queues what the GPU copies by itself and keeps the rest for the threads. */
static consort_status member_queue(struct spread_member *member)
{
    struct spread *spread = member->spread;
    enum staging_direction way = spread->down ? STAGING_DOWN : STAGING_UP;
    consort_status status = CONSORT_OK;
    for (uint32_t c = 0; c < spread->list.column_count && status == CONSORT_OK; c++) {
        const struct multi_column *column = &spread->list.columns[c];
        char *host = spread->down ? column->out : (char *)column->in;
        bool carried = spread->down ? column->out_carried : column->in_carried;
        if (host)
            status =
                multi_carry_add(&member->carry, way, carried, host + member->first * column->bytes,
                                member_column(member, c), member->count * column->bytes);
    }
    return status;
}

static consort_status member_move_entered(struct spread_member *member)
{
    struct spread *spread = member->spread;
    multi_carry_begin(&member->carry, spread->plan->request.context);
    consort_status status = member_queue(member);
    if (status == CONSORT_OK)
        status = multi_carry_run(&member->carry);
    multi_carry_end(&member->carry);
    if (status != CONSORT_OK)
        return status;
    CUresult result = driver_get()->cuStreamSynchronize(
        member->carry.lane->bus[spread->down ? STAGING_DOWN : STAGING_UP]);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result,
                             spread->down ? "copying from the GPU" : "copying to the GPU");
}

void spread_member_move(struct spread_member *member)
{
    if (member->count == 0)
        return;
    consort_status status = device_enter(member->device);
    if (status == CONSORT_OK) {
        status = member_move_entered(member);
        device_leave(member->device);
    }
    if (status != CONSORT_OK)
        member_fail(member);
}

/* Copies that a failure left behind must be over before anybody uses the caller's arrays. */
static void member_close_entered(struct spread_member *member)
{
    struct staging_lane *lane = member->carry.lane;
    bool sound = staging_lane_wait(lane) == CUDA_SUCCESS && !atomic_load(&member->spread->stopped);
    staging_store_free(member->store, lane, member->memory);
    staging_store_return(member->store, lane, sound);
}

void spread_member_close(struct spread_member *member)
{
    const struct device *device = member->device;
    if (member->carry.lane && device_enter_again(device)) {
        member_close_entered(member);
        device_leave(device);
    }
    multi_carry_release(&member->carry);
    free(member->values);
}
