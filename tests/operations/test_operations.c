/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every operation by every algorithm against the reference:
 *
 *   test_operations product  [OPERATION]   small lists: the full product of key, order, algorithm,
 *                                          length, place; the other factors drawn for each case
 *   test_operations pairwise [OPERATION]   all lengths: every pair of levels of all factors
 *   test_operations full     [OPERATION]   the product with datasets, threads and workspaces too
 *   test_operations middle   [OPERATION]   as product, but of 4097 items
 *   test_operations parallel [OPERATION]   pairwise, several threads and long lists only
 *
 * CONSORT_TEST_SEED sets the seed, CONSORT_TEST_CASE runs one case of one operation by its number,
 * CONSORT_TEST_ROUNDS multiplies the cases of `product`. CONSORT_TEST_ENGINE=cuda puts the cases to
 * the algorithms of the GPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "consort.h"
#include "operations/sweep.h"

static const int32_t operations[] = {CONSORT_OPERATION_SORT,  CONSORT_OPERATION_ARGSORT,
                                     CONSORT_OPERATION_MERGE, CONSORT_OPERATION_SEGMENTED_SORT,
                                     CONSORT_OPERATION_TOP_K, CONSORT_OPERATION_IS_SORTED};

static enum sweep_kind sweep_wanted;

static void test_operation(void **state)
{
    const int32_t *operation = *state;
    if (!sweep(sweep_wanted, *operation))
        fail_msg("%s: see above", consort_operation_name(*operation));
}

static bool test_choose(const char *kind)
{
    static const char *const kinds[] = {"product", "pairwise", "full", "parallel", "middle"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0) {
            sweep_wanted = (enum sweep_kind)i;
            return true;
        }
    return false;
}

int main(int count, char **arguments)
{
    struct CMUnitTest tests[sizeof operations / sizeof *operations];
    if (count < 2 || !test_choose(arguments[1])) {
        fprintf(stderr,
                "usage: test_operations product|pairwise|full|parallel|middle [OPERATION]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        tests[i] = (struct CMUnitTest){.name = consort_operation_name(operations[i]),
                                       .test_func = test_operation,
                                       .initial_state = (void *)&operations[i]};
    if (count > 2)
        cmocka_set_test_filter(arguments[2]);
    int failed = cmocka_run_group_tests_name(arguments[1], tests, NULL, NULL);
    sweep_finish();
    return failed;
}
