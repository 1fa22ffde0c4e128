/* SPDX-License-Identifier: Apache-2.0 */
/* Fills inputs from the distributions, and values with the places of their items. */
#include "bench_input.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench_scan.h"

static struct bench_lengths_of lengths_of(const struct bench_case *shape)
{
    return (struct bench_lengths_of){shape->lengths, shape->segment, shape->count, shape->seed};
}

static uint64_t arrays_of(const struct bench_case *shape)
{
    if (shape->operation == BENCH_SEGMENTED) {
        struct bench_lengths_of what = lengths_of(shape);
        return bench_lengths_draw(&what, NULL);
    }
    return bench_case_batch(shape);
}

static uint64_t items_of(const struct bench_case *shape)
{
    return shape->operation == BENCH_SEGMENTED ? shape->count
                                               : bench_case_batch(shape) * shape->count;
}

static uint64_t length_of(const struct bench_case *shape)
{
    return shape->operation == BENCH_SEGMENTED ? shape->segment : shape->count;
}

const char *bench_input_refuses(const struct bench_case *shape)
{
    if (!distribution_supports(shape->distribution, shape->type)) {
        return "this distribution has no keys of this type";
    }
    if (shape->operation == BENCH_SEGMENTED && shape->count < shape->segment) {
        return "less than one segment";
    }
    if (shape->operation == BENCH_RECORDS &&
        shape->record_bytes < consort_type_size(shape->type) + sizeof(uint64_t)) {
        return "the record is shorter than its key and 8 bytes of payload";
    }
    if (shape->value_bytes > 0 && shape->value_bytes < sizeof(uint64_t) &&
        shape->count > UINT32_MAX) {
        return "values of less than 8 bytes cannot tell so many items apart";
    }
    return NULL;
}

uint64_t bench_input_footprint(const struct bench_case *shape)
{
    /* The input, a working copy, a workspace or a peer's packed copy, and the peer's own. */
    enum {
        COPIES = 4
    };
    uint64_t items = items_of(shape);
    uint64_t item = bench_case_stride(shape) + shape->value_bytes;
    if (items > UINT64_MAX / 2 / COPIES / item) {
        return UINT64_MAX;
    }
    /* Of mixed lengths the segments are about as many. */
    bool segmented = shape->operation == BENCH_SEGMENTED;
    uint64_t offsets = segmented ? shape->count / shape->segment + 1 : 0;
    return COPIES * items * item + offsets * sizeof(uint64_t);
}

struct bench_view bench_input_view(const struct bench_input *input, const void *keys,
                                   const void *values, uint64_t array)
{
    const struct bench_case *shape = &input->shape;
    struct bench_view view = {
        .type = shape->type,
        .key_stride = bench_case_stride(shape),
        .value_bytes = shape->value_bytes,
        .value_stride = shape->value_bytes,
        .count = input->length,
    };
    uint64_t first = array * input->length;
    if (shape->operation == BENCH_SEGMENTED) {
        const uint64_t *offsets = input->offsets.memory;
        first = offsets[array];
        view.count = offsets[array + 1] - first;
    }
    view.keys = (const unsigned char *)keys + first * view.key_stride;
    if (shape->operation == BENCH_RECORDS) {
        uint32_t key_bytes = consort_type_size(shape->type);
        view.values = (const unsigned char *)view.keys + key_bytes;
        view.value_stride = view.key_stride;
        view.value_bytes = (uint32_t)(shape->record_bytes - key_bytes);
    } else if (shape->value_bytes > 0) {
        view.values = (const unsigned char *)values + first * view.value_stride;
    }
    return view;
}

/* Keys of one array, side by side at `keys`. */
static bool fill_keys(const struct bench_case *shape, void *keys, uint64_t length, uint64_t array)
{
    return bench_scan_fill(shape->distribution, shape->type, keys, length, shape->seed + array);
}

