/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest program that sorts something. */
#include <consort.h>
#include <stdio.h>

int main(void)
{
    float prices[] = {3.5f, -1.0f, 2.25f};
    if (consort_sort(prices, prices, 3, CONSORT_F32, NULL) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%g\n", (double)prices[i]);
    return 0;
}
