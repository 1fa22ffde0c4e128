/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoupled look-back: how a tile of a pass learns what the tiles before it hold.
 *
 * Look-back words hold two status bits and a count of 30. Which of the four values of the status
 * bits mean empty, local and prefix alternates from step to step: what one step leaves behind
 * ("prefix" everywhere) is the next one's "empty", so that the words are cleared once per run.
 */
#ifndef CONSORT_LSD_LOOKBACK_CUH
#define CONSORT_LSD_LOOKBACK_CUH

#include "cuda/device/flag.cuh"
#include "cuda/sorts/lsd/lsd_layout.h"

/* The status values of a step: see above. */
struct lsd_status {
    uint32_t empty, local, prefix;

    __device__ __forceinline__ explicit lsd_status(unsigned parity)
        : empty(parity ? 2 : 0), local(parity ? 3 : 1), prefix(parity ? 0 : 2)
    {
    }
};

enum : uint32_t {
    LSD_COUNT_BITS = 30,
    LSD_COUNT_MASK = (1u << LSD_COUNT_BITS) - 1,
    LSD_PATIENCE = 512 /* questions, of 0.7 µs each, while a tile takes 10 to 20 µs */
};

/* The word of a tile, the first of the list or another; false if it has been told. */
template <typename Count>
static __device__ __forceinline__ bool lsd_publish_for(uint32_t *word, lsd_status status,
                                                       bool is_first, const Count &count)
{
    const uint32_t seen = flag_poll(word);
    if (seen >> LSD_COUNT_BITS != status.empty)
        return false;
    const uint32_t state = is_first ? status.prefix : status.local;
    return flag_publish_unless_changed(word, seen, state << LSD_COUNT_BITS | count());
}

/*
 * The number of keys of this thread's digit value in all tiles before `tile`; publishes this
 * tile's own. `Window` words are asked for at once: of tiles that began together none has a prefix.
 *
 * Nobody promises that the blocks of the tiles before have started. Who has waited too long counts
 * the keys of the next tile before for itself, by `count_of(tile)`, and publishes them in its
 * place; but not if a tile between has been told by others, as somebody is at work there then, and
 * does it. So every list is sorted in whatever order blocks start. After T. Smith, R. Levien and
 * J. D. Owens, "Decoupled Fallback: A Portable Single-Pass GPU Scan", SPAA 2025. `Begun`: all tiles
 * before have begun, as tickets or resident blocks have it, and nobody counts for them.
 */
template <unsigned Window, unsigned Bins = LSD_BINS, bool Begun = false, typename CountOf>
static __device__ __forceinline__ uint32_t lsd_look_back(uint32_t *words, uint32_t tile,
                                                         uint32_t count, lsd_status status,
                                                         const CountOf &count_of)
{
    uint32_t before = 0, counted = 0, asked = 0;
    for (uint32_t other = tile; other > 0;) {
        uint32_t word[Window];
#pragma unroll
        for (unsigned i = 0; i < Window; i++)
            word[i] = i < other ? flag_poll(&words[(uint64_t)(other - 1 - i) * Bins + threadIdx.x])
                                : status.prefix << LSD_COUNT_BITS;
        bool known = true;
#pragma unroll
        for (unsigned i = 0; i < Window; i++) {
            const uint32_t state = word[i] >> LSD_COUNT_BITS;
            known &= state != status.empty;
            if (!known)
                continue;
            before += word[i] & LSD_COUNT_MASK;
            known = state != status.prefix;
            other = known ? other - 1 : 0;
        }
        if (other == 0 || known)
            continue;
        if constexpr (!Begun)
            if (++asked > LSD_PATIENCE && other + counted == tile)
                counted += lsd_publish_for(&words[(uint64_t)(other - 1) * Bins + threadIdx.x],
                                           status, other == 1, [&] { return count_of(other - 1); });
        spin_pause();
    }
    if (tile > 0)
        flag_publish(&words[(uint64_t)tile * Bins + threadIdx.x],
                     status.prefix << LSD_COUNT_BITS | (before + count));
    return before;
}

#endif
