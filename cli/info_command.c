/* SPDX-License-Identifier: Apache-2.0 */
/* consort info: what this installation has. One JSON value is made; the text is told from it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "command.h"
#include "consort.h"
#include "distributions.h"
#include "parallel.h"
#include "report.h"
#include "settings.h"

static bool info_apply_json(void *settings, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct settings *)settings)->json = true;
    return true;
}

static const struct option_spec info_option_json = {
    "json", 0, NULL, "print JSON", NULL, OPTION_COMPLETES_NOTHING, info_apply_json};

static const struct option_spec *const info_options[] = {&info_option_json, NULL};

/* "name: value" lines, as the library has them. */
static json_t *info_build_facts(void)
{
    json_t *facts = json_object();
    const char *line = consort_build_info();
    while (*line) {
        size_t length = strcspn(line, "\n");
        const char *colon = memchr(line, ':', length);
        if (colon) {
            char name[64];
            const char *value = colon + 1 + strspn(colon + 1, " ");
            snprintf(name, sizeof name, "%.*s", (int)(colon - line), line);
            json_object_set_new(facts, name, json_stringn(value, length - (size_t)(value - line)));
        }
        line += length + (line[length] == '\n');
    }
    return facts;
}

static json_t *info_parameters(const consort_algorithm_info *info)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const consort_parameter_info *parameter = &info->parameters[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", parameter->name,
                                              "summary", parameter->summary, "minimum",
                                              (json_int_t)parameter->minimum, "maximum",
                                              (json_int_t)parameter->maximum, "standard",
                                              (json_int_t)parameter->standard));
    }
    return list;
}

static json_t *info_algorithms(void)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        if (consort_algorithm_get_info(i, &info) != CONSORT_OK)
            continue;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:o}",
                                              "operation", consort_operation_name(info.operation),
                                              "engine", consort_engine_name(info.engine), "name",
                                              info.name, "summary", info.summary, "stable",
                                              info.stable, "quadratic", info.quadratic, "serial",
                                              info.serial, "parameters", info_parameters(&info)));
    }
    return list;
}

/* The engines that have an algorithm. */
static json_t *info_engines(const json_t *algorithms)
{
    json_t *engines = json_array();
    for (int32_t engine = CONSORT_ENGINE_CPU; engine <= CONSORT_ENGINE_CUDA; engine++) {
        const char *name = consort_engine_name(engine);
        size_t count = 0;
        for (size_t i = 0; i < json_array_size(algorithms); i++)
            count +=
                strcmp(json_string_value(json_object_get(json_array_get(algorithms, i), "engine")),
                       name) == 0;
        if (count > 0)
            json_array_append_new(
                engines, json_pack("{s:s, s:I}", "name", name, "algorithms", (json_int_t)count));
    }
    return engines;
}

/* Can a plan be made for a GPU, −1: for any? The library knows, and says why not. */
static json_t *info_gpu(int32_t device, const char *name)
{
    consort_options options;
    consort_descriptor descriptor;
    consort_plan *plan;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = device;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = 1;
    descriptor.options = &options;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        return json_pack("{s:s, s:b, s:s}", "name", name, "usable", 0, "reason",
                         consort_last_error()->message);
    consort_plan_destroy(plan);
    return json_pack("{s:s, s:b}", "name", name, "usable", 1);
}

static json_t *info_gpu_name(int32_t device)
{
    return json_sprintf("gpu:%d", (int)device);
}

/* One GPU by its number: what it is, and which others' memory it reaches. */
static json_t *info_numbered_gpu(int32_t device)
{
    consort_device_info info;
    json_t *name = info_gpu_name(device), *peers = json_array();
    consort_device_info_init(&info);
    json_t *gpu = info_gpu(device, json_string_value(name));
    for (int32_t peer = 0; peer < (int32_t)consort_device_count(); peer++)
        if (peer != device && consort_device_reaches(device, peer))
            json_array_append_new(peers, info_gpu_name(peer));
    if (consort_device_get_info(device, &info) == CONSORT_OK)
        json_object_update_new(gpu, json_pack("{s:s, s:I, s:f, s:i, s:b}", "model", info.name,
                                              "memory", (json_int_t)info.memory, "capability",
                                              info.capability / 10.0, "multiprocessors",
                                              info.processors, "in gpus", info.in_all));
    json_object_set_new(gpu, "reaches", peers);
    json_decref(name);
    return gpu;
}

/* What `--device gpus` uses. */
static json_t *info_every_gpu(const json_t *devices)
{
    json_t *members = json_array(), *device;
    size_t i;
    json_array_foreach(devices, i, device)
    {
        if (json_is_true(json_object_get(device, "in gpus")) &&
            json_is_true(json_object_get(device, "usable")))
            json_array_append(members, json_object_get(device, "name"));
    }
    return json_pack("{s:s, s:b, s:o}", "name", "gpus", "usable", json_array_size(members) > 0,
                     "members", members);
}

static json_t *info_devices(void)
{
    json_t *devices = json_array();
    int32_t count = (int32_t)consort_device_count();
    json_array_append_new(devices, json_pack("{s:s, s:b, s:i}", "name", "cpu", "usable", 1,
                                             "processors", (int)parallel_processors()));
    json_array_append_new(devices, info_gpu(-1, "gpu"));
    for (int32_t device = 0; device < count; device++)
        json_array_append_new(devices, info_numbered_gpu(device));
    if (count > 0)
        json_array_append_new(devices, info_every_gpu(devices));
    return devices;
}

