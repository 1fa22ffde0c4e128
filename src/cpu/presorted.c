/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input that is in order already: found in one read that stops at the first contradiction, then
 * only copied or reversed. With values only a strictly descending input may be reversed, or the
 * result would not be stable; keys alone may repeat.
 */
#include <stdatomic.h>
#include <string.h>

#include "cpu/radix_kernels.h"

enum {
    PRESORTED_HEAD = 65536, /* keys that the caller reads before it wakes the team */
};

struct presorted_scan {
    struct radix_job *job;
    const struct radix_kernels *kernels;
    enum presorted_order order;
    bool descending;
    uint64_t head; /* keys already found in order */
    atomic_bool broken;
};

bool presorted_holds(const struct codec *codec, const void *keys, enum presorted_order order,
                     uint64_t first, uint64_t last)
{
    return radix_kernels_of(codec->width, 0)->holds(codec, keys, order, first, last);
}

static void presorted_scan_range(struct presorted_scan *scan, uint64_t first, uint64_t last)
{
    while (first < last && !atomic_load_explicit(&scan->broken, memory_order_relaxed)) {
        uint64_t end = last - first < RADIX_SCAN ? last : first + RADIX_SCAN;
        if (!scan->kernels->holds(&scan->job->codec, scan->job->keys_in, scan->order, first, end))
            atomic_store_explicit(&scan->broken, true, memory_order_relaxed);
        first = end;
    }
}

static void presorted_scan_member(void *context, uint32_t member, uint32_t size)
{
    struct presorted_scan *scan = context;
    uint64_t first, last;
    team_share(scan->job->count - scan->head, member, size, RADIX_SCAN, &first, &last);
    presorted_scan_range(scan, scan->head + first, scan->head + last);
}

/* Fixed sizes, so that the copies compile to single moves. */
static inline void presorted_reverse_of(unsigned char *to, const unsigned char *from,
                                        uint64_t count, uint64_t first, uint64_t last,
                                        uint64_t bytes)
{
    if (to != from) {
        for (uint64_t i = first; i < last; i++)
            memcpy(to + i * bytes, from + (count - 1 - i) * bytes, bytes);
        return;
    }
    for (uint64_t i = first; i < last && i < count / 2; i++) {
        unsigned char low[16];
        memcpy(low, to + i * bytes, bytes);
        memcpy(to + i * bytes, to + (count - 1 - i) * bytes, bytes);
        memcpy(to + (count - 1 - i) * bytes, low, bytes);
    }
}

static void presorted_reverse(void *to, const void *from, uint64_t count, uint64_t first,
                              uint64_t last, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        presorted_reverse_of(to, from, count, first, last, 1);
        break;
    case 2:
        presorted_reverse_of(to, from, count, first, last, 2);
        break;
    case 4:
        presorted_reverse_of(to, from, count, first, last, 4);
        break;
    case 8:
        presorted_reverse_of(to, from, count, first, last, 8);
        break;
    default:
        presorted_reverse_of(to, from, count, first, last, 16);
        break;
    }
}

static void presorted_positions(const struct presorted_scan *scan, uint64_t first, uint64_t last)
{
    uint64_t count = scan->job->count;
    unsigned char *out = scan->job->values_out;
    for (uint64_t i = first; i < last; i++) {
        uint64_t position = scan->descending ? count - 1 - i : i;
        uint32_t narrow = (uint32_t)position;
        if (scan->job->value_bytes == 4)
            memcpy(out + i * 4, &narrow, 4);
        else
            memcpy(out + i * 8, &position, 8);
    }
}

static void presorted_move(const struct presorted_scan *scan, void *to, const void *from,
                           uint32_t bytes, uint64_t first, uint64_t last)
{
    if (scan->descending)
        presorted_reverse(to, from, scan->job->count, first, last, bytes);
    else if (to != from)
        memcpy((unsigned char *)to + first * bytes, (const unsigned char *)from + first * bytes,
               (last - first) * bytes);
}

static void presorted_finish_member(void *context, uint32_t member, uint32_t size)
{
    struct presorted_scan *scan = context;
    const struct radix_job *job = scan->job;
    uint64_t first, last;
    /* In place, a member swaps its share of the lower half with its mirror image. */
    bool half = scan->descending && job->keys_out == job->keys_in;
    team_share(half ? job->count / 2 : job->count, member, size, 64, &first, &last);
    if (job->keys_out)
        presorted_move(scan, job->keys_out, job->keys_in, job->width, first, last);
    if (!job->value_bytes)
        return;
    half = scan->descending && !job->index && job->values_out == job->values_in;
    team_share(half ? job->count / 2 : job->count, member, size, 64, &first, &last);
    if (job->index)
        presorted_positions(scan, first, last);
    else
        presorted_move(scan, job->values_out, job->values_in, job->value_bytes, first, last);
}

bool presorted_finish(struct radix_job *job)
{
    job->modified = false;
    struct presorted_scan scan = {.job = job, .kernels = radix_kernels_of(job->width, 0)};
    atomic_init(&scan.broken, false);
    if (job->count > 1) {
        scan.descending = !scan.kernels->holds(&job->codec, job->keys_in, PRESORTED_RISING, 1, 2);
        if (scan.descending)
            scan.order = job->value_bytes ? PRESORTED_FALLING_STRICTLY : PRESORTED_FALLING;
        scan.head = job->count < PRESORTED_HEAD ? job->count : PRESORTED_HEAD;
        presorted_scan_range(&scan, 1, scan.head);
        if (!atomic_load(&scan.broken) && scan.head < job->count)
            team_run(job->team, presorted_scan_member, &scan);
        if (atomic_load(&scan.broken))
            return false;
    }
    job->modified = true;
    if (job->count <= PRESORTED_HEAD)
        presorted_finish_member(&scan, 0, 1);
    else
        team_run(job->team, presorted_finish_member, &scan);
    return true;
}
