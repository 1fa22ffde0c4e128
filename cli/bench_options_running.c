/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `consort bench` that say how: who is measured, how often, and where results go. */
#include "bench_options.h"

#include <string.h>

#include "bench_parse.h"
#include "bench_settings.h"
#include "bench_study.h"
#include "bench_suite.h"

static bool apply_algorithms(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_names(value, &settings->algorithms, problem);
}

const struct option_spec bench_option_algorithms = {"algorithm",
                                                    0,
                                                    "NAMES",
                                                    "our algorithms: auto, names, or all that suit",
                                                    NULL,
                                                    OPTION_COMPLETES_NOTHING,
                                                    apply_algorithms};

static bool apply_set(void *context, const char *value, struct problem *problem)
{
    return bench_parameters_parse(value, &((struct bench_settings *)context)->parameters, problem);
}

const struct option_spec bench_option_set = {
    "set",
    0,
    "NAME=VALUES",
    "a parameter of the algorithms given by --algorithm; each of several values is measured",
    NULL,
    OPTION_COMPLETES_NOTHING,
    apply_set};

static const char *interface_choice(size_t index)
{
    static const char *const names[] = {"plan", "one-call"};
    return option_choice_of(names, sizeof names / sizeof names[0], index);
}

static bool apply_interface(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    struct bench_names names;
    if (!bench_parse_names(value, &names, problem)) {
        return false;
    }
    settings->plans = false;
    settings->one_calls = false;
    for (size_t i = 0; i < names.count; i++) {
        bool plan = strcmp(names.items[i], "plan") == 0;
        bool one_call = strcmp(names.items[i], "one-call") == 0;
        if (!plan && !one_call) {
            return problem_set(problem, "\"%s\" is neither plan nor one-call", names.items[i]);
        }
        settings->plans = settings->plans || plan;
        settings->one_calls = settings->one_calls || one_call;
    }
    return true;
}

const struct option_spec bench_option_interface = {
    "interface",
    0,
    "NAMES",
    "plan (workspace at hand), one-call (takes memory inside the timing), or both",
    interface_choice,
    OPTION_COMPLETES_NOTHING,
    apply_interface};

static bool apply_peers(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_names(value, &settings->peers, problem);
}

const struct option_spec bench_option_peers = {
    "peers",    0, "NAMES", "peers: all that suit, none, or names", NULL, OPTION_COMPLETES_NOTHING,
    apply_peers};

static bool apply_repeat(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    uint64_t repeat;
    if (!bench_parse_number(value, 1, &repeat, problem)) {
        return false;
    }
    settings->effort.repeat = repeat < UINT32_MAX ? (uint32_t)repeat : UINT32_MAX;
    return true;
}

const struct option_spec bench_option_repeat = {
    "repeat", 0, "N", "timings of each, at least", NULL, OPTION_COMPLETES_NOTHING, apply_repeat};

static bool apply_time(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_seconds(value, &settings->effort.time, problem);
}

const struct option_spec bench_option_time = {
    "min-time", 0,
    "SECONDS",  "seconds that the timings of each last, at least",
    NULL,       OPTION_COMPLETES_NOTHING,
    apply_time};

static bool apply_budget(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    return bench_parse_seconds(value, &settings->effort.budget, problem);
}

const struct option_spec bench_option_budget = {
    "budget",    0,
    "SECONDS",   "seconds after which a slow one is done with fewer timings",
    NULL,        OPTION_COMPLETES_NOTHING,
    apply_budget};

static bool apply_separate(void *context, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct bench_settings *)context)->separate = true;
    return true;
}

const struct option_spec bench_option_separate = {
    "separate",    0,
    NULL,          "input and output are two places; default: in place, as the peers sort",
    NULL,          OPTION_COMPLETES_NOTHING,
    apply_separate};

static bool apply_unstable(void *context, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct bench_settings *)context)->unstable = true;
    return true;
}

const struct option_spec bench_option_unstable = {
    "unstable",    0, NULL, "let equal keys change their order", NULL, OPTION_COMPLETES_NOTHING,
    apply_unstable};

static bool apply_huge_pages(void *context, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct bench_settings *)context)->huge_pages = true;
    return true;
}

const struct option_spec bench_option_huge_pages = {
    "huge-pages",    0, NULL, "ask for huge pages for all arrays", NULL, OPTION_COMPLETES_NOTHING,
    apply_huge_pages};

static bool apply_json(void *context, const char *value, struct problem *problem)
{
    (void)problem;
    ((struct bench_settings *)context)->json = value;
    return true;
}

const struct option_spec bench_option_json = {
    "json",
    0,
    "FILE",
    "write the results here, too; -: to standard output, and the table to standard error; of a "
    "study by default to study-NAME.json, unless none",
    NULL,
    OPTION_COMPLETES_FILES,
    apply_json};

static bool apply_plot(void *context, const char *value, struct problem *problem)
{
    ((struct bench_settings *)context)->plot = value;
    return value[0] != '\0' || problem_set(problem, "no folder is named");
}

const struct option_spec bench_option_plot = {
    "plot",
    0,
    "FOLDER",
    "draw figures of the results into this folder (needs Python with Matplotlib); of a study by "
    "default beside its results, unless none",
    NULL,
    OPTION_COMPLETES_FOLDERS,
    apply_plot};

static const char *plot_format_choice(size_t index)
{
    static const char *const names[] = {"svg", "png", "svg,png"};
    return option_choice_of(names, sizeof names / sizeof names[0], index);
}

static bool apply_plot_format(void *context, const char *value, struct problem *problem)
{
    const char *name;
    for (size_t i = 0; (name = plot_format_choice(i)) != NULL; i++) {
        if (strcmp(value, name) == 0) {
            ((struct bench_settings *)context)->plot_formats = value;
            return true;
        }
    }
    return problem_set(problem, "\"%.40s\" is none of: svg png svg,png", value);
}

const struct option_spec bench_option_plot_format = {
    "plot-format",      0,
    "FORMATS",          "of figures: svg (default), png, or both",
    plot_format_choice, OPTION_COMPLETES_NOTHING,
    apply_plot_format};

static bool apply_suite(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    settings->suite = value;
    return bench_suite_find(value) != NULL ||
           problem_set(problem, "there is no suite \"%.40s\"; --list names them", value);
}

const struct option_spec bench_option_suite = {
    "suite",
    0,
    "NAME",
    "a set of cases with targets, instead of the options above",
    bench_suite_choice,
    OPTION_COMPLETES_NOTHING,
    apply_suite};

static bool apply_study(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    settings->study = value;
    return bench_study_find(value) != NULL ||
           problem_set(problem, "there is no study \"%.40s\"; --list names them", value);
}

const struct option_spec bench_option_study = {"study",
                                               0,
                                               "NAME",
                                               "a paper's experiment, its figures beside ours: "
                                               "table, results, plots; with --count at other sizes",
                                               bench_study_choice,
                                               OPTION_COMPLETES_NOTHING,
                                               apply_study};

static bool apply_list(void *context, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct bench_settings *)context)->list = true;
    return true;
}

const struct option_spec bench_option_list = {
    "list",    0,
    NULL,      "list types, distributions, operations, algorithms, peers, suites and studies",
    NULL,      OPTION_COMPLETES_NOTHING,
    apply_list};
