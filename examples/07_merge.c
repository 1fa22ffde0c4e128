/* SPDX-License-Identifier: Apache-2.0 */
/* Merges two sorted lists and their values. Of equal keys those of the first list come first. */
#include <consort.h>
#include <stdio.h>

int main(void)
{
    const int32_t morning[] = {-3, 4, 4, 10};
    const char morning_names[] = {'a', 'b', 'c', 'd'};
    const int32_t evening[] = {-5, 4, 12};
    const char evening_names[] = {'x', 'y', 'z'};
    int32_t day[7];
    char day_names[7];

    consort_column names = {
        .in = morning_names, .in_b = evening_names, .out = day_names, .element_bytes = 1};
    if (consort_merge(morning, 4, evening, 3, day, &names, 1, CONSORT_I32, NULL) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 7; i++)
        printf("%3d %c\n", (int)day[i], day_names[i]);
    return 0;
}
