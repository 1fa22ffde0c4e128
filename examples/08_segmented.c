/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts many arrays that lie in one, each by itself: here the rows of a ragged table. */
#include <consort.h>
#include <stdio.h>

int main(void)
{
    uint8_t values[] = {9, 2, 5, 7, 1, 8, 8, 3, 6, 4};
    /* Row r is [offsets[r], offsets[r + 1]); the third row is empty. */
    const uint32_t offsets[] = {0, 4, 5, 5, 10};
    const uint64_t rows = 4;

    if (consort_segmented_sort(values, values, 10, offsets, CONSORT_U32, rows, NULL, 0, CONSORT_U8,
                               NULL) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (uint64_t row = 0; row < rows; row++) {
        printf("row %u:", (unsigned)row);
        for (uint32_t i = offsets[row]; i < offsets[row + 1]; i++)
            printf(" %u", values[i]);
        printf("\n");
    }
    return 0;
}
