/* SPDX-License-Identifier: Apache-2.0 */
/* One part of a spread list: its device, its kernels, its memory. */
#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "multi/exchange/exchange.h"
#include "multi/multi_devices.h"
#include "multi/multi_list.h"

struct member_shape {
    uint32_t key_bytes, value_bytes, threads, items;
};

static const struct member_shape member_shapes[] = {
#define MEMBER_SHAPE(bits, value_bytes, threads, items, blocks)                                    \
    {bits / 8, value_bytes, threads, items},
    EXCHANGE_SHAPES(MEMBER_SHAPE)
#undef MEMBER_SHAPE
};

static const struct member_shape *member_shape_of(const struct request *request)
{
    uint32_t value_bytes = carried_values_bytes(request);
    const struct member_shape *shape = member_shapes;
    while (shape->key_bytes != request->item_bytes || shape->value_bytes != value_bytes)
        shape++;
    return shape;
}

/* Keys alone: nobody sees the order of equal ones but of floats whose bits differ. */
bool exchange_moves_freely(const struct request *request)
{
    bool differ = request->order.pieces[0].codec.equal_floats;
    return carried_values_bytes(request) == 0 && !(request->needs_stable && differ);
}

consort_status exchange_member_prepare(struct exchange_member *member,
                                       const struct request *request)
{
    const struct member_shape *shape = member_shape_of(request);
    uint32_t bits = 8 * shape->key_bytes;
    uint32_t most = exchange_count_bytes(EXCHANGE_MOST_SPLITTERS, EXCHANGE_DIGIT_BITS);
    uint32_t shared =
        exchange_move_bytes(shape->key_bytes, shape->value_bytes, shape->threads, shape->items);
    char name[32], sample[32];
    snprintf(sample, sizeof sample, "exchange_sample_%u", bits);
    snprintf(name, sizeof name, "exchange_count_%u", bits);
    member->count = (struct launch){kernels_find(member->device, "exchange", name, most),
                                    EXCHANGE_COUNT_THREADS, 0};
    if (exchange_moves_freely(request))
        snprintf(name, sizeof name, "exchange_free_%u", bits);
    else
        snprintf(name, sizeof name, "exchange_move_%u_%u", bits, shape->value_bytes);
    if (!member->count.function)
        return consort_last_error()->status;
    member->sample = (struct launch){kernels_find(member->device, "exchange", sample, 0),
                                     EXCHANGE_COUNT_THREADS, 0};
    if (!member->sample.function)
        return consort_last_error()->status;
    member->move = (struct launch){kernels_find(member->device, "exchange", name, shared),
                                   shape->threads, shared};
    member->tile_items = (uint64_t)shape->threads * shape->items;
    if (!member->move.function)
        return consort_last_error()->status;
    member->move_blocks = launch_resident(&member->move) * (uint32_t)member->device->processors;
    if (member->move_blocks == 0)
        return consort_last_error()->status;
    return cuda_gather_prepare(&member->gather, member->device);
}

/* Values: in and out of the part's columns; the items' numbers have none. Where keys of an argsort
 * arrive is the member's own. */
void exchange_member_point(const struct exchange *x, struct exchange_member *member)
{
    const struct request *request = &x->plan->request;
    const consort_part *part = member->part;
    bool numbered = request->operation == CONSORT_OPERATION_ARGSORT;
    for (uint32_t c = 0; c < x->column_count; c++) {
        const consort_column *values = c > 0 && !numbered ? &part->values[c - 1] : NULL;
        struct exchange_column *column = &member->columns[c];
        void *out = values ? values->out : c > 0 ? part->indices : part->out;
        column->bytes = multi_list_bytes(request, c);
        column->in = values ? values->in : c > 0 ? NULL : part->in;
        if (c > 0 || !numbered)
            column->arrive = (CUdeviceptr)(uintptr_t)out;
    }
}

static consort_status member_check_arrays(const struct exchange *x,
                                          const struct exchange_member *member)
{
    consort_status status = CONSORT_OK;
    for (uint32_t c = 0; c < x->column_count && status == CONSORT_OK; c++) {
        const struct exchange_column *column = &member->columns[c];
        status = multi_device_holds(member->device, "an input", column->in);
        if (status == CONSORT_OK)
            status = multi_device_holds(member->device, "an output",
                                        (const void *)(uintptr_t)column->arrive);
    }
    return status;
}

/* Work that the caller has queued may still write the part. */
static consort_status member_await_caller(const struct exchange *x)
{
    CUresult result = driver_get()->cuStreamSynchronize(x->run->stream);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "waiting for the caller's stream");
}

