/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MSD radix sort: the team scatters by the leading varying bits into buckets that fit a core's
 * cache; each bucket is finished there by one member. Buckets that are still too large are
 * scattered again: by the whole team when they are a notable share of the input, else by one
 * member.
 */
#include <stdatomic.h>

#include <string.h>

#include "cpu/radix_run.h"

enum {
    MSD_DIRECT = 1 << 14, /* up to here everything is one leaf */
    MSD_ONE_STEP_BITS = 10,
    MSD_LEAF_BYTES = 1 << 19,
    MSD_LEAST_BITS = 8,
    MSD_EXCHANGE_BYTES = 1 << 23,
    MSD_ALONE_BITS = 8,
    MSD_SMALL = 1 << 18, /* a range of fewer items is never a matter for the team */
    MSD_SHARE = 256,     /* nor is one of less than this part of the input */
    MSD_STACK = MSD_SHARE + 1,
    MSD_PREFIX_LEAST = 1 << 16, /* fewer items are not worth a sample */
    MSD_SAMPLES = 16,           /* for each bucket of a digit */
    MSD_CROWD = 3,              /* as many as this many buckets should have are a crowd */
};

struct msd_range {
    uint64_t first;
    uint64_t last;
    enum radix_place from;
};

struct msd_sort {
    struct radix_run run;
    struct msd_range stack[MSD_STACK];
    uint32_t depth;
    uint64_t team_items;   /* larger ranges are partitioned by the team */
    _Atomic uint32_t next; /* bucket to hand out */
    _Atomic uint64_t done;
    atomic_bool cancelled;
};

uint64_t radix_msd_workspace(uint64_t count, uint32_t width, uint32_t value_bytes,
                             enum radix_takes takes, uint32_t members)
{
    if (count <= MSD_DIRECT)
        return radix_leaf_workspace(count, width, value_bytes);
    return radix_run_workspace(count, width, value_bytes, takes, members);
}

/* Width of the first digit: straight to leaves that fit the first-level cache if one step can and
 * leaves do not exchange, else to leaves that split themselves in the second-level cache. */
static uint32_t msd_bits(uint64_t count, const struct radix_kernels *kernels)
{
    uint32_t bits = 1;
    while (bits < MSD_ONE_STEP_BITS && count >> bits > RADIX_LEAF_TARGET)
        bits++;
    if (count >> bits <= RADIX_LEAF_TARGET && !kernels->exchange)
        return bits;
    bits = MSD_LEAST_BITS;
    while (bits < RADIX_MAX_BITS && count >> bits > MSD_LEAF_BYTES / kernels->item_bytes)
        bits++;
    return bits;
}

/* One thread takes bits one by one from the start, as long as that costs less than to scatter: 6.0
 * instead of 7.7 ns a key for 10^6 u32, but 11 instead of 8.6 for 10^7 (Xeon, Emerald Rapids,
 * 2026-11). */
static bool msd_only_exchanges(const struct radix_run *run)
{
    const struct radix_kernels *kernels = run->state.kernels;
    return run->members == 1 && kernels->exchange &&
           run->job->count <= MSD_EXCHANGE_BYTES / kernels->item_bytes;
}

static enum radix_place msd_other(enum radix_place from)
{
    return from == RADIX_ITEMS ? RADIX_CODES : RADIX_ITEMS;
}

/* A spare input is the place for items: the first step must leave it alone. */
static enum radix_place msd_first(const struct radix_job *job)
{
    return job->input_is_spare ? RADIX_CODES : RADIX_ITEMS;
}

/* The leading bits of codes that are equal above bit `top`. */
static struct radix_digit msd_plain_digit(uint32_t top, uint32_t bits)
{
    return (struct radix_digit){.shift = top > bits ? top - bits : 0, .bits = bits};
}

static void msd_alone(const struct radix_state *state, struct radix_scratch *scratch,
                      enum radix_place from, uint64_t first, uint64_t last, uint32_t top);

