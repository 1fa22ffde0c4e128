/* SPDX-License-Identifier: Apache-2.0 */
/* From a key codec to the constants that kernels take. */
#ifndef CONSORT_CUDA_CODEC_CONSTANTS_H
#define CONSORT_CUDA_CODEC_CONSTANTS_H

#include "core/order.h"
#include "cuda/device/code_constants.h"

static inline void codec_constants_copy(uint64_t *words, uint128 value)
{
    words[0] = (uint64_t)value;
    words[1] = (uint64_t)(value >> 64);
}

static inline struct code_constants codec_constants_of(const struct codec *codec)
{
    struct code_constants constants = {.swap = codec->swap, .equal_floats = codec->equal_floats};
    codec_constants_copy(constants.magnitude, codec->magnitude);
    codec_constants_copy(constants.flip, codec->flip);
    codec_constants_copy(constants.bias, codec->bias);
    codec_constants_copy(constants.infinity, codec->infinity);
    constants.identity =
        !codec->swap && codec->flip == 0 && codec->bias == 0 && codec->magnitude == 0;
    return constants;
}

/* True if every item is one key whose code the constants alone describe, NumPy's order included. */
static inline bool codec_constants_suffice(const struct order *order)
{
    return order->piece_count == 1 && order->pieces[0].codec.stored == order->item_bytes &&
           order->pieces[0].codec.stored == order->pieces[0].codec.width;
}

#endif
