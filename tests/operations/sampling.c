/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases for every algorithm, for tests that make runs fail. */
#include "operations/sampling.h"

#include "support/random.h"

enum {
    SAMPLING_TRIES = 200
};

bool sampling_case(uint32_t entry, uint32_t length, uint64_t *random, struct test_case *test)
{
    for (int i = 0; i < SAMPLING_TRIES; i++) {
        *test = (struct test_case){.seed = random_next(random)};
        for (enum factor f = 0; f < FACTOR_COUNT; f++)
            test->level[f] = (uint32_t)random_below(random, factor_levels(f));
        test->level[FACTOR_ENTRY] = entry;
        test->level[FACTOR_LENGTH] = length;
        test->level[FACTOR_CALL] = 0;
        factors_normalise(test);
        if (attempt_is_possible(test))
            return true;
    }
    return false;
}
