/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers to text and back: every 16-bit float, the ends of every integer type, ties, sizes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "half.h"
#include "item_text.h"
#include "key_spec.h"
#include "number_parse.h"
#include "size_parse.h"

static enum number_result parse(consort_type type, const char *text, void *item)
{
    size_t column;
    return number_parse(type, text, strlen(text), item, &column);
}

/* Every value of both 16-bit formats reads back as itself. */
static void halves_round_trip(void **state)
{
    static const consort_type types[] = {CONSORT_F16, CONSORT_BF16};
    (void)state;
    for (int brain = 0; brain < 2; brain++)
        for (uint32_t bits = 0; bits < 65536; bits++) {
            char text[ITEM_TEXT_NUMBER];
            uint16_t in = (uint16_t)bits;
            uint16_t out = 0;
            if (isnan(half_to_double(in, brain)))
                continue;
            item_text_number(types[brain], &in, text);
            assert_int_equal(parse(types[brain], text, &out), NUMBER_GOOD);
            assert_int_equal(in, out);
        }
}

/* Exactly between two neighbours: the even one; a hair above or below: the nearer one. */
static void halves_round_to_nearest(void **state)
{
    (void)state;
    for (int brain = 0; brain < 2; brain++)
        for (uint16_t bits = 0; bits < (brain ? 0x7f7f : 0x7bff); bits += 37) {
            char text[400];
            double low = half_to_double(bits, brain);
            double high = half_to_double((uint16_t)(bits + 1), brain);
            snprintf(text, sizeof text, "%.300f", low + (high - low) / 2);
            assert_int_equal(half_of_text(text, brain), bits + (bits & 1));
            text[strlen(text) - 1] = '1';
            assert_int_equal(half_of_text(text, brain), bits + 1);
        }
    assert_int_equal(half_of_text("65519.99999999999999999", false), 0x7bff);
    assert_int_equal(half_of_text("65520", false), 0x7c00);
    assert_int_equal(half_of_text("-1e-30", false), 0x8000);
}

struct limit {
    consort_type type;
    const char *least;
    const char *most;
    const char *below;
    const char *above;
};

