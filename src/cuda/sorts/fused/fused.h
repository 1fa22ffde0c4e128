/* SPDX-License-Identifier: Apache-2.0 */
/* `fused` on the GPU: keys and their places in words of 64 bits, sorted by `msd`; keys that are
 * uneven by `hybrid`, of short lists by the passes of `lsd`. */
#ifndef CONSORT_CUDA_FUSED_H
#define CONSORT_CUDA_FUSED_H

#include "core/algorithm.h"

extern const struct algorithm fused_sort; /* of short lists, with values */
extern const struct algorithm fused_argsort;

#endif
