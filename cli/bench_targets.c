/* SPDX-License-Identifier: Apache-2.0 */
/* Looks targets up among the results, and prints how they went. */
#include "bench_targets.h"

#include <inttypes.h>
#include <string.h>

/* Names one score of a run. */
struct pick {
    enum bench_operation operation;
    consort_type type;
    uint32_t value_bytes;
    const char *distribution;
    uint64_t count;
    uint32_t threads;
    uint64_t segment;
    bool on_gpu;
    const char *name;
};

static struct pick pick_what(const struct bench_target *target)
{
    bool pairs = target->operation == BENCH_SORT && target->value_bytes > 0;
    return (struct pick){
        .operation = pairs ? BENCH_PAIRS : target->operation,
        .type = target->type,
        .value_bytes = target->value_bytes,
        .distribution = target->distribution != NULL ? target->distribution : "uniform",
        .count = target->count,
        .threads = target->threads > 0 ? target->threads : 1,
        .segment = target->segment,
        .on_gpu = target->on_gpu,
        .name = "consort",
    };
}

static struct pick pick_against(const struct bench_target *target)
{
    struct pick pick = pick_what(target);
    if (target->against_peer != NULL) {
        pick.name = target->against_peer;
    }
    if (target->against_distribution != NULL) {
        pick.distribution = target->against_distribution;
    }
    if (target->against_threads > 0) {
        pick.threads = target->against_threads;
    }
    return pick;
}

static bool picks(const struct pick *pick, const struct bench_case *shape)
{
    return pick->operation == shape->operation && pick->type == shape->type &&
           pick->value_bytes == shape->value_bytes && pick->count == shape->count &&
           pick->threads == shape->threads && pick->segment == shape->segment &&
           pick->on_gpu == shape->on_device &&
           strcmp(pick->distribution, shape->distribution->name) == 0;
}

static double rate_in(const struct pick *pick, const struct bench_result *result)
{
    const struct bench_score *best = bench_result_best_peer(result);
    if (strcmp(pick->name, BENCH_BEST_PEER) == 0) {
        return best != NULL ? bench_score_rate(best, &result->shape) : 0;
    }
    for (size_t i = 0; i < result->score_count; i++) {
        double rate = bench_score_rate(&result->scores[i], &result->shape);
        if (rate > 0 && strcmp(result->scores[i].name, pick->name) == 0) {
            return rate;
        }
    }
    return 0;
}

static double rate_of(const struct pick *pick, const struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->items[i];
        double rate = picks(pick, &result->shape) ? rate_in(pick, result) : 0;
        if (rate > 0) {
            return rate;
        }
    }
    return 0;
}

double bench_targets_ratio(const struct bench_target *target, const struct bench_results *results)
{
    const struct pick what = pick_what(target);
    const struct pick against = pick_against(target);
    double against_rate = rate_of(&against, results);
    return against_rate > 0 ? rate_of(&what, results) / against_rate : 0;
}

const char *bench_targets_verdict(const struct bench_target *target, double ratio)
{
    if (ratio <= 0) {
        return "unmeasured";
    }
    return ratio >= target->ratio ? "pass" : "MISS";
}

void bench_targets_label(const struct bench_target *target, char label[BENCH_LABEL])
{
    const struct pick what = pick_what(target);
    const struct pick against = pick_against(target);
    char type[16] = "?";
    char values[32] = "";
    char other[BENCH_LABEL / 2];
    (void)consort_type_name(what.type, type, sizeof type);
    if (what.value_bytes > 0) {
        snprintf(values, sizeof values, "+%" PRIu32, what.value_bytes);
    } else if (what.segment > 0) {
        snprintf(values, sizeof values, "*%" PRIu64, what.segment);
    }
    if (what.threads != against.threads) {
        snprintf(other, sizeof other, "%" PRIu32 " thread%s", against.threads,
                 against.threads == 1 ? "" : "s");
    } else if (strcmp(what.distribution, against.distribution) != 0) {
        snprintf(other, sizeof other, "%s", against.distribution);
    } else {
        snprintf(other, sizeof other, "%s", against.name);
    }
    char where[BENCH_LABEL / 4] = "GPU";
    if (!what.on_gpu) {
        snprintf(where, sizeof where, "%" PRIu32 " thread%s", what.threads,
                 what.threads == 1 ? "" : "s");
    }
    snprintf(label, BENCH_LABEL, "%s%s%s%s %s, n = %" PRIu64 ", %s, against %.40s",
             what.on_gpu ? bench_operation_name(what.operation) : "", what.on_gpu ? " " : "", type,
             values, what.distribution, what.count, where, other);
}

void bench_targets_print(FILE *file, const struct bench_suite *suite,
                         const struct bench_results *results)
{
    if (suite->target_count == 0) {
        return;
    }
    fprintf(file, "\n| %-62s | target | measured | %-10s |\n", "target", "verdict");
    fprintf(file, "|%.64s|-------:|---------:|%.12s|\n",
            "----------------------------------------------------------------", "------------");
    for (size_t i = 0; i < suite->target_count; i++) {
        char label[BENCH_LABEL];
        double ratio = bench_targets_ratio(&suite->targets[i], results);
        bench_targets_label(&suite->targets[i], label);
        fprintf(file, "| %-62s | %5.2fx | %7.2fx | %-10s |\n", label, suite->targets[i].ratio,
                ratio, bench_targets_verdict(&suite->targets[i], ratio));
    }
}
