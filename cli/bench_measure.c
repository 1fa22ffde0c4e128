/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of timings, each followed by the check of its result. */
#include "bench_measure.h"

#include <stdio.h>
#include <string.h>

#include "bench_check.h"
#include "bench_machine.h"

enum {
    /* More would only be time: the median of 1000 moves no more. */
    SAMPLES_MAXIMUM = 1000
};

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

static bool run(struct bench_contender *contender, struct bench_score *score, double *seconds)
{
    return contender->methods->load(contender, &score->problem) &&
           contender->methods->run(contender, seconds, &score->problem);
}

/* Where a GPU has idled since a contender's last run the next one is slower, perhaps as its kernels
 * have been forgotten: one that does not count comes first. (H200, 2^22 f32 of which half are ±0,
 * where every result of peers that leave zeros as they came is checked by the host: 123 µs, twice
 * in a row 112.) */
static bool run_awake(struct bench_contender *contender, struct bench_score *score, double *seconds)
{
    bool idled = contender->idlings != contender->place->idlings;
    contender->idlings = contender->place->idlings;
    return (!idled || run(contender, score, seconds)) && run(contender, score, seconds);
}

/* One run with its check. */
static void turn(struct bench_contender *contender, struct bench_score *score,
                 const struct bench_result *result)
{
    double seconds;
    if (result->pinned) {
        (void)bench_machine_pin(score->sample_count);
    }
    bool done = run_awake(contender, score, &seconds);
    if (result->pinned) {
        bench_machine_unpin();
    }
    if (!done || !bench_check(contender, &score->problem) ||
        !bench_score_add(score, seconds / (double)result->batch)) {
        fail(score);
    }
}

/* The first runs warm up caches, pages and clocks and do not count, unless one alone takes the
 * whole budget: then that of a slow contender is as good as any. What runs can tell of themselves
 * the first of these tells, with arguments of its own: the others are as those that count, and the
 * second of them is recorded (consort_descriptor.replay). */
static void warm_up(struct bench_contender *contender, struct bench_score *score,
                    const struct bench_result *result, const struct bench_effort *effort)
{
    for (uint32_t i = 0; i < effort->warm_ups; i++) {
        contender->counting = i == 0;
        turn(contender, score, result);
        contender->counting = false;
        if (score->verdict != BENCH_VERIFIED || spent(score, result) >= effort->budget) {
            return;
        }
        score->sample_count = 0;
    }
}

static void open_all(const struct bench_side *side, struct bench_place *place)
{
    struct bench_result *result = side->result;
    for (size_t i = 0; i < result->score_count; i++) {
        struct bench_score *score = &result->scores[i];
        struct bench_contender *contender = &side->contenders[i];
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

static void warm_up_all(const struct bench_side *side, const struct bench_effort *effort)
{
    for (size_t i = 0; i < side->result->score_count; i++) {
        if (side->result->scores[i].verdict == BENCH_VERIFIED) {
            warm_up(&side->contenders[i], &side->result->scores[i], side->result, effort);
        }
    }
}

/* Contender number `who` of all sides together, unless it is done. */
static bool take_turn(const struct bench_side *sides, size_t who, const struct bench_effort *effort)
{
    const struct bench_side *side = sides;
    while (who >= side->result->score_count) {
        who -= side->result->score_count;
        side++;
    }
    struct bench_score *score = &side->result->scores[who];
    if (finished(score, side->result, effort)) {
        return false;
    }
    turn(&side->contenders[who], score, side->result);
    return true;
}

static void run_rounds(const struct bench_side *sides, size_t count,
                       const struct bench_effort *effort)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all += sides[i].result->score_count;
    }
    bool busy = true;
    for (size_t round = 0; busy; round++) {
        busy = false;
        for (size_t i = 0; i < all; i++) {
            busy = take_turn(sides, (i + round) % all, effort) || busy;
        }
    }
}

static void close_all(const struct bench_side *side)
{
    for (size_t i = 0; i < side->result->score_count; i++) {
        struct bench_score *score = &side->result->scores[i];
        struct bench_contender *contender = &side->contenders[i];
        if (score->verdict == BENCH_VERIFIED && score->sample_count > 0) {
            score->seconds = bench_statistics_of(score->samples, score->sample_count);
        }
        contender->methods->close(contender);
        score->workspace = contender->workspace; /* some peers know theirs after the runs */
        score->counters = contender->counters;
    }
}

void bench_measure(const struct bench_side *sides, size_t count, struct bench_place *place,
                   const struct bench_effort *effort)
{
    for (size_t i = 0; i < count; i++) {
        struct bench_result *result = sides[i].result;
        result->batch = result->shape.operation == BENCH_SEGMENTED ? 1 : place->input->arrays;
        open_all(&sides[i], place);
    }
    for (size_t i = 0; i < count; i++) {
        warm_up_all(&sides[i], effort);
    }
    run_rounds(sides, count, effort);
    for (size_t i = 0; i < count; i++) {
        close_all(&sides[i]);
    }
}
