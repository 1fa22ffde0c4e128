/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `consort bench` that say where: on which device, in whose memory. */
#include "bench_options.h"

#include <string.h>

#include "bench_parse.h"
#include "bench_settings.h"
#include "bench_spread.h"
#include "size_parse.h"

static const char *device_choice(size_t index)
{
    static const char *const names[] = {"cpu", "gpu", "gpu:0", "gpus", "gpus:2"};
    return option_choice_of(names, sizeof names / sizeof names[0], index);
}

/* "gpu:3" and the like; without a number: *number stays. */
static bool device_number(const char *value, const char *name, uint64_t *number)
{
    size_t length = strlen(name);
    if (strncmp(value, name, length) != 0) {
        return false;
    }
    return value[length] == '\0' ||
           (value[length] == ':' &&
            size_parse_number(value + length + 1, strlen(value + length + 1), number));
}

static bool apply_device(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    uint64_t number = 0;
    uint64_t gpus = 0;
    settings->every_gpu = device_number(value, "gpus", &gpus);
    if (strcmp(value, "cpu") == 0) {
        settings->gpu = -1;
        return true;
    }
    if ((!settings->every_gpu && !device_number(value, "gpu", &number)) || number > INT32_MAX ||
        gpus > BENCH_GPUS || strcmp(value, "gpus:0") == 0) {
        return problem_set(problem, "\"%.40s\" is none of: cpu gpu gpu:N gpus gpus:N", value);
    }
    settings->gpus = (uint32_t)gpus;
    settings->gpu = (int32_t)number;
    return true;
}

const struct option_spec bench_option_device = {
    "device",      0,
    "DEVICE",      "where to sort: cpu, gpu, gpu:N, gpus, or gpus:N, the first N of them",
    device_choice, OPTION_COMPLETES_NOTHING,
    apply_device};

static const char *memory_choice(size_t index)
{
    static const char *const names[] = {"host", "pinned", "device"};
    return option_choice_of(names, sizeof names / sizeof names[0], index);
}

static bool apply_memory(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    settings->memory_given = true;
    settings->device_memory = strcmp(value, "device") == 0;
    settings->pinned = strcmp(value, "pinned") == 0;
    return settings->device_memory || settings->pinned || strcmp(value, "host") == 0 ||
           problem_set(problem, "\"%.40s\" is none of: host pinned device", value);
}

const struct option_spec bench_option_memory = {
    "memory",
    0,
    "MEMORY",
    "where the arrays are: host, pinned (host memory that GPUs copy by themselves), or device as a "
    "GPU has them by default; with several GPUs, device is a list shared out over their memory",
    memory_choice,
    OPTION_COMPLETES_NOTHING,
    apply_memory};

static const char *const form_names[BENCH_FORM_COUNT] = {"in-place", "copy", "double-buffer",
                                                         "launches"};

static const char *form_choice(size_t index)
{
    return option_choice_of(form_names, BENCH_FORM_COUNT, index);
}

static bool apply_form(void *context, const char *value, struct problem *problem)
{
    struct bench_settings *settings = context;
    struct bench_names names;
    if (!bench_parse_names(value, &names, problem)) {
        return false;
    }
    memset(settings->forms, 0, sizeof settings->forms);
    for (size_t i = 0; i < names.count; i++) {
        size_t form = 0;
        while (form < BENCH_FORM_COUNT && strcmp(names.items[i], form_names[form]) != 0) {
            form++;
        }
        if (form == BENCH_FORM_COUNT) {
            return problem_set(problem, "\"%s\" is none of: in-place copy double-buffer launches",
                               names.items[i]);
        }
        settings->forms[form] = true;
    }
    return true;
}

const struct option_spec bench_option_form = {
    "form",
    0,
    "NAMES",
    "device memory: in-place, copy (default), double-buffer, launches (copy, launched kernel by "
    "kernel; the others replay)",
    form_choice,
    OPTION_COMPLETES_NOTHING,
    apply_form};
