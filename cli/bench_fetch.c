/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, and what makes an argsort and an unordered top-k comparable. */
#include "bench_fetch.h"

#include "bench_arrays.h"
#include "bench_scan.h"

bool bench_fetch_gather(struct bench_place *place, struct problem *problem)
{
    const struct bench_input *input = place->input;
    uint64_t stride = bench_case_stride(&input->shape);
    uint64_t key_step = input->length * stride;
    uint64_t index_step = input->length * input->shape.value_bytes;
    for (uint64_t i = 0; i < input->arrays; i++) {
        if (!bench_scan_gather((unsigned char *)place->keys.memory + i * key_step,
                               (const unsigned char *)input->keys.memory + i * key_step, stride,
                               (const unsigned char *)place->values.memory + i * index_step,
                               input->shape.value_bytes, input->length)) {
            return problem_set(problem, "index past the end");
        }
    }
    return true;
}

bool bench_fetch_device(struct bench_contender *contender, struct problem *problem)
{
    struct bench_place *place = contender->place;
    const struct bench_arrays *arrays = place->device;
    const struct bench_case *shape = &place->input->shape;
    if (!bench_memory_reserve(&place->keys, arrays->key_bytes) ||
        !bench_memory_reserve(&place->values, arrays->value_bytes)) {
        return problem_set(problem, "not enough memory");
    }
    if (!bench_arrays_fetch(arrays, contender->result, place->keys.memory, place->values.memory,
                            problem)) {
        return false;
    }
    if (shape->operation == BENCH_ARGSORT) {
        return bench_fetch_gather(place, problem);
    }
    /* Peers may give the first k in any order. */
    return shape->operation != BENCH_TOP_K || !contender->peer ||
           consort_sort(place->keys.memory, place->keys.memory, shape->k, shape->type, NULL) ==
               CONSORT_OK ||
           problem_library(problem);
}