static json_t *info_distributions(void)
{
    json_t *list = json_array();
    const struct distribution *each;
    for (size_t i = 0; (each = distribution_at(i)) != NULL; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:b, s:b}", "name", each->name,
                                              "description", each->description, "integers",
                                              each->integers, "floats", each->floats,
                                              "byte strings", each->byte_strings));
    return list;
}

static json_t *info_everything(void)
{
    json_t *algorithms = info_algorithms();
    json_t *engines = info_engines(algorithms);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "version", consort_version_string(), "build",
                     info_build_facts(), "engines", engines, "devices", info_devices(),
                     "algorithms", algorithms, "distributions", info_distributions());
}

static const char *info_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void info_print_algorithm(const json_t *algorithm)
{
    json_t *parameter;
    size_t i;
    printf("  %-15s%-6s%-17s%s%s%s\n", info_text(algorithm, "operation"),
           info_text(algorithm, "engine"), info_text(algorithm, "name"),
           info_text(algorithm, "summary"),
           json_is_true(json_object_get(algorithm, "serial")) ? " [one thread]" : "",
           json_is_true(json_object_get(algorithm, "quadratic")) ? " [quadratic]" : "");
    json_array_foreach(json_object_get(algorithm, "parameters"), i, parameter)
        printf("  %38s--set %s=%lld (%lld to %lld): %s\n", "", info_text(parameter, "name"),
               (long long)json_integer_value(json_object_get(parameter, "standard")),
               (long long)json_integer_value(json_object_get(parameter, "minimum")),
               (long long)json_integer_value(json_object_get(parameter, "maximum")),
               info_text(parameter, "summary"));
}

static void info_print_names(const char *before, const json_t *names)
{
    json_t *name;
    size_t i;
    json_array_foreach(names, i, name)
        printf("%s%s", i == 0 ? before : " ", json_string_value(name));
}

static void info_print_gpu(const json_t *gpu)
{
    if (json_object_get(gpu, "model"))
        printf("%s, %.1f GiB, compute capability %.1f, %d multiprocessors, ",
               info_text(gpu, "model"),
               (double)json_integer_value(json_object_get(gpu, "memory")) / (1 << 30),
               json_real_value(json_object_get(gpu, "capability")),
               (int)json_integer_value(json_object_get(gpu, "multiprocessors")));
    if (json_is_true(json_object_get(gpu, "usable")))
        printf("usable");
    else
        printf("not usable: %s", info_text(gpu, "reason"));
    info_print_names(", reaches ", json_object_get(gpu, "reaches"));
    printf("\n");
}

static void info_print_devices(const json_t *devices)
{
    json_t *device;
    size_t i;
    json_array_foreach(devices, i, device)
    {
        json_t *processors = json_object_get(device, "processors");
        json_t *members = json_object_get(device, "members");
        printf("  %-6s", info_text(device, "name"));
        if (processors)
            printf("%lld processors\n", (long long)json_integer_value(processors));
        else if (!members)
            info_print_gpu(device);
        else if (json_array_size(members) == 0)
            printf("none usable\n");
        else {
            info_print_names("", members);
            printf("\n");
        }
    }
}

static void info_print(const json_t *everything)
{
    const char *name;
    json_t *value;
    size_t i;
    printf("consort %s\n\nBuild:\n", info_text(everything, "version"));
    json_object_foreach(json_object_get(everything, "build"), name, value)
        printf("  %s: %s\n", name, json_string_value(value));
    printf("\nEngines:\n");
    json_array_foreach(json_object_get(everything, "engines"), i, value)
        printf("  %-6s%lld algorithms\n", info_text(value, "name"),
               (long long)json_integer_value(json_object_get(value, "algorithms")));
    printf("\nDevices:\n");
    info_print_devices(json_object_get(everything, "devices"));
    printf("\nAlgorithms (operation, engine, name for --algorithm):\n");
    json_array_foreach(json_object_get(everything, "algorithms"), i, value)
        info_print_algorithm(value);
    printf("\nDistributions (consort gen -d):\n");
    json_array_foreach(json_object_get(everything, "distributions"), i, value)
        printf("  %-16s%s\n", info_text(value, "name"), info_text(value, "description"));
}

static int info_run(int argc, char **argv)
{
    struct settings settings;
    int operands;
    int exit_code;
    settings_init(&settings);
    if (!command_parse(&command_info, argc, argv, &settings, &operands, &exit_code))
        return exit_code;
    if (operands < argc)
        return report_error("takes no operand, but got %.100s", argv[operands]);
    json_t *everything = info_everything();
    if (!everything)
        return report_error("out of memory");
    if (settings.json)
        json_dumpf(everything, stdout, JSON_INDENT(2));
    else
        info_print(everything);
    json_decref(everything);
    if (settings.json)
        putchar('\n');
    return report_finish_stdout(EXIT_GOOD);
}

const struct command command_info = {
    .name = "info",
    .title = "consort info",
    .summary = "list engines, devices, algorithms and distributions",
    .operands = "",
    .options = info_options,
    .run = info_run,
};