static consort_status member_open_entered(struct exchange *x, struct exchange_member *member)
{
    const struct request *request = &x->plan->request;
    member->columns = calloc(x->column_count, sizeof *member->columns);
    member->values = calloc(x->column_count, sizeof *member->values);
    if (!member->columns || !member->values)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    member->store = staging_store_of(request->context, member->device);
    member->lane = member->store ? staging_store_borrow(member->store, 1) : NULL;
    if (!member->lane)
        return consort_last_error()->status;
    consort_status status = exchange_member_prepare(member, request);
    if (status == CONSORT_OK)
        status = member_await_caller(x);
    if (status != CONSORT_OK || member->part->count == 0)
        return status;
    exchange_member_point(x, member);
    return member_check_arrays(x, member);
}

consort_status exchange_member_open(struct exchange *x, uint32_t number)
{
    struct exchange_member *member = &x->members[number];
    member->part = &x->run->arguments->parts[number];
    member->first =
        number > 0 ? x->members[number - 1].first + x->members[number - 1].part->count : 0;
    consort_status status = multi_device_enter(member->part->device, &member->device);
    if (status != CONSORT_OK)
        return status;
    status = member_open_entered(x, member);
    device_leave(member->device);
    return status;
}

/* Look-back words: a row of classes for each tile. */
static uint64_t member_words_bytes(const struct exchange *x, struct exchange_member *member)
{
    uint64_t tile = member->tile_items;
    uint64_t classes = 2 * (uint64_t)x->member_count * x->ranges + 1;
    bool freely = exchange_moves_freely(&x->plan->request);
    member->tiles = freely ? 0 : (member->part->count + tile - 1) / tile;
    return member->tiles * classes * 8;
}

/* Rows of digits for both ends of every bracket. */
uint64_t exchange_most_bins(const struct exchange *x)
{
    uint64_t rows = 2 * (uint64_t)x->member_count * x->ranges;
    uint64_t bins = rows << EXCHANGE_DIGIT_BITS, first = 1 << EXCHANGE_FIRST_BITS;
    return bins > first ? bins : first;
}

/* Gives everything its place behind `member->memory`; returns where it ends. */
static uint64_t member_lay_out(const struct exchange *x, struct exchange_member *member)
{
    const struct request *request = &x->plan->request;
    struct exchange_control *control = &member->control;
    uint64_t count = member->part->count, end = 0;
    member->aside = exchange_items_aside(x, member);
    for (uint32_t c = 0; c < x->column_count; c++)
        member->columns[c].send =
            member->memory + launch_take(&end, member->aside * member->columns[c].bytes);
    if (request->operation == CONSORT_OPERATION_ARGSORT)
        member->columns[0].arrive =
            member->memory + launch_take(&end, count * member->columns[0].bytes);
    control->index = member->memory + end;
    if (carried_values_are_indices(request))
        launch_take(&end, count * carried_values_bytes(request));
    control->cursor = member->memory + launch_take(&end, 8 * (exchange_most_bins(x) + 1));
    control->bins = control->cursor + 8;
    control->targets = member->memory + launch_take(&end, sizeof(struct exchange_targets));
    control->ticket = member->memory + launch_take(&end, 4);
    uint64_t words = member_words_bytes(x, member);
    control->scratch = member->memory + launch_take(&end, words > member->sort.plan.workspace
                                                              ? words
                                                              : member->sort.plan.workspace);
    return end;
}

consort_status exchange_member_size(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)none;
    if (member->part->count == 0)
        return CONSORT_OK;
    consort_status status = multi_chunk_plan(
        &member->sort, &x->plan->request, member->device->ordinal, exchange_most_sorted(x, member));
    if (status == CONSORT_OK)
        status = multi_chunk_prepare(&member->sort, member->device);
    member->bytes = member_lay_out(x, member);
    return status;
}

consort_status exchange_member_allocate(struct exchange *x, struct exchange_member *member,
                                        void *none)
{
    (void)none;
    if (member->part->count == 0)
        return CONSORT_OK;
    exchange_member_free(member); /* what a release that failed has left */
    consort_status status =
        staging_store_allocate(member->store, member->lane, member->bytes, &member->memory);
    member_lay_out(x, member);
    return status;
}

void exchange_member_free(struct exchange_member *member)
{
    staging_store_free(member->store, member->lane, member->memory);
    member->memory = 0;
}

/* Nothing that was queued may touch the caller's arrays any more, nor another member's memory. */
void exchange_member_close(struct exchange_member *member, bool sound)
{
    if (member->lane && device_enter_again(member->device)) {
        exchange_member_free(member);
        multi_clock_stop(&member->clock);
        staging_store_return(member->store, member->lane, sound);
        device_leave(member->device);
    }
    multi_chunk_release(&member->sort);
    free(member->columns);
    free(member->values);
}
