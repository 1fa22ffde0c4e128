/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts by a function: pointers to strings, by length, then as the context asks. */
#include <consort.h>
#include <stdio.h>
#include <string.h>

struct order {
    int reverse;
};

static int32_t compare(void *context, const void *a, const void *b)
{
    const struct order *order = context;
    const char *first = *(const char *const *)a;
    const char *second = *(const char *const *)b;
    size_t first_length = strlen(first);
    size_t second_length = strlen(second);
    if (first_length != second_length)
        return first_length < second_length ? -1 : 1;
    return order->reverse ? strcmp(second, first) : strcmp(first, second);
}

int main(void)
{
    const char *words[] = {"merge", "heap", "bitonic", "radix", "shell", "sample", "quick"};
    const uint64_t count = sizeof words / sizeof words[0];
    struct order order = {.reverse = 0};

    if (consort_sort_by(words, words, count, sizeof words[0], compare, &order, NULL) !=
        CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (uint64_t i = 0; i < count; i++)
        printf("%s\n", words[i]);
    return 0;
}
