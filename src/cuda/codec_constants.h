/* SPDX-License-Identifier: Apache-2.0 */
/* From a key codec to the constants that kernels take. */
#ifndef CONSORT_CUDA_CODEC_CONSTANTS_H
#define CONSORT_CUDA_CODEC_CONSTANTS_H

#include "core/codec.h"
#include "cuda/device/code_constants.h"

static inline void codec_constants_copy(uint64_t *words, uint128 value)
{
    words[0] = (uint64_t)value;
    words[1] = (uint64_t)(value >> 64);
}

static inline struct code_constants codec_constants_of(const struct codec *codec)
{
    struct code_constants constants = {.swap = codec->swap};
    codec_constants_copy(constants.magnitude, codec->magnitude);
    codec_constants_copy(constants.flip, codec->flip);
    codec_constants_copy(constants.bias, codec->bias);
    constants.identity =
        !codec->swap && codec->flip == 0 && codec->bias == 0 && codec->magnitude == 0;
    return constants;
}

#endif
