/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key codec for one unsigned width: the bit transform that makes every ordered type an unsigned
 * integer ("code") whose natural order is the wanted order, and its inverse.
 *
 * Template parameters, all required, undefined again at the end:
 *   CODEC_BITS   8, 16, 32, 64 or 128
 *   CODEC_T      the unsigned type of that width
 *   CODEC_SWAP   byte reversal of CODEC_T, a function or builtin
 *
 * Defines `struct codec_uN`, `codec_uN_of`, `codec_uN_encode`, `codec_uN_decode`.
 *
 * One formula serves integers and floats, both directions and every NaN place, with run-time
 * constants, so that it fuses into first loads and last stores without a branch:
 *     code = ((x ^ (magnitude & sign(x))) ^ flip) - bias
 * where sign(x) is all ones for a set top bit. Integers: magnitude = 0, bias = 0, flip = the sign
 * bit for signed types. Floats: magnitude = every bit but the sign, flip = the sign bit. Descending
 * complements flip. bias = 2^mantissa - 1 moves the NaN codes past the last number (NaN last); its
 * negative moves them before the first (NaN first). See docs/decisions/0002-key-order.md.
 */
#if !defined(CODEC_BITS) || !defined(CODEC_T) || !defined(CODEC_SWAP)
#error "codec_template.h needs CODEC_BITS, CODEC_T and CODEC_SWAP"
#endif

#define CODEC_PASTE_(a, b, c) a##b##c
#define CODEC_PASTE(a, b, c)  CODEC_PASTE_(a, b, c)
#define CODEC_STRUCT          CODEC_PASTE(codec_u, CODEC_BITS, )
#define CODEC_FN(name)        CODEC_PASTE(codec_u, CODEC_BITS, name)

struct CODEC_STRUCT {
    CODEC_T magnitude;
    CODEC_T flip;
    CODEC_T bias;
    bool swap;
};

static inline struct CODEC_STRUCT CODEC_FN(_of)(const struct codec *codec)
{
    return (struct CODEC_STRUCT){.magnitude = (CODEC_T)codec->magnitude,
                                 .flip = (CODEC_T)codec->flip,
                                 .bias = (CODEC_T)codec->bias,
                                 .swap = codec->swap};
}

static inline CODEC_T CODEC_FN(_sign)(CODEC_T x)
{
    return (CODEC_T)(0 - (CODEC_T)(x >> (CODEC_BITS - 1)));
}

static inline CODEC_T CODEC_FN(_encode)(struct CODEC_STRUCT c, CODEC_T x)
{
    if (c.swap)
        x = CODEC_SWAP(x);
    return (CODEC_T)((x ^ (c.magnitude & CODEC_FN(_sign)(x)) ^ c.flip) - c.bias);
}

static inline CODEC_T CODEC_FN(_decode)(struct CODEC_STRUCT c, CODEC_T code)
{
    CODEC_T x = (CODEC_T)((CODEC_T)(code + c.bias) ^ c.flip);
    x = (CODEC_T)(x ^ (c.magnitude & CODEC_FN(_sign)(x)));
    return c.swap ? CODEC_SWAP(x) : x;
}

#undef CODEC_FN
#undef CODEC_STRUCT
#undef CODEC_PASTE
#undef CODEC_PASTE_
#undef CODEC_BITS
#undef CODEC_T
#undef CODEC_SWAP
