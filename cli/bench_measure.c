/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of timings, each followed by the check of its result. */
#include "bench_measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    /* More would only be time: the median of 1000 moves no more. */
    SAMPLES_MAXIMUM = 1000
};

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

static bool check_sorted(const struct bench_contender *contender, struct problem *problem)
{
    const struct bench_place *place = contender->place;
    const struct bench_input *input = place->input;
    uint64_t checksum = 0;
    for (uint64_t i = 0; i < input->arrays; i++) {
        struct bench_view view =
            bench_input_view(input, place->keys.memory, place->values.memory, i);
        struct bench_findings findings;
        bench_verify_scan(&view, contender->zeros_equal, &findings);
        if (!complain(&findings, &view, i, contender->stable, problem)) {
            return false;
        }
        checksum += findings.checksum * (2 * i + 1);
    }
    return checksum == input->checksum ||
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

/* One run with its check; the time of one array goes to *seconds. */
static bool attempt(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    if (!contender->methods->load(contender, problem) ||
        !contender->methods->run(contender, seconds, problem) ||
        !contender->methods->fetch(contender, problem)) {
        return false;
    }
    return contender->place->input->shape.operation == BENCH_TOP_K
               ? check_top(contender, problem)
               : check_sorted(contender, problem);
}

static void fail(struct bench_score *score)
{
    score->verdict = BENCH_FAILED;
    score->sample_count = 0;
}

static double spent(const struct bench_score *score, const struct bench_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < score->sample_count; i++) {
        sum += score->samples[i];
    }
    return sum * (double)result->batch;
}

static bool finished(const struct bench_score *score, const struct bench_result *result,
                     const struct bench_effort *effort)
{
    if (score->verdict != BENCH_VERIFIED || score->sample_count >= SAMPLES_MAXIMUM) {
        return true;
    }
    double seconds = spent(score, result);
    bool enough = score->sample_count >= effort->repeat && seconds >= effort->time;
    return enough || (score->sample_count > 0 && seconds >= effort->budget);
}

static void turn(struct bench_contender *contender, struct bench_score *score,
                 const struct bench_result *result)
{
    double seconds;
    if (!attempt(contender, &seconds, &score->problem) ||
        !bench_score_add(score, seconds / (double)result->batch)) {
        fail(score);
    }
}

/* The first run warms up caches, pages and clocks and does not count, unless it alone takes the
 * whole budget: then that of a slow contender is as good as any. */
static void warm_up(struct bench_contender *contender, struct bench_score *score,
                    const struct bench_result *result, const struct bench_effort *effort)
{
    turn(contender, score, result);
    if (score->verdict == BENCH_VERIFIED && spent(score, result) < effort->budget) {
        score->sample_count = 0;
    }
}

static void open_all(struct bench_result *result, struct bench_contender *contenders,
                     struct bench_place *place)
{
    for (size_t i = 0; i < result->score_count; i++) {
        struct bench_score *score = &result->scores[i];
        struct bench_contender *contender = &contenders[i];
        bool ready = contender->methods->open(contender, &result->shape, place, &score->problem);
        score->verdict = ready ? BENCH_VERIFIED : BENCH_SKIPPED;
        score->peer = contender->peer;
        score->stable = contender->stable;
        score->workspace = contender->workspace;
        snprintf(score->name, sizeof score->name, "%s", contender->name);
        snprintf(score->algorithm, sizeof score->algorithm, "%s", contender->algorithm);
        snprintf(score->engine, sizeof score->engine, "%s", contender->engine);
    }
}

static void run_rounds(struct bench_result *result, struct bench_contender *contenders,
                       const struct bench_effort *effort)
{
    bool busy = true;
    for (size_t round = 0; busy; round++) {
        busy = false;
        for (size_t i = 0; i < result->score_count; i++) {
            size_t who = (i + round) % result->score_count;
            struct bench_score *score = &result->scores[who];
            if (!finished(score, result, effort)) {
                turn(&contenders[who], score, result);
                busy = true;
            }
        }
    }
}

void bench_measure(struct bench_result *result, struct bench_contender *contenders,
                   struct bench_place *place, const struct bench_effort *effort)
{
    result->batch = result->shape.operation == BENCH_SEGMENTED ? 1 : place->input->arrays;
    open_all(result, contenders, place);
    for (size_t i = 0; i < result->score_count; i++) {
        if (result->scores[i].verdict == BENCH_VERIFIED) {
            warm_up(&contenders[i], &result->scores[i], result, effort);
        }
    }
    run_rounds(result, contenders, effort);
    for (size_t i = 0; i < result->score_count; i++) {
        struct bench_score *score = &result->scores[i];
        if (score->verdict == BENCH_VERIFIED && score->sample_count > 0) {
            score->seconds = bench_statistics_of(score->samples, score->sample_count);
        }
        contenders[i].methods->close(&contenders[i]);
    }
}
