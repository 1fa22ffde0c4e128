/* SPDX-License-Identifier: Apache-2.0 */
/* consort sort: read, sort, write. */
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "job.h"
#include "piecewise.h"
#include "report.h"

static const struct option_spec *const sort_options[] = {
    &option_type,     &option_reverse,     &option_output,
    &option_format,   &option_endian,      &option_float_order,
    &option_record,   &option_key,         &option_axis,
    &option_device,   &option_algorithm,   &option_set,
    &option_memory,   &option_temp,        &option_threads,
    &option_progress, &option_no_progress, NULL};

/* What is known of the output's length before the input is read; 0 = nothing. */
static uint64_t sort_expected(const struct source_list *sources)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < sources->count; i++) {
        if (!sources->sources[i].sized)
            return 0;
        bytes += sources->sources[i].left;
    }
    return bytes;
}

static bool sort_write(struct dataset *dataset, struct target *target, unsigned threads,
                       struct problem *problem)
{
    progress_begin("writing",
                   dataset->header_bytes + dataset->text_bytes +
                       dataset->count * dataset->layout.item_bytes *
                           (dataset->format != FORMAT_TEXT),
                   true);
    bool good = dataset_methods(dataset->format)->store(dataset, target, threads, problem);
    progress_end();
    return good;
}

/* While the file is read and written, or between that. */
static bool sort_data(const struct settings *settings, struct source_list *sources,
                      struct dataset *dataset, struct target *target, struct problem *problem)
{
    struct piecewise piecewise;
    if (!piecewise_begin(&piecewise, dataset, sources, target, settings, problem))
        return dataset_load(dataset, sources, settings, problem) &&
               job_sort(dataset, settings, problem) &&
               sort_write(dataset, target, settings_threads(settings), problem);
    bool good = piecewise_sort(&piecewise);
    piecewise_end(&piecewise);
    return good;
}

/* The output is opened first: what would fail at the end had better fail at once. */
static bool sort_work(const struct settings *settings, struct source_list *sources,
                      struct dataset *dataset, struct target *target, struct problem *problem)
{
    return dataset_choose_format(settings, sources, &dataset->format, problem) &&
           dataset_check_settings(settings, dataset->format, problem) &&
           job_check_device(settings, problem) &&
           target_open(target, settings->output, dataset_methods(dataset->format)->binary,
                       sort_expected(sources), problem) &&
           dataset_open(dataset, sources, settings, problem) &&
           sort_data(settings, sources, dataset, target, problem) && target_commit(target, problem);
}

static int sort_files(const struct settings *settings, char **paths, uint32_t count)
{
    struct source_list sources;
    struct problem problem;
    struct dataset dataset = {.count = 0};
    struct target target = {.descriptor = -1, .folder = -1};
    bool good = source_open_all(&sources, paths, count, &problem) &&
                sort_work(settings, &sources, &dataset, &target, &problem);
    target_close(&target);
    dataset_release(&dataset);
    source_close_all(&sources);
    interrupt_finish();
    return good ? EXIT_GOOD : report_problem(&problem);
}

static int sort_run(int argc, char **argv)
{
    char dash[] = "-";
    char *standard_input[] = {dash};
    struct settings settings;
    int operands;
    int exit_code;
    settings_init(&settings);
    if (!command_parse(&command_sort, argc, argv, &settings, &operands, &exit_code))
        return exit_code;
    progress_configure(settings.progress);
    interrupt_install();
    if (operands < argc)
        return sort_files(&settings, argv + operands, (uint32_t)(argc - operands));
    if (isatty(STDIN_FILENO) == 1)
        return report_error("no input; name files, or - for standard input");
    return sort_files(&settings, standard_input, 1);
}

const struct command command_sort = {
    .name = "sort",
    .title = "consort sort",
    .summary = "sort files: raw binary, .npy, text numbers, fixed-size records",
    .operands = "[IN...]",
    .examples =
        "  consort sort -t f32 data.f32 -o data.f32            sort a file in place\n"
        "  consort sort -t u64 -r a.bin b.bin -o all.bin       two files together, descending\n"
        "  consort sort matrix.npy --axis 0 -o columns.npy     each column by itself\n"
        "  consort sort table.npy --key price:desc --key name -o sorted.npy\n"
        "  consort sort --record 100 --key 0:10 --key 20:u32:desc in.dat -o out.dat\n"
        "  seq 9 -1 1 | consort sort -t i64 --format text      numbers, one a line\n",
    .options = sort_options,
    .operand_completion = OPTION_COMPLETES_FILES,
    .run = sort_run,
};
