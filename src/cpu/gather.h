/* SPDX-License-Identifier: Apache-2.0 */
/* Moving whole columns: by a permutation, or as they stand. */
#ifndef CONSORT_CPU_GATHER_H
#define CONSORT_CPU_GATHER_H

#include <stdint.h>

#include "cpu/team.h"

/* to[j] = from[indices[j]] for `count` elements of `bytes` each; `from` and `to` are apart. */
void gather_elements(struct team *team, const void *from, void *to, const void *indices,
                     uint32_t index_bytes, uint64_t count, uint64_t bytes);

/* The same for a column that may be in place: then it goes through `buffer`, of its size. */
void gather_column(struct team *team, const void *in, void *out, void *buffer, const void *indices,
                   uint32_t index_bytes, uint64_t count, uint64_t bytes);

/* memmove of disjoint or identical places by the team. */
void gather_copy(struct team *team, const void *from, void *to, uint64_t bytes);

/* indices[j] = j. */
void gather_identity(struct team *team, void *indices, uint32_t index_bytes, uint64_t count);

#endif
