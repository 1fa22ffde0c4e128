/* SPDX-License-Identifier: Apache-2.0 */
/* What was measured: cases with the scores of their contenders. Reports read nothing else. */
#ifndef CONSORT_CLI_BENCH_RESULTS_H
#define CONSORT_CLI_BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench_links.h"
#include "bench_case.h"
#include "bench_contender.h"
#include "bench_statistics.h"

enum bench_verdict {
    BENCH_VERIFIED, /* every timed result was right */
    BENCH_FAILED,   /* one was wrong, or the contender gave up: no figures */
    BENCH_SKIPPED   /* it cannot do this, or is not there */
};

/* Seconds are for one array of the case. */
struct bench_score {
    char name[2 * BENCH_NAME];
    char algorithm[BENCH_NAME];
    char engine[16];
    bool peer;
    bool stable;
    uint64_t workspace;
    struct bench_number_list parameters;
    struct bench_number_list counters;
    enum bench_verdict verdict;
    struct problem problem; /* of FAILED and SKIPPED */
    double *samples;
    size_t sample_count;
    struct bench_statistics seconds;
};

struct bench_result {
    struct bench_case shape;
    uint64_t batch;
    uint64_t ceiling_bytes;
    bool pinned;
    double ceiling;  /* bytes a second, as bench_ceiling.h; 0 = unknown */
    double exchange; /* the same that each GPU has from the others, all at once; 0 = no others */
    struct bench_links bus;
    struct bench_score *scores;
    size_t score_count;
};

struct bench_results {
    struct bench_result *items;
    size_t count;
};

/* A new result at the end; NULL: out of memory. Valid until the next one is added. */
struct bench_result *bench_results_add(struct bench_results *results,
                                       const struct bench_case *shape, size_t score_count);

void bench_results_release(struct bench_results *results);

bool bench_score_add(struct bench_score *score, double seconds);

/* Items a second by the median; 0 without figures. */
double bench_score_rate(const struct bench_score *score, const struct bench_case *shape);

/* Forgets the peers that could not take part. */
void bench_result_drop_absent(struct bench_result *result);

/* The fastest verified peer, or NULL. */
const struct bench_score *bench_result_best_peer(const struct bench_result *result);

/* Of the peers, or of ours. */
bool bench_results_any_failed(const struct bench_results *results, bool peers);

const char *bench_verdict_name(enum bench_verdict verdict);

#endif
