/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pageable memory: the driver's own copy is one thread's memcpy through one buffer and reaches a
 * quarter of the bus. Here every thread of the context takes the next chunk, copies it into or out
 * of a pinned buffer of its own and lets the GPU do the rest; two buffers each, so that memcpy and
 * bus overlap. More threads than have two are no help: 2^28 u32 keys take one H200 46 ms by 16, 56
 * by 32.
 */
#include "cuda/staging/staging_pageable.h"

#include <stdatomic.h>
#include <string.h>

#include "core/status.h"
#include "cpu/team.h"

enum {
    PAGEABLE_DEPTH = 2,   /* buffers of a thread */
    PAGEABLE_CHUNKS = 16, /* of an array, at least, so that many threads have one */
    PAGEABLE_LEAST_CHUNK = 512 << 10,
    PAGEABLE_GRAIN = 4096
};

struct pageable {
    struct staging_copier *copier;
    struct staging_move *move;
    uint64_t chunk_bytes;
    uint64_t chunks;
    _Atomic uint64_t next;
    _Atomic uint64_t moved; /* bytes */
    _Atomic int failure;    /* the first CUresult that is not success */
    atomic_bool stopped, cancelled;
};

/* A chunk on its way through a buffer. */
struct pageable_chunk {
    struct staging_slot *slot;
    char *caller;
    CUdeviceptr device;
    uint64_t bytes;
};

static bool pageable_check(struct pageable *p, CUresult result)
{
    int success = CUDA_SUCCESS;
    if (result == CUDA_SUCCESS)
        return true;
    atomic_compare_exchange_strong(&p->failure, &success, (int)result);
    atomic_store(&p->stopped, true);
    return false;
}

/* The caller's thread reports; the others only look. */
static void pageable_report(struct pageable *p, uint32_t member, uint64_t bytes)
{
    const struct staging_copier *copier = p->copier;
    uint64_t moved = atomic_fetch_add(&p->moved, bytes) + bytes;
    bool cancelled = member == 0
                         ? checkpoint_pass(copier->checkpoint, copier->moved + moved, copier->total)
                         : checkpoint_cancelled(copier->checkpoint);
    if (cancelled) {
        atomic_store(&p->cancelled, true);
        atomic_store(&p->stopped, true);
    }
}

/* The next chunk and a buffer that the GPU is done with. False: none is left, or all must stop. */
static bool pageable_next(struct pageable *p, struct staging_slot *slot,
                          struct pageable_chunk *chunk)
{
    if (atomic_load(&p->stopped))
        return false;
    uint64_t first = atomic_fetch_add(&p->next, 1) * p->chunk_bytes;
    if (first >= p->move->bytes)
        return false;
    uint64_t left = p->move->bytes - first;
    *chunk = (struct pageable_chunk){.slot = slot,
                                     .caller = p->move->caller + first,
                                     .device = (CUdeviceptr)(uintptr_t)p->move->device + first,
                                     .bytes = left < p->chunk_bytes ? left : p->chunk_bytes};
    return pageable_check(p, driver_get()->cuEventSynchronize(slot->free));
}

static struct staging_slot *pageable_slot(const struct pageable *p, uint32_t member, uint32_t size,
                                          uint64_t turn)
{
    struct staging_lane *lane = p->copier->lane;
    uint32_t own = (lane->slot_count - member + size - 1) / size;
    uint32_t depth = own < PAGEABLE_DEPTH ? own : PAGEABLE_DEPTH;
    return &lane->slots[member + (uint32_t)(turn % depth) * size];
}

static void pageable_up(struct pageable *p, uint32_t member, uint32_t size)
{
    const struct driver *driver = driver_get();
    CUstream stream = p->copier->lane->bus[STAGING_UP];
    struct pageable_chunk chunk;
    for (uint64_t turn = 0; pageable_next(p, pageable_slot(p, member, size, turn), &chunk);
         turn++) {
        memcpy(chunk.slot->memory, chunk.caller, chunk.bytes);
        CUresult result =
            driver->cuMemcpyHtoDAsync(chunk.device, chunk.slot->memory, chunk.bytes, stream);
        if (result == CUDA_SUCCESS)
            result = driver->cuEventRecord(chunk.slot->free, stream);
        if (!pageable_check(p, result))
            return;
        pageable_report(p, member, chunk.bytes);
    }
}

/* Lets the GPU fill the buffer of a chunk. */
static bool pageable_fetch(struct pageable *p, const struct pageable_chunk *chunk)
{
    const struct driver *driver = driver_get();
    CUstream stream = p->copier->lane->bus[STAGING_DOWN];
    CUresult result =
        driver->cuMemcpyDtoHAsync(chunk->slot->memory, chunk->device, chunk->bytes, stream);
    if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord(chunk->slot->free, stream);
    return pageable_check(p, result);
}

