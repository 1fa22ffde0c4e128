/* SPDX-License-Identifier: Apache-2.0 */
/* Looks targets up among the results, and prints how they went. */
#include "bench_targets.h"

#include <inttypes.h>
#include <string.h>

enum {
    DETAIL = 64
};

static enum bench_where where_of(const struct bench_target *target)
{
    if (target->gpus > 0) {
        return BENCH_ON_GPUS;
    }
    return target->pinned ? BENCH_ON_GPU_PINNED : target->on_gpu ? BENCH_ON_GPU : BENCH_ON_CPU;
}

static struct bench_pick pick_what(const struct bench_target *target)
{
    bool pairs = target->operation == BENCH_SORT && target->value_bytes > 0;
    return (struct bench_pick){
        .operation = pairs ? BENCH_PAIRS : target->operation,
        .type = target->type,
        .value_bytes = target->value_bytes,
        .distribution = target->distribution != NULL ? target->distribution : "uniform",
        .count = target->count * (target->gpus > 0 ? target->gpus : 1),
        .threads = target->threads > 0 || target->pinned ? target->threads : 1,
        .segment = target->segment,
        .lengths = target->lengths,
        .k = target->k,
        .where = where_of(target),
        .gpus = target->gpus,
        .name = target->ours != NULL ? target->ours : "consort",
    };
}

static struct bench_pick pick_against(const struct bench_target *target)
{
    struct bench_pick pick = pick_what(target);
    if (target->gpus > 0) {
        pick.where = BENCH_ON_GPU;
        pick.count = target->count;
        pick.gpus = 0;
    }
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

/* What two cores give is asked of their least times, since all that others do on the machine only
 * adds, and to two cores more often than to one: of three hosts' seven types those ratios are 1.82
 * to 2.06, while medians of the same runs differ from 1.65 to 2.08 and means from 1.60. */
static double threads_seconds(const struct bench_pick *pick, const struct bench_results *results)
{
    const struct bench_score *score = bench_pick_score(pick, results);
    return score != NULL ? score->seconds.minimum : 0;
}

double bench_targets_ratio(const struct bench_target *target, const struct bench_results *results)
{
    const struct bench_pick what = pick_what(target);
    const struct bench_pick against = pick_against(target);
    double (*seconds_of)(const struct bench_pick *, const struct bench_results *) =
        what.threads != against.threads ? threads_seconds : bench_pick_seconds;
    double seconds = seconds_of(&what, results);
    double times = (double)what.count / (double)against.count;
    return seconds > 0 ? times * seconds_of(&against, results) / seconds : 0;
}

const char *bench_targets_verdict(const struct bench_target *target, double ratio)
{
    if (ratio <= 0) {
        return "unmeasured";
    }
    return ratio >= target->ratio ? "pass" : "MISS";
}

/* What else tells cases of one type apart. */
static void name_detail(const struct bench_pick *what, char detail[DETAIL])
{
    int length = 0;
    detail[0] = '\0';
    if (what->value_bytes > 0) {
        length = snprintf(detail, DETAIL, "+%" PRIu32, what->value_bytes);
    }
    if (what->segment > 0) {
        bool equal = what->lengths == BENCH_LENGTHS_EQUAL;
        snprintf(detail + length, DETAIL - (size_t)length, "*%" PRIu64 "%s%s", what->segment,
                 equal ? "" : " lengths by ", equal ? "" : bench_lengths_name(what->lengths));
    } else if (what->k > 0) {
        snprintf(detail + length, DETAIL - (size_t)length, " k=%" PRIu64, what->k);
    }
}

void bench_targets_label(const struct bench_target *target, char label[BENCH_LABEL])
{
    const struct bench_pick what = pick_what(target);
    const struct bench_pick against = pick_against(target);
    bool on_gpu = what.where != BENCH_ON_CPU;
    char type[16] = "?";
    char detail[DETAIL];
    char other[BENCH_LABEL / 2];
    (void)consort_type_name(what.type, type, sizeof type);
    name_detail(&what, detail);
    if (what.threads != against.threads) {
        snprintf(other, sizeof other, "%" PRIu32 " thread%s", against.threads,
                 against.threads == 1 ? "" : "s");
    } else if (strcmp(what.distribution, against.distribution) != 0) {
        snprintf(other, sizeof other, "%s", against.distribution);
    } else {
        snprintf(other, sizeof other, "%s", against.name);
    }
    char where[BENCH_LABEL / 4] = "GPU";
    if (target->pinned) {
        snprintf(where, sizeof where, "pinned, GPU");
    } else if (what.gpus > 0) {
        snprintf(where, sizeof where, "%" PRIu32 " GPUs", what.gpus);
    } else if (!on_gpu) {
        snprintf(where, sizeof where, "%" PRIu32 " thread%s", what.threads,
                 what.threads == 1 ? "" : "s");
    }
    snprintf(label, BENCH_LABEL, "%s%s%s%s %s, n = %" PRIu64 ", %s,%s%s against %.40s",
             on_gpu ? bench_operation_name(what.operation) : "", on_gpu ? " " : "", type, detail,
             what.distribution, what.count, where, target->ours != NULL ? " " : "",
             target->ours != NULL ? target->ours : "", other);
}

static struct bench_target target_of(const struct bench_case *shape, double ratio)
{
    return (struct bench_target){
        .type = shape->type,
        .value_bytes = shape->value_bytes,
        .count = shape->count,
        .distribution = shape->distribution->name,
        .against_peer = BENCH_BEST_PEER,
        .ratio = ratio,
        .operation = shape->operation,
        .segment = shape->segment,
        .lengths = shape->lengths,
        .k = shape->k,
        .on_gpu = true,
    };
}

bool bench_targets_at(const struct bench_suite *suite, const struct bench_results *results,
                      size_t index, struct bench_target *target)
{
    for (size_t i = 0; i < suite->target_count; i++) {
        const struct bench_target *asked = &suite->targets[i];
        size_t cases = asked->every ? results->count : 1;
        if (index < cases) {
            *target = asked->every ? target_of(&results->items[index].shape, asked->ratio) : *asked;
            return true;
        }
        index -= cases;
    }
    return false;
}

void bench_targets_print(FILE *file, const struct bench_suite *suite,
                         const struct bench_results *results)
{
    struct bench_target target;
    if (!bench_targets_at(suite, results, 0, &target)) {
        return;
    }
    fprintf(file, "\n| %-62s | target | measured | %-10s |\n", "target", "verdict");
    fprintf(file, "|%.64s|-------:|---------:|%.12s|\n",
            "----------------------------------------------------------------", "------------");
    for (size_t i = 0; bench_targets_at(suite, results, i, &target); i++) {
        char label[BENCH_LABEL];
        double ratio = bench_targets_ratio(&target, results);
        bench_targets_label(&target, label);
        fprintf(file, "| %-62s | %5.2fx | %7.2fx | %-10s |\n", label, target.ratio, ratio,
                bench_targets_verdict(&target, ratio));
    }
}
