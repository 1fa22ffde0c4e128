/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a counting sort of keys of 8 or 16 bits, for those whose keys come in pieces. */
#ifndef CONSORT_CPU_COUNTING_H
#define CONSORT_CPU_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/codec.h"

/* Of one member's tally, and of the ends; multiples of 8. */
uint64_t counting_tally_bytes(uint32_t width);
uint64_t counting_ends_bytes(uint32_t width);

/* A member counts the keys [first, last), fewer than 2^31, of some array; between begin and end, as
 * often as it likes. */
void counting_tally_begin(uint64_t *tally, uint32_t width);
void counting_tally_add(uint64_t *tally, uint32_t width, const void *keys, uint64_t first,
                        uint64_t last);
void counting_tally_end(uint64_t *tally, uint32_t width);

/* The tallies of `size` members, one after the other, become one; ends[code] is where the keys of
 * that code end in the result. */
void counting_ends(const struct codec *codec, uint64_t *tallies, uint32_t size, uint64_t *ends);

/* Writes the keys [first, last) of the result to `to`; past the caches, if `stream`. */
void counting_expand(const struct codec *codec, const uint64_t *ends, uint64_t first, uint64_t last,
                     void *to, bool stream);

#endif
