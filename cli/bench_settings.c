/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults, and the table of options. */
#include "bench_settings.h"

#include <string.h>

#include "bench_lineup.h"
#include "bench_options.h"
#include "parallel.h"

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
    &bench_option_segments,
    &bench_option_lengths,
    &bench_option_record,
    &bench_option_seed,
    &bench_option_algorithms,
    &bench_option_set,
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
    &bench_option_plot,
    &bench_option_plot_format,
    &bench_option_suite,
    &bench_option_study,
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
        .algorithms = {{"auto"}, 1},
        .peers = {{"all"}, 1},
        .plans = true,
        .plot_formats = "svg",
        .gpu = -1,
        .forms = {[BENCH_FORM_COPY] = true},
        .effort = {.time = -1, .budget = 10},
        .seed = 1,
        .k = 100,
        .segments = {{1000}, 1},
        .lengths_count = 1,
        .record_bytes = 100,
    };
}

static bool check_parameters(const struct bench_settings *settings, struct problem *problem)
{
    int32_t engine = settings->gpu >= 0 ? CONSORT_ENGINE_CUDA : CONSORT_ENGINE_CPU;
    size_t variants = bench_parameters_variants(&settings->parameters);
    if (settings->parameters.count > 0 &&
        variants * settings->algorithms.count > BENCH_SUBJECTS / BENCH_FORM_COUNT) {
        return problem_set(problem, "--set: more than %d combinations",
                           BENCH_SUBJECTS / BENCH_FORM_COUNT);
    }
    if (settings->parameters.count == 0 || settings->lenient) {
        return true;
    }
    for (size_t i = 0; i < settings->algorithms.count; i++) {
        for (size_t j = 0; j < settings->operation_count; j++) {
            if (!bench_parameters_check(&settings->parameters, settings->algorithms.items[i],
                                        engine, bench_operation_number(settings->operations[j]),
                                        problem)) {
                return problem_prefix(problem, "--set");
            }
        }
    }
    return true;
}

/* Threads carry host arrays to a GPU: one alone would be what is measured. */
static void choose_threads(struct bench_settings *settings)
{
    if (settings->threads.count == 0) {
        bool carry = settings->gpu >= 0 && !settings->device_memory && !settings->spread;
        settings->threads = (struct bench_numbers){{carry ? parallel_processors() : 1}, 1};
    }
}

/* A list in the memory of several GPUs is neither in that of one nor in the host's. */
static bool complete_spread(struct bench_settings *settings, struct problem *problem)
{
    settings->spread = settings->device_memory && settings->every_gpu;
    if (!settings->spread) {
        return settings->gpus == 0 ||
               problem_set(problem, "--device gpus:N is for --memory device");
    }
    for (size_t i = 0; i < settings->operation_count; i++) {
        if (settings->operations[i] != BENCH_SORT && settings->operations[i] != BENCH_PAIRS &&
            settings->operations[i] != BENCH_RECORDS) {
            return problem_set(problem,
                               "--device gpus --memory device is for sort, pairs and records");
        }
    }
    settings->device_memory = false;
    return settings->plans && !settings->one_calls
               ? true
               : problem_set(problem, "--device gpus --memory device is measured by plans");
}

bool bench_settings_complete(struct bench_settings *settings, struct problem *problem)
{
    struct bench_effort *effort = &settings->effort;
    if ((settings->device_memory || settings->pinned) && settings->gpu < 0) {
        return problem_set(problem, "--memory %s needs --device gpu",
                           settings->pinned ? "pinned" : "device");
    }
    if (!complete_spread(settings, problem)) {
        return false;
    }
    if (!settings->memory_given) {
        settings->device_memory = settings->gpu >= 0 && !settings->every_gpu;
    }
    if (settings->device_memory && settings->one_calls) {
        return problem_set(problem, "one-call functions take arrays in host memory only");
    }
    /* A GPU's clocks take longer to rise, and its timings are short. */
    if (settings->counts.count == 0) {
        settings->counts = (struct bench_numbers){{1000000}, 1};
    }
    if (effort->time < 0) {
        effort->time = 0.1;
    }
    if (effort->repeat == 0) {
        effort->repeat = settings->device_memory ? 9 : 5;
    }
    /* Of host arrays the first run also makes what the others find in the context. */
    effort->warm_ups = settings->device_memory ? 3 : settings->gpu >= 0 ? 2 : 1;
    choose_threads(settings);
    return check_parameters(settings, problem);
}

void bench_settings_override(struct bench_settings *line, const struct bench_settings *given)
{
    line->seed = given->seed;
    line->separate = line->separate || given->separate;
    line->huge_pages = given->huge_pages;
    if (given->counts.count > 0) {
        line->counts = given->counts;
    }
    if (given->effort.repeat > 0) {
        line->effort.repeat = given->effort.repeat;
    }
    if (given->effort.time >= 0) {
        line->effort.time = given->effort.time;
    }
    if (line->gpu >= 0 && given->gpu >= 0) {
        line->gpu = given->gpu;
    }
}

bool bench_settings_on_gpu(const struct bench_settings *settings)
{
    return settings->gpu >= 0 || settings->study != NULL ||
           (settings->suite != NULL && strncmp(settings->suite, "gpu-", strlen("gpu-")) == 0);
}
