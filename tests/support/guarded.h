/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarded buffers: memory that ends at an unreadable page and starts behind known bytes, so that
 * every access past the end faults and every write before the start is found. Reused between cases.
 */
#ifndef CONSORT_TESTS_GUARDED_H
#define CONSORT_TESTS_GUARDED_H

#include <stdbool.h>
#include <stdint.h>

struct guarded {
    unsigned char *map;
    uint64_t capacity; /* bytes before the guard page */
    unsigned char *first;
    uint64_t bytes;
};

/* `bytes` poisoned bytes aligned to `alignment`; 0 bytes give an address that cannot be read.
 * What the buffer held before is lost. Exits when memory runs out. */
void *guarded_take(struct guarded *guarded, uint64_t bytes, uint64_t alignment);

/* Are the bytes around the buffer still what they were? */
bool guarded_intact(const struct guarded *guarded);

/* Has nothing been written to the buffer since it was taken? */
bool guarded_is_poison(const struct guarded *guarded);

/* The buffer's next write faults, until guarded_unlock. */
void guarded_lock(struct guarded *guarded);
void guarded_unlock(struct guarded *guarded);

void guarded_free(struct guarded *guarded);

#endif
