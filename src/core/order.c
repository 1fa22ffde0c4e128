/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling orders into pieces, comparing items, and normalised keys. */
#include "core/order.h"

#include <stdlib.h>
#include <string.h>

#include "core/type.h"

enum {
    ORDER_PIECE_BYTES = 16
}; /* a code is at most 128 bits */

static uint32_t order_pieces_of(consort_type type)
{
    return (type_bytes(type) + ORDER_PIECE_BYTES - 1) / ORDER_PIECE_BYTES;
}

static void order_append(struct order *order, const consort_field *field)
{
    for (uint32_t done = 0; done < type_bytes(field->type); done += ORDER_PIECE_BYTES) {
        consort_type type = field->type;
        uint32_t left = type_bytes(type) - done;
        if (type_kind(type) == CONSORT_KIND_BYTES)
            type = consort_type_bytes(left < ORDER_PIECE_BYTES ? left : ORDER_PIECE_BYTES);
        struct order_piece *piece = &order->pieces[order->piece_count++];
        piece->offset = field->offset + done;
        piece->codec = codec_of(type, field->direction, field->float_order);
        order->total_bits += piece->codec.bits;
    }
}

bool order_of_fields(struct order *order, uint64_t record_bytes, const consort_field *fields,
                     uint32_t field_count)
{
    *order = (struct order){.item_bytes = record_bytes};
    size_t count = 0;
    for (uint32_t i = 0; i < field_count; i++)
        count += order_pieces_of(fields[i].type);
    order->pieces = calloc(count, sizeof *order->pieces);
    if (!order->pieces)
        return false;
    for (uint32_t i = 0; i < field_count; i++)
        order_append(order, &fields[i]);
    return true;
}

bool order_of_type(struct order *order, consort_type type, int32_t direction, int32_t float_order)
{
    consort_field field = {.type = type, .direction = direction, .float_order = float_order};
    if (!order_of_fields(order, type_bytes(type), &field, 1))
        return false;
    order->injective = !order->pieces[0].codec.equal_floats;
    return true;
}

void order_of_callback(struct order *order, uint64_t item_bytes, consort_compare compare,
                       void *compare_context)
{
    *order = (struct order){
        .item_bytes = item_bytes, .compare = compare, .compare_context = compare_context};
}

void order_release(struct order *order)
{
    free(order->pieces);
    order->pieces = NULL;
}

int order_compare(const struct order *order, const void *a, const void *b)
{
    if (order->compare)
        return order->compare(order->compare_context, a, b);
    for (uint32_t i = 0; i < order->piece_count; i++) {
        const struct order_piece *piece = &order->pieces[i];
        uint128 x = codec_load(&piece->codec, (const char *)a + piece->offset);
        uint128 y = codec_load(&piece->codec, (const char *)b + piece->offset);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

bool order_is_plain(const struct order *order)
{
    return order->piece_count == 1 && order->pieces[0].codec.stored == order->item_bytes &&
           order->pieces[0].codec.stored == order->pieces[0].codec.width && order->injective;
}

uint32_t order_code_bytes(const struct order *order)
{
    return order->total_bits <= 32 ? 4 : order->total_bits <= 64 ? 8 : 16;
}

bool order_code_is_complete(const struct order *order)
{
    return order->total_bits <= 128;
}

uint128 order_code(const struct order *order, const void *item)
{
    uint128 code = 0;
    uint32_t room = 128;
    for (uint32_t i = 0; i < order->piece_count && room > 0; i++) {
        const struct order_piece *piece = &order->pieces[i];
        uint128 key = codec_load(&piece->codec, (const char *)item + piece->offset);
        uint32_t bits = piece->codec.bits;
        uint32_t taken = bits < room ? bits : room;
        code = taken == 128 ? key : code << taken | key >> (bits - taken);
        room -= taken;
    }
    return code;
}
