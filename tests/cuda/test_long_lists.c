/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's arithmetic of lists over several GPUs of more than 2^32 items, which are made up:
 * where runs are cut, and where ranges begin. Nothing is sorted; no GPU is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "multi/exchange/exchange.h"
#include "multi/multi_carry.h"
#include "multi/multi_cuts.h"

enum {
    RUNS = 3,
    LARGEST = 10, /* items at the end of the last run */
    PARTS = 2,
    MOST_RANGES = 9
};

static const uint64_t run_items = ((uint64_t)1 << 32) + 5;

static void expect_cuts(const struct multi_runs *runs, uint64_t rank, const uint64_t *expected)
{
    uint64_t cuts[RUNS], spare[3 * RUNS];
    multi_cuts_find(runs, rank, cuts, spare);
    for (uint32_t r = 0; r < RUNS; r++)
        assert_true(cuts[r] == expected[r]);
}

/* Bytes that nobody has written are 0, and take no memory. */
static void test_cuts(void **state)
{
    (void)state;
    const uint64_t count = RUNS * run_items - 1, last = run_items - 1;
    struct order order;
    char *items = mmap(NULL, count, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (items == MAP_FAILED)
        skip();
    for (uint64_t i = 1; i <= LARGEST; i++)
        items[count - i] = 1;
    assert_true(order_of_type(&order, CONSORT_U8, CONSORT_ASCENDING, CONSORT_NAN_LAST));
    const struct multi_runs runs = {
        .order = &order, .items = items, .count = count, .run_items = run_items, .run_count = RUNS};
    expect_cuts(&runs, 0, (const uint64_t[]){0, 0, 0});
    expect_cuts(&runs, run_items - 1, (const uint64_t[]){run_items - 1, 0, 0});
    expect_cuts(&runs, run_items + 2, (const uint64_t[]){run_items, 2, 0});
    expect_cuts(&runs, 2 * run_items + last - LARGEST,
                (const uint64_t[]){run_items, run_items, last - LARGEST});
    expect_cuts(&runs, count - 3, (const uint64_t[]){run_items, run_items, last - 3});
    expect_cuts(&runs, count, (const uint64_t[]){run_items, run_items, last});
    order_release(&order);
    munmap(items, count);
}

/* Ranges follow each other without a gap, from one part to the next. */
static void expect_ranges(struct exchange *x)
{
    uint32_t all = PARTS * x->ranges;
    assert_true(exchange_range_begin(x, 0) == 0);
    for (uint32_t range = 0; range < all; range++) {
        const struct exchange_member *member = &x->members[range / x->ranges];
        uint64_t begin = exchange_range_begin(x, range), end = exchange_range_begin(x, range + 1);
        assert_true(begin >= member->first && begin < end);
        assert_true(end <= member->first + member->part->count);
        assert_true(end - begin <= exchange_longest_range(x, member));
        assert_true(exchange_longest_range(x, member) >= member->part->count / x->ranges);
        assert_true(exchange_most_sorted(x, member) >= exchange_longest_range(x, member));
    }
    assert_true(exchange_range_begin(x, all) == x->run->arguments->count);
}

static void test_ranges(void **state)
{
    (void)state;
    static struct exchange x;
    static struct consort_plan plan;
    const consort_part parts[PARTS] = {{.count = 5 * run_items + 1}, {.count = 3 * run_items + 7}};
    const consort_arguments arguments = {.count = parts[0].count + parts[1].count};
    const struct run run = {.arguments = &arguments};
    plan.parameters[EXCHANGE_PARAMETER_ROOM] = 6;
    x.plan = &plan;
    x.run = &run;
    x.member_count = PARTS;
    for (uint32_t m = 0; m < PARTS; m++)
        x.members[m].part = &parts[m];
    x.members[1].first = parts[0].count;
    for (x.ranges = 1; x.ranges <= MOST_RANGES; x.ranges++)
        for (int sampled = 0; sampled < 2; sampled++) {
            x.sampled = sampled;
            expect_ranges(&x);
        }
    assert_true(exchange_items_aside(&x, &x.members[0]) > parts[0].count * 3 / 2);
}

static void test_pieces(void **state)
{
    (void)state;
    assert_true(multi_carry_pieces(16 * run_items) == 16 * run_items / STAGING_SLOT_BYTES + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
