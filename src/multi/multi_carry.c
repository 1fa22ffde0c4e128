/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carrying pieces: each thread takes the next one of a direction, by buffers of its own, two where
 * it has two, so that its memcpy and the bus overlap. Half of the threads begin with uploads, half
 * with downloads; whoever has no more helps the others.
 */
#include "multi/multi_carry.h"

#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "cpu/stream.h"
#include "cpu/team.h"
#include "cuda/staging/staging_pageable.h"

enum {
    CARRY_LINE = 64, /* bytes that stream_line moves … */
    CARRY_WORD = 16  /* … from a place aligned to that */
};

consort_status multi_carry_open(struct multi_carry *carry, struct staging_store *store,
                                uint32_t threads)
{
    threads = threads > 1 ? threads : 1;
    carry->lane = staging_store_borrow(
        store, staging_pageable_slots(STAGING_SLOTS * (uint64_t)STAGING_SLOT_BYTES, threads));
    if (!carry->lane)
        return consort_last_error()->status;
    uint32_t most = (carry->lane->slot_count + 1) / MULTI_CARRY_DEPTH;
    carry->carriers = threads < most ? threads : most;
    return CONSORT_OK;
}

consort_status multi_carry_await_caller(consort_stream stream)
{
    CUresult result = driver_get()->cuStreamSynchronize(stream);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "waiting for the caller's stream");
}

void multi_carry_begin(struct multi_carry *carry, struct consort_context *context)
{
    if (carry->carriers > 1)
        carry->team = team_borrow(context->pool, carry->carriers);
}

void multi_carry_end(struct multi_carry *carry)
{
    team_return(carry->team);
    carry->team = NULL;
}

static const char *carry_words(enum staging_direction direction)
{
    return direction == STAGING_UP ? "copying to the GPU" : "copying from the GPU";
}

static consort_status carry_queue(const struct multi_carry *carry, enum staging_direction direction,
                                  char *host, CUdeviceptr device, uint64_t bytes)
{
    const struct driver *driver = driver_get();
    CUdeviceptr caller = (CUdeviceptr)(uintptr_t)host;
    CUstream stream = carry->lane->bus[direction];
    CUresult result = direction == STAGING_UP
                          ? driver->cuMemcpyAsync(device, caller, bytes, stream)
                          : driver->cuMemcpyAsync(caller, device, bytes, stream);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver, result, carry_words(direction));
}

uint64_t multi_carry_pieces(uint64_t bytes)
{
    return (bytes + STAGING_SLOT_BYTES - 1) / STAGING_SLOT_BYTES;
}

consort_status multi_carry_reserve(struct multi_carry *carry, enum staging_direction direction,
                                   uint64_t pieces)
{
    struct multi_way *way = &carry->ways[direction];
    way->pieces = calloc(pieces, sizeof *way->pieces);
    way->room = way->pieces ? pieces : 0;
    return way->pieces ? CONSORT_OK : status_fail(CONSORT_ERROR_MEMORY, "out of memory");
}

consort_status multi_carry_add(struct multi_carry *carry, enum staging_direction direction,
                               bool carried, char *host, void *device, uint64_t bytes)
{
    CUdeviceptr at = (CUdeviceptr)(uintptr_t)device;
    struct multi_way *way = &carry->ways[direction];
    if (bytes == 0)
        return CONSORT_OK;
    if (!carried || carry->lane->slot_count == 0)
        return carry_queue(carry, direction, host, at, bytes);
    if (multi_carry_pieces(bytes) > way->room - way->count)
        return status_fail(CONSORT_ERROR_INTERNAL, "more pieces to carry than were expected");
    for (uint64_t done = 0; done < bytes; done += STAGING_SLOT_BYTES) {
        uint64_t left = bytes - done;
        way->pieces[way->count++] = (struct multi_piece){
            host + done, at + done, left < STAGING_SLOT_BYTES ? left : STAGING_SLOT_BYTES};
    }
    return CONSORT_OK;
}

static bool carry_check(struct multi_carry *carry, CUresult result)
{
    int success = CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        atomic_compare_exchange_strong(&carry->failure, &success, (int)result);
    return result == CUDA_SUCCESS;
}

static bool carry_is_over(const struct multi_carry *carry)
{
    return atomic_load(&carry->failure) != CUDA_SUCCESS || atomic_load(carry->stopped) ||
           checkpoint_cancelled(carry->checkpoint);
}

/* The next piece, with a buffer that the GPU is done with; NULL if there is none, or all must stop.
 */
static const struct multi_piece *carry_next(struct multi_carry *carry,
                                            enum staging_direction direction,
                                            const struct staging_slot *slot)
{
    struct multi_way *way = &carry->ways[direction];
    if (carry_is_over(carry))
        return NULL;
    uint64_t number = atomic_fetch_add(&way->next, 1);
    if (number >= way->count)
        return NULL;
    return carry_check(carry, driver_get()->cuEventSynchronize(slot->free)) ? &way->pieces[number]
                                                                            : NULL;
}

