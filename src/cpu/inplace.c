/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In-place radix sort of keys for callers with little memory: American-flag partition by 8-bit
 * digits, most significant first (McIlroy, Bostic & McIlroy, 1993), leaves through a small buffer.
 */
#include <stdatomic.h>
#include <string.h>

#include "cpu/radix_run.h"

enum {
    INPLACE_DIGIT = 8,
    INPLACE_BUCKETS = 1 << INPLACE_DIGIT,
    INPLACE_LEAF_BYTES = 1 << 17, /* of each of a member's two leaf buffers */
};

#define INPLACE_BITS 8
#define INPLACE_KEY  uint8_t
#include "cpu/inplace_template.h"
#define INPLACE_BITS 16
#define INPLACE_KEY  uint16_t
#include "cpu/inplace_template.h"
#define INPLACE_BITS 32
#define INPLACE_KEY  uint32_t
#include "cpu/inplace_template.h"
#define INPLACE_BITS 64
#define INPLACE_KEY  uint64_t
#include "cpu/inplace_template.h"
#define INPLACE_BITS 128
#define INPLACE_KEY  uint128
#include "cpu/inplace_template.h"

struct inplace_run {
    struct radix_job *job;
    struct radix_state state;
    void (*permute)(const struct codec *codec, void *array, uint64_t *heads, const uint64_t *ends,
                    uint32_t shift);
    uint64_t ends[INPLACE_BUCKETS];
    uint32_t shift;
    _Atomic uint32_t next;
    _Atomic uint64_t done;
    atomic_bool cancelled;
};

static uint64_t inplace_leaf_items(uint64_t count, uint32_t width)
{
    uint64_t items = INPLACE_LEAF_BYTES / width;
    return count < items ? count : items;
}

uint64_t inplace_workspace(uint64_t count, uint32_t width, uint32_t members)
{
    return members * radix_leaf_workspace(inplace_leaf_items(count, width), width, 0);
}

/* One member's scratch; `counts` is the caller's. */
static struct radix_scratch inplace_scratch(const struct inplace_run *run, uint32_t member,
                                            uint64_t *counts)
{
    const struct radix_job *job = run->job;
    uint64_t leaf = inplace_leaf_items(job->count, job->width);
    unsigned char *base =
        (unsigned char *)job->workspace + member * radix_leaf_workspace(leaf, job->width, 0);
    uint64_t digits = radix_leaf_workspace(0, job->width, 0);
    uint64_t buffer = (radix_leaf_workspace(leaf, job->width, 0) - digits) / 2;
    return (struct radix_scratch){.counts = counts,
                                  .digits = (uint32_t *)(void *)base,
                                  .first = base + digits,
                                  .second = base + digits + buffer};
}

/* Partitions [first, last) by its leading varying digit and returns that digit's shift; false when
 * all keys are equal. */
static bool inplace_partition(const struct inplace_run *run, struct radix_scratch *scratch,
                              uint64_t first, uint64_t last, uint64_t *ends, uint32_t *shift)
{
    const struct radix_kernels *kernels = run->state.kernels;
    uint32_t top = radix_bit_width(kernels->sample(&run->state, RADIX_INPUT, first, last));
    for (;;) {
        *shift = top > INPLACE_DIGIT ? top - INPLACE_DIGIT : 0;
        const struct radix_digit digit = {.shift = *shift, .bits = INPLACE_DIGIT};
        kernels->histogram(&run->state, scratch, RADIX_INPUT, first, last, &digit);
        uint32_t seen = radix_bit_width(scratch->varying);
        if (seen == 0)
            return false;
        if (seen <= top)
            break;
        top = seen;
    }
    uint64_t *heads = scratch->counts;
    for (uint32_t bucket = 0; bucket < INPLACE_BUCKETS; bucket++) {
        uint64_t count = heads[bucket];
        heads[bucket] = first;
        ends[bucket] = first += count;
    }
    run->permute(&run->job->codec, run->job->keys_out, heads, ends, *shift);
    return true;
}

