/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machines on which a GPU cannot be used: a forced GPU is the error that the first argument
 * numbers, with a message that holds the second; without force everything works.
 *
 *   cuda_driver_absent STATUS WORDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consort.h"

enum {
    COUNT = 150000 /* enough for the planner to think of a GPU */
};

static uint32_t keys[COUNT];

static void fill(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = i * 2654435761u;
}

static consort_status sort(int32_t engine)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = engine;
    options.threads = 1;
    fill();
    return consort_sort(keys, keys, COUNT, CONSORT_U32, &options);
}

static int sorted(void)
{
    for (uint32_t i = 1; i < COUNT; i++)
        if (keys[i - 1] > keys[i])
            return 0;
    return 1;
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    consort_status forced = sort(CONSORT_ENGINE_CUDA);
    const char *message = consort_last_error()->message;
    printf("forced: %s: %s\n", consort_status_name(forced), message);
    if (forced != atoi(words[1]) || !strstr(message, words[2])) {
        fprintf(stderr, "expected status %s and \"%s\"\n", words[1], words[2]);
        return 1;
    }
    consort_status automatic = sort(CONSORT_ENGINE_AUTO);
    if (automatic != CONSORT_OK || !sorted()) {
        fprintf(stderr, "not sorted: %s\n", consort_last_error()->message);
        return 1;
    }
    return 0;
}
