/* SPDX-License-Identifier: Apache-2.0 */
/* What the host's side of `msd` says of a list by its length, and by what is known of the GPU. */
#ifndef CONSORT_MSD_LISTS_H
#define CONSORT_MSD_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/request.h"
#include "cuda/sorts/lsd/lsd_layout.h"

/* In the order of a plan's parameters. */
enum {
    MSD_PARAMETER_LEAF = 0,
    MSD_PARAMETER_LONG = 1,
    MSD_PARAMETER_MIDDLING = 2,
    MSD_PARAMETER_ROOMS = 3,
    MSD_PARAMETER_PREFIXES = 4,
    MSD_PARAMETER_ALIKE = 5,
    MSD_PARAMETERS = 6
};

/* Longer lists than look-back words count have no passes: buckets sort them, however they lie. */
#define MSD_MOST_PASSED LSD_PORTION_KEYS

/* Host arrays are sorted in place in a device copy, whatever form the caller asked for. */
bool msd_uses_both_buffers(const struct request *request);

uint32_t msd_small_leaf(const int64_t *parameters);

/* Cells of a uniform histogram get half to all of 16/17 of a small leaf: room for chance. */
uint32_t msd_cell_bits(uint64_t count, const int64_t *parameters);

bool msd_has_numbers(const struct request *request);

/* Lists so short that one launch sorts them. */
bool msd_is_short(uint64_t count, const int64_t *parameters);

/* Plans of few wide keys: the highest digits are counted where look-back words of the first tile
 * come later, as tables of levels end before these; and codes follow at once. */
bool msd_counts_in_words(const struct request *request, const int64_t *parameters);

/* Of a plan's short lists. */
uint64_t msd_longest_short(const struct request *request, const int64_t *parameters);

/* Whether blocks of one launch hold every short list of a plan in their registers, and keys are so
 * narrow that nothing else is done with them then: they move in place. By what is known of its GPU
 * before kernels are, as lsd_request_held_keys() has it. */
bool msd_holds_short(const struct request *request, const int64_t *parameters);

/* The same where a plan has no other lists. */
bool msd_is_held(const struct request *request, const int64_t *parameters);

/* Lists of narrow keys that blocks of one launch may hold, of which one has none. */
bool msd_may_be_middling(uint64_t count, const int64_t *parameters);

/* Lists so long that larger tiles find enough blocks to work on them, and more kernels are worth
 * their launches. */
bool msd_is_long(const struct request *request, uint64_t count, const int64_t *parameters);

/* Lists of which the second partition may write halves of keys. */
bool msd_has_halves(const struct request *request, uint64_t count, const int64_t *parameters);

/* Of a tile of the passes that crowds take, of a plan for the request. */
uint32_t msd_pass_keys(const struct request *request, const int64_t *parameters);

/* Keys are counted one by one where a code has 65 of them on average: of lists a little longer than
 * short ones 64 would take a table larger than the look-back words of peers. */
uint32_t msd_counted_bits(uint64_t count);

/* Bits of a cell's number by which the second partition divides buckets. */
uint32_t msd_second_bits(const struct request *request, uint64_t count, const int64_t *parameters);

/* Keys that a room is for: what even keys bring on average, as many standard deviations as make one
 * of 8000 lists find some room too small, and what codes beyond all sampled ones add; in whole
 * lines of the cache. */
uint32_t msd_room_keys(const struct request *request, uint64_t count, const int64_t *parameters);

uint64_t msd_room_bytes(const struct request *request, uint64_t count, const int64_t *parameters);

/* Lists of two partitions, whose cells are small leaves. With both buffers there is no memory for
 * rooms. */
bool msd_may_have_rooms(const struct request *request, uint64_t count, const int64_t *parameters);

#endif
