/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributions made against our own sorts, by the sorts that they are made against, compared with
 * the CPU engine. Small leaves let few keys go through every stage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "distributions.h"
#include "sort_trial.h"

/* Of fewer than twice as many keys as msd samples nothing would be hidden. */
static const struct sort_trial attacked[] = {
    {.algorithm = "msd", .type = CONSORT_F32, .count = 33001, .parameters = {{"leaf", 64}}},
    {.algorithm = "msd", .type = CONSORT_U32, .count = 4001, .parameters = {{"leaf", 64}}},
    {.algorithm = "msd", .type = CONSORT_I128, .count = 2003, .parameters = {{"leaf", 64}}},
    {.algorithm = "hybrid",
     .type = CONSORT_U64,
     .count = 3001,
     .values = 4,
     .parameters = {{"leaf", 64}}},
    {.algorithm = "counting", .type = CONSORT_U16, .count = 4001},
};
enum {
    ATTACKED = sizeof attacked / sizeof attacked[0]
};

static void test_every_adversary(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_adversaries(&count);
    for (size_t i = 0; i < count * ATTACKED; i++) {
        struct sort_trial trial = attacked[i % ATTACKED];
        trial.seed = 1 + i;
        trial.direction = (int32_t)(i / ATTACKED % 2);
        sort_trial_try_distribution(&trial, &list[i / ATTACKED]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_adversary)};
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
