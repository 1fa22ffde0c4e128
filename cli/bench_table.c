/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the table; Markdown, so that it can be pasted. */
#include "bench_table.h"

#include <inttypes.h>
#include <string.h>

enum {
    CELL = 64
};

static const char head[] =
    "| operation | keys         | distribution  |      items |   T | sorter     "
    "                  | runs |"
    "     median |    minimum |    maximum | noise |   G/s |    GB/s | "
    "ceiling | vs best | workspace | result   |";

void bench_table_head(FILE *file)
{
    fprintf(file, "%s\n", head);
    for (const char *c = head; *c != '\0'; c++) {
        fputc(*c == '|' ? '|' : '-', file);
    }
    fputc('\n', file);
}

/* Three units of time are enough to keep four figures in sight. */
static void format_seconds(char cell[CELL], double seconds)
{
    if (seconds >= 1) {
        snprintf(cell, CELL, "%.3f s ", seconds);
    } else if (seconds >= 1e-3) {
        snprintf(cell, CELL, "%.3f ms", seconds * 1e3);
    } else if (seconds >= 1e-6) {
        snprintf(cell, CELL, "%.3f us", seconds * 1e6);
    } else {
        snprintf(cell, CELL, "%.1f ns", seconds * 1e9);
    }
}

static void format_keys(char cell[CELL], const struct bench_case *shape)
{
    char type[16] = "?";
    (void)consort_type_name(shape->type, type, sizeof type);
    int length = snprintf(cell, CELL, "%s", type);
    if (shape->value_bytes > 0) {
        length += snprintf(cell + length, CELL - (size_t)length, "+%" PRIu32, shape->value_bytes);
    } else if (shape->operation == BENCH_RECORDS) {
        length += snprintf(cell + length, CELL - (size_t)length, "/%" PRIu64, shape->record_bytes);
    }
    if (shape->operation == BENCH_SEGMENTED) {
        length += snprintf(cell + length, CELL - (size_t)length, "*%" PRIu64, shape->segment);
    }
    if (shape->lengths != BENCH_LENGTHS_EQUAL) {
        snprintf(cell + length, CELL - (size_t)length, " %s", bench_lengths_name(shape->lengths));
    }
}

/* Threads, or the GPU. */
static void format_team(char cell[CELL], const struct bench_case *shape)
{
    if (shape->spread) {
        snprintf(cell, CELL, "%" PRIu32 "g", shape->gpus);
    } else if (shape->every_gpu) {
        snprintf(cell, CELL, "g*");
    } else if (shape->gpu >= 0) {
        snprintf(cell, CELL, "g%" PRId32, shape->gpu);
    } else {
        snprintf(cell, CELL, "%" PRIu32, shape->threads);
    }
}

static void print_case(FILE *file, const struct bench_case *shape)
{
    char keys[CELL];
    char team[CELL];
    format_keys(keys, shape);
    format_team(team, shape);
    fprintf(file, "| %-9s | %-12s | %-13s | %10" PRIu64 " | %3s ",
            bench_operation_name(shape->operation), keys, shape->distribution->name, shape->count,
            team);
}

static void print_figures(FILE *file, const struct bench_result *result,
                          const struct bench_score *score)
{
    char median[CELL];
    char minimum[CELL];
    char maximum[CELL];
    char share[CELL] = "-";
    char ratio[CELL] = "-";
    double rate = bench_score_rate(score, &result->shape);
    const struct bench_score *best = bench_result_best_peer(result);
    double traffic = (double)bench_case_traffic(&result->shape) / score->seconds.median;
    format_seconds(median, score->seconds.median);
    format_seconds(minimum, score->seconds.minimum);
    format_seconds(maximum, score->seconds.maximum);
    if (result->ceiling > 0) {
        snprintf(share, sizeof share, "%.1f%%", 100 * traffic / result->ceiling);
    }
    if (best != NULL) {
        snprintf(ratio, sizeof ratio, "%.2fx", rate / bench_score_rate(best, &result->shape));
    }
    fprintf(file, "| %4zu | %10s | %10s | %10s | %4.1f%% | %5.*f | %7.2f | %7s | %7s | %6.1f MB ",
            score->sample_count, median, minimum, maximum,
            100 * score->seconds.deviation / score->seconds.median, rate < 100e9 ? 3 : 1,
            rate * 1e-9, traffic * 1e-9, share, ratio, (double)score->workspace * 1e-6);
}

void bench_table_left_out(FILE *file, const struct bench_case *shape, const char *reason)
{
    print_case(file, shape);
    fprintf(file, "| left out: %s |\n", reason);
}

void bench_table_rows(FILE *file, const struct bench_result *result)
{
    for (size_t i = 0; i < result->score_count; i++) {
        const struct bench_score *score = &result->scores[i];
        print_case(file, &result->shape);
        fprintf(file, "| %-28s ", score->name);
        if (score->verdict == BENCH_VERIFIED && score->seconds.median > 0) {
            print_figures(file, result, score);
            fprintf(file, "| %-8s |\n", bench_verdict_name(score->verdict));
        } else {
            fprintf(file, "| %s: %s |\n", bench_verdict_name(score->verdict), score->problem.text);
        }
    }
    fflush(file);
}
