/* SPDX-License-Identifier: Apache-2.0 */
/* Slices, and how their findings add up. */
#include "bench_scan.h"

#include <pthread.h>
#include <string.h>

#include "parallel.h"

enum {
    SLICE = 1 << 18
};

static uint64_t slices_of(uint64_t count)
{
    return (count + SLICE - 1) / SLICE;
}

static uint64_t slice_length(uint64_t count, uint64_t block)
{
    uint64_t left = count - block * SLICE;
    return left < SLICE ? left : SLICE;
}

/* A short array costs no system call: of segments there may be millions. */
static bool run_slices(uint64_t count, parallel_block block, void *context)
{
    if (count <= SLICE) {
        return count == 0 || block(context, 0, 0);
    }
    return parallel_run(slices_of(count), parallel_processors(), block, context);
}

struct scan {
    pthread_mutex_t lock;
    const struct bench_view *view;
    bool zeros_equal;
    struct bench_findings *findings;
};

static struct bench_view part_of(const struct bench_view *view, uint64_t first, uint64_t count)
{
    struct bench_view part = *view;
    part.keys = (const unsigned char *)view->keys + first * view->key_stride;
    if (view->values != NULL) {
        part.values = (const unsigned char *)view->values + first * view->value_stride;
    }
    part.count = count;
    return part;
}

static void note(uint64_t *least, uint64_t found, uint64_t length, uint64_t first)
{
    if (found < length && first + found < *least) {
        *least = first + found;
    }
}

/* A slice begins with the last item of the one before it, whose share of the checksum is taken off
 * again. */
static bool scan_slice(void *context, uint64_t block, unsigned worker)
{
    (void)worker;
    struct scan *scan = context;
    uint64_t first = block * SLICE - (block > 0);
    uint64_t length = slice_length(scan->view->count, block) + (block > 0);
    struct bench_view part = part_of(scan->view, first, length);
    struct bench_view before = part_of(scan->view, first, block > 0);
    struct bench_findings found;
    struct bench_findings twice;
    bench_verify_scan(&part, scan->zeros_equal, &found);
    bench_verify_scan(&before, scan->zeros_equal, &twice);
    pthread_mutex_lock(&scan->lock);
    scan->findings->checksum += found.checksum - twice.checksum;
    note(&scan->findings->disorder, found.disorder, length, first);
    note(&scan->findings->unstable, found.unstable, length, first);
    note(&scan->findings->torn, found.torn, length, first);
    pthread_mutex_unlock(&scan->lock);
    return true;
}

void bench_scan(const struct bench_view *view, bool zeros_equal, struct bench_findings *findings)
{
    if (view->count <= SLICE) {
        bench_verify_scan(view, zeros_equal, findings);
        return;
    }
    struct scan scan = {PTHREAD_MUTEX_INITIALIZER, view, zeros_equal, findings};
    *findings = (struct bench_findings){0, view->count, view->count, view->count};
    run_slices(view->count, scan_slice, &scan);
}

/* False stops the others. */
static bool has_numbers(void *context, uint64_t block, unsigned worker)
{
    (void)worker;
    const struct bench_view *view = context;
    struct bench_view part = part_of(view, block * SLICE, slice_length(view->count, block));
    return !bench_verify_has_nan(&part);
}

bool bench_scan_has_nan(const struct bench_view *view)
{
    return !run_slices(view->count, has_numbers, (void *)view);
}

struct walk {
    uint64_t arrays;
    uint64_t piece; /* arrays at once */
    bool (*block)(void *context, uint64_t first, uint64_t last);
    void *context;
};

static bool walk_piece(void *context, uint64_t block, unsigned worker)
{
    (void)worker;
    const struct walk *walk = context;
    uint64_t first = block * walk->piece;
    uint64_t last = first + walk->piece;
    return walk->block(walk->context, first, last < walk->arrays ? last : walk->arrays);
}

bool bench_scan_arrays(uint64_t arrays, uint64_t length,
                       bool (*block)(void *context, uint64_t first, uint64_t last), void *context)
{
    uint64_t piece = SLICE / (length + 1) + 1;
    struct walk walk = {arrays, piece, block, context};
    return parallel_run((arrays + piece - 1) / piece, parallel_processors(), walk_piece, &walk);
}

struct fill {
    const struct distribution *distribution;
    consort_type type;
    unsigned char *keys;
    uint64_t count;
    uint64_t seed;
};

static bool fill_slice(void *context, uint64_t block, unsigned worker)
{
    (void)worker;
    const struct fill *fill = context;
    uint64_t first = block * SLICE;
    return distribution_fill(fill->distribution, fill->type,
                             fill->keys + first * consort_type_size(fill->type), first,
                             slice_length(fill->count, block), fill->count, fill->seed);
}

bool bench_scan_fill(const struct distribution *distribution, consort_type type, void *keys,
                     uint64_t count, uint64_t seed)
{
    struct fill fill = {distribution, type, keys, count, seed};
    return run_slices(count, fill_slice, &fill);
}

static bool value_slice(void *context, uint64_t block, unsigned worker)
{
    (void)worker;
    const struct bench_view *view = context;
    uint64_t first = block * SLICE;
    uint64_t last = first + slice_length(view->count, block);
    unsigned char *value = (unsigned char *)view->values + first * view->value_stride;
    for (uint64_t i = first; i < last; i++, value += view->value_stride) {
        bench_verify_write_value(value, view->value_bytes, i);
    }
    return true;
}

void bench_scan_write_values(const struct bench_view *view)
{
    run_slices(view->count, value_slice, (void *)view);
}

struct gather {
    unsigned char *keys;
    const unsigned char *source;
    uint64_t stride;
    const unsigned char *indices;
    uint32_t index_bytes;
    uint64_t count;
};

static bool gather_slice(void *context, uint64_t block, unsigned worker)
{
    (void)worker;
    const struct gather *gather = context;
    uint64_t first = block * SLICE;
    uint64_t last = first + slice_length(gather->count, block);
    for (uint64_t i = first; i < last; i++) {
        uint64_t position = 0;
        uint32_t narrow;
        const unsigned char *index = gather->indices + i * gather->index_bytes;
        if (gather->index_bytes == sizeof narrow) {
            memcpy(&narrow, index, sizeof narrow);
            position = narrow;
        } else {
            memcpy(&position, index, sizeof position);
        }
        if (position >= gather->count) {
            return false;
        }
        memcpy(gather->keys + i * gather->stride, gather->source + position * gather->stride,
               (size_t)gather->stride);
    }
    return true;
}

bool bench_scan_gather(void *keys, const void *source, uint64_t stride, const void *indices,
                       uint32_t index_bytes, uint64_t count)
{
    struct gather gather = {keys, source, stride, indices, index_bytes, count};
    return run_slices(count, gather_slice, &gather);
}
