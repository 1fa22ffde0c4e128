/* SPDX-License-Identifier: Apache-2.0 */
/* The input in memory, whatever its format. */
#include "dataset.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "progress.h"

enum {
    /* Left to the machine when --memory does not say how much may be used: so much, but no more
     * than this part of what there is. */
    DATASET_RESERVE = 64 << 20,
    DATASET_RESERVED_PART = 4
};

enum format_name dataset_format_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    if (dot && strcasecmp(dot, ".npy") == 0)
        return FORMAT_NPY;
    if (dot && strcasecmp(dot, ".txt") == 0)
        return FORMAT_TEXT;
    return FORMAT_RAW;
}

static bool dataset_format_of_inputs(const struct source_list *sources, enum format_name *format,
                                     struct problem *problem)
{
    *format = dataset_format_of_path(sources->sources[0].path);
    for (uint32_t i = 1; i < sources->count; i++)
        if (dataset_format_of_path(sources->sources[i].path) != *format)
            return problem_set(problem,
                               "%.200s and %.200s: their extensions say different formats; give "
                               "--format",
                               sources->sources[0].path, sources->sources[i].path);
    return true;
}

/* A file that is named as what it is not would be taken for that later. */
static bool dataset_check_output(const struct settings *settings, const struct source_list *sources,
                                 enum format_name format, struct problem *problem)
{
    static const char *const names[] = {[FORMAT_RAW] = "raw",
                                        [FORMAT_NPY] = "npy",
                                        [FORMAT_TEXT] = "text",
                                        [FORMAT_RECORD] = "record"};
    enum format_name named =
        settings->output ? dataset_format_of_path(settings->output) : FORMAT_RAW;
    return named == FORMAT_RAW || named == format ||
           problem_set(problem,
                       "--output: %.200s says %s by its extension, but %.200s is read as %s, and "
                       "nothing is converted; name the output otherwise, or give --format",
                       settings->output, names[named], sources->sources[0].path, names[format]);
}

bool dataset_choose_format(const struct settings *settings, const struct source_list *sources,
                           enum format_name *format, struct problem *problem)
{
    bool record = settings->record_bytes > 0;
    *format = settings->format;
    if (record && *format != FORMAT_BY_EXTENSION && *format != FORMAT_RECORD)
        return problem_set(problem, "--record: goes with --format record only");
    if (*format != FORMAT_BY_EXTENSION)
        return true;
    *format = FORMAT_RECORD;
    return (record || dataset_format_of_inputs(sources, format, problem)) &&
           dataset_check_output(settings, sources, *format, problem);
}

const struct format_methods *dataset_methods(enum format_name format)
{
    return format == FORMAT_NPY ? &format_npy : format == FORMAT_TEXT ? &format_text : &format_raw;
}

bool dataset_check_settings(const struct settings *settings, enum format_name format,
                            struct problem *problem)
{
    bool typed = format == FORMAT_RAW || format == FORMAT_TEXT;
    if (format == FORMAT_TEXT && settings->type >> 16 != 0)
        return problem_set(problem, "--type: text has no byte order");
    if (typed && settings->type == 0)
        return problem_set(problem, "--type is needed: %s files do not say what they hold",
                           format == FORMAT_RAW ? "raw" : "text");
    if (!typed && settings->type != 0)
        return problem_set(problem, "--type: not with %s",
                           format == FORMAT_NPY ? ".npy files, which say their type themselves"
                                                : "records, whose keys have types: --key 0:u32");
    if (settings->byte_order != CONSORT_NATIVE && format != FORMAT_RAW && format != FORMAT_RECORD)
        return problem_set(problem, "--endian: %s",
                           format == FORMAT_TEXT ? "text has no byte order"
                                                 : ".npy files say theirs themselves");
    if (settings->key_count > 0 && typed)
        return problem_set(problem, "--key: needs records (--record BYTES) or a structured .npy");
    if (settings->axis_given && format != FORMAT_NPY)
        return problem_set(problem, "--axis: for .npy files only");
    if (format != FORMAT_RECORD)
        return true;
    if (settings->record_bytes == 0)
        return problem_set(problem, "--format record needs --record BYTES");
    if (settings->key_count == 0)
        return problem_set(problem, "--record needs --key: what to order the records by");
    return true;
}

uint64_t dataset_memory_left(const struct dataset *dataset, const struct settings *settings)
{
    uint64_t available = region_available();
    uint64_t used =
        dataset->memory.size + dataset->text.size + dataset->lines.size + dataset->order.size;
    uint64_t left = settings->memory > used ? settings->memory - used : 0;
    if (settings->memory == UINT64_MAX)
        left = UINT64_MAX;
    if (available == UINT64_MAX)
        return left;
    uint64_t part = available / DATASET_RESERVED_PART;
    available -= part < DATASET_RESERVE ? part : DATASET_RESERVE;
    return left < available ? left : available;
}

bool dataset_check_memory(const struct dataset *dataset, const struct settings *settings,
                          uint64_t bytes, const char *what, struct problem *problem)
{
    uint64_t left = dataset_memory_left(dataset, settings);
    if (bytes <= left)
        return true;
    return problem_set(problem,
                       "%.200s: too little memory: %s needs %llu bytes beside the data, and %s "
                       "leaves %llu",
                       dataset->path, what, (unsigned long long)bytes,
                       settings->memory == UINT64_MAX ? "the machine (or `ulimit -v`)" : "--memory",
                       (unsigned long long)left);
}

bool dataset_open(struct dataset *dataset, struct source_list *sources,
                  const struct settings *settings, struct problem *problem)
{
    dataset->path = sources->sources[0].path;
    if (!dataset_methods(dataset->format)->open(dataset, sources, settings, problem))
        return false;
    /* What .npy files hold nobody has said: there the option is about such floats as there are. */
    return !settings->float_order_given || dataset->format == FORMAT_NPY ||
           layout_has_floats(&dataset->layout) ||
           problem_set(problem, settings->key_count > 0 ? "--float-order: no key is a float"
                                                        : "--float-order: --type is no float");
}

bool dataset_load(struct dataset *dataset, struct source_list *sources,
                  const struct settings *settings, struct problem *problem)
{
    uint64_t total = 0;
    uint64_t available = region_available();
    bool sized = true;
    dataset->memory_limit = settings->memory < available ? settings->memory : available;
    for (uint32_t i = 0; i < sources->count; i++) {
        sized = sized && sources->sources[i].sized;
        total += sources->sources[i].left;
    }
    progress_begin("reading", sized ? total : 0, true);
    bool good = dataset_methods(dataset->format)->load(dataset, sources, settings, problem);
    progress_end();
    return good;
}

void dataset_release(struct dataset *dataset)
{
    free(dataset->npy);
    region_release(&dataset->memory);
    region_release(&dataset->order);
    region_release(&dataset->header);
    region_release(&dataset->text);
    region_release(&dataset->lines);
}
