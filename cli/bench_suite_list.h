/* SPDX-License-Identifier: Apache-2.0 */
/* The suites, each family in a file of its own. */
#ifndef CONSORT_CLI_BENCH_SUITE_LIST_H
#define CONSORT_CLI_BENCH_SUITE_LIST_H

#include "bench_suite.h"

extern const struct bench_suite bench_suite_foundation; /* CPU */
extern const struct bench_suite bench_suite_cpu_targets;
extern const struct bench_suite bench_suite_quick;
extern const struct bench_suite bench_suite_gpu_quick;
extern const struct bench_suite bench_suite_gpu_full;
extern const struct bench_suite bench_suite_gpu_fastest;
extern const struct bench_suite bench_suite_gpu_host;
extern const struct bench_suite bench_suite_gpu_segments;
extern const struct bench_suite bench_suite_gpu_spread;
extern const struct bench_suite bench_suite_gpu_widths;
extern const struct bench_suite bench_suite_gpu_replay;
extern const struct bench_suite bench_suite_gpu_adversarial;
extern const struct bench_suite bench_suite_gpu_skew;

#endif
