/* SPDX-License-Identifier: Apache-2.0 */
/* Growing lists of results, and the figures that follow from them. */
#include "bench_results.h"

#include <stdlib.h>

struct bench_result *bench_results_add(struct bench_results *results,
                                       const struct bench_case *shape, size_t score_count)
{
    struct bench_result *items =
        realloc(results->items, (results->count + 1) * sizeof *results->items);
    if (items == NULL) {
        return NULL;
    }
    results->items = items;
    struct bench_score *scores = calloc(score_count + 1, sizeof *scores);
    if (scores == NULL) {
        return NULL;
    }
    struct bench_result *result = &items[results->count++];
    *result = (struct bench_result){.shape = *shape, .scores = scores, .score_count = score_count};
    return result;
}

void bench_results_release(struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        for (size_t j = 0; j < results->items[i].score_count; j++) {
            free(results->items[i].scores[j].samples);
        }
        free(results->items[i].scores);
    }
    free(results->items);
    *results = (struct bench_results){0};
}

bool bench_score_add(struct bench_score *score, double seconds)
{
    double *samples = realloc(score->samples, (score->sample_count + 1) * sizeof *samples);
    if (samples == NULL) {
        return false;
    }
    score->samples = samples;
    samples[score->sample_count++] = seconds;
    return true;
}

double bench_score_rate(const struct bench_score *score, const struct bench_case *shape)
{
    bool measured = score->verdict == BENCH_VERIFIED && score->seconds.median > 0;
    return measured ? (double)shape->count / score->seconds.median : 0;
}

void bench_result_drop_absent(struct bench_result *result)
{
    size_t kept = 0;
    for (size_t i = 0; i < result->score_count; i++) {
        struct bench_score score = result->scores[i];
        if (!score.peer || score.verdict != BENCH_SKIPPED) {
            result->scores[kept++] = score;
        }
    }
    result->score_count = kept;
}

const struct bench_score *bench_result_best_peer(const struct bench_result *result)
{
    const struct bench_score *best = NULL;
    double best_rate = 0;
    for (size_t i = 0; i < result->score_count; i++) {
        double rate = bench_score_rate(&result->scores[i], &result->shape);
        if (result->scores[i].peer && rate > best_rate) {
            best_rate = rate;
            best = &result->scores[i];
        }
    }
    return best;
}

bool bench_results_any_failed(const struct bench_results *results, bool peers)
{
    for (size_t i = 0; i < results->count; i++) {
        for (size_t j = 0; j < results->items[i].score_count; j++) {
            const struct bench_score *score = &results->items[i].scores[j];
            if (score->verdict == BENCH_FAILED && score->peer == peers) {
                return true;
            }
        }
    }
    return false;
}

const char *bench_verdict_name(enum bench_verdict verdict)
{
    static const char *const names[] = {"verified", "FAILED", "skipped"};
    return names[verdict];
}
