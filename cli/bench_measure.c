/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of timings, each followed by the check of its result. */
#include "bench_measure.h"

#include <stdio.h>
#include <string.h>

#include "bench_check.h"

enum {
    /* More would only be time: the median of 1000 moves no more. */
    SAMPLES_MAXIMUM = 1000
};

/* One run with its check; the time of one array goes to *seconds. */
static bool attempt(struct bench_contender *contender, double *seconds, struct problem *problem)
{
    return contender->methods->load(contender, problem) &&
           contender->methods->run(contender, seconds, problem) && bench_check(contender, problem);
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

/* The first runs warm up caches, pages and clocks and do not count, unless one alone takes the
 * whole budget: then that of a slow contender is as good as any. What runs can tell of themselves
 * the last of these tells. */
static void warm_up(struct bench_contender *contender, struct bench_score *score,
                    const struct bench_result *result, const struct bench_effort *effort)
{
    for (uint32_t i = 0; i < effort->warm_ups; i++) {
        turn(contender, score, result);
        if (score->verdict != BENCH_VERIFIED || spent(score, result) >= effort->budget) {
            return;
        }
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
        score->parameters = contender->parameters;
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
            contenders[i].counting = true;
            warm_up(&contenders[i], &result->scores[i], result, effort);
            contenders[i].counting = false;
        }
    }
    run_rounds(result, contenders, effort);
    for (size_t i = 0; i < result->score_count; i++) {
        struct bench_score *score = &result->scores[i];
        if (score->verdict == BENCH_VERIFIED && score->sample_count > 0) {
            score->seconds = bench_statistics_of(score->samples, score->sample_count);
        }
        contenders[i].methods->close(&contenders[i]);
        score->workspace = contenders[i].workspace; /* some peers know theirs after the runs */
        score->counters = contenders[i].counters;
    }
}
