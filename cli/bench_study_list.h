/* SPDX-License-Identifier: Apache-2.0 */
/* The studies, each in a file of its own. */
#ifndef CONSORT_CLI_BENCH_STUDY_LIST_H
#define CONSORT_CLI_BENCH_STUDY_LIST_H

#include "bench_study.h"

extern const struct bench_study bench_study_bitonic;
extern const struct bench_study bench_study_shell;
extern const struct bench_study bench_study_heap_bitonic;
extern const struct bench_study bench_study_bucket;
extern const struct bench_study bench_study_textbook;
extern const struct bench_study bench_study_field_guide;
extern const struct bench_study bench_study_multi_gpu;
extern const struct bench_study bench_study_planner;

#endif
