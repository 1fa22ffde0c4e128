/* SPDX-License-Identifier: Apache-2.0 */
/* `consort bench`: this library beside others, in one process, on the same data, all checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_catalogue.h"
#include "bench_output.h"
#include "bench_run.h"
#include "bench_settings.h"
#include "bench_study.h"
#include "bench_table.h"
#include "bench_targets.h"
#include "command.h"
#include "report.h"

/* Words of the command line, kept since the parser moves argv about. */
static const char **copy_words(int argc, char **argv)
{
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (words != NULL) {
        memcpy(words, argv, (size_t)argc * sizeof *words);
    }
    return words;
}

/* The exit code is about this library's results alone: peers may be wrong, and targets missed,
 * without making the figures worthless. */
static int measure(struct bench_run *run, const struct bench_settings *settings,
                   const struct bench_output *output, const char *const *command)
{
    struct problem problem;
    const struct bench_study *study =
        settings->study != NULL ? bench_study_find(settings->study) : NULL;
    const struct bench_suite *suite = study != NULL             ? &study->suite
                                      : settings->suite != NULL ? bench_suite_find(settings->suite)
                                                                : NULL;
    bench_table_head(run->table);
    bool good = suite != NULL ? bench_run_suite(run, suite, settings, &problem)
                              : bench_run_settings(run, settings, &problem);
    if (good && suite != NULL) {
        bench_targets_print(run->table, suite, &run->results);
    }
    if (good && study != NULL) {
        bench_study_print(run->table, study, &run->results);
    }
    good = good && bench_output_write(output, run, settings, command, &problem);
    if (!good) {
        return report_problem(&problem);
    }
    if (bench_results_any_failed(&run->results, true)) {
        report_error("a peer failed: see FAILED");
    }
    if (bench_results_any_failed(&run->results, false)) {
        report_error("this library failed: see FAILED");
        return EXIT_UNSORTED;
    }
    return report_finish_stdout(EXIT_GOOD);
}

static int run_with(struct bench_settings *settings, const char *const *command)
{
    struct bench_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return report_error("not enough memory");
    }
    int exit_code;
    struct problem problem;
    struct bench_output output;
    bench_plugin_open(&run->plugins);
    if (settings->list) {
        bench_catalogue_print(&run->plugins);
        exit_code = report_finish_stdout(EXIT_GOOD);
    } else if (!bench_output_prepare(&output, settings, &problem)) {
        exit_code = report_problem(&problem);
    } else {
        const struct problem *missing =
            bench_settings_on_gpu(settings) ? &run->plugins.device_problem : &run->plugins.problem;
        if (missing->text[0] != '\0') {
            report_problem(missing);
        }
        run->table = settings->json != NULL && strcmp(settings->json, "-") == 0 ? stderr : stdout;
        exit_code = measure(run, settings, &output, command);
    }
    bench_run_release(run);
    free(run);
    return exit_code;
}

static int bench_main(int argc, char **argv)
{
    struct bench_settings settings;
    int operands;
    int exit_code;
    const char **words = copy_words(argc, argv);
    if (words == NULL) {
        return report_error("not enough memory");
    }
    bench_settings_init(&settings);
    if (command_parse(&command_bench, argc, argv, &settings, &operands, &exit_code)) {
        if (operands < argc) {
            exit_code = report_error("%.60s: bench takes no files", argv[operands]);
        } else {
            exit_code = run_with(&settings, words);
        }
    }
    free(words);
    return exit_code;
}

const struct command command_bench = {
    .name = "bench",
    .title = "consort bench",
    .summary = "measure this library beside others, every result checked",
    .operands = "",
    .examples = "  consort bench -t u32,f64 -n 1000,1e6,1e8\n"
                "  consort bench --operation pairs -t u64 --values 4,8 -d uniform,zipf --threads "
                "1,2\n"
                "  consort bench --device gpu --algorithm bitonic --set block=64,128,256\n"
                "  consort bench --suite cpu-foundation --json results.json\n"
                "  consort bench --study bitonic\n"
                "  consort bench --device gpu -n 2^12,2^16,2^20 --algorithm all --plot figures\n",
    .options = bench_settings_options,
    .run = bench_main,
};