/* The buffers of a member, in turns. */
struct carry_slots {
    struct staging_slot *first;
    uint32_t stride, depth;
};

static struct staging_slot *carry_slot(const struct carry_slots *slots, uint64_t turn)
{
    return slots->first + turn % slots->depth * slots->stride;
}

static void carry_up(struct multi_carry *carry, const struct carry_slots *slots)
{
    const struct driver *driver = driver_get();
    CUstream stream = carry->lane->bus[STAGING_UP];
    const struct multi_piece *piece;
    for (uint64_t turn = 0; (piece = carry_next(carry, STAGING_UP, carry_slot(slots, turn)));
         turn++) {
        const struct staging_slot *slot = carry_slot(slots, turn);
        memcpy(slot->memory, piece->host, piece->bytes);
        CUresult result =
            driver->cuMemcpyHtoDAsync(piece->device, slot->memory, piece->bytes, stream);
        if (result == CUDA_SUCCESS)
            result = driver->cuEventRecord(slot->free, stream);
        if (!carry_check(carry, result))
            return;
    }
}

/* Lets the GPU fill a buffer. */
static bool carry_fetch(struct multi_carry *carry, const struct multi_piece *piece,
                        const struct staging_slot *slot)
{
    const struct driver *driver = driver_get();
    CUstream stream = carry->lane->bus[STAGING_DOWN];
    CUresult result = driver->cuMemcpyDtoHAsync(slot->memory, piece->device, piece->bytes, stream);
    if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord(slot->free, stream);
    return carry_check(carry, result);
}

/* Whole lines go past the caches, which would read them first. */
static void carry_out(char *to, const char *from, uint64_t bytes)
{
    uint64_t head = -(uintptr_t)to % CARRY_LINE;
    if (head % CARRY_WORD != 0 || bytes < 2 * CARRY_LINE) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    uint64_t at = head;
    for (; at + CARRY_LINE <= bytes; at += CARRY_LINE)
        stream_line(to + at, from + at);
    stream_fence();
    memcpy(to + at, from + at, bytes - at);
}

static bool carry_empty(struct multi_carry *carry, const struct multi_piece *piece,
                        const struct staging_slot *slot)
{
    if (!carry_check(carry, driver_get()->cuEventSynchronize(slot->free)))
        return false;
    carry_out(piece->host, slot->memory, piece->bytes);
    return true;
}

static void carry_down(struct multi_carry *carry, const struct carry_slots *slots)
{
    const struct multi_piece *held[MULTI_CARRY_DEPTH];
    uint64_t fetched = 0, emptied = 0;
    for (bool more = true; more || emptied < fetched;) {
        if (more && fetched - emptied < slots->depth) {
            const struct staging_slot *slot = carry_slot(slots, fetched);
            const struct multi_piece *piece = carry_next(carry, STAGING_DOWN, slot);
            more = piece && carry_fetch(carry, piece, slot);
            if (more)
                held[fetched++ % MULTI_CARRY_DEPTH] = piece;
        } else if (!carry_empty(carry, held[emptied % MULTI_CARRY_DEPTH],
                                carry_slot(slots, emptied))) {
            return;
        } else {
            emptied++;
        }
    }
}

static void carry_member(void *context, uint32_t member, uint32_t size)
{
    struct multi_carry *carry = context;
    uint32_t own = (carry->lane->slot_count - member + size - 1) / size;
    const struct carry_slots slots = {&carry->lane->slots[member], size,
                                      own < MULTI_CARRY_DEPTH ? own : MULTI_CARRY_DEPTH};
    if (!carry_check(carry, driver_get()->cuCtxPushCurrent(carry->device->context)))
        return;
    bool up_first = member % 2 == 0;
    if (up_first)
        carry_up(carry, &slots);
    carry_down(carry, &slots);
    if (!up_first)
        carry_up(carry, &slots);
    CUcontext left;
    driver_get()->cuCtxPopCurrent(&left);
}

consort_status multi_carry_run(struct multi_carry *carry)
{
    uint64_t pieces = carry->ways[STAGING_UP].count + carry->ways[STAGING_DOWN].count;
    atomic_store(&carry->failure, CUDA_SUCCESS);
    if (pieces > 0 && carry->team)
        team_run(carry->team, carry_member, carry);
    else if (pieces > 0)
        carry_member(carry, 0, 1);
    for (int direction = STAGING_UP; direction <= STAGING_DOWN; direction++) {
        carry->ways[direction].count = 0;
        atomic_store(&carry->ways[direction].next, 0);
    }
    CUresult failure = (CUresult)atomic_load(&carry->failure);
    if (failure != CUDA_SUCCESS)
        return driver_fail(driver_get(), failure, "carrying between host and GPU");
    return checkpoint_cancelled(carry->checkpoint)
               ? status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled")
               : CONSORT_OK;
}

void multi_carry_release(struct multi_carry *carry)
{
    free(carry->ways[STAGING_UP].pieces);
    free(carry->ways[STAGING_DOWN].pieces);
}