/* One member partitions a range that is no leaf. */
static void msd_split(const struct radix_state *state, struct radix_scratch *scratch,
                      enum radix_place from, uint64_t first, uint64_t last)
{
    const struct radix_kernels *kernels = state->kernels;
    uint32_t top = radix_bit_width(kernels->sample(state, from, first, last)), seen;
    const uint32_t bits = MSD_ALONE_BITS;
    struct radix_digit digit;
    for (;;) {
        digit = msd_plain_digit(top, bits);
        kernels->histogram(state, scratch, from, first, last, &digit);
        seen = radix_bit_width(scratch->varying);
        if (seen <= top)
            break;
        top = seen;
    }
    if (seen == 0) {
        kernels->settle(state, from, first, last);
        return;
    }
    uint64_t ends[1 << MSD_ALONE_BITS], place = first;
    for (uint32_t bucket = 0; bucket < 1u << bits; bucket++) {
        scratch->position[bucket] = place;
        place += scratch->counts[bucket];
        ends[bucket] = place;
    }
    enum radix_place to = msd_other(from);
    kernels->scatter(state, scratch, from, to, first, last, &digit);
    for (uint32_t bucket = 0; bucket < 1u << bits; bucket++) {
        msd_alone(state, scratch, to, first, ends[bucket], digit.shift);
        first = ends[bucket];
    }
}

/* Sorts a range, equal above bit `top`, into the output. */
static void msd_alone(const struct radix_state *state, struct radix_scratch *scratch,
                      enum radix_place from, uint64_t first, uint64_t last, uint32_t top)
{
    if (first == last)
        return;
    if (top == 0 || last - first == 1)
        state->kernels->settle(state, from, first, last);
    else if (last - first <= state->leaf_items)
        state->kernels->leaf(state, scratch, from, first, last - first, top);
    else
        msd_split(state, scratch, from, first, last);
}

static uint64_t msd_bucket_first(const struct radix_run *run, uint32_t bucket)
{
    return bucket ? run->ends[bucket - 1] : run->first;
}

static bool msd_is_for_team(const struct msd_sort *sort, uint32_t bucket, uint64_t count)
{
    return count > sort->team_items && radix_digit_top(&sort->run.digit, bucket) > 0;
}

static void msd_buckets_member(void *context, uint32_t member, uint32_t size)
{
    (void)size;
    struct msd_sort *sort = context;
    struct radix_run *run = &sort->run;
    const struct checkpoint *checkpoint = run->job->checkpoint;
    uint64_t total = run->job->count;
    while (!atomic_load_explicit(&sort->cancelled, memory_order_relaxed)) {
        uint32_t bucket = atomic_fetch_add(&sort->next, 1);
        if (bucket >= 1u << run->digit.bits)
            return;
        uint64_t first = msd_bucket_first(run, bucket), last = run->ends[bucket];
        if (first == last || msd_is_for_team(sort, bucket, last - first))
            continue;
        msd_alone(&run->state, &run->scratch[member], run->to, first, last,
                  radix_digit_top(&run->digit, bucket));
        uint64_t done = atomic_fetch_add(&sort->done, last - first) + (last - first);
        if (member == 0 ? checkpoint_pass(checkpoint, total + done, 2 * total)
                        : checkpoint_cancelled(checkpoint))
            atomic_store(&sort->cancelled, true);
    }
}

/* Of a sample's digits, how many are where too many for one bucket are. */
static uint32_t msd_crowd(const uint32_t *counts, uint32_t bits, uint32_t most)
{
    uint32_t crowd = 0;
    for (uint32_t bucket = 0; bucket < 1u << bits; bucket++)
        crowd += counts[bucket] > most ? counts[bucket] : 0;
    return crowd;
}

/* The first digit: prefixes instead of leading bits if that keeps a quarter of the keys out of
 * buckets that would have to be partitioned again. */
