/* SPDX-License-Identifier: Apache-2.0 */
/* The order of copies; memory that the GPU copies by itself. */
#include "cuda/staging/staging_copy.h"

#include "core/status.h"
#include "cuda/staging/staging_pageable.h"

/* Pieces keep the bus busy (each takes 0.6 ms) and let a run be cancelled between them. */
#define COPY_PIECE_BYTES ((uint64_t)32 << 20)

static consort_status copy_check(CUresult result, enum staging_direction direction)
{
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result,
                                                direction == STAGING_UP ? "copying to the GPU"
                                                                        : "copying from the GPU");
}

static CUevent copy_flight(const struct staging_copier *copier, enum staging_direction direction)
{
    return copier->lane->flights[direction][copier->flight[direction] % STAGING_FLIGHTS];
}

/* Queues the next piece, when one of the last STAGING_FLIGHTS has landed. */
static consort_status copy_piece(struct staging_copier *copier, struct staging_move *move)
{
    const struct driver *driver = driver_get();
    enum staging_direction direction = move->direction;
    uint64_t left = move->bytes - move->queued;
    uint64_t bytes = left < COPY_PIECE_BYTES ? left : COPY_PIECE_BYTES;
    CUdeviceptr device = (CUdeviceptr)(uintptr_t)(move->device + move->queued);
    CUdeviceptr caller = (CUdeviceptr)(uintptr_t)(move->caller + move->queued);
    CUstream stream = copier->lane->bus[direction];
    CUevent landed = copy_flight(copier, direction);
    CUresult result = driver->cuEventSynchronize(landed);
    if (move->over_input)
        *copier->input_whole = false;
    if (result == CUDA_SUCCESS)
        result = direction == STAGING_UP ? driver->cuMemcpyAsync(device, caller, bytes, stream)
                                         : driver->cuMemcpyAsync(caller, device, bytes, stream);
    if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord(landed, stream);
    if (result != CUDA_SUCCESS)
        return copy_check(result, direction);
    copier->flight[direction]++;
    move->queued += bytes;
    copier->moved += bytes;
    return checkpoint_pass(copier->checkpoint, copier->moved, copier->total)
               ? status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled")
               : CONSORT_OK;
}

static struct staging_move *copy_waiting(const struct staging_copier *copier)
{
    return copier->waiting_first < copier->waiting_count ? &copier->waiting[copier->waiting_first]
                                                         : NULL;
}

static consort_status copy_whole(struct staging_copier *copier, struct staging_move *move)
{
    consort_status status = CONSORT_OK;
    if (move->pageable && copier->lane->slot_count > 0)
        return staging_pageable_move(copier, move);
    while (move->queued < move->bytes && status == CONSORT_OK)
        status = copy_piece(copier, move);
    return status;
}

/* While an upload keeps its half of the bus busy, the other half takes what is ready: of the next
 * download one piece, if there is room for it. */
static consort_status copy_meanwhile(struct staging_copier *copier)
{
    struct staging_move *move = copy_waiting(copier);
    if (!move || move->pageable)
        return CONSORT_OK;
    CUresult room = driver_get()->cuEventQuery(copy_flight(copier, STAGING_DOWN));
    if (room == CUDA_ERROR_NOT_READY)
        return CONSORT_OK;
    consort_status status = copy_check(room, STAGING_DOWN);
    if (status == CONSORT_OK)
        status = copy_piece(copier, move);
    if (status == CONSORT_OK && move->queued == move->bytes)
        copier->waiting_first++;
    return status;
}

consort_status staging_copy_bring(struct staging_copier *copier, struct staging_move move)
{
    consort_status status = CONSORT_OK;
    if (move.pageable)
        return copy_whole(copier, &move);
    while (move.queued < move.bytes && status == CONSORT_OK) {
        status = copy_piece(copier, &move);
        if (status == CONSORT_OK)
            status = copy_meanwhile(copier);
    }
    return status;
}

consort_status staging_copy_take(struct staging_copier *copier, struct staging_move move)
{
    const struct staging_lane *lane = copier->lane;
    copier->waiting[copier->waiting_count++] = move;
    return copy_check(staging_lane_order(lane, lane->sort, lane->bus[STAGING_DOWN]), STAGING_DOWN);
}

consort_status staging_copy_finish(struct staging_copier *copier)
{
    consort_status status = CONSORT_OK;
    for (struct staging_move *move; status == CONSORT_OK && (move = copy_waiting(copier));
         copier->waiting_first++)
        status = copy_whole(copier, move);
    if (status != CONSORT_OK)
        return status;
    return copy_check(driver_get()->cuStreamSynchronize(copier->lane->bus[STAGING_DOWN]),
                      STAGING_DOWN);
}
