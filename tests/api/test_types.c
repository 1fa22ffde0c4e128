/* SPDX-License-Identifier: Apache-2.0 */
/* Types: their numbers, names, sizes, validity, and everything that is no type. */
#include "api/api_test.h"

#include <stdbool.h>
#include <stdio.h>

struct type_line {
    consort_type type;
    const char *name;
    uint32_t bytes;
};

static const struct type_line lines[] = {
    {0x0101, "u8", 1},    {0x0102, "u16", 2},   {0x0104, "u32", 4}, {0x0108, "u64", 8},
    {0x0110, "u128", 16}, {0x0201, "i8", 1},    {0x0202, "i16", 2}, {0x0204, "i32", 4},
    {0x0208, "i64", 8},   {0x0210, "i128", 16}, {0x0302, "f16", 2}, {0x0402, "bf16", 2},
    {0x0304, "f32", 4},   {0x0308, "f64", 8},
};
enum {
    LINES = sizeof lines / sizeof *lines
};

static void check_name(consort_type type, const char *name, uint32_t bytes)
{
    consort_type parsed = -1;
    char text[16];
    assert_works(consort_type_parse(name, &parsed));
    assert_int_equal(parsed, type);
    assert_works(consort_type_name(type, text, sizeof text));
    assert_string_equal(text, name);
    assert_int_equal(consort_type_size(type), bytes);
    assert_int_equal(consort_type_valid(type), 1);
}

static void test_scalars(void **state)
{
    (void)state;
    for (int i = 0; i < LINES; i++) {
        char name[16];
        check_name(lines[i].type, lines[i].name, lines[i].bytes);
        for (int32_t order = CONSORT_LITTLE_ENDIAN; order <= CONSORT_BIG_ENDIAN; order++) {
            consort_type type = consort_type_with_byte_order(lines[i].type, order);
            assert_int_equal(type, lines[i].type | order << 16);
            snprintf(name, sizeof name, "%s:%s", order == CONSORT_BIG_ENDIAN ? "be" : "le",
                     lines[i].name);
            check_name(type, name, lines[i].bytes);
            assert_int_equal(consort_type_with_byte_order(type, CONSORT_NATIVE), lines[i].type);
        }
    }
}

static void test_byte_strings(void **state)
{
    (void)state;
    for (uint32_t length = 1; length <= 255; length++) {
        char name[16];
        snprintf(name, sizeof name, "bytes:%u", length);
        check_name(consort_type_bytes(length), name, length);
        assert_int_equal(consort_type_with_byte_order(consort_type_bytes(length), 1), 0);
    }
    assert_int_equal(consort_type_bytes(0), 0);
    assert_int_equal(consort_type_bytes(256), 0);
    assert_int_equal(consort_type_bytes(UINT32_MAX), 0);
    assert_int_equal(consort_type_bytes(0x10000001), 0);
}

/* Every 18-bit number, and the signs above: valid ones are exactly those that have a name. */
static void test_every_number(void **state)
{
    (void)state;
    uint32_t valid = 0;
    for (int32_t type = -70000; type < 1 << 19; type++) {
        char name[16];
        consort_type parsed = 0;
        bool record = type == CONSORT_RECORD || type == CONSORT_CALLBACK;
        bool named = consort_type_name(type, name, sizeof name) == CONSORT_OK;
        assert_int_equal(named, consort_type_valid(type));
        assert_int_equal(consort_type_size(type) != 0, named && !record);
        if (named && !record)
            assert_works(consort_type_parse(name, &parsed));
        assert_int_equal(parsed, named && !record ? type : 0);
        valid += named;
    }
    assert_int_equal(valid, LINES * 3 + 255 + 2);
    assert_int_equal(consort_type_valid(INT32_MIN), 0);
    assert_int_equal(consort_type_valid(INT32_MAX), 0);
}

static void test_names_that_are_none(void **state)
{
    (void)state;
    static const char *const names[] = {"",           "U32",       "u32 ",
                                        " u32",       "u33",       "u",
                                        "f8",         "be:",       "be:be:u32",
                                        "le:bytes:4", "bytes",     "bytes:",
                                        "bytes:0",    "bytes:256", "bytes:04",
                                        "bytes:+4",   "bytes:4x",  "bytes:-1",
                                        "bytes: 4",   "record",    "callback",
                                        "ne:u32",     "beu32",     "bytes:99999999999999999999",
                                        "u32\n",      "\xff\xfe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        consort_type type = 77;
        assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_parse(names[i], &type));
        assert_int_equal(type, 77);
    }
    consort_type type;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_parse(NULL, &type));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_parse("u8", NULL));
}

static void test_names_need_room(void **state)
{
    (void)state;
    char name[16];
    memset(name, 'x', sizeof name);
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_name(CONSORT_U128, name, 4));
    assert_int_equal(name[4], 'x');
    assert_works(consort_type_name(CONSORT_U128, name, 5));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_name(CONSORT_U128, name, 0));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_name(CONSORT_U128, NULL, 16));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_type_name(0, name, sizeof name));
}

static void test_byte_orders_that_are_none(void **state)
{
    (void)state;
    assert_int_equal(consort_type_with_byte_order(CONSORT_U32, 3), 0);
    assert_int_equal(consort_type_with_byte_order(CONSORT_U32, -1), 0);
    assert_int_equal(consort_type_with_byte_order(CONSORT_RECORD, 1), 0);
    assert_int_equal(consort_type_with_byte_order(CONSORT_CALLBACK, 1), 0);
    assert_int_equal(consort_type_with_byte_order(0, 1), 0);
    assert_int_equal(consort_type_with_byte_order(-1, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),         cmocka_unit_test(test_byte_strings),
        cmocka_unit_test(test_every_number),    cmocka_unit_test(test_names_that_are_none),
        cmocka_unit_test(test_names_need_room), cmocka_unit_test(test_byte_orders_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
