/* SPDX-License-Identifier: Apache-2.0 */
/* The code up to which candidates are taken: guessed, narrowed down to, collected by. */
#ifndef CONSORT_TOPK_THRESHOLD_CUH
#define CONSORT_TOPK_THRESHOLD_CUH

#include "cuda/sorts/topk/topk_block.cuh"

template <typename K> struct topk_threshold {
    K code;
    bool crowded; /* codes equal to it are counted, not collected */

    __device__ __forceinline__ bool takes(K other) const
    {
        return other <= code && !(crowded && other == code);
    }
};

#endif
