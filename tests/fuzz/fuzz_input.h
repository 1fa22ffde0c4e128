/* SPDX-License-Identifier: Apache-2.0 */
/* Eating a fuzzer's bytes, and stopping when something is wrong. */
#ifndef CONSORT_TESTS_FUZZ_INPUT_H
#define CONSORT_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_input {
    const uint8_t *next;
    size_t left;
};

/* The next `bytes` bytes as a number; zeros when there are no more. */
static inline uint64_t fuzz_take(struct fuzz_input *input, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes && input->left > 0; i++, input->left--)
        number |= (uint64_t)*input->next++ << 8 * i;
    return number;
}

/* A copy of exactly these bytes, so that reading one more is seen. */
static inline void *fuzz_copy(const void *data, size_t size)
{
    void *copy = malloc(size ? size : 1);
    if (!copy)
        exit(0);
    memcpy(copy, data, size);
    return copy;
}

static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        exit(0);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#define FUZZ_DEMAND(condition) fuzz_demand(condition, #condition, __FILE__, __LINE__)

static inline void fuzz_demand(int condition, const char *text, const char *file, int line)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, text);
    abort();
}

#endif
