/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes out of a sample: a binary trie whose nodes are halved while they have too many. */
#include "cpu/radix_prefix.h"

struct radix_digit radix_cell_digit(uint32_t top)
{
    uint32_t bits = top < RADIX_CELL_BITS ? top : RADIX_CELL_BITS;
    return (struct radix_digit){.shift = top - bits, .bits = bits};
}

/* The trie's walk; without prefixes to fill it only counts buckets. */
struct radix_trie {
    struct radix_prefixes *prefixes;
    const uint32_t *sampled;
    struct radix_digit cells;
    uint128 lowest; /* the first cell's lowest code */
    uint32_t target;
    uint32_t buckets;
};

/* The 2^height cells from `cell` on become a bucket, or each of them 2^below buckets. */
static void radix_trie_leaf(struct radix_trie *trie, uint32_t cell, uint32_t height, uint32_t below)
{
    const uint32_t shift = trie->cells.shift + height - below, first = trie->buckets;
    const uint128 lowest = trie->lowest + ((uint128)cell << trie->cells.shift);
    trie->buckets += 1u << below;
    if (!trie->prefixes)
        return;
    const uint32_t base = (first - (uint32_t)(lowest >> shift)) % RADIX_PREFIX_BUCKETS;
    for (uint32_t i = cell; i < cell + (1u << height); i++)
        trie->prefixes->cells[i] = base << RADIX_CELL_SHIFT | shift;
    for (uint32_t bucket = first; bucket < trie->buckets; bucket++)
        trie->prefixes->tops[bucket] = (uint8_t)shift;
}

static uint32_t radix_trie_sum(const struct radix_trie *trie, uint32_t cell, uint32_t height)
{
    uint32_t sum = 0;
    for (uint32_t i = cell; i < cell + (1u << height); i++)
        sum += trie->sampled[i];
    return sum;
}

static void radix_trie_walk(struct radix_trie *trie, uint32_t cell, uint32_t height)
{
    uint32_t sum = radix_trie_sum(trie, cell, height), below = 0;
    if (sum > trie->target && height > 0) {
        radix_trie_walk(trie, cell, height - 1);
        radix_trie_walk(trie, cell + (1u << (height - 1)), height - 1);
        return;
    }
    while (sum >> below > trie->target && below < trie->cells.shift && below < RADIX_PREFIX_BITS)
        below++;
    radix_trie_leaf(trie, cell, height, below);
}

struct radix_digit radix_prefixes_make(struct radix_prefixes *prefixes, uint32_t top, uint128 pivot,
                                       const uint32_t *sampled, uint32_t target)
{
    struct radix_trie trie = {.sampled = sampled,
                              .cells = radix_cell_digit(top),
                              .lowest = top < 128 ? pivot >> top << top : 0,
                              .target = target};
    for (;; trie.target *= 2) {
        trie.buckets = 0;
        radix_trie_walk(&trie, 0, trie.cells.bits);
        if (trie.buckets <= RADIX_PREFIX_BUCKETS)
            break;
    }
    prefixes->shift = trie.cells.shift;
    prefixes->mask = (1u << trie.cells.bits) - 1;
    trie.buckets = 0;
    trie.prefixes = prefixes;
    radix_trie_walk(&trie, 0, trie.cells.bits);
    return (struct radix_digit){.bits = RADIX_PREFIX_BITS, .prefixes = prefixes};
}
