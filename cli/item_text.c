/* SPDX-License-Identifier: Apache-2.0 */
/* Values as text. */
#include "item_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "half.h"

typedef unsigned __int128 item_text_u128;

/* The bytes as an unsigned number, whatever their order. */
static item_text_u128 item_text_load(consort_type type, const unsigned char *item)
{
    uint32_t bytes = consort_type_size(type);
    int32_t order = type >> 16;
    bool big = order == CONSORT_BIG_ENDIAN ||
               (order == CONSORT_NATIVE && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    item_text_u128 value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value = value << 8 | item[big ? i : bytes - 1 - i];
    return value;
}

static size_t item_text_integer(item_text_u128 value, bool negative, char *text)
{
    char digits[40];
    size_t count = 0;
    size_t length = 0;
    if (negative) {
        text[length++] = '-';
        value = -value;
    }
    /* 128-bit division is slow: only as long as it must. */
    for (; value > UINT64_MAX; value /= 10)
        digits[count++] = (char)('0' + (int)(value % 10));
    uint64_t rest = (uint64_t)value;
    do
        digits[count++] = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) > 0);
    while (count > 0)
        text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

static item_text_u128 item_text_sign_extended(item_text_u128 value, uint32_t bytes)
{
    unsigned shift = 128 - 8 * bytes;
    return (item_text_u128)((__int128)(value << shift) >> shift);
}

static bool item_text_same(double value, const char *text, uint32_t bytes, bool brain)
{
    if (bytes == 8)
        return strtod(text, NULL) == value;
    if (bytes == 4)
        return (double)strtof(text, NULL) == value;
    return half_to_double(half_of_text(text, brain), brain) == value;
}

static size_t item_text_float(double value, bool negative, uint32_t bytes, bool brain, char *text)
{
    static const int digits_needed[9] = {[2] = 5, [4] = 9, [8] = 17};
    static const int digits_tried[9] = {[2] = 1, [4] = 6, [8] = 15};
    if (isnan(value))
        return (size_t)snprintf(text, ITEM_TEXT_NUMBER, negative ? "-nan" : "nan");
    int length = 0;
    for (int digits = digits_tried[bytes]; digits <= digits_needed[bytes]; digits++) {
        length = snprintf(text, ITEM_TEXT_NUMBER, "%.*g", digits, value);
        if (isinf(value) || item_text_same(value, text, bytes, brain))
            break;
    }
    return (size_t)length;
}

size_t item_text_number(consort_type type, const void *item, char text[ITEM_TEXT_NUMBER])
{
    uint32_t bytes = consort_type_size(type);
    int32_t kind = type >> 8 & 0xff;
    item_text_u128 bits = item_text_load(type, item);
    bool negative = bits >> (8 * bytes - 1) & 1;
    if (kind == CONSORT_KIND_UNSIGNED)
        return item_text_integer(bits, false, text);
    if (kind == CONSORT_KIND_SIGNED)
        return item_text_integer(item_text_sign_extended(bits, bytes), negative, text);
    double value;
    if (bytes == 8) {
        uint64_t word = (uint64_t)bits;
        memcpy(&value, &word, 8);
    } else if (bytes == 4) {
        uint32_t word = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &word, 4);
        value = (double)narrow;
    } else {
        value = half_to_double((uint16_t)bits, kind == CONSORT_KIND_BFLOAT);
    }
    return item_text_float(value, negative, bytes, kind == CONSORT_KIND_BFLOAT, text);
}

/* At most 24 bytes: printable ones as they are, the rest as \xNN. */
static void item_text_string(const unsigned char *item, uint32_t bytes, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "\"");
    for (uint32_t i = 0; i < bytes && i < 24; i++) {
        bool plain = item[i] >= ' ' && item[i] < 127 && item[i] != '"' && item[i] != '\\';
        length += (size_t)snprintf(text + length, size - length, plain ? "%c" : "\\x%02x", item[i]);
    }
    snprintf(text + length, size - length, bytes > 24 ? "…\"" : "\"");
}

static void item_text_value(consort_type type, const unsigned char *item, char *text, size_t size)
{
    char number[ITEM_TEXT_NUMBER];
    if ((type >> 8 & 0xff) == CONSORT_KIND_BYTES) {
        item_text_string(item, consort_type_size(type), text, size);
        return;
    }
    item_text_number(type, item, number);
    snprintf(text, size, "%s", number);
}

void item_text_write(const struct layout *layout, const void *item, char text[ITEM_TEXT])
{
    const unsigned char *bytes = item;
    if (layout->type != CONSORT_RECORD) {
        item_text_value(layout->type, bytes, text, ITEM_TEXT);
        return;
    }
    size_t length = (size_t)snprintf(text, ITEM_TEXT, "(");
    for (uint32_t i = 0; i < layout->field_count && length < ITEM_TEXT - 120; i++) {
        length += (size_t)snprintf(text + length, ITEM_TEXT - length, i ? ", " : "");
        item_text_value(layout->fields[i].type, bytes + layout->fields[i].offset, text + length,
                        ITEM_TEXT - length);
        length += strlen(text + length);
    }
    snprintf(text + length, ITEM_TEXT - length, ")");
}
