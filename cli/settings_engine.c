/* SPDX-License-Identifier: Apache-2.0 */
/* The options that choose engine, device and algorithm, and the library's options made of them. */
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "size_parse.h"

static const char *settings_device_choice(size_t index)
{
    static const char *const names[] = {"auto", "cpu", "gpu", "gpu:0", "gpus"};
    return option_choice_of(names, sizeof names / sizeof names[0], index);
}

static bool settings_apply_device(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    uint64_t number;
    s->device = -1;
    if (strcmp(value, "auto") == 0) {
        s->engine = CONSORT_ENGINE_AUTO;
    } else if (strcmp(value, "cpu") == 0) {
        s->engine = CONSORT_ENGINE_CPU;
    } else if (strcmp(value, "gpu") == 0) {
        s->engine = CONSORT_ENGINE_CUDA;
    } else if (strncmp(value, "gpu:", 4) == 0 &&
               size_parse_number(value + 4, strlen(value + 4), &number) && number <= INT32_MAX) {
        s->engine = CONSORT_ENGINE_CUDA;
        s->device = (int32_t)number;
    } else if (strcmp(value, "gpus") == 0) {
        s->engine = CONSORT_ENGINE_CUDA;
        s->device = CONSORT_DEVICE_ALL;
    } else {
        return problem_set(problem, "\"%.40s\" is none of: auto cpu gpu gpu:N gpus", value);
    }
    return true;
}

const struct option_spec option_device = {"device",
                                          0,
                                          "DEVICE",
                                          "where to sort (gpu:N: the N-th GPU, gpus: all "
                                          "of them together); default auto",
                                          settings_device_choice,
                                          OPTION_COMPLETES_NOTHING,
                                          settings_apply_device};

/* The names of the algorithms of sorts and of sorts of many lines, each once. */
static const char *settings_algorithm_choice(size_t index)
{
    const char *seen[64];
    size_t count = 0;
    for (uint32_t i = 0; i < consort_algorithm_count() && count < 64; i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        bool known = consort_algorithm_get_info(i, &info) != CONSORT_OK ||
                     (info.operation != CONSORT_OPERATION_SORT &&
                      info.operation != CONSORT_OPERATION_SEGMENTED_SORT);
        for (size_t j = 0; j < count && !known; j++)
            known = strcmp(seen[j], info.name) == 0;
        if (!known)
            seen[count++] = info.name;
    }
    return option_choice_of(seen, count, index);
}

static bool settings_apply_algorithm(void *settings, const char *value, struct problem *problem)
{
    ((struct settings *)settings)->algorithm = value;
    for (size_t i = 0; settings_algorithm_choice(i); i++)
        if (strcmp(settings_algorithm_choice(i), value) == 0)
            return true;
    return problem_set(problem, "\"%.40s\" is unknown; `consort info` lists what there is", value);
}

const struct option_spec option_algorithm = {"algorithm",
                                             0,
                                             "NAME",
                                             "use this algorithm instead of the planner's choice",
                                             settings_algorithm_choice,
                                             OPTION_COMPLETES_NOTHING,
                                             settings_apply_algorithm};

static bool settings_apply_set(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    const char *equals = strchr(value, '=');
    size_t length = equals ? (size_t)(equals - value) : 0;
    char *end;
    if (length == 0 || length >= SETTINGS_PARAMETER_NAME)
        return problem_set(problem, "\"%.60s\" is not name=value", value);
    if (s->parameter_count == SETTINGS_MAXIMUM_PARAMETERS)
        return problem_set(problem, "more than %d parameters", SETTINGS_MAXIMUM_PARAMETERS);
    char *name = s->parameter_names[s->parameter_count];
    memcpy(name, value, length);
    name[length] = '\0';
    long long number = strtoll(equals + 1, &end, 10);
    if (end == equals + 1 || *end)
        return problem_set(problem, "\"%.40s\" in \"%.60s\" is no whole number", equals + 1, value);
    s->parameters[s->parameter_count++] = (consort_parameter){name, number};
    return true;
}

const struct option_spec option_set = {
    "set",
    0,
    "NAME=VALUE",
    "set a parameter of the algorithm given by --algorithm (`consort info` lists them)",
    NULL,
    OPTION_COMPLETES_NOTHING,
    settings_apply_set};

bool settings_make_options(const struct settings *settings, consort_options *options,
                           struct problem *problem)
{
    consort_options_init(options);
    if (settings->parameter_count > 0 && !settings->algorithm)
        return problem_set(problem, "--set needs --algorithm: parameters belong to an algorithm");
    options->engine = settings->engine;
    options->device = settings->device;
    options->threads = settings->threads;
    options->algorithm = settings->algorithm;
    options->parameters = settings->parameters;
    options->parameter_count = settings->parameter_count;
    if (settings->threads == 0)
        return true;
    consort_context_options context;
    consort_context_options_init(&context);
    context.threads = settings->threads;
    return consort_context_create(&context, &options->context) == CONSORT_OK ||
           problem_library(problem);
}
