/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves the keys alone and asks for the permutation that sorts them. */
#include <consort.h>
#include <stdio.h>

int main(void)
{
    const double height[] = {8848.9, 4810.0, 6961.0, 5895.0, 6190.5};
    const char *const name[] = {"Everest", "Mont Blanc", "Aconcagua", "Kilimanjaro", "Denali"};
    uint32_t order[5];

    consort_options options;
    consort_options_init(&options);
    options.direction = CONSORT_DESCENDING;
    if (consort_argsort(height, order, CONSORT_U32, 5, CONSORT_F64, &options) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 5; i++)
        printf("%u. %-12s %.1f\n", i + 1u, name[order[i]], height[order[i]]);
    return 0;
}
