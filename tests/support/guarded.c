/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded buffers: every access past the end faults, every write before the start is found. */
#include "support/guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GUARDED_PAGE = 4096,
    GUARDED_FRONT = 64, /* bytes before the buffer that are checked */
    GUARDED_CANARY = 0xc7,
    GUARDED_POISON = 0xa5
};

static void guarded_grow(struct guarded *guarded, uint64_t capacity)
{
    guarded_free(guarded);
    capacity = (capacity * 3 / 2 + GUARDED_PAGE - 1) / GUARDED_PAGE * GUARDED_PAGE;
    guarded->map = mmap(NULL, capacity + GUARDED_PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded->map == MAP_FAILED ||
        mprotect(guarded->map + capacity, GUARDED_PAGE, PROT_NONE) != 0) {
        perror("guarded buffer");
        exit(99);
    }
    guarded->capacity = capacity;
}

void *guarded_take(struct guarded *guarded, uint64_t bytes, uint64_t alignment)
{
    uint64_t needed = bytes + alignment + GUARDED_FRONT;
    if (needed > guarded->capacity)
        guarded_grow(guarded, needed);
    unsigned char *end = guarded->map + guarded->capacity;
    guarded->first = end - bytes - (uintptr_t)(end - bytes) % alignment;
    guarded->bytes = bytes;
    memset(guarded->first - GUARDED_FRONT, GUARDED_CANARY,
           (size_t)(end - guarded->first) + GUARDED_FRONT);
    memset(guarded->first, GUARDED_POISON, bytes);
    return guarded->first;
}

static bool guarded_is_filled(const unsigned char *first, const unsigned char *last, int byte)
{
    while (first < last)
        if (*first++ != byte)
            return false;
    return true;
}

bool guarded_intact(const struct guarded *guarded)
{
    if (!guarded->map)
        return true;
    const unsigned char *end = guarded->map + guarded->capacity;
    return guarded_is_filled(guarded->first - GUARDED_FRONT, guarded->first, GUARDED_CANARY) &&
           guarded_is_filled(guarded->first + guarded->bytes, end, GUARDED_CANARY);
}

bool guarded_is_poison(const struct guarded *guarded)
{
    return guarded_is_filled(guarded->first, guarded->first + guarded->bytes, GUARDED_POISON);
}

void guarded_lock(struct guarded *guarded)
{
    if (guarded->map)
        mprotect(guarded->map, guarded->capacity, PROT_READ);
}

void guarded_unlock(struct guarded *guarded)
{
    if (guarded->map)
        mprotect(guarded->map, guarded->capacity, PROT_READ | PROT_WRITE);
}

void guarded_free(struct guarded *guarded)
{
    if (guarded->map)
        munmap(guarded->map, guarded->capacity + GUARDED_PAGE);
    *guarded = (struct guarded){0};
}
