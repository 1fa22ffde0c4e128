/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting sort for keys of 8 and 16 bits without values: one read into histograms, one write.
 */
#include <stdatomic.h>
#include <string.h>

#include "cpu/counting.h"
#include "cpu/radix_run.h"
#include "cpu/stream.h"

/* First code whose end lies beyond `place`. */
static uint32_t counting_upper_bound(const uint64_t *ends, uint32_t codes, uint64_t place)
{
    uint32_t low = 0, high = codes;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (ends[middle] > place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

#define COUNTING_BITS 8
#define COUNTING_KEY  uint8_t
#include "cpu/counting_template.h"
#define COUNTING_BITS 16
#define COUNTING_KEY  uint16_t
#include "cpu/counting_template.h"

enum {
    COUNTING_BANKS = 4,       /* histograms of 8-bit keys that take turns */
    COUNTING_CARRY = 1 << 8,  /* what a counter of one byte carries */
    COUNTING_BLOCK = 1 << 16, /* 16-bit keys that are looked at together */
    COUNTING_SAMPLE = 64,
    COUNTING_SPARE = 64,     /* counters beyond those of all 16-bit keys */
    COUNTING_TEAM = 1 << 17, /* below, waking workers costs more than it saves */
    COUNTING_LEAST_8 = 64,   /* fewer keys than this are sorted by comparison or in a leaf */
    COUNTING_LEAST_16 = 8192,
    COUNTING_STREAM_BYTES = 1 << 23, /* larger outputs do not stay in a second-level cache */
    COUNTING_LEAST_PART = 1 << 14,   /* keys that a member takes at a time */
    COUNTING_MOST_PART = 1 << 18,
    COUNTING_PARTS = 8, /* of a member, at least */
};

struct counting_run {
    struct radix_job *job;
    uint64_t *ends;
    unsigned char *tallies; /* one per member */
    uint64_t part;          /* keys that a member takes at a time */
    _Atomic uint64_t next;  /* the first that nobody has taken */
};

uint64_t counting_ends_bytes(uint32_t width)
{
    return sizeof(uint64_t) << (8 * width);
}

/* Totals, then counters. */
uint64_t counting_tally_bytes(uint32_t width)
{
    uint32_t values = 1u << (8 * width);
    return counting_ends_bytes(width) +
           (width == 1 ? sizeof(uint32_t) * COUNTING_BANKS * values : values + COUNTING_SPARE);
}

static bool counting_is_small(uint64_t count, uint32_t width)
{
    return count < (width == 1 ? COUNTING_LEAST_8 : COUNTING_LEAST_16);
}

uint64_t counting_workspace(uint64_t count, uint32_t width, uint32_t members)
{
    if (counting_is_small(count, width))
        return radix_leaf_workspace(count, width, 0);
    return counting_ends_bytes(width) + members * counting_tally_bytes(width) +
           radix_leaf_workspace(COUNTING_LEAST_16, width, 0);
}

/* Adds the stored keys of [first, last), fewer than 2^31, to `totals`. A word of equal keys is one
 * addition; the banks keep the others from waiting for each other's store. */
static void counting_u8_histogram(const uint8_t *keys, uint64_t first, uint64_t last,
                                  uint32_t *banks, uint64_t *totals)
{
    enum {
        VALUES = 1 << 8
    };
    memset(banks, 0, sizeof *banks * VALUES * COUNTING_BANKS);
    for (; first + 8 <= last; first += 8) {
        uint64_t word;
        memcpy(&word, keys + first, sizeof word);
        if (word == (uint8_t)word * (UINT64_MAX / UINT8_MAX)) {
            banks[(uint8_t)word] += 8;
            continue;
        }
        for (uint32_t j = 0; j < 8; j++)
            banks[j % COUNTING_BANKS * VALUES + (uint8_t)(word >> j * 8)]++;
    }
    for (; first < last; first++)
        banks[keys[first]]++;
    for (uint32_t value = 0; value < VALUES; value++)
        for (uint32_t bank = 0; bank < COUNTING_BANKS; bank++)
            totals[value] += banks[bank * VALUES + value];
}

/* The same for 16 bits. Counters of one byte, which carry into the totals, keep most of the 64 KiB
 * in the first-level cache: 0.69 ns a key on uniform keys, 32-bit counters 1.10; eight keys a turn,
 * each loaded by itself, 0.60 where four cut out of a word take 0.74 (Xeon, Emerald Rapids,
 * 2026-11). */
static void counting_u16_words(const uint16_t *keys, uint64_t first, uint64_t last,
                               uint8_t *counters, uint64_t *totals)
{
    for (; first < last; first += 8) {
        uint64_t word, next;
        memcpy(&word, keys + first, sizeof word);
        memcpy(&next, keys + first + 4, sizeof next);
        if (word == next && word == (word << 16 | word >> 48)) {
            totals[(uint16_t)word] += 8;
            continue;
        }
        for (uint32_t j = 0; j < 8; j++) {
            uint16_t key = keys[first + j];
            if (++counters[key] == 0)
                totals[key] += COUNTING_CARRY;
        }
    }
}

/* The same without the branch that half of the words take, and with counters of its own for the key
 * `common`, whose additions would wait for each other: where one key is 90 % of the input a sort
 * takes 1.27 ns a key instead of 1.70, uniform keys 0.95 (Emerald Rapids, 2026-11). */
static void counting_u16_dominated(const uint16_t *keys, uint64_t first, uint64_t last,
                                   uint16_t common, uint8_t *counters, uint64_t *totals)
{
    uint64_t others = 0;
    for (uint64_t i = first; i < last; i += 4)
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t key = keys[i + j], spare = (1 << 16) + j;
            uint32_t other = 0 - (uint32_t)(key != common); /* a mask: compilers would branch */
            others += other & 1;
            if (++counters[spare ^ ((spare ^ key) & other)] == 0)
                totals[key] += other & COUNTING_CARRY;
        }
    totals[common] += last - first - others;
}

/* Whether one key makes up a third of a block, though not all of it, by a majority vote among some
 * keys (R. Boyer and J Moore, MJRTY, 1981). */
static bool counting_u16_is_dominated(const uint16_t *keys, uint64_t count, uint16_t *common)
{
    uint32_t lead = 0, hits = 0;
    uint64_t step = count / COUNTING_SAMPLE;
    for (uint32_t i = 0; i < COUNTING_SAMPLE; i++) {
        uint16_t key = keys[i * step];
        if (lead == 0)
            *common = key;
        lead = key == *common ? lead + 1 : lead - 1;
    }
    for (uint32_t i = 0; i < COUNTING_SAMPLE; i++)
        hits += keys[i * step] == *common;
    return hits > COUNTING_SAMPLE / 3 && hits < COUNTING_SAMPLE - COUNTING_SAMPLE / 16;
}

static void counting_u16_histogram(const uint16_t *keys, uint64_t first, uint64_t last,
                                   uint8_t *counters, uint64_t *totals)
{
    while (last - first >= 8) {
        uint64_t count = last - first < COUNTING_BLOCK ? (last - first) / 8 * 8 : COUNTING_BLOCK;
        uint16_t common;
        if (counting_u16_is_dominated(keys + first, count, &common))
            counting_u16_dominated(keys, first, first + count, common, counters, totals);
        else
            counting_u16_words(keys, first, first + count, counters, totals);
        first += count;
    }
    for (; first < last; first++)
        totals[keys[first]]++;
}

/* The next keys that nobody has taken; false: none are left. Members take what they have time for:
 * no two cores are equally fast for long. */
static bool counting_next(struct counting_run *run, uint64_t *first, uint64_t *last)
{
    uint64_t count = run->job->count;
    *first = atomic_fetch_add_explicit(&run->next, run->part, memory_order_relaxed);
    if (*first >= count)
        return false;
    *last = count - *first < run->part ? count : *first + run->part;
    return true;
}

void counting_tally_begin(uint64_t *tally, uint32_t width)
{
    memset(tally, 0, counting_tally_bytes(width));
}

void counting_tally_add(uint64_t *tally, uint32_t width, const void *keys, uint64_t first,
                        uint64_t last)
{
    void *counters = tally + (UINT64_C(1) << (8 * width));
    if (width == 1)
        counting_u8_histogram(keys, first, last, counters, tally);
    else
        counting_u16_histogram(keys, first, last, counters, tally);
}

/* What byte counters have not carried. The width is not asked in the loop: gcc 12.2 at -O1 then
 * left calls of this function out. */
void counting_tally_end(uint64_t *tally, uint32_t width)
{
    if (width == 1)
        return;
    const uint8_t *counters = (const uint8_t *)(tally + (1 << 16));
    for (uint32_t value = 0; value < 1 << 16; value++)
        tally[value] += counters[value];
}

void counting_ends(const struct codec *codec, uint64_t *tallies, uint32_t size, uint64_t *ends)
{
    uint32_t width = codec->width;
    for (uint32_t member = 1; member < size; member++) {
        const uint64_t *more = tallies + member * (counting_tally_bytes(width) / sizeof *tallies);
        for (uint32_t value = 0; value < 1u << (8 * width); value++)
            tallies[value] += more[value];
    }
    if (width == 1)
        counting_u8_ends(codec, tallies, ends);
    else
        counting_u16_ends(codec, tallies, ends);
}

void counting_expand(const struct codec *codec, const uint64_t *ends, uint64_t first, uint64_t last,
                     void *to, bool stream)
{
    /* Runs of bytes become memset, which knows better: two threads write 1e8 keys in 24 ms, with
     * streaming in 38 (Emerald Rapids, 2026-11). */
    if (codec->width == 1)
        counting_u8_expand(codec, to, ends, first, last, false);
    else
        counting_u16_expand(codec, to, ends, first, last, stream);
}

static void counting_histogram_member(void *context, uint32_t member, uint32_t size)
{
    (void)size;
    struct counting_run *run = context;
    uint32_t width = run->job->width;
    void *tally = run->tallies + member * counting_tally_bytes(width);
    uint64_t first, last;
    counting_tally_begin(tally, width);
    while (counting_next(run, &first, &last))
        counting_tally_add(tally, width, run->job->keys_in, first, last);
    counting_tally_end(tally, width);
}

static void counting_expand_member(void *context, uint32_t member, uint32_t size)
{
    (void)member, (void)size;
    struct counting_run *run = context;
    const struct radix_job *job = run->job;
    uint64_t first, last;
    bool stream = job->count * job->width > COUNTING_STREAM_BYTES;
    while (counting_next(run, &first, &last))
        counting_expand(&job->codec, run->ends, first, last,
                        (char *)job->keys_out + first * job->width, stream);
}

static uint64_t counting_part(uint64_t count, uint32_t size)
{
    uint64_t part = count / size / COUNTING_PARTS / COUNTING_LEAST_PART * COUNTING_LEAST_PART;
    return part < COUNTING_LEAST_PART  ? COUNTING_LEAST_PART
           : part > COUNTING_MOST_PART ? COUNTING_MOST_PART
                                       : part;
}

static void counting_together(struct counting_run *run, bool alone, team_function function)
{
    atomic_store_explicit(&run->next, 0, memory_order_relaxed);
    if (alone)
        function(run, 0, 1);
    else
        team_run(run->job->team, function, run);
}

enum radix_result counting_sort(struct radix_job *job)
{
    job->modified = false;
    if (counting_is_small(job->count, job->width))
        return radix_run_leaf(job);
    bool alone = job->count < COUNTING_TEAM;
    uint32_t size = alone ? 1 : team_size(job->team);
    if (counting_workspace(job->count, job->width, size) > job->workspace_bytes)
        return RADIX_SMALL_WORKSPACE;
    struct counting_run run = {.job = job, .ends = job->workspace};
    run.part = counting_part(job->count, size);
    run.tallies = (unsigned char *)job->workspace + counting_ends_bytes(job->width);
    if (checkpoint_pass(job->checkpoint, 0, 2 * job->count))
        return RADIX_CANCELLED;
    counting_together(&run, alone, counting_histogram_member);
    counting_ends(&job->codec, (uint64_t *)(void *)run.tallies, size, run.ends);
    if (checkpoint_pass(job->checkpoint, job->count, 2 * job->count))
        return RADIX_CANCELLED;
    job->modified = true;
    counting_together(&run, alone, counting_expand_member);
    return RADIX_DONE;
}