/* Records: keys are made side by side first, then put where they belong, last one first. */
static void spread_keys(const struct bench_view *view)
{
    uint32_t bytes = consort_type_size(view->type);
    unsigned char *base = (unsigned char *)view->keys;
    for (uint64_t i = view->count; i-- > 0;) {
        memmove(base + i * view->key_stride, base + i * bytes, bytes);
    }
}

/* The lists of a merge have to be sorted; our own sort makes them, and the scan checks it. */
static bool sort_halves(const struct bench_view *view)
{
    uint64_t half = view->count - view->count / 2;
    unsigned char *keys = (unsigned char *)view->keys;
    uint64_t starts[] = {0, half};
    uint64_t counts[] = {half, view->count - half};
    for (int list = 0; list < 2; list++) {
        struct bench_view part = *view;
        part.keys = keys + starts[list] * view->key_stride;
        part.values = NULL;
        part.count = counts[list];
        struct bench_findings findings;
        if (consort_sort(part.keys, keys + starts[list] * view->key_stride, part.count, view->type,
                         NULL) != CONSORT_OK) {
            return false;
        }
        bench_scan(&part, false, &findings);
        if (findings.disorder < part.count) {
            return false;
        }
    }
    return true;
}

/* *checksum and *has_nan: what this array adds. */
static bool make_array(const struct bench_input *input, uint64_t array, uint64_t *checksum,
                       bool *has_nan)
{
    struct bench_view view =
        bench_input_view(input, input->keys.memory, input->values.memory, array);
    if (!fill_keys(&input->shape, (void *)view.keys, view.count, array)) {
        return false;
    }
    if (input->shape.operation == BENCH_RECORDS) {
        spread_keys(&view);
    }
    if (input->shape.operation == BENCH_MERGE && !sort_halves(&view)) {
        return false;
    }
    if (view.values != NULL) {
        bench_scan_write_values(&view);
    }
    struct bench_findings findings;
    bench_scan(&view, false, &findings);
    /* Arrays must not be exchangeable: give each checksum a weight of its own. */
    *checksum += findings.checksum * (2 * array + 1);
    *has_nan = *has_nan || bench_scan_has_nan(&view);
    return true;
}

struct making {
    pthread_mutex_t lock;
    struct bench_input *input;
};

static bool make_arrays(void *context, uint64_t first, uint64_t last)
{
    struct making *making = context;
    uint64_t checksum = 0;
    bool has_nan = false;
    for (uint64_t array = first; array < last; array++) {
        if (!make_array(making->input, array, &checksum, &has_nan)) {
            return false;
        }
    }
    pthread_mutex_lock(&making->lock);
    making->input->checksum += checksum;
    making->input->has_nan = making->input->has_nan || has_nan;
    pthread_mutex_unlock(&making->lock);
    return true;
}

static bool make_offsets(struct bench_input *input)
{
    if (!bench_memory_reserve(&input->offsets, (input->arrays + 1) * sizeof(uint64_t))) {
        return false;
    }
    struct bench_lengths_of what = lengths_of(&input->shape);
    bench_lengths_draw(&what, input->offsets.memory);
    return true;
}

bool bench_input_make(struct bench_input *input, const struct bench_case *shape)
{
    input->shape = *shape;
    input->arrays = arrays_of(shape);
    input->length = length_of(shape);
    input->checksum = 0;
    input->has_nan = false;
    input->items = items_of(shape);
    if (!bench_memory_reserve(&input->keys, input->items * bench_case_stride(shape)) ||
        !bench_memory_reserve(&input->values, input->items * shape->value_bytes)) {
        return false;
    }
    if (shape->operation == BENCH_SEGMENTED && !make_offsets(input)) {
        return false;
    }
    struct making making = {PTHREAD_MUTEX_INITIALIZER, input};
    return bench_scan_arrays(input->arrays, input->length, make_arrays, &making);
}

void bench_input_release(struct bench_input *input)
{
    bench_memory_release(&input->keys);
    bench_memory_release(&input->values);
    bench_memory_release(&input->offsets);
}
