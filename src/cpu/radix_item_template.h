/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items of one key width and one value size: their type, how they are read from each place and
 * how they are written to the output. Included by radix_template.h, which states the parameters.
 */
#define RADIX_PASTE_(isa, bits, value, name) isa##_u##bits##_v##value##_##name
#define RADIX_PASTE(isa, bits, value, name)  RADIX_PASTE_(isa, bits, value, name)
#define RADIX_FN(name)                       RADIX_PASTE(RADIX_ISA, RADIX_BITS, RADIX_VALUE, name)
#define RADIX_CODEC_(bits, name)             codec_u##bits##name
#define RADIX_CODEC__(bits, name)            RADIX_CODEC_(bits, name)
#define RADIX_CODEC(name)                    RADIX_CODEC__(RADIX_BITS, name)
#define RADIX_ITEM                           struct RADIX_FN(item)
#define RADIX_VIEW                           struct RADIX_FN(view)

/* Values of any alignment travel as bytes of this size. */
#if RADIX_VALUE == 4
#define RADIX_VALUE_T uint32_t
#elif RADIX_VALUE == 8
#define RADIX_VALUE_T uint64_t
#elif RADIX_VALUE == 16
#define RADIX_VALUE_T uint128
#endif

/* Packed: a 4-byte key with an 8-byte value moves 12 bytes, not 16. */
#define RADIX_ALIGN (RADIX_VALUE && RADIX_VALUE * 8 < RADIX_BITS ? RADIX_VALUE : RADIX_BITS / 8)
RADIX_ITEM
{
    RADIX_KEY key;
#if RADIX_VALUE
    RADIX_VALUE_T value;
#endif
}
__attribute__((packed, aligned(RADIX_ALIGN)));

/* The state with types, copied into each kernel so that stores cannot seem to change it. */
RADIX_VIEW
{
    const RADIX_KEY *keys_in;
    const unsigned char *values_in;
    RADIX_ITEM *items;
    RADIX_KEY *codes;
    RADIX_KEY *keys_out;
    unsigned char *values_out;
    struct RADIX_CODEC() codec;
    bool plain; /* the codec changes nothing */
    bool stream;
};

static inline RADIX_VIEW RADIX_FN(view_of)(const struct radix_state *state)
{
    return (RADIX_VIEW){.keys_in = state->keys_in,
                        .values_in = state->values_in,
                        .items = state->items,
                        .codes = state->codes,
                        .keys_out = state->keys_out,
                        .values_out = state->values_out,
                        .codec = RADIX_CODEC(_of)(&state->codec),
                        .stream = state->stream,
                        .plain = radix_codec_is_identity(&state->codec)};
}

/* Codes and items are read a block at a time, so that encoding is a loop of its own, which
 * compilers vectorize, and keys that are codes already are not copied. */
static inline const RADIX_KEY *RADIX_FN(read)(const RADIX_VIEW *view, enum radix_place from,
                                              uint64_t first, uint64_t count, RADIX_KEY *space)
{
    if (from == RADIX_ITEMS)
        return NULL;
    if (from != RADIX_INPUT)
        return view->codes + first;
    const RADIX_KEY *keys = view->keys_in + first;
    if (view->plain)
        return keys;
    for (uint64_t j = 0; j < count; j++)
        space[j] = RADIX_CODEC(_encode)(view->codec, keys[j]);
    return space;
}

/* Asks for keys a page ahead: the processor's own prefetch stops at every page, and while a block
 * is encoded nothing else is read (10^8 f64 by one thread: 1.53 s without, 1.45 with; keys of 4
 * bytes and keys that are codes already gain nothing). */
static inline void RADIX_FN(ahead)(const RADIX_VIEW *view, enum radix_place from, uint64_t first,
                                   uint64_t count)
{
    if (RADIX_VALUE || RADIX_BITS != 64 || view->plain)
        return;
    const void *keys = from == RADIX_INPUT   ? (const void *)(view->keys_in + first)
                       : from == RADIX_ITEMS ? (const void *)(view->items + first)
                                             : (const void *)(view->codes + first);
    for (uint64_t line = 0; line < count * sizeof(RADIX_KEY); line += 64)
        __builtin_prefetch((const void *)((uintptr_t)keys + RADIX_AHEAD + line));
}

/* Code j of the block that was read from `first` on. */
static inline RADIX_KEY RADIX_FN(code)(const RADIX_VIEW *view, enum radix_place from,
                                       const RADIX_KEY *block, uint64_t first, uint64_t j)
{
    return from == RADIX_ITEMS ? view->items[first + j].key : block[j];
}

static inline RADIX_ITEM RADIX_FN(item)(const RADIX_VIEW *view, enum radix_place from,
                                        const RADIX_KEY *block, uint64_t first, uint64_t j)
{
    if (from == RADIX_ITEMS)
        return view->items[first + j];
    RADIX_ITEM item;
    item.key = block[j];
#if RADIX_VALUE
    RADIX_VALUE_T value = (RADIX_VALUE_T)(first + j);
    const unsigned char *values = from == RADIX_INPUT ? view->values_in : view->values_out;
    if (values)
        memcpy(&value, values + (first + j) * RADIX_VALUE, RADIX_VALUE);
    item.value = value;
#endif
    return item;
}

static inline void RADIX_FN(put_keys)(const RADIX_VIEW *view, uint64_t first,
                                      const RADIX_ITEM *from, uint64_t count)
{
    RADIX_KEY *keys = view->keys_out + first;
    if (view->plain && !RADIX_VALUE)
        memcpy(keys, from, count * sizeof *keys);
    else
        for (uint64_t j = 0; j < count; j++)
            keys[j] = RADIX_CODEC(_decode)(view->codec, from[j].key);
}

/* Writes `count` items to the output from position `first` on, as keys or as codes. */
static inline void RADIX_FN(put)(const RADIX_VIEW *view, enum radix_place to, uint64_t first,
                                 const RADIX_ITEM *from, uint64_t count)
{
    if (to == RADIX_CODES) {
        for (uint64_t j = 0; j < count; j++)
            view->codes[first + j] = from[j].key;
    } else if (view->keys_out) {
        RADIX_FN(put_keys)(view, first, from, count);
    }
#if RADIX_VALUE
    unsigned char *values = view->values_out + first * RADIX_VALUE;
    for (uint64_t j = 0; j < count; j++) {
        RADIX_VALUE_T value = from[j].value;
        memcpy(values + j * RADIX_VALUE, &value, RADIX_VALUE);
    }
#endif
}
