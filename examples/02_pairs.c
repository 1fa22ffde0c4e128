/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts keys and moves two columns of values with them. Equal keys keep their order. */
#include <consort.h>
#include <stdio.h>

int main(void)
{
    uint16_t year[] = {1969, 1957, 1998, 1961, 1957};
    uint32_t number[] = {1, 2, 3, 4, 5};
    char name[][12] = {"Apollo 11", "Sputnik 1", "Zarya", "Vostok 1", "Sputnik 2"};

    consort_column columns[] = {
        {.in = number, .out = number, .element_bytes = sizeof number[0]},
        {.in = name, .out = name, .element_bytes = sizeof name[0]},
    };
    if (consort_sort_pairs(year, year, columns, 2, 5, CONSORT_U16, NULL) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 5; i++)
        printf("%u %u %s\n", year[i], (unsigned)number[i], name[i]);
    return 0;
}
