/* SPDX-License-Identifier: Apache-2.0 */
/* Orders beyond plain keys, and items that tie in them at every depth: what tests of orders draw.
 */
#include "random_order.h"

#include <stdbool.h>
#include <string.h>

#include "support/number_types.h"
#include "support/random.h"

static consort_type random_type(uint64_t *random, uint64_t room)
{
    consort_type type = number_types[random_below(random, NUMBER_TYPES)];
    if (random_below(random, 3) == 0 || consort_type_size(type) > room)
        return consort_type_bytes(1 + (uint32_t)random_below(random, room < 40 ? room : 40));
    return consort_type_with_byte_order(type, (int32_t)random_below(random, 3));
}

struct random_order random_order_of_type(consort_type type, int32_t direction, int32_t float_order)
{
    return (struct random_order){
        .type = type,
        .item_bytes = consort_type_size(type),
        .fields = {{.type = type, .direction = direction, .float_order = float_order}},
        .field_count = 1};
}

struct random_order random_order_of_records(uint64_t *random)
{
    struct random_order order = {.type = CONSORT_RECORD};
    order.item_bytes = 1 + random_below(random, random_below(random, 2) ? 300 : 40);
    order.field_count = 1 + (uint32_t)random_below(random, RANDOM_ORDER_FIELDS);
    for (uint32_t i = 0; i < order.field_count; i++) {
        consort_field *field = &order.fields[i];
        field->offset = random_below(random, order.item_bytes);
        field->type = random_type(random, order.item_bytes - field->offset);
        field->direction = (int32_t)random_below(random, 2);
        field->float_order = (int32_t)random_below(random, 4);
    }
    return order;
}

/* Zeros, infinities and NaNs of both signs, where a field is a float. */
static void make_special(unsigned char *item, const consort_field *field, uint64_t *random)
{
    static const uint32_t tops[] = {0x0000, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7ff0, 0x7c00};
    uint32_t bytes = consort_type_size(field->type), top = tops[random_below(random, 8)];
    if (bytes < 2 || bytes > 8)
        return;
    memset(item + field->offset, 0, bytes);
    item[field->offset + bytes - 1] = (unsigned char)(top >> 8);
    item[field->offset + bytes - 2] = (unsigned char)top;
}

void random_order_fill(const struct random_order *order, unsigned char *items, uint64_t count,
                       uint64_t seed)
{
    static const unsigned char masks[] = {0xff, 0xff, 0x01, 0x81, 0x03, 0x00};
    uint64_t bytes = order->item_bytes, mask = masks[random_below(&seed, 6)];
    uint64_t copies = random_below(&seed, 3);
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *item = items + i * bytes;
        for (uint64_t j = 0; j < bytes; j++)
            item[j] = (unsigned char)(random_next(&seed) & mask);
        if (random_below(&seed, 4) == 0)
            make_special(item, &order->fields[random_below(&seed, order->field_count)], &seed);
        if (i > 0 && random_below(&seed, 3) < copies)
            memcpy(item, items + random_below(&seed, i) * bytes,
                   random_below(&seed, 2) ? bytes : random_below(&seed, bytes + 1));
    }
}

void random_order_describe(const struct random_order *order, consort_descriptor *descriptor,
                           consort_options *options)
{
    bool is_record = order->type == CONSORT_RECORD;
    descriptor->type = order->type;
    options->direction = is_record ? 0 : order->fields[0].direction;
    options->float_order = is_record ? 0 : order->fields[0].float_order;
    if (!is_record)
        return;
    descriptor->record_bytes = order->item_bytes;
    descriptor->fields = order->fields;
    descriptor->field_count = order->field_count;
}
