/* SPDX-License-Identifier: Apache-2.0 */
/* consort check: is a file sorted, and if not, where not. */
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "item_text.h"
#include "job.h"
#include "report.h"

static const struct option_spec *const check_options[] = {&option_type,        &option_reverse,
                                                          &option_format,      &option_endian,
                                                          &option_float_order, &option_record,
                                                          &option_key,         &option_axis,
                                                          &option_memory,      &option_threads,
                                                          &option_device,      &option_progress,
                                                          &option_no_progress, NULL};

/* The item that stands at `place` of line `line`, counted as the file has them. */
static uint64_t check_index(const struct dataset *dataset, uint64_t line, uint64_t place)
{
    uint64_t outer = line / dataset->inner;
    uint64_t inner = line % dataset->inner;
    return (outer * dataset->length + place) * dataset->inner + inner;
}

static int check_tell_disorder(const struct dataset *dataset, uint64_t line, uint64_t place)
{
    char where[160];
    char value[ITEM_TEXT];
    char before[ITEM_TEXT];
    const unsigned char *item =
        dataset->items + (line * dataset->length + place) * dataset->layout.item_bytes;
    dataset_methods(dataset->format)
        ->locate(dataset, check_index(dataset, line, place), where, sizeof where);
    item_text_write(&dataset->layout, item, value);
    item_text_write(&dataset->layout, item - dataset->layout.item_bytes, before);
    report_error("%s: not sorted: %s is %s, but %s stands before it", dataset->path, where, value,
                 before);
    return EXIT_UNSORTED;
}

static int check_work(const struct settings *settings, struct source_list *sources,
                      struct dataset *dataset)
{
    struct problem problem;
    uint64_t line;
    uint64_t place;
    bool good = dataset_choose_format(settings, sources, &dataset->format, &problem) &&
                dataset_check_settings(settings, dataset->format, &problem) &&
                job_check_device(settings, &problem) &&
                dataset_open(dataset, sources, settings, &problem) &&
                dataset_load(dataset, sources, settings, &problem) &&
                job_check(dataset, settings, &line, &place, &problem);
    interrupt_finish();
    if (!good)
        return report_problem(&problem);
    return place == dataset->length ? EXIT_GOOD : check_tell_disorder(dataset, line, place);
}

static int check_file(const struct settings *settings, char **paths)
{
    struct source_list sources;
    struct problem problem;
    struct dataset dataset = {.count = 0};
    int exit_code;
    if (source_open_all(&sources, paths, 1, &problem))
        exit_code = check_work(settings, &sources, &dataset);
    else
        exit_code = report_problem(&problem);
    dataset_release(&dataset);
    source_close_all(&sources);
    return exit_code;
}

static int check_run(int argc, char **argv)
{
    char dash[] = "-";
    char *standard_input[] = {dash};
    struct settings settings;
    int operands;
    int exit_code;
    settings_init(&settings);
    if (!command_parse(&command_check, argc, argv, &settings, &operands, &exit_code))
        return exit_code;
    progress_configure(settings.progress);
    interrupt_install();
    if (argc - operands > 1)
        return report_error("%s and %s: one file at a time", argv[operands], argv[operands + 1]);
    if (argc == operands && isatty(STDIN_FILENO) == 1)
        return report_error("no input; name a file, or - for standard input");
    return check_file(&settings, argc > operands ? argv + operands : standard_input);
}

const struct command command_check = {
    .name = "check",
    .title = "consort check",
    .summary = "tell whether a file is sorted, and where it is not",
    .operands = "[IN]",
    .examples = "  consort check -t f32 data.f32        exit 0: sorted, 1: not, 2: trouble\n"
                "  consort check -t i64 -r numbers.txt  descending numbers, one a line\n",
    .options = check_options,
    .operand_completion = OPTION_COMPLETES_FILES,
    .run = check_run,
};
