/* SPDX-License-Identifier: Apache-2.0 */
/* How the kernels of `bucket` find the value of a floating-point key in its code. */
#include "cuda/sorts/bucket/bucket_values.h"

/* A narrow exponent, as bits of a single, is less by 127 − 15. */
static const float bucket_values_half_factor = 0x1p112F;

static uint64_t bucket_values_mask(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* The code of a number's bits (codec_template.h), without the change of byte order. */
static uint64_t bucket_values_encode(const struct codec *codec, uint64_t x)
{
    uint64_t sign = x >> (codec->bits - 1) & 1 ? (uint64_t)codec->magnitude : 0;
    return ((x ^ sign ^ (uint64_t)codec->flip) - (uint64_t)codec->bias) &
           bucket_values_mask(codec->bits);
}

struct bucket_values bucket_values_of(const struct order *order)
{
    const struct codec *codec = &order->pieces[0].codec;
    struct bucket_values v = {.factor = 1.0F};
    if (codec->infinity == 0)
        return v;
    uint64_t sign = (uint64_t)1 << (codec->bits - 1);
    uint64_t largest = (uint64_t)codec->infinity - 1;
    uint64_t positive = bucket_values_encode(codec, largest);
    uint64_t negative = bucket_values_encode(codec, sign | largest);
    v.bits = codec->bits;
    v.shift = (uint32_t)(order->total_bits - codec->bits);
    v.flip = (uint64_t)codec->flip;
    v.bias = (uint64_t)codec->bias;
    v.descends = positive < negative;
    v.lowest = v.descends ? positive : negative;
    v.highest = v.descends ? negative : positive;
    if (codec->bits == 16 && codec->infinity == 0x7c00) {
        v.left = 13;
        v.factor = bucket_values_half_factor;
    } else if (codec->bits == 16) {
        v.left = 16;
    }
    return v;
}
