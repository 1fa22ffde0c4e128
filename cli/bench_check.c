/* SPDX-License-Identifier: Apache-2.0 */
/* Order, stability and completeness of what contenders bring. */
#include "bench_check.h"

#include <inttypes.h>
#include <pthread.h>

#include "bench_arrays.h"
#include "bench_scan.h"
#include "bench_spread.h"

static bool complain(const struct bench_findings *findings, const struct bench_view *view,
                     uint64_t array, bool must_be_stable, struct problem *problem)
{
    if (findings->disorder < view->count) {
        return problem_set(problem,
                           "wrong result: not sorted at item %" PRIu64 " of array %" PRIu64,
                           findings->disorder, array);
    }
    if (findings->torn < view->count) {
        return problem_set(problem,
                           "wrong result: a torn value at item %" PRIu64 " of array %" PRIu64,
                           findings->torn, array);
    }
    if (must_be_stable && findings->unstable < view->count) {
        return problem_set(problem,
                           "wrong result: not stable at item %" PRIu64 " of array %" PRIu64,
                           findings->unstable, array);
    }
    return true;
}

struct checking {
    pthread_mutex_t lock;
    const struct bench_contender *contender;
    uint64_t checksum;
    bool strict;
    struct problem *problem;
};

static bool check_arrays(void *context, uint64_t first, uint64_t last)
{
    struct checking *checking = context;
    const struct bench_contender *contender = checking->contender;
    const struct bench_place *place = contender->place;
    uint64_t checksum = 0;
    bool strict = true;
    for (uint64_t i = first; i < last; i++) {
        struct bench_view view =
            bench_input_view(place->input, place->keys.memory, place->values.memory, i);
        struct bench_findings findings;
        bench_scan(&view, contender->zeros_equal, &findings);
        if (!complain(&findings, &view, i, contender->stable, checking->problem)) {
            return false;
        }
        strict = strict && findings.unstable == view.count;
        checksum += findings.checksum * (2 * i + 1);
    }
    pthread_mutex_lock(&checking->lock);
    checking->checksum += checksum;
    checking->strict = checking->strict && strict;
    pthread_mutex_unlock(&checking->lock);
    return true;
}

/* *strict: it is what every stable sort of this library makes, not only what was claimed. */
static bool check_sorted(const struct bench_contender *contender, bool *strict,
                         struct problem *problem)
{
    const struct bench_input *input = contender->place->input;
    struct checking checking = {PTHREAD_MUTEX_INITIALIZER, contender, 0, *strict, problem};
    if (!bench_scan_arrays(input->arrays, input->length, check_arrays, &checking)) {
        return false;
    }
    *strict = checking.strict;
    return checking.checksum == input->checksum ||
           problem_set(problem, "wrong result: other items than the input");
}

static bool check_top(const struct bench_contender *contender, struct problem *problem)
{
    const struct bench_place *place = contender->place;
    const struct bench_input *input = place->input;
    uint64_t k = input->shape.k < input->length ? input->shape.k : input->length;
    for (uint64_t i = 0; i < input->arrays; i++) {
        struct bench_view all = bench_input_view(input, input->keys.memory, NULL, i);
        struct bench_view top = all;
        top.keys = (const unsigned char *)place->keys.memory + i * k * top.key_stride;
        top.count = k;
        if (!bench_verify_top(&all, &top)) {
            return problem_set(problem, "wrong result: not the first %" PRIu64 " of array %" PRIu64,
                               k, i);
        }
    }
    return true;
}

static bool has_two_zeros(consort_type type)
{
    int32_t kind = type >> 8 & 0xFF;
    return kind == CONSORT_KIND_FLOAT || kind == CONSORT_KIND_BFLOAT;
}

bool bench_check(struct bench_contender *contender, struct problem *problem)
{
    struct bench_place *place = contender->place;
    const struct bench_case *shape = &place->input->shape;
    bool strict = !contender->zeros_equal || !has_two_zeros(shape->type);
    bool same = false;
    if (shape->on_device &&
        !bench_arrays_is_known(place->device, contender->result, &same, problem)) {
        return false;
    }
    if (shape->spread && !bench_spread_is_known(place->spread, &same, problem)) {
        return false;
    }
    if (same) {
        return true;
    }
    if (!contender->methods->fetch(contender, problem)) {
        return false;
    }
    place->idlings += shape->on_device || shape->spread;
    if (shape->operation == BENCH_TOP_K) {
        strict = strict && !contender->peer;
        if (!check_top(contender, problem)) {
            return false;
        }
    } else if (!check_sorted(contender, &strict, problem)) {
        return false;
    }
    if (shape->spread && strict) {
        return bench_spread_know(place->spread, problem);
    }
    return !shape->on_device || !strict ||
           bench_arrays_know(place->device, contender->result, problem);
}
