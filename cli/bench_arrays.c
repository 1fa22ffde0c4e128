/* SPDX-License-Identifier: Apache-2.0 */
/* Four copies of keys and values: original, input, output, known result. */
#include "bench_arrays.h"

#include <stdlib.h>

enum {
    POISON = 0xa5
};

/* Bytes of a result: top-k has k keys, an argsort the indices alone. */
static uint64_t result_keys(const struct bench_arrays *arrays)
{
    const struct bench_case *shape = &arrays->input->shape;
    switch (shape->operation) {
    case BENCH_TOP_K:
        return shape->k * bench_case_stride(shape);
    case BENCH_ARGSORT:
        return 0;
    default:
        return arrays->key_bytes;
    }
}

static bool write_offsets(struct bench_arrays *arrays, struct problem *problem)
{
    const struct bench_input *input = arrays->input;
    if (input->shape.operation != BENCH_SEGMENTED) {
        return true;
    }
    uint64_t count = input->arrays + 1;
    uint32_t *narrow = malloc(count * sizeof *narrow);
    if (narrow == NULL) {
        return problem_set(problem, "not enough memory");
    }
    const uint64_t *wide = input->offsets.memory;
    for (uint64_t i = 0; i < count; i++) {
        narrow[i] = (uint32_t)wide[i];
    }
    uint64_t bytes = count * sizeof *narrow;
    bool good = bench_gpu_reserve(&arrays->gpu, &arrays->offsets, bytes, problem) &&
                bench_gpu_write(&arrays->gpu, arrays->offsets.memory, narrow, bytes, problem);
    free(narrow);
    return good;
}

bool bench_arrays_make(struct bench_arrays *arrays, const struct bench_input *input,
                       struct problem *problem)
{
    const struct bench_gpu *gpu = &arrays->gpu;
    uint64_t items = input->items;
    arrays->input = input;
    arrays->key_bytes = items * bench_case_stride(&input->shape);
    arrays->value_bytes = items * input->shape.value_bytes;
    arrays->known = false;
    for (int i = 0; i < 4; i++) {
        if (!bench_gpu_reserve(gpu, &arrays->keys[i], arrays->key_bytes, problem) ||
            !bench_gpu_reserve(gpu, &arrays->values[i], arrays->value_bytes, problem)) {
            return false;
        }
    }
    return bench_gpu_reserve(gpu, &arrays->outcome, sizeof(consort_outcome), problem) &&
           write_offsets(arrays, problem) &&
           bench_gpu_write(gpu, arrays->keys[BENCH_ORIGINAL].memory, input->keys.memory,
                           arrays->key_bytes, problem) &&
           bench_gpu_write(gpu, arrays->values[BENCH_ORIGINAL].memory, input->values.memory,
                           arrays->value_bytes, problem);
}

void bench_arrays_release(struct bench_arrays *arrays)
{
    for (int i = 0; i < 4; i++) {
        bench_gpu_free(&arrays->gpu, &arrays->keys[i]);
        bench_gpu_free(&arrays->gpu, &arrays->values[i]);
    }
    bench_gpu_free(&arrays->gpu, &arrays->offsets);
    bench_gpu_free(&arrays->gpu, &arrays->workspace);
    bench_gpu_free(&arrays->gpu, &arrays->outcome);
    arrays->input = NULL;
}

struct bench_pair bench_arrays_at(const struct bench_arrays *arrays, enum bench_array which)
{
    uint64_t values = arrays->value_bytes > 0 ? arrays->values[which].memory : 0;
    return (struct bench_pair){arrays->keys[which].memory, values};
}

bool bench_arrays_restore(struct bench_arrays *arrays, struct problem *problem)
{
    const struct bench_gpu *gpu = &arrays->gpu;
    struct bench_pair original = bench_arrays_at(arrays, BENCH_ORIGINAL);
    struct bench_pair in = bench_arrays_at(arrays, BENCH_IN);
    struct bench_pair out = bench_arrays_at(arrays, BENCH_OUT);
    return bench_gpu_copy(gpu, in.keys, original.keys, arrays->key_bytes, problem) &&
           bench_gpu_copy(gpu, in.values, original.values, arrays->value_bytes, problem) &&
           bench_gpu_fill(gpu, out.keys, POISON, arrays->key_bytes, problem) &&
           bench_gpu_fill(gpu, out.values, POISON, arrays->value_bytes, problem);
}

bool bench_arrays_is_known(const struct bench_arrays *arrays, struct bench_pair at, bool *same,
                           struct problem *problem)
{
    const struct bench_gpu *gpu = &arrays->gpu;
    struct bench_pair known = bench_arrays_at(arrays, BENCH_KNOWN);
    *same = arrays->known;
    if (*same && !bench_gpu_compare(gpu, at.keys, known.keys, result_keys(arrays), same, problem)) {
        return false;
    }
    return !*same || arrays->value_bytes == 0 ||
           bench_gpu_compare(gpu, at.values, known.values, arrays->value_bytes, same, problem);
}

bool bench_arrays_know(struct bench_arrays *arrays, struct bench_pair at, struct problem *problem)
{
    struct bench_pair known = bench_arrays_at(arrays, BENCH_KNOWN);
    arrays->known =
        bench_gpu_copy(&arrays->gpu, known.keys, at.keys, result_keys(arrays), problem) &&
        bench_gpu_copy(&arrays->gpu, known.values, at.values, arrays->value_bytes, problem);
    return arrays->known;
}

bool bench_arrays_fetch(const struct bench_arrays *arrays, struct bench_pair at, void *keys,
                        void *values, struct problem *problem)
{
    const struct bench_gpu *gpu = &arrays->gpu;
    return bench_gpu_read(gpu, keys, at.keys, result_keys(arrays), problem) &&
           bench_gpu_read(gpu, values, at.values, arrays->value_bytes, problem);
}
