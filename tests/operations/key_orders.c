/* SPDX-License-Identifier: Apache-2.0 */
/* The list of key orders: scalars and byte strings by rule, records and callbacks by table. */
#include "operations/key_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations/key_records.h"

enum {
    KEY_MOST = 128
};

int key_order_context = 42;

static struct key_order key_orders[KEY_MOST][KEY_ORDERS];
static uint32_t keys_filled;

static const consort_type key_scalars[] = {
    CONSORT_U8,  CONSORT_U16, CONSORT_U32,  CONSORT_U64, CONSORT_U128, CONSORT_I8,  CONSORT_I16,
    CONSORT_I32, CONSORT_I64, CONSORT_I128, CONSORT_F16, CONSORT_BF16, CONSORT_F32, CONSORT_F64};
static const unsigned key_lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 33, 100, 255};

static const char *const key_float_orders[] = {"nan-last", "nan-first", "total", "numpy"};

static bool key_is_float(consort_type type)
{
    int kind = type >> 8 & 0xff;
    return kind == CONSORT_KIND_FLOAT || kind == CONSORT_KIND_BFLOAT;
}

static struct key_order *key_next(void)
{
    if (keys_filled == KEY_MOST) {
        fprintf(stderr, "key_orders.c: KEY_MOST is too small\n");
        exit(99);
    }
    return key_orders[keys_filled++];
}

static struct key_order key_order_of_type(consort_type type, int32_t direction, int32_t float_order)
{
    uint32_t bytes = (uint32_t)type & 0xff;
    bool string = (type >> 8 & 0xff) == CONSORT_KIND_BYTES;
    struct key_order order = {.type = type,
                              .direction = direction,
                              .float_order = float_order,
                              .item_bytes = bytes,
                              .alignment = string ? 1 : bytes,
                              .field_count = 1};
    order.fields[0] =
        (consort_field){.type = type, .direction = direction, .float_order = float_order};
    order.injective = !key_is_float(type) || float_order != CONSORT_NUMPY_ORDER;
    char name[16];
    if (consort_type_name(type, name, sizeof name) != CONSORT_OK)
        snprintf(name, sizeof name, "0x%x", (unsigned)type);
    snprintf(order.name, sizeof order.name, "%s-%s-%s", name, direction ? "desc" : "asc",
             key_float_orders[float_order]);
    return order;
}

static void keys_add_type(consort_type type)
{
    struct key_order *orders = key_next();
    for (int32_t i = 0; i < KEY_ORDERS; i++)
        orders[i] = key_order_of_type(type, i & 1, i >> 1);
}

static void keys_add_record(const struct key_record *record)
{
    struct key_order order = {.type = record->compare ? CONSORT_CALLBACK : CONSORT_RECORD,
                              .item_bytes = record->bytes,
                              .alignment = 1,
                              .compare = record->compare};
    while (order.field_count < KEY_ORDER_FIELDS && record->fields[order.field_count].type != 0) {
        order.fields[order.field_count] = record->fields[order.field_count];
        order.field_count++;
    }
    snprintf(order.name, sizeof order.name, "%s", record->name);
    struct key_order *orders = key_next();
    for (int32_t i = 0; i < KEY_ORDERS; i++)
        orders[i] = order;
}

static void keys_fill(void)
{
    if (keys_filled > 0)
        return;
    for (size_t i = 0; i < sizeof key_scalars / sizeof *key_scalars; i++) {
        keys_add_type(key_scalars[i]);
        keys_add_type(key_scalars[i] | CONSORT_BIG_ENDIAN << 16);
    }
    keys_add_type(CONSORT_U32 | CONSORT_LITTLE_ENDIAN << 16);
    keys_add_type(CONSORT_F64 | CONSORT_LITTLE_ENDIAN << 16);
    for (size_t i = 0; i < sizeof key_lengths / sizeof *key_lengths; i++)
        keys_add_type(CONSORT_KIND_BYTES << 8 | (consort_type)key_lengths[i]);
    for (uint32_t i = 0; i < key_record_count; i++)
        keys_add_record(&key_records[i]);
}

uint32_t key_count(void)
{
    keys_fill();
    return keys_filled;
}

const struct key_order *key_order_at(uint32_t key, uint32_t order)
{
    keys_fill();
    return &key_orders[key][order];
}

bool key_order_is_distinct(uint32_t key, uint32_t order)
{
    consort_type type = key_order_at(key, order)->type;
    if (type == CONSORT_RECORD || type == CONSORT_CALLBACK)
        return order == 0;
    return key_is_float(type) || order < 2;
}
