/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults, and the table of options. */
#include "bench_settings.h"

#include <string.h>

#include "bench_options.h"

const struct option_spec *const bench_settings_options[] = {
    &bench_option_types,
    &bench_option_counts,
    &bench_option_distributions,
    &bench_option_operations,
    &bench_option_values,
    &bench_option_device,
    &bench_option_memory,
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
    &bench_option_form,
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
        .gpu = -1,
        .forms = {[BENCH_FORM_COPY] = true},
        .effort = {.time = 0.1, .budget = 10},
        .seed = 1,
        .k = 100,
        .segment = 1000,
        .record_bytes = 100,
    };
}

bool bench_settings_complete(struct bench_settings *settings, struct problem *problem)
{
    struct bench_effort *effort = &settings->effort;
    if (settings->device_memory && settings->gpu < 0) {
        return problem_set(problem, "--memory device needs --device gpu");
    }
    if (!settings->memory_given) {
        settings->device_memory = settings->gpu >= 0;
    }
    if (settings->device_memory && settings->one_calls) {
        return problem_set(problem, "one-call functions take arrays in host memory only");
    }
    /* A GPU's clocks take longer to rise, and its timings are short. */
    if (effort->repeat == 0) {
        effort->repeat = settings->device_memory ? 9 : 5;
    }
    effort->warm_ups = settings->device_memory ? 3 : 1;
    return true;
}

bool bench_settings_on_gpu(const struct bench_settings *settings)
{
    return settings->gpu >= 0 ||
           (settings->suite != NULL && strncmp(settings->suite, "gpu-", strlen("gpu-")) == 0);
}