static void integers_have_limits(void **state)
{
    static const struct limit limits[] = {
        {CONSORT_I8, "-128", "127", "-129", "128"},
        {CONSORT_U8, "0", "255", "-1", "256"},
        {CONSORT_I16, "-32768", "32767", "-32769", "32768"},
        {CONSORT_U16, "0", "65535", "-1", "65536"},
        {CONSORT_I32, "-2147483648", "2147483647", "-2147483649", "2147483648"},
        {CONSORT_U32, "0", "4294967295", "-1", "4294967296"},
        {CONSORT_I64, "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
         "9223372036854775808"},
        {CONSORT_U64, "0", "18446744073709551615", "-1", "18446744073709551616"},
        {CONSORT_I128, "-170141183460469231731687303715884105728",
         "170141183460469231731687303715884105727", "-170141183460469231731687303715884105729",
         "170141183460469231731687303715884105728"},
        {CONSORT_U128, "0", "340282366920938463463374607431768211455", "-1",
         "340282366920938463463374607431768211456"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct limit *limit = &limits[i];
        unsigned char item[16];
        char text[ITEM_TEXT_NUMBER];
        assert_int_equal(parse(limit->type, limit->least, item), NUMBER_GOOD);
        item_text_number(limit->type, item, text);
        assert_string_equal(text, limit->least);
        assert_int_equal(parse(limit->type, limit->most, item), NUMBER_GOOD);
        item_text_number(limit->type, item, text);
        assert_string_equal(text, limit->most);
        assert_int_equal(parse(limit->type, limit->below, item), NUMBER_OUT_OF_RANGE);
        assert_int_equal(parse(limit->type, limit->above, item), NUMBER_OUT_OF_RANGE);
        assert_int_equal(parse(limit->type, "99999999999999999999999999999999999999999999", item),
                         NUMBER_OUT_OF_RANGE);
        assert_int_equal(parse(limit->type, "-0", item), NUMBER_GOOD);
    }
}

static void floats_read_back(void **state)
{
    static const char *const texts[] = {"0",       "-0",    "0.1",     "1e+300",
                                        "5e-324",  "inf",   "-inf",    "1.7976931348623157e+308",
                                        "1e-45",   "nan",   "-nan",    "123456789012345",
                                        "2.5e-08", "3e+38", "16777217"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double item;
        char text[ITEM_TEXT_NUMBER];
        assert_int_equal(parse(CONSORT_F64, texts[i], &item), NUMBER_GOOD);
        item_text_number(CONSORT_F64, &item, text);
        double again;
        assert_int_equal(parse(CONSORT_F64, text, &again), NUMBER_GOOD);
        assert_memory_equal(&item, &again, sizeof item);
    }
    float narrow;
    assert_int_equal(parse(CONSORT_F32, "16777217", &narrow), NUMBER_GOOD);
    assert_true(narrow == 16777216.0f);
    assert_int_equal(parse(CONSORT_F32, "3.5e38", &narrow), NUMBER_OUT_OF_RANGE);
}

static void sizes_parse(void **state)
{
    struct problem problem;
    uint64_t value;
    (void)state;
    assert_true(size_parse_count("10k", &value, &problem) && value == 10000);
    assert_true(size_parse_count("3G", &value, &problem) && value == 3000000000u);
    assert_true(size_parse_count("2^63", &value, &problem) && value == (uint64_t)1 << 63);
    assert_true(size_parse_count("1e8", &value, &problem) && value == 100000000);
    assert_true(size_parse_count("25e2", &value, &problem) && value == 2500);
    assert_true(size_parse_count("0e99", &value, &problem) && value == 0);
    assert_true(size_parse_bytes("4G", &value, &problem) && value == (uint64_t)4 << 30);
    assert_true(size_parse_count("18446744073709551615", &value, &problem) && value == UINT64_MAX);
    static const char *const bad[] = {"",
                                      "k",
                                      "-1",
                                      "1.5",
                                      "2^64",
                                      "2^",
                                      "1kk",
                                      "10 ",
                                      "18446744073709551616",
                                      "18446744073709551615k",
                                      "1e20",
                                      "1e",
                                      "e3",
                                      "1e-3",
                                      "1.5e3",
                                      "1e3k",
                                      "0x10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(size_parse_count(bad[i], &value, &problem));
    assert_false(size_parse_bytes("1e8", &value, &problem));
}

static void keys_parse(void **state)
{
    struct key_spec key;
    struct problem problem;
    (void)state;
    assert_true(key_spec_parse("12:10", 5, &key, &problem));
    assert_true(key.kind == KEY_SPEC_BYTES && key.offset == 12 && key.length == 10);
    assert_int_equal(key.direction, -1);
    assert_true(key_spec_parse("0:be:u32:desc", 13, &key, &problem));
    assert_int_equal(key.type, consort_type_with_byte_order(CONSORT_U32, CONSORT_BIG_ENDIAN));
    assert_int_equal(key.direction, CONSORT_DESCENDING);
    assert_true(key_spec_parse("0:bytes:16", 10, &key, &problem));
    assert_int_equal(key.length, 16);
    assert_true(key_spec_parse("name=1:desc:asc", 15, &key, &problem));
    assert_string_equal(key.field, "1:desc");
    assert_true(key_spec_parse("a.b:desc", 8, &key, &problem));
    assert_string_equal(key.field, "a.b");
    assert_false(key_spec_parse("", 0, &key, &problem));
    assert_false(key_spec_parse("name=", 5, &key, &problem));
    assert_false(key_spec_parse("5", 1, &key, &problem));
    assert_false(key_spec_parse("5:", 2, &key, &problem));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_round_trip),    cmocka_unit_test(halves_round_to_nearest),
        cmocka_unit_test(integers_have_limits), cmocka_unit_test(floats_read_back),
        cmocka_unit_test(sizes_parse),          cmocka_unit_test(keys_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
