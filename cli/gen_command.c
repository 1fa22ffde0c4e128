/* SPDX-License-Identifier: Apache-2.0 */
/* consort gen: files of keys, reproducibly from a seed. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "dataset.h"
#include "gen_data.h"
#include "interrupt.h"
#include "npy_header.h"
#include "report.h"
#include "settings.h"
#include "size_parse.h"

static bool gen_apply_count(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    s->count_given = true;
    return size_parse_count(value, &s->count, problem);
}

static const struct option_spec gen_option_count = {
    "count",        'n',
    "COUNT",        "how many keys: 1000, 10M (powers of 1000: k, M, G, T), 1e8 or 2^28",
    NULL,           OPTION_COMPLETES_NOTHING,
    gen_apply_count};

static const char *gen_distribution_choice(size_t index)
{
    const struct distribution *distribution = distribution_at(index);
    return distribution != NULL ? distribution->name : NULL;
}

static bool gen_apply_distribution(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    s->distribution = value;
    return distribution_find(value) ||
           problem_set(problem, "\"%.40s\" is unknown; `consort gen --list` lists them", value);
}

static const struct option_spec gen_option_distribution = {
    "distribution",
    'd',
    "NAME",
    "how the keys are distributed; default uniform",
    gen_distribution_choice,
    OPTION_COMPLETES_NOTHING,
    gen_apply_distribution};

static bool gen_apply_seed(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    return size_parse_number(value, strlen(value), &s->seed) ||
           problem_set(problem, "\"%.40s\" is no number from 0 to 2^64 - 1", value);
}

static const struct option_spec gen_option_seed = {
    "seed",        0,
    "S",           "the same seed makes the same keys everywhere; default 1",
    NULL,          OPTION_COMPLETES_NOTHING,
    gen_apply_seed};

/* Records are not made. */
static const char *gen_format_choice(size_t index)
{
    return index + 1 < FORMAT_RECORD ? option_format.choice(index) : NULL;
}

static bool gen_apply_format(void *settings, const char *value, struct problem *problem)
{
    return option_format.apply(settings, value, problem);
}

static const struct option_spec gen_option_format = {
    "format",          0,
    "FORMAT",          "format of the output; default: by its extension, .npy or .txt, else raw",
    gen_format_choice, OPTION_COMPLETES_NOTHING,
    gen_apply_format};

static bool gen_apply_list(void *settings, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct settings *)settings)->list = true;
    return true;
}

static const struct option_spec gen_option_list = {
    "list",        0,
    NULL,          "list the distributions and what they can make",
    NULL,          OPTION_COMPLETES_NOTHING,
    gen_apply_list};

static const struct option_spec *const gen_options[] = {
    &option_type,     &gen_option_count,   &gen_option_distribution, &gen_option_seed,
    &option_output,   &gen_option_format,  &option_endian,           &option_threads,
    &option_progress, &option_no_progress, &gen_option_list,         NULL};

static int gen_list(void)
{
    const struct distribution *each;
    for (size_t i = 0; (each = distribution_at(i)) != NULL; i++)
        printf("%-16s%-9s%-7s%-8s%s\n", each->name, each->integers ? "integers" : "",
               each->floats ? "floats" : "", each->byte_strings ? "strings" : "",
               each->description);
    return report_finish_stdout(EXIT_GOOD);
}

/* By --format, else by the output's extension. */
static enum format_name gen_format(const struct settings *settings)
{
    if (settings->format != FORMAT_BY_EXTENSION)
        return settings->format;
    return settings->output ? dataset_format_of_path(settings->output) : FORMAT_RAW;
}

static bool gen_check(const struct settings *settings, enum format_name format,
                      struct gen_data *data, struct problem *problem)
{
    char name[16];
    bool bytes = (settings->type >> 8 & 0xff) == CONSORT_KIND_BYTES;
    if (settings->type == 0)
        return problem_set(problem, "--type is needed: what shall the keys be?");
    if (!settings->count_given)
        return problem_set(problem, "--count is needed: how many keys?");
    if (format == FORMAT_RECORD)
        return problem_set(problem, "--format: records are not made; make bytes:N");
    if (format == FORMAT_TEXT && (bytes || settings->byte_order || settings->type >> 16))
        return problem_set(problem, "--format: text holds numbers without a byte order, not byte "
                                    "strings");
    data->type = settings->type;
    if (settings->byte_order && settings->type >> 16 == 0 && !bytes)
        data->type = consort_type_with_byte_order(settings->type, settings->byte_order);
    else if (settings->byte_order && settings->type >> 16 != settings->byte_order && !bytes)
        return problem_set(problem, "--endian: contradicts the byte order in the type");
    data->distribution =
        distribution_find(settings->distribution ? settings->distribution : "uniform");
    data->count = settings->count;
    data->seed = settings->seed;
    consort_type_name(data->type, name, sizeof name);
    if (!distribution_supports(data->distribution, data->type))
        return problem_set(problem, "--distribution: %s makes no %s; `consort gen --list` tells",
                           data->distribution->name, name);
    if (settings->count > (uint64_t)INT64_MAX / 512)
        return problem_set(problem, "--count: more than any file holds");
    return true;
}

static bool gen_work(const struct settings *settings, struct target *target,
                     struct problem *problem)
{
    char header[256];
    struct gen_data data = {.header = header};
    enum format_name format = gen_format(settings);
    unsigned threads = settings_threads(settings);
    if (!gen_check(settings, format, &data, problem))
        return false;
    if (format == FORMAT_NPY)
        data.header_bytes = npy_header_write(data.type, data.count, header, sizeof header);
    if (format == FORMAT_NPY && data.header_bytes == 0)
        return problem_set(problem, "--format: NumPy has no such type; use raw");
    bool text = format == FORMAT_TEXT;
    uint64_t bytes = text ? 0 : data.header_bytes + data.count * consort_type_size(data.type);
    if (!target_open(target, settings->output, !text, bytes, problem))
        return false;
    progress_begin("writing", bytes, true);
    bool good = (text ? gen_data_write_text(&data, target, threads, problem)
                      : gen_data_write(&data, target, threads, problem)) &&
                target_commit(target, problem);
    progress_end();
    return good;
}

static int gen_run(int argc, char **argv)
{
    struct settings settings;
    struct problem problem;
    struct target target = {.descriptor = -1, .folder = -1};
    int operands;
    int exit_code;
    settings_init(&settings);
    if (!command_parse(&command_gen, argc, argv, &settings, &operands, &exit_code))
        return exit_code;
    if (operands < argc)
        return report_error("takes no operand, but got %.100s; the output is named by -o",
                            argv[operands]);
    if (settings.list)
        return gen_list();
    progress_configure(settings.progress);
    interrupt_install();
    bool good = gen_work(&settings, &target, &problem);
    target_close(&target);
    interrupt_finish();
    return good ? EXIT_GOOD : report_problem(&problem);
}

const struct command command_gen = {
    .name = "gen",
    .title = "consort gen",
    .summary = "make files of keys of many distributions, reproducibly from a seed",
    .operands = "",
    .examples = "  consort gen -t f32 -n 1G -o data.f32          4 GB of uniform floats\n"
                "  consort gen -t u64 -n 2^20 -d zipf -o z.npy   a NumPy file\n"
                "  consort gen -t i32 -n 10 --format text        ten numbers, one a line\n",
    .options = gen_options,
    .run = gen_run,
};
