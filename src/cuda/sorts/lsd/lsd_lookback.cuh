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
    LSD_COUNT_MASK = (1u << LSD_COUNT_BITS) - 1
};

/* The number of keys of this thread's digit value in all tiles before `tile`; publishes this
 * tile's own. `Window` words are asked for at once: of tiles that began together none has a prefix.
 */
template <unsigned Window, unsigned Bins = LSD_BINS>
static __device__ __forceinline__ uint32_t lsd_look_back(uint32_t *words, uint32_t tile,
                                                         uint32_t count, lsd_status status)
{
    uint32_t before = 0;
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
        if (other > 0 && !known)
            spin_pause();
    }
    if (tile > 0)
        flag_publish(&words[(uint64_t)tile * Bins + threadIdx.x],
                     status.prefix << LSD_COUNT_BITS | (before + count));
    return before;
}

#endif