/* Empties a buffer that is full by then. */
static bool pageable_empty(struct pageable *p, const struct pageable_chunk *chunk, uint32_t member)
{
    if (!pageable_check(p, driver_get()->cuEventSynchronize(chunk->slot->free)))
        return false;
    memcpy(chunk->caller, chunk->slot->memory, chunk->bytes);
    pageable_report(p, member, chunk->bytes);
    return true;
}

/* With two buffers one is filled while the other is emptied; with one they take turns. */
static void pageable_down(struct pageable *p, uint32_t member, uint32_t size)
{
    struct pageable_chunk chunks[PAGEABLE_DEPTH];
    bool alone = pageable_slot(p, member, size, 0) == pageable_slot(p, member, size, 1);
    uint64_t fetched = 0, emptied = 0;
    bool more = true;
    while (more || emptied < fetched) {
        if (more && fetched - emptied < (alone ? 1u : PAGEABLE_DEPTH)) {
            struct pageable_chunk *chunk = &chunks[fetched % PAGEABLE_DEPTH];
            more = pageable_next(p, pageable_slot(p, member, size, fetched), chunk) &&
                   pageable_fetch(p, chunk);
            fetched += more;
        } else if (!pageable_empty(p, &chunks[emptied++ % PAGEABLE_DEPTH], member)) {
            return;
        }
    }
}

static void pageable_member(void *context, uint32_t member, uint32_t size)
{
    struct pageable *p = context;
    const struct driver *driver = driver_get();
    CUcontext left;
    if (!pageable_check(p, driver->cuCtxPushCurrent(p->copier->device->context)))
        return;
    if (p->move->direction == STAGING_UP)
        pageable_up(p, member, size);
    else
        pageable_down(p, member, size);
    driver->cuCtxPopCurrent(&left);
}

/* Copies of less than a mebibyte cost the bus half its speed (2^30 bytes by 8 threads, H200: 35 ms
 * in chunks of 512 KiB, 23 of 1 MiB, 21 of 2 MiB); few chunks leave threads idle. */
static uint64_t pageable_chunk_bytes(uint64_t bytes)
{
    uint64_t chunk = bytes / PAGEABLE_CHUNKS / PAGEABLE_GRAIN * PAGEABLE_GRAIN;
    chunk = chunk < PAGEABLE_LEAST_CHUNK ? PAGEABLE_LEAST_CHUNK : chunk;
    return chunk < STAGING_SLOT_BYTES ? chunk : STAGING_SLOT_BYTES;
}

uint32_t staging_pageable_slots(uint64_t bytes, uint32_t threads)
{
    uint64_t chunk = pageable_chunk_bytes(bytes);
    uint64_t chunks = bytes / chunk + (bytes % chunk != 0);
    uint64_t useful = PAGEABLE_DEPTH * (uint64_t)threads;
    uint64_t slots = chunks < useful ? chunks : useful;
    return slots < STAGING_SLOTS ? (uint32_t)slots : STAGING_SLOTS;
}

static void pageable_run(struct pageable *p)
{
    const struct staging_copier *copier = p->copier;
    uint64_t wanted = copier->threads < p->chunks ? copier->threads : p->chunks;
    if (wanted > copier->lane->slot_count)
        wanted = copier->lane->slot_count;
    if (wanted > STAGING_SLOTS / PAGEABLE_DEPTH)
        wanted = STAGING_SLOTS / PAGEABLE_DEPTH;
    struct team *team = wanted > 1 ? team_borrow(copier->pool, (uint32_t)wanted) : NULL;
    if (!team) {
        pageable_member(p, 0, 1);
        return;
    }
    team_run(team, pageable_member, p);
    team_return(team);
}

consort_status staging_pageable_move(struct staging_copier *copier, struct staging_move *move)
{
    struct pageable p = {.copier = copier, .move = move};
    p.chunk_bytes = pageable_chunk_bytes(move->bytes);
    p.chunks = move->bytes / p.chunk_bytes + (move->bytes % p.chunk_bytes != 0);
    if (move->over_input)
        *copier->input_whole = false;
    pageable_run(&p);
    move->queued = move->bytes;
    copier->moved += move->bytes;
    CUresult failure = (CUresult)atomic_load(&p.failure);
    if (failure != CUDA_SUCCESS)
        return driver_fail(driver_get(), failure,
                           move->direction == STAGING_UP ? "copying to the GPU"
                                                         : "copying from the GPU");
    /* The last chunk may have been another thread's, who do not report. */
    if (atomic_load(&p.cancelled) ||
        checkpoint_pass(copier->checkpoint, copier->moved, copier->total))
        return status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
    return CONSORT_OK;
}
