/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts an array in place, then into another place in the other direction. */
#include <consort.h>
#include <math.h>
#include <stdio.h>

static void print(const char *label, const float *values, int count)
{
    printf("%s", label);
    for (int i = 0; i < count; i++)
        printf(" %g", (double)values[i]);
    printf("\n");
}

static int fail(void)
{
    fprintf(stderr, "%s\n", consort_last_error()->message);
    return 1;
}

int main(void)
{
    float values[] = {3.5f, -1.0f, INFINITY, 2.25f, 0.0f, -0.0f, -7.0f};
    const int count = sizeof values / sizeof values[0];

    if (consort_sort(values, values, count, CONSORT_F32, NULL) != CONSORT_OK)
        return fail();
    print("ascending: ", values, count);

    float largest_first[sizeof values / sizeof values[0]];
    consort_options options;
    consort_options_init(&options);
    options.direction = CONSORT_DESCENDING;
    if (consort_sort(values, largest_first, count, CONSORT_F32, &options) != CONSORT_OK)
        return fail();
    print("descending:", largest_first, count);
    return 0;
}
