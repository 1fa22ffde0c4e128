/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces that are kept to be carried: as many as room was reserved for, no more. Nothing is
 * carried; no GPU is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/status.h"
#include "multi/multi_carry.h"

static char host[1], device[1]; /* where arrays begin: nobody reads them */

static consort_status add(struct multi_carry *carry, enum staging_direction way, uint64_t bytes)
{
    return multi_carry_add(carry, way, true, host, device, bytes);
}

static void expect_refused(struct multi_carry *carry, enum staging_direction way, uint64_t bytes)
{
    uint64_t before = carry->ways[way].count;
    assert_int_equal(add(carry, way, bytes), CONSORT_ERROR_INTERNAL);
    assert_non_null(strstr(consort_last_error()->message, "more pieces"));
    assert_int_equal(carry->ways[way].count, before);
}

/* One of whole buffers and a byte takes one more; directions have room of their own. */
static void test_no_more_than_reserved(void **state)
{
    (void)state;
    struct staging_lane lane = {.slot_count = 1};
    struct multi_carry carry = {.lane = &lane};
    const uint64_t slot = STAGING_SLOT_BYTES;
    expect_refused(&carry, STAGING_UP, 1);
    assert_int_equal(multi_carry_reserve(&carry, STAGING_UP, 3), CONSORT_OK);
    assert_int_equal(multi_carry_reserve(&carry, STAGING_DOWN, 1), CONSORT_OK);
    expect_refused(&carry, STAGING_UP, 3 * slot + 1);
    assert_int_equal(add(&carry, STAGING_UP, slot + 1), CONSORT_OK);
    assert_int_equal(carry.ways[STAGING_UP].count, 2);
    expect_refused(&carry, STAGING_UP, slot + 1);
    assert_int_equal(add(&carry, STAGING_UP, slot), CONSORT_OK);
    expect_refused(&carry, STAGING_UP, 1);
    assert_int_equal(add(&carry, STAGING_UP, 0), CONSORT_OK);
    assert_int_equal(add(&carry, STAGING_DOWN, slot), CONSORT_OK);
    expect_refused(&carry, STAGING_DOWN, 1);
    assert_ptr_equal(carry.ways[STAGING_UP].pieces[2].host, host);
    assert_int_equal(carry.ways[STAGING_UP].pieces[1].bytes, 1);
    multi_carry_release(&carry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_more_than_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
