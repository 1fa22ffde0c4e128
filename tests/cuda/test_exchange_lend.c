/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ranges a GPU with less to do borrows, of an exchange that is made up: of two or three
 * parts, each with three ranges. Nothing is sorted; no GPU is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "multi/exchange/exchange.h"

enum {
    RANGES = 3,
    ROOM = 100 /* that a GPU has for a range */
};

static struct exchange exchange;
static struct consort_plan plan;
static struct device devices[3];
static struct exchange_work works[EXCHANGE_MOST_RANGES];

/* Parts on devices of their own; seams cost nothing. */
static void begin(uint32_t parts, const double *costs)
{
    memset(&exchange, 0, sizeof exchange);
    memset(&plan, 0, sizeof plan);
    memset(works, 0, sizeof works);
    exchange.plan = &plan;
    exchange.member_count = parts;
    exchange.ranges = RANGES;
    exchange.sampled = true;
    for (uint32_t m = 0; m < parts; m++) {
        exchange.members[m].device = &devices[m];
        exchange.members[m].sort.plan.request.maximum_count = ROOM;
        exchange.members[m].gathered = (1u << parts) - 1;
    }
    for (uint32_t range = 0; range < parts * RANGES; range++)
        works[range] = (struct exchange_work){costs[range], ROOM};
}

/* Who sorts which range, a digit each, seams at the end; "": nothing is lent. */
static void expect(const char *owners)
{
    exchange_lend(&exchange, works);
    assert_int_equal(exchange.lends, owners[0] != '\0');
    for (uint32_t range = 0; owners[range]; range++)
        assert_int_equal(exchange_range_owner(&exchange, range), owners[range] - '0');
}

/* Each range that is lent changes what all have to do. */
static void test_until_all_have_as_much(void **state)
{
    (void)state;
    begin(2, (const double[]){1, 1, 1, 4, 4, 4});
    expect("0001100");
    begin(2, (const double[]){1, 1, 1, 1, 1, 1});
    expect("");
    begin(2, (const double[]){6, 6, 6, 1, 1, 1});
    expect("0011110");
    begin(3, (const double[]){1, 1, 1, 9, 9, 9, 2, 2, 2});
    expect("00012022101");
}

/* Of several ranges the one with which both are done first. */
static void test_the_range_that_helps_most(void **state)
{
    (void)state;
    begin(2, (const double[]){0.4, 0.3, 0.3, 3, 5, 1});
    expect("0001010");
}

static void test_not_for_little(void **state)
{
    (void)state;
    begin(2, (const double[]){0.5, 4.75, 4.75, 3, 3, 3});
    expect("");
}

static void test_only_what_has_room(void **state)
{
    (void)state;
    begin(2, (const double[]){1, 1, 1, 4, 4, 4});
    works[4].room = works[5].room = ROOM + 1;
    expect("0000110");
    works[3].room = ROOM + 1;
    exchange.lends = false;
    expect("");
}

/* A range that all put aside where it belongs stays. */
static void test_not_what_is_there(void **state)
{
    (void)state;
    const double costs[] = {1, 1, 1, 3.5, 4, 2.5};
    begin(2, costs);
    expect("0000110");
    begin(2, costs);
    plan.parameters[EXCHANGE_PARAMETER_STORED] = 1;
    expect("0001010");
}

static void test_not_within_a_device(void **state)
{
    (void)state;
    begin(3, (const double[]){1, 1, 1, 4, 4, 4, 1, 1, 1});
    exchange.members[2].device = exchange.members[0].device;
    expect("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_until_all_have_as_much),
        cmocka_unit_test(test_the_range_that_helps_most),
        cmocka_unit_test(test_not_for_little),
        cmocka_unit_test(test_only_what_has_room),
        cmocka_unit_test(test_not_what_is_there),
        cmocka_unit_test(test_not_within_a_device),
    };
    return cmocka_run_group_tests_name("exchange_lend", tests, NULL, NULL);
}
