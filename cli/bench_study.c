/* SPDX-License-Identifier: Apache-2.0 */
/* The studies that are there, and their claims against results. */
#include "bench_study.h"

#include <math.h>
#include <string.h>

#include "bench_study_list.h"

static const struct bench_study *const studies[] = {
    &bench_study_bitonic,   &bench_study_shell,    &bench_study_heap_bitonic,
    &bench_study_bucket,    &bench_study_textbook, &bench_study_field_guide,
    &bench_study_multi_gpu, &bench_study_planner,
};

const struct bench_study *bench_study_at(size_t index)
{
    return index < sizeof studies / sizeof studies[0] ? studies[index] : NULL;
}

const struct bench_study *bench_study_find(const char *name)
{
    for (size_t i = 0; bench_study_at(i) != NULL; i++) {
        if (strcmp(studies[i]->suite.name, name) == 0) {
            return studies[i];
        }
    }
    return NULL;
}

const char *bench_study_choice(size_t index)
{
    const struct bench_study *study = bench_study_at(index);
    return study != NULL ? study->suite.name : NULL;
}

/* "move-ns" has the unit of "sort-ns": what follows the last hyphen. */
static const char *ending(const char *name)
{
    const char *last = strrchr(name, '-');
    return last != NULL ? last : "";
}

static bool counter_of(const struct bench_score *score, const char *name, bool share,
                       double *measured)
{
    bool found = false;
    double sum = 0;
    for (uint32_t i = 0; score != NULL && i < score->counters.count; i++) {
        const struct bench_number *counter = &score->counters.items[i];
        if (strcmp(counter->name, name) == 0) {
            *measured = (double)counter->value;
            found = true;
        }
        sum += strcmp(ending(counter->name), ending(name)) == 0 ? (double)counter->value : 0;
    }
    if (share && found && sum > 0) {
        *measured *= 100 / sum;
    }
    return found && (!share || sum > 0);
}

/* Above 0: `what` is faster with so many items. NaN: not measured. */
static double lead_at(const struct bench_claim *claim, const struct bench_results *results,
                      uint64_t count)
{
    struct bench_pick what = claim->what;
    struct bench_pick against = claim->against;
    what.count = against.count = count;
    double seconds = bench_pick_seconds(&what, results);
    double others = bench_pick_seconds(&against, results);
    return seconds > 0 && others > 0 ? log(others / seconds) : (double)NAN;
}

/* Between the two counts around it the ratio of times is taken for a power of the count. Where
 * `what` is ahead from the least count on, that one stands for it. */
static bool crossover_of(const struct bench_claim *claim, const struct bench_results *results,
                         double *millions)
{
    double behind = 0;
    double behind_lead = 0;
    double ahead = 0;
    double ahead_lead = 0;
    for (size_t i = 0; i < results->count; i++) {
        double count = (double)results->items[i].shape.count;
        double lead = lead_at(claim, results, results->items[i].shape.count);
        if (lead < 0 && count > behind) {
            behind = count;
            behind_lead = lead;
        }
    }
    for (size_t i = 0; i < results->count; i++) {
        double count = (double)results->items[i].shape.count;
        double lead = lead_at(claim, results, results->items[i].shape.count);
        if (lead >= 0 && count > behind && (ahead <= 0 || count < ahead)) {
            ahead = count;
            ahead_lead = lead;
        }
    }
    double part = behind > 0 ? behind_lead / (behind_lead - ahead_lead) : 1;
    *millions = 1e-6 * (behind > 0 ? behind * pow(ahead / behind, part) : ahead);
    return ahead > 0;
}

static bool of_bus(const struct bench_claim *claim, const struct bench_results *results,
                   double *measured)
{
    const struct bench_result *result = bench_pick_result(&claim->what, results);
    double seconds = bench_pick_seconds(&claim->what, results);
    if (result == NULL || result->bus.gpus == 0 || seconds <= 0) {
        return false;
    }
    const struct bench_links *bus = &result->bus;
    *measured = seconds / (claim->kind == BENCH_OF_BUS_ONCE ? bus->up + bus->down : 2 * bus->both);
    return true;
}

bool bench_study_measured(const struct bench_claim *claim, const struct bench_results *results,
                          double *measured)
{
    if (claim->kind == BENCH_COUNTER || claim->kind == BENCH_COUNTER_SHARE) {
        return counter_of(bench_pick_score(&claim->what, results), claim->counter,
                          claim->kind == BENCH_COUNTER_SHARE, measured);
    }
    if (claim->kind == BENCH_CROSSOVER) {
        return crossover_of(claim, results, measured);
    }
    double what = bench_pick_seconds(&claim->what, results);
    if (claim->kind == BENCH_MILLISECONDS) {
        *measured = what * 1e3;
        return what > 0;
    }
    if (claim->kind == BENCH_OF_BUS_ONCE || claim->kind == BENCH_OF_BUS_TWICE) {
        return of_bus(claim, results, measured);
    }
    double against = bench_pick_seconds(&claim->against, results);
    if (what <= 0 || against <= 0) {
        return false;
    }
    *measured = claim->kind == BENCH_SPEED_UP ? against / what : 100 * (against - what) / against;
    return true;
}

const char *bench_study_unit(enum bench_claim_kind kind)
{
    static const char *const units[] = {"x", "%", "ms", "", "%", "M", "x", "x"};
    return units[kind];
}

void bench_study_print(FILE *file, const struct bench_study *study,
                       const struct bench_results *results)
{
    if (study->claim_count == 0) {
        return;
    }
    fprintf(file, "\n%s\n\n", study->source);
    fprintf(file, "| %-60s | %-22s | %12s |\n", "claim", "paper", "here");
    fprintf(file, "|%.62s|%.24s|%.13s:|\n",
            "--------------------------------------------------------------",
            "------------------------", "-------------");
    for (size_t i = 0; i < study->claim_count; i++) {
        const struct bench_claim *claim = &study->claims[i];
        double measured;
        char cell[32] = "unmeasured";
        if (bench_study_measured(claim, results, &measured)) {
            snprintf(cell, sizeof cell, "%.4g %s", measured, bench_study_unit(claim->kind));
        }
        fprintf(file, "| %-60s | %-22s | %12s |\n", claim->label, claim->paper, cell);
    }
}
