/* SPDX-License-Identifier: Apache-2.0 */
/* Normalised keys of a whole array: the codes that radix sorts take for items that are no codes. */
#include "cpu/encode.h"

#include <string.h>

enum {
    ENCODE_ALONE = 1 << 13 /* fewer items do not pay for waking threads */
};

struct encode_job {
    const struct order *order;
    const char *items;
    uint64_t count;
    char *codes;
    uint32_t code_bytes;
};

struct codec encode_codec(const struct order *order)
{
    uint32_t bytes = order_code_bytes(order);
    uint64_t bits = order->total_bits < 8 * bytes ? order->total_bits : 8 * bytes;
    return (struct codec){.width = bytes, .stored = bytes, .bits = (uint32_t)bits};
}

static inline void encode_store(const struct encode_job *job, uint64_t i, uint128 code)
{
    uint32_t narrow = (uint32_t)code;
    uint64_t wide = (uint64_t)code;
    if (job->code_bytes == 4)
        memcpy(job->codes + i * 4, &narrow, 4);
    else if (job->code_bytes == 8)
        memcpy(job->codes + i * 8, &wide, 8);
    else
        memcpy(job->codes + i * 16, &code, 16);
}

static void encode_any(const struct encode_job *job, uint64_t first, uint64_t last)
{
    for (uint64_t i = first; i < last; i++)
        encode_store(job, i, order_code(job->order, job->items + i * job->order->item_bytes));
}

/* The kinds of single pieces that records usually have: whole scalars of 4 and 8 bytes. */
static void encode_u32(const struct encode_job *job, uint64_t first, uint64_t last)
{
    const struct codec_u32 codec = codec_u32_of(&job->order->pieces[0].codec);
    const uint64_t stride = job->order->item_bytes;
    const char *key = job->items + job->order->pieces[0].offset + first * stride;
    uint32_t *codes = (uint32_t *)(void *)job->codes;
    for (uint64_t i = first; i < last; i++, key += stride) {
        uint32_t x;
        memcpy(&x, key, sizeof x);
        codes[i] = codec_u32_encode(codec, x);
    }
}

static void encode_u64(const struct encode_job *job, uint64_t first, uint64_t last)
{
    const struct codec_u64 codec = codec_u64_of(&job->order->pieces[0].codec);
    const uint64_t stride = job->order->item_bytes;
    const char *key = job->items + job->order->pieces[0].offset + first * stride;
    uint64_t *codes = (uint64_t *)(void *)job->codes;
    for (uint64_t i = first; i < last; i++, key += stride) {
        uint64_t x;
        memcpy(&x, key, sizeof x);
        codes[i] = codec_u64_encode(codec, x);
    }
}

/* A byte string of 8 to 16 bytes, from the words at its two ends, which overlap. */
static void encode_string(const struct encode_job *job, uint64_t first, uint64_t last)
{
    const struct codec codec = job->order->pieces[0].codec;
    const uint64_t stride = job->order->item_bytes;
    const char *key = job->items + job->order->pieces[0].offset + first * stride;
    const uint32_t tail = 8 * (codec.stored - 8); /* bits after the first word */
    for (uint64_t i = first; i < last; i++, key += stride) {
        uint64_t head, end;
        memcpy(&head, key, sizeof head);
        memcpy(&end, key + codec.stored - 8, sizeof end);
        if (codec.swap) {
            head = __builtin_bswap64(head);
            end = __builtin_bswap64(end);
        }
        uint128 low = tail == 64 ? end : end & (((uint64_t)1 << tail) - 1);
        encode_store(job, i, ((uint128)head << tail | low) ^ codec.flip);
    }
}

static bool encode_is_scalar(const struct order *order, uint32_t width)
{
    const struct codec *codec = &order->pieces[0].codec;
    return order->piece_count == 1 && codec->width == width && codec->stored == width &&
           !codec->equal_floats;
}

/* Byte strings, of which only the first piece matters if they are longer, and big-endian integers:
 * stored like numbers that are read from the front, and encoded by a flip alone. */
static bool encode_is_string(const struct order *order)
{
    const struct codec *codec = &order->pieces[0].codec;
    bool leads = order->piece_count == 1 || codec->bits == 128;
    bool bytes = codec->stored != codec->width || codec->swap;
    return leads && bytes && codec->stored >= 8 && codec->magnitude == 0 && codec->bias == 0;
}

static void encode_member(void *context, uint32_t member, uint32_t size)
{
    const struct encode_job *job = context;
    uint64_t first, last;
    team_share(job->count, member, size, 64, &first, &last);
    if (encode_is_scalar(job->order, 4))
        encode_u32(job, first, last);
    else if (encode_is_scalar(job->order, 8))
        encode_u64(job, first, last);
    else if (encode_is_string(job->order))
        encode_string(job, first, last);
    else
        encode_any(job, first, last);
}

void encode_items(struct team *team, const struct order *order, const void *items, uint64_t count,
                  void *codes)
{
    struct encode_job job = {.order = order,
                             .items = items,
                             .count = count,
                             .codes = codes,
                             .code_bytes = order_code_bytes(order)};
    if (count < ENCODE_ALONE)
        encode_member(&job, 0, 1);
    else
        team_run(team, encode_member, &job);
}