/* Sorts [first, last), equal above bit `top`. */
static void inplace_range(const struct inplace_run *run, struct radix_scratch *scratch,
                          uint64_t first, uint64_t last, uint32_t top)
{
    if (last - first <= 1 || top == 0)
        return;
    if (last - first <= run->state.leaf_items) {
        run->state.kernels->leaf(&run->state, scratch, RADIX_INPUT, first, last - first, top);
        return;
    }
    uint64_t ends[INPLACE_BUCKETS];
    uint32_t shift;
    if (!inplace_partition(run, scratch, first, last, ends, &shift))
        return;
    for (uint32_t bucket = 0; bucket < INPLACE_BUCKETS; bucket++) {
        inplace_range(run, scratch, first, ends[bucket], shift);
        first = ends[bucket];
    }
}

static void inplace_buckets_member(void *context, uint32_t member, uint32_t size)
{
    (void)size;
    struct inplace_run *run = context;
    const struct checkpoint *checkpoint = run->job->checkpoint;
    uint64_t counts[INPLACE_BUCKETS];
    struct radix_scratch scratch = inplace_scratch(run, member, counts);
    while (!atomic_load_explicit(&run->cancelled, memory_order_relaxed)) {
        uint32_t bucket = atomic_fetch_add(&run->next, 1);
        if (bucket >= INPLACE_BUCKETS)
            return;
        uint64_t first = bucket ? run->ends[bucket - 1] : 0, last = run->ends[bucket];
        inplace_range(run, &scratch, first, last, run->shift);
        uint64_t done = atomic_fetch_add(&run->done, last - first) + (last - first);
        if (member == 0 ? checkpoint_pass(checkpoint, run->job->count + done, 2 * run->job->count)
                        : checkpoint_cancelled(checkpoint))
            atomic_store(&run->cancelled, true);
    }
}

static void inplace_begin(struct inplace_run *run, struct radix_job *job)
{
    run->job = job;
    run->state = (struct radix_state){.keys_in = job->keys_out,
                                      .codes = job->keys_out,
                                      .keys_out = job->keys_out,
                                      .codec = job->codec,
                                      .leaf_items = inplace_leaf_items(job->count, job->width),
                                      .kernels = radix_kernels_of(job->width, 0)};
    run->permute = job->width == 1   ? inplace_u8_permute
                   : job->width == 2 ? inplace_u16_permute
                   : job->width == 4 ? inplace_u32_permute
                   : job->width == 8 ? inplace_u64_permute
                                     : inplace_u128_permute;
    atomic_init(&run->next, 0);
    atomic_init(&run->done, 0);
    atomic_init(&run->cancelled, false);
}

enum radix_result inplace_sort(struct radix_job *job)
{
    job->modified = false;
    uint32_t members = team_size(job->team);
    if (inplace_workspace(job->count, job->width, members) > job->workspace_bytes)
        return RADIX_SMALL_WORKSPACE;
    struct inplace_run run;
    inplace_begin(&run, job);
    if (checkpoint_pass(job->checkpoint, 0, 2 * job->count))
        return RADIX_CANCELLED;
    job->modified = true;
    if (job->keys_in != job->keys_out)
        memcpy(job->keys_out, job->keys_in, job->count * job->width);
    uint64_t counts[INPLACE_BUCKETS];
    struct radix_scratch scratch = inplace_scratch(&run, 0, counts);
    if (job->count <= run.state.leaf_items) {
        inplace_range(&run, &scratch, 0, job->count, job->codec.bits);
        return RADIX_DONE;
    }
    if (!inplace_partition(&run, &scratch, 0, job->count, run.ends, &run.shift))
        return RADIX_DONE;
    team_run(job->team, inplace_buckets_member, &run);
    return atomic_load(&run.cancelled) ? RADIX_CANCELLED : RADIX_DONE;
}
