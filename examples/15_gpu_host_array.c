/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts an ordinary array on a GPU. Nothing but an option differs from the CPU, and without it
 * the library takes the GPU by itself where that is faster; by force, a GPU that is missing is an
 * error.
 */
#include <consort.h>
#include <stdio.h>

enum {
    COUNT = 1000
};

int main(void)
{
    uint32_t keys[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = i * 7919 % COUNT;

    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    consort_status status = consort_sort(keys, keys, COUNT, CONSORT_U32, &options);
    if (status == CONSORT_ERROR_NO_DEVICE) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    if (status != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    printf("%u %u %u … %u\n", keys[0], keys[1], keys[2], keys[COUNT - 1]);
    return 0;
}
