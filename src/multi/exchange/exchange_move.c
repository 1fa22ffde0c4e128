/* SPDX-License-Identifier: Apache-2.0 */
/* Putting one member's items in the order of the ranges. */
#include <stddef.h>

#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/codec_constants.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "multi/exchange/exchange.h"

static void *move_at(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static consort_status move_put_targets(struct exchange *x, struct exchange_member *member)
{
    member->targets = (struct exchange_targets){0};
    exchange_aim(x, member, &member->targets);
    CUresult result = driver_get()->cuMemcpyHtoDAsync(member->control.targets, &member->targets,
                                                      sizeof member->targets, member->lane->sort);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "cuMemcpyHtoDAsync");
}

static struct exchange_move move_arguments(const struct exchange *x,
                                           const struct exchange_member *member)
{
    const struct request *request = &x->plan->request;
    const struct exchange_column *columns = member->columns;
    bool indexed = carried_values_are_indices(request);
    struct exchange_move a = {.keys_in = columns[0].in,
                              .keys_out = move_at(columns[0].send),
                              .targets = move_at(member->control.targets),
                              .words = move_at(member->control.scratch),
                              .ticket = move_at(member->control.ticket),
                              .count = member->part->count,
                              .first_number = indexed ? 0 : member->first,
                              .codec = codec_constants_of(&request->order.pieces[0].codec),
                              .splitters = x->splitters};
    if (x->column_count > 1) {
        a.values_in = indexed ? NULL : columns[1].in;
        a.values_out = move_at(indexed ? member->control.index : columns[1].send);
    }
    return a;
}

static consort_status move_clear(const struct exchange *x, const struct exchange_member *member)
{
    consort_status status = launch_clear(move_at(member->control.ticket), 4, member->lane->sort);
    uint64_t classes = (uint64_t)x->splitters.each * x->splitters.count + 1;
    uint64_t bytes = member->tiles * classes * 8;
    return status == CONSORT_OK && bytes > 0
               ? launch_clear(move_at(member->control.scratch), bytes, member->lane->sort)
               : status;
}

/* Of each class where it ends or, where tiles look back, how many items the last one saw. */
static consort_status move_tell(const struct exchange *x, const struct exchange_member *member)
{
    uint64_t classes = (uint64_t)x->splitters.each * x->splitters.count + 1;
    CUdeviceptr from = member->control.targets + offsetof(struct exchange_targets, places);
    if (member->tiles > 0)
        from = member->control.scratch + (member->tiles - 1) * classes * 8;
    CUresult result =
        driver_get()->cuMemcpyDtoHAsync(member->told, from, classes * 8, member->lane->sort);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "cuMemcpyDtoHAsync");
}

consort_status exchange_move_items(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)none;
    const struct request *request = &x->plan->request;
    if (member->part->count == 0)
        return CONSORT_OK;
    struct exchange_move a = move_arguments(x, member);
    void *parameters[] = {&a};
    consort_status status = move_clear(x, member);
    if (status == CONSORT_OK)
        status = move_put_targets(x, member);
    if (status == CONSORT_OK)
        status = launch_kernel(&member->move, member->move_blocks, member->lane->sort, parameters);
    if (status == CONSORT_OK && x->sampled)
        status = move_tell(x, member);
    bool indexed = carried_values_are_indices(request);
    for (uint32_t c = 1; c < x->column_count && indexed && status == CONSORT_OK; c++) {
        const consort_column column = {.in = member->columns[c].in,
                                       .out = move_at(member->columns[c].send),
                                       .element_bytes = member->columns[c].bytes};
        status =
            cuda_gather_column(&member->gather, &column, a.values_out,
                               carried_values_bytes(request), a.count, NULL, member->lane->sort);
    }
    return status;
}
