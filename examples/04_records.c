/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts structures by several columns: by city, and within a city by amount, largest first. */
#include <consort.h>
#include <stddef.h>
#include <stdio.h>

struct sale {
    char city[8]; /* padded with zeros, so that it compares as a byte string */
    uint32_t number;
    float amount;
};

int main(void)
{
    struct sale sales[] = {
        {"Oslo", 1, 10.0f},  {"Bergen", 2, 35.5f}, {"Oslo", 3, 99.0f},
        {"Bergen", 4, 8.0f}, {"Oslo", 5, 10.0f},
    };
    const consort_field fields[] = {
        {.offset = offsetof(struct sale, city), .type = consort_type_bytes(8)},
        {.offset = offsetof(struct sale, amount),
         .type = CONSORT_F32,
         .direction = CONSORT_DESCENDING},
    };

    if (consort_sort_records(sales, sales, 5, sizeof sales[0], fields, 2, NULL) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 5; i++)
        printf("%-8s %6.2f  number %u\n", sales[i].city, (double)sales[i].amount,
               (unsigned)sales[i].number);
    return 0;
}
