/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `consort bench`; they apply to a struct bench_settings. */
#ifndef CONSORT_CLI_BENCH_OPTIONS_H
#define CONSORT_CLI_BENCH_OPTIONS_H

#include "option.h"

extern const struct option_spec bench_option_types;
extern const struct option_spec bench_option_counts;
extern const struct option_spec bench_option_distributions;
extern const struct option_spec bench_option_operations;
extern const struct option_spec bench_option_values;
extern const struct option_spec bench_option_threads;
extern const struct option_spec bench_option_device;
extern const struct option_spec bench_option_memory;
extern const struct option_spec bench_option_form;
extern const struct option_spec bench_option_k;
extern const struct option_spec bench_option_segments;
extern const struct option_spec bench_option_lengths;
extern const struct option_spec bench_option_record;
extern const struct option_spec bench_option_seed;
extern const struct option_spec bench_option_algorithms;
extern const struct option_spec bench_option_set;
extern const struct option_spec bench_option_interface;
extern const struct option_spec bench_option_peers;
extern const struct option_spec bench_option_repeat;
extern const struct option_spec bench_option_time;
extern const struct option_spec bench_option_budget;
extern const struct option_spec bench_option_separate;
extern const struct option_spec bench_option_unstable;
extern const struct option_spec bench_option_huge_pages;
extern const struct option_spec bench_option_json;
extern const struct option_spec bench_option_plot;
extern const struct option_spec bench_option_plot_format;
extern const struct option_spec bench_option_suite;
extern const struct option_spec bench_option_study;
extern const struct option_spec bench_option_list;

#endif
