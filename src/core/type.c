/* SPDX-License-Identifier: Apache-2.0 */
/* The type table, names of types, and their parts. */
#include "core/type.h"

#include <stdio.h>
#include <string.h>

#include "core/status.h"

struct type_entry {
    const char *name;
    consort_type type;
};

static const struct type_entry type_table[] = {
    {"u8", CONSORT_U8},     {"u16", CONSORT_U16},   {"u32", CONSORT_U32}, {"u64", CONSORT_U64},
    {"u128", CONSORT_U128}, {"i8", CONSORT_I8},     {"i16", CONSORT_I16}, {"i32", CONSORT_I32},
    {"i64", CONSORT_I64},   {"i128", CONSORT_I128}, {"f16", CONSORT_F16}, {"bf16", CONSORT_BF16},
    {"f32", CONSORT_F32},   {"f64", CONSORT_F64},
};

enum {
    TYPE_COUNT = sizeof type_table / sizeof type_table[0]
};

static const char *const type_order_prefix[] = {
    [CONSORT_NATIVE] = "", [CONSORT_LITTLE_ENDIAN] = "le:", [CONSORT_BIG_ENDIAN] = "be:"};

static const struct type_entry *type_find(consort_type type)
{
    for (int i = 0; i < TYPE_COUNT; i++)
        if (type_table[i].type == (type & 0xffff))
            return &type_table[i];
    return NULL;
}

bool type_is_scalar(consort_type type)
{
    return type > 0 && (type >> 16) <= CONSORT_BIG_ENDIAN && type_find(type) != NULL;
}

bool type_is_key(consort_type type)
{
    return type_is_scalar(type) || (type >> 8 == CONSORT_KIND_BYTES && type_bytes(type) != 0);
}

bool type_is_index(consort_type type)
{
    return type == CONSORT_U32 || type == CONSORT_U64;
}

bool type_is_swapped(consort_type type)
{
    int32_t native =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? CONSORT_LITTLE_ENDIAN : CONSORT_BIG_ENDIAN;
    return type_byte_order(type) != CONSORT_NATIVE && type_byte_order(type) != native;
}

uint32_t type_alignment(consort_type type)
{
    return type_is_scalar(type) ? type_bytes(type) : 1;
}

consort_type consort_type_bytes(uint32_t length)
{
    return length >= 1 && length <= 255 ? CONSORT_KIND_BYTES << 8 | (consort_type)length : 0;
}

consort_type consort_type_with_byte_order(consort_type type, int32_t byte_order)
{
    if (!type_is_scalar(type) || byte_order < CONSORT_NATIVE || byte_order > CONSORT_BIG_ENDIAN)
        return 0;
    return (type & 0xffff) | byte_order << 16;
}

uint32_t consort_type_size(consort_type type)
{
    return type_is_key(type) ? type_bytes(type) : 0;
}

int32_t consort_type_valid(consort_type type)
{
    return type_is_key(type) || type == CONSORT_RECORD || type == CONSORT_CALLBACK;
}

static consort_type type_parse_bytes(const char *digits)
{
    uint32_t length = 0;
    if (*digits == '0' || *digits == '\0')
        return 0;
    for (; *digits >= '0' && *digits <= '9' && length < 1000; digits++)
        length = length * 10 + (uint32_t)(*digits - '0');
    return *digits == '\0' ? consort_type_bytes(length) : 0;
}

static consort_type type_parse_plain(const char *name)
{
    if (strncmp(name, "bytes:", 6) == 0)
        return type_parse_bytes(name + 6);
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strcmp(type_table[i].name, name) == 0)
            return type_table[i].type;
    return 0;
}

consort_status consort_type_parse(const char *name, consort_type *type)
{
    if (!name || !type)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_type_parse: NULL argument");
    consort_type found = 0;
    for (int32_t order = CONSORT_LITTLE_ENDIAN; order <= CONSORT_BIG_ENDIAN; order++)
        if (strncmp(name, type_order_prefix[order], 3) == 0)
            found = consort_type_with_byte_order(type_parse_plain(name + 3), order);
    if (!found)
        found = type_parse_plain(name);
    if (!found)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "unknown type \"%.20s\"; types are i8 u8 i16 u16 i32 u32 i64 u64 i128 "
                           "u128 f16 bf16 f32 f64 and bytes:1 to bytes:255, numbers also as le:… "
                           "and be:…",
                           name);
    *type = found;
    return CONSORT_OK;
}

consort_status consort_type_name(consort_type type, char *name, size_t size)
{
    if (!name || size == 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_type_name: no room for a name");
    int length;
    if (type == CONSORT_RECORD)
        length = snprintf(name, size, "record");
    else if (type == CONSORT_CALLBACK)
        length = snprintf(name, size, "callback");
    else if (!type_is_key(type))
        return status_fail(CONSORT_ERROR_ARGUMENT, "0x%x is no type", (unsigned)type);
    else if (type_kind(type) == CONSORT_KIND_BYTES)
        length = snprintf(name, size, "bytes:%u", type_bytes(type));
    else
        length = snprintf(name, size, "%s%s", type_order_prefix[type_byte_order(type)],
                          type_find(type)->name);
    if (length < 0 || (size_t)length >= size)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "consort_type_name: the name needs %d characters, there is room for %zu",
                           length + 1, size);
    return CONSORT_OK;
}
