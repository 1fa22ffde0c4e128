/* SPDX-License-Identifier: Apache-2.0 */
/* Looks scores up among the results. */
#include "bench_pick.h"

#include <string.h>

static enum bench_where where_of(const struct bench_case *shape)
{
    if (shape->gpu < 0) {
        return BENCH_ON_CPU;
    }
    if (shape->on_device) {
        return BENCH_ON_GPU;
    }
    if (shape->spread) {
        return BENCH_ON_GPUS;
    }
    if (shape->every_gpu) {
        return shape->pinned ? BENCH_ON_GPUS_PINNED : BENCH_ON_GPUS_HOST;
    }
    return shape->pinned ? BENCH_ON_GPU_PINNED : BENCH_ON_GPU_HOST;
}

static bool picks(const struct bench_pick *pick, const struct bench_case *shape)
{
    const char *distribution = pick->distribution != NULL ? pick->distribution : "uniform";
    return pick->operation == shape->operation && pick->type == shape->type &&
           pick->value_bytes == shape->value_bytes && pick->count == shape->count &&
           (pick->threads == 0 || pick->threads == shape->threads) && pick->gpus == shape->gpus &&
           pick->segment == shape->segment && pick->lengths == shape->lengths &&
           (pick->k == 0 || pick->k == shape->k) && pick->record_bytes == shape->record_bytes &&
           pick->where == where_of(shape) && strcmp(distribution, shape->distribution->name) == 0;
}

static const struct bench_score *score_in(const char *name, const struct bench_result *result)
{
    if (strcmp(name, BENCH_BEST_PEER) == 0) {
        return bench_result_best_peer(result);
    }
    for (size_t i = 0; i < result->score_count; i++) {
        const struct bench_score *score = &result->scores[i];
        if (bench_score_rate(score, &result->shape) > 0 && strcmp(score->name, name) == 0) {
            return score;
        }
    }
    return NULL;
}

const struct bench_result *bench_pick_result(const struct bench_pick *pick,
                                             const struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->items[i];
        if (picks(pick, &result->shape) && score_in(pick->name, result) != NULL) {
            return result;
        }
    }
    return NULL;
}

const struct bench_score *bench_pick_score(const struct bench_pick *pick,
                                           const struct bench_results *results)
{
    const struct bench_result *result = bench_pick_result(pick, results);
    return result != NULL ? score_in(pick->name, result) : NULL;
}

static double ceiling_seconds(const struct bench_pick *pick, const struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->items[i];
        if (picks(pick, &result->shape) && result->ceiling > 0) {
            return (double)bench_case_traffic(&result->shape) / result->ceiling;
        }
    }
    return 0;
}

double bench_pick_seconds(const struct bench_pick *pick, const struct bench_results *results)
{
    if (strcmp(pick->name, BENCH_CEILING) == 0) {
        return ceiling_seconds(pick, results);
    }
    const struct bench_score *score = bench_pick_score(pick, results);
    return score != NULL ? score->seconds.median : 0;
}
