/* SPDX-License-Identifier: Apache-2.0 */
/* The three largest of an array and where they were, without sorting the rest. */
#include <consort.h>
#include <stdio.h>

int main(void)
{
    const uint32_t votes[] = {120, 4031, 77, 958, 4031, 2, 1500};
    uint32_t best[3];
    uint32_t index[3];

    consort_options options;
    consort_options_init(&options);
    options.direction = CONSORT_DESCENDING;
    if (consort_top_k(votes, 7, 3, best, index, CONSORT_U32, CONSORT_U32, &options) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%u votes for candidate %u\n", (unsigned)best[i], (unsigned)index[i]);
    return 0;
}
