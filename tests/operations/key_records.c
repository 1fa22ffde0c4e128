/* SPDX-License-Identifier: Apache-2.0 */
/* The table of record layouts: unaligned, overlapping, long, narrow; and of comparison functions.
 */
#include "operations/key_records.h"

#include <stdlib.h>
#include <string.h>

enum {
    BYTES = CONSORT_KIND_BYTES << 8,
    BIG = CONSORT_BIG_ENDIAN << 16,
    DOWN = CONSORT_DESCENDING
};

static void key_check_context(const void *context)
{
    if (context != &key_order_context)
        abort();
}

static int32_t compare_u32(void *context, const void *a, const void *b)
{
    uint32_t x, y;
    key_check_context(context);
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? INT32_MIN : x > y;
}

static int32_t compare_u8_backwards(void *context, const void *a, const void *b)
{
    key_check_context(context);
    return *(const unsigned char *)b - *(const unsigned char *)a;
}

/* Only the low two bits count: long runs of equal elements that are different bytes. */
static int32_t compare_low_bits(void *context, const void *a, const void *b)
{
    key_check_context(context);
    return (*(const unsigned char *)a & 3) - (*(const unsigned char *)b & 3);
}

static int32_t compare_nothing(void *context, const void *a, const void *b)
{
    (void)a, (void)b;
    key_check_context(context);
    return 0;
}

const struct key_record key_records[] = {
    {"record1-u8", 1, {{.type = CONSORT_U8}}, NULL},
    {"record4-u8-desc@2", 4, {{.offset = 2, .type = CONSORT_U8, .direction = DOWN}}, NULL},
    {"record5-u32@1", 5, {{.offset = 1, .type = CONSORT_U32}}, NULL},
    {"record8-f32numpy@3",
     8,
     {{.offset = 3, .type = CONSORT_F32, .float_order = CONSORT_NUMPY_ORDER}},
     NULL},
    {"record8-u64", 8, {{.type = CONSORT_U64}}, NULL},
    {"record12-u8-f32",
     12,
     {{.offset = 0, .type = CONSORT_U8},
      {.offset = 1, .type = CONSORT_F32, .direction = DOWN, .float_order = CONSORT_NAN_FIRST}},
     NULL},
    {"record16-i64-u64",
     16,
     {{.offset = 8, .type = CONSORT_I64, .direction = DOWN}, {.offset = 0, .type = CONSORT_U64}},
     NULL},
    {"record24-u128@3-u8",
     24,
     {{.offset = 3, .type = CONSORT_U128}, {.offset = 20, .type = CONSORT_U8, .direction = DOWN}},
     NULL},
    {"record31-five",
     31,
     {{.offset = 30, .type = CONSORT_I8},
      {.offset = 0, .type = CONSORT_U16 | BIG, .direction = DOWN},
      {.offset = 2, .type = CONSORT_F16, .float_order = CONSORT_NUMPY_ORDER},
      {.offset = 4, .type = CONSORT_I128 | BIG, .direction = DOWN},
      {.offset = 20, .type = CONSORT_F64, .float_order = CONSORT_TOTAL_ORDER}},
     NULL},
    {"record32-overlapping",
     32,
     {{.offset = 4, .type = CONSORT_U16},
      {.offset = 5, .type = CONSORT_I16, .direction = DOWN},
      {.offset = 4, .type = CONSORT_U32}},
     NULL},
    {"record40-bytes20-bytes17",
     40,
     {{.offset = 0, .type = BYTES | 20}, {.offset = 21, .type = BYTES | 17, .direction = DOWN}},
     NULL},
    {"record100-bytes10", 100, {{.offset = 0, .type = BYTES | 10}}, NULL},
    {"record300-bytes255-bf16",
     300,
     {{.offset = 1, .type = BYTES | 255},
      {.offset = 256, .type = CONSORT_BF16, .float_order = CONSORT_NAN_FIRST}},
     NULL},
    {"callback4-u32", 4, {{.type = CONSORT_U32}}, compare_u32},
    {"callback1-backwards", 1, {{.type = CONSORT_U8}}, compare_u8_backwards},
    {"callback13-low-bits", 13, {{.type = CONSORT_U8}}, compare_low_bits},
    {"callback8-nothing", 8, {{.type = CONSORT_U8}}, compare_nothing},
};

const uint32_t key_record_count = sizeof key_records / sizeof *key_records;
