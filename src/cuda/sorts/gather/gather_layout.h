/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernel of `gather` share. Plain C, included by both. */
#ifndef CONSORT_GATHER_LAYOUT_H
#define CONSORT_GATHER_LAYOUT_H

#include <stdint.h>

enum {
    GATHER_THREADS = 256
};

struct gather_arguments {
    const void *in, *in_b; /* indices from a_count on mean the second list's elements */
    void *out;
    const void *indices;     /* NULL: copy in order */
    const uint64_t *refused; /* nothing is moved if this word is not 0; NULL: nobody asks */
    uint64_t count;
    uint64_t a_count;
    uint64_t row_items, row_length; /* so many items of each row of so many; 0: there are no rows */
    uint64_t element_bytes;
    uint32_t index_bytes; /* 4 or 8 */
    uint32_t word_bytes;  /* 1, 2, 4, 8 or 16: divides the element and both addresses */
};

#endif
