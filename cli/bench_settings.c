/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults, and the table of options. */
#include "bench_settings.h"

#include "bench_options.h"

const struct option_spec *const bench_settings_options[] = {
    &bench_option_types,
    &bench_option_counts,
    &bench_option_distributions,
    &bench_option_operations,
    &bench_option_values,
    &bench_option_threads,
    &bench_option_k,
    &bench_option_segment,
    &bench_option_record,
    &bench_option_seed,
    &bench_option_algorithms,
    &bench_option_interface,
    &bench_option_peers,
    &bench_option_repeat,
    &bench_option_time,
    &bench_option_budget,
    &bench_option_separate,
    &bench_option_unstable,
    &bench_option_huge_pages,
    &bench_option_json,
    &bench_option_suite,
    &bench_option_list,
    NULL,
};

void bench_settings_init(struct bench_settings *settings)
{
    *settings = (struct bench_settings){
        .types = {CONSORT_U32},
        .type_count = 1,
        .distributions = {distribution_find("uniform")},
        .distribution_count = 1,
        .operations = {BENCH_SORT},
        .operation_count = 1,
        .counts = {{1000000}, 1},
        .threads = {{1}, 1},
        .algorithms = {{"auto"}, 1},
        .peers = {{"all"}, 1},
        .plans = true,
        .effort = {.repeat = 5, .time = 0.1, .budget = 10},
        .seed = 1,
        .k = 100,
        .segment = 1000,
        .record_bytes = 100,
    };
}