static struct radix_digit msd_first_digit(struct radix_run *run, uint32_t top, uint32_t bits)
{
    const struct radix_kernels *kernels = run->state.kernels;
    const uint64_t count = run->job->count, samples = (uint64_t)MSD_SAMPLES << bits;
    const struct radix_digit plain = msd_plain_digit(top, bits), cells = radix_cell_digit(top);
    uint32_t *counts = run->scratch[0].digits;
    if (!kernels->tally || count < MSD_PREFIX_LEAST || top <= bits)
        return plain;
    memset(counts, 0, sizeof *counts << plain.bits);
    (void)kernels->tally(&run->state, 0, count, samples, &plain, counts);
    uint32_t crowd = msd_crowd(counts, plain.bits, MSD_SAMPLES * MSD_CROWD);
    if (crowd < samples / 4)
        return plain;
    memset(counts, 0, sizeof *counts << cells.bits);
    uint128 pivot = kernels->tally(&run->state, 0, count, samples, &cells, counts);
    struct radix_digit prefixes =
        radix_prefixes_make(run->prefixes, top, pivot, counts, MSD_SAMPLES);
    memset(counts, 0, sizeof *counts << prefixes.bits);
    (void)kernels->tally(&run->state, 0, count, samples, &prefixes, counts);
    uint32_t still = msd_crowd(counts, prefixes.bits, MSD_SAMPLES * MSD_CROWD);
    return still + samples / 4 <= crowd ? prefixes : plain;
}

/* The team counts the range's leading digit; false when all its keys are equal. */
static bool msd_count(struct radix_run *run, const struct msd_range *range)
{
    uint32_t bits = msd_bits(range->last - range->first, run->state.kernels);
    uint32_t top = radix_bit_width(
        run->state.kernels->sample(&run->state, range->from, range->first, range->last));
    for (;;) {
        radix_run_histogram(run, range->from, range->first, range->last,
                            range->from == RADIX_INPUT ? msd_first_digit(run, top, bits)
                                                       : msd_plain_digit(top, bits));
        uint32_t seen = radix_bit_width(run->varying);
        if (seen <= top)
            return seen > 0;
        top = seen;
    }
}

static void msd_range(struct msd_sort *sort, const struct msd_range *range)
{
    struct radix_run *run = &sort->run;
    if (!msd_count(run, range)) {
        radix_run_settle(run, range->from, range->first, range->last);
        return;
    }
    radix_run_scatter(run,
                      range->from == RADIX_INPUT ? msd_first(run->job) : msd_other(range->from));
    if (checkpoint_pass(run->job->checkpoint, run->job->count + atomic_load(&sort->done),
                        2 * run->job->count)) {
        atomic_store(&sort->cancelled, true);
        return;
    }
    run->job->modified = true;
    atomic_store(&sort->next, 0);
    team_run(run->job->team, msd_buckets_member, sort);
    for (uint32_t bucket = 0; bucket < 1u << run->digit.bits; bucket++) {
        uint64_t first = msd_bucket_first(run, bucket), last = run->ends[bucket];
        if (msd_is_for_team(sort, bucket, last - first))
            sort->stack[sort->depth++] = (struct msd_range){first, last, run->to};
    }
}

enum radix_result radix_msd(struct radix_job *job)
{
    job->modified = false;
    if (job->count <= MSD_DIRECT)
        return radix_run_leaf(job);
    struct msd_sort sort;
    if (!radix_run_begin(&sort.run, job))
        return RADIX_SMALL_WORKSPACE;
    uint64_t share = job->count / MSD_SHARE;
    sort.team_items = share > MSD_SMALL ? share : MSD_SMALL;
    atomic_init(&sort.done, 0);
    atomic_init(&sort.cancelled, checkpoint_pass(job->checkpoint, 0, 2 * job->count));
    if (msd_only_exchanges(&sort.run) && !atomic_load(&sort.cancelled)) {
        job->modified = true;
        sort.run.state.kernels->exchange(&sort.run.state, sort.run.scratch, job->count);
        return RADIX_DONE;
    }
    sort.stack[0] = (struct msd_range){0, job->count, RADIX_INPUT};
    sort.depth = 1;
    while (sort.depth > 0 && !atomic_load(&sort.cancelled)) {
        struct msd_range range = sort.stack[--sort.depth];
        msd_range(&sort, &range);
    }
    return atomic_load(&sort.cancelled) ? RADIX_CANCELLED : RADIX_DONE;
}
