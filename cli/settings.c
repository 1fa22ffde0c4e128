/* SPDX-License-Identifier: Apache-2.0 */
/* The options that sort, check and gen share: how a value gets into the settings. */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "size_parse.h"

void settings_init(struct settings *settings)
{
    *settings = (struct settings){.device = -1, .memory = UINT64_MAX, .seed = 1, .axis = -1};
}

unsigned settings_threads(const struct settings *settings)
{
    unsigned processors = parallel_processors();
    return settings->threads ? settings->threads : processors;
}

/* The index of `value` in `names`, or -1 with a message that lists them all. */
static int settings_choose(const char *const *names, size_t count, const char *value,
                           struct problem *problem)
{
    problem_set(problem, "\"%.40s\" is none of:", value);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], value) == 0)
            return (int)i;
        strncat(problem->text, " ", sizeof problem->text - strlen(problem->text) - 1);
        strncat(problem->text, names[i], sizeof problem->text - strlen(problem->text) - 1);
    }
    return -1;
}

static const char *settings_type_choice(size_t index)
{
    static const char *const names[] = {"i8",  "u8",   "i16", "u16",  "i32",
                                        "u32", "i64",  "u64", "i128", "u128",
                                        "f16", "bf16", "f32", "f64",  "bytes:16"};
    return option_choice_of(names, sizeof names / sizeof names[0], index);
}

static bool settings_apply_type(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    return consort_type_parse(value, &s->type) == CONSORT_OK || problem_library(problem);
}

const struct option_spec option_type = {"type",
                                        't',
                                        "TYPE",
                                        "type of the items (bytes:N: N from 1 to 255)",
                                        settings_type_choice,
                                        OPTION_COMPLETES_NOTHING,
                                        settings_apply_type};

static bool settings_apply_reverse(void *settings, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct settings *)settings)->descending = true;
    return true;
}

const struct option_spec option_reverse = {"reverse",
                                           'r',
                                           NULL,
                                           "descending: equal items still keep their order",
                                           NULL,
                                           OPTION_COMPLETES_NOTHING,
                                           settings_apply_reverse};

static bool settings_apply_output(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    if (value[0] == '\0')
        return problem_set(problem, "the file's name is empty");
    if (s->output)
        return problem_set(problem, "given twice, %.100s and %.100s", s->output, value);
    s->output = value;
    return true;
}

const struct option_spec option_output = {"output",
                                          'o',
                                          "OUT",
                                          "write to this file instead of standard output",
                                          NULL,
                                          OPTION_COMPLETES_FILES,
                                          settings_apply_output};

static bool settings_apply_memory(void *settings, const char *value, struct problem *problem)
{
    return size_parse_bytes(value, &((struct settings *)settings)->memory, problem);
}

const struct option_spec option_memory = {
    "memory",
    0,
    "SIZE",
    "use at most so much memory for the data and the sort, like 4G",
    NULL,
    OPTION_COMPLETES_NOTHING,
    settings_apply_memory};

static bool settings_apply_temp(void *settings, const char *value, struct problem *problem)
{
    (void)settings;
    return problem_set(problem,
                       "nothing is spilled to disk in this version, so %.100s would not be used; "
                       "leave the option out",
                       value);
}

const struct option_spec option_temp = {
    "temp",
    0,
    "DIR",
    "folder for spilled data; refused: this version spills none",
    NULL,
    OPTION_COMPLETES_FOLDERS,
    settings_apply_temp};

static bool settings_apply_threads(void *settings, const char *value, struct problem *problem)
{
    uint64_t threads;
    if (!size_parse_number(value, strlen(value), &threads) || threads < 1 ||
        threads > PARALLEL_MAXIMUM)
        return problem_set(problem, "\"%.40s\" is no number from 1 to %d", value, PARALLEL_MAXIMUM);
    ((struct settings *)settings)->threads = (uint32_t)threads;
    return true;
}

const struct option_spec option_threads = {"threads",
                                           0,
                                           "N",
                                           "use so many threads; default: one for each processor",
                                           NULL,
                                           OPTION_COMPLETES_NOTHING,
                                           settings_apply_threads};

static bool settings_apply_progress(void *settings, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct settings *)settings)->progress = PROGRESS_ALWAYS;
    return true;
}

static bool settings_apply_no_progress(void *settings, const char *value, struct problem *problem)
{
    (void)value;
    (void)problem;
    ((struct settings *)settings)->progress = PROGRESS_NEVER;
    return true;
}

const struct option_spec option_progress = {
    "progress",
    0,
    NULL,
    "show progress on standard error even if that is no terminal",
    NULL,
    OPTION_COMPLETES_NOTHING,
    settings_apply_progress};
const struct option_spec option_no_progress = {"no-progress",
                                               0,
                                               NULL,
                                               "show no progress",
                                               NULL,
                                               OPTION_COMPLETES_NOTHING,
                                               settings_apply_no_progress};

static const char *const settings_formats[] = {"raw", "npy", "text", "record"};

static const char *settings_format_choice(size_t index)
{
    return option_choice_of(settings_formats, 4, index);
}

static bool settings_apply_format(void *settings, const char *value, struct problem *problem)
{
    int index = settings_choose(settings_formats, 4, value, problem);
    ((struct settings *)settings)->format = (enum format_name)(index + 1);
    return index >= 0;
}

const struct option_spec option_format = {
    "format",
    0,
    "FORMAT",
    "format of the file; default: by its extension, .npy or .txt, else raw",
    settings_format_choice,
    OPTION_COMPLETES_NOTHING,
    settings_apply_format};

static const char *const settings_byte_orders[] = {"little", "big"};

static const char *settings_endian_choice(size_t index)
{
    return option_choice_of(settings_byte_orders, 2, index);
}

static bool settings_apply_endian(void *settings, const char *value, struct problem *problem)
{
    int index = settings_choose(settings_byte_orders, 2, value, problem);
    ((struct settings *)settings)->byte_order = CONSORT_LITTLE_ENDIAN + index;
    return index >= 0;
}

const struct option_spec option_endian = {"endian",
                                          0,
                                          "ORDER",
                                          "byte order of raw numbers; default: this machine's",
                                          settings_endian_choice,
                                          OPTION_COMPLETES_NOTHING,
                                          settings_apply_endian};

/* In the order of CONSORT_NAN_LAST … CONSORT_NUMPY_ORDER. */
static const char *const settings_float_orders[] = {"nan-last", "nan-first", "total", "numpy"};

static const char *settings_float_order_choice(size_t index)
{
    return option_choice_of(settings_float_orders, 4, index);
}

static bool settings_apply_float_order(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    s->float_order = settings_choose(settings_float_orders, 4, value, problem);
    s->float_order_given = true;
    return s->float_order >= 0;
}

const struct option_spec option_float_order = {"float-order",
                                               0,
                                               "ORDER",
                                               "where NaNs and zeros go; default nan-last",
                                               settings_float_order_choice,
                                               OPTION_COMPLETES_NOTHING,
                                               settings_apply_float_order};

static bool settings_apply_record(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    if (!size_parse_number(value, strlen(value), &s->record_bytes) || s->record_bytes == 0)
        return problem_set(problem, "\"%.40s\" is no number of bytes from 1 up", value);
    return true;
}

const struct option_spec option_record = {"record",
                                          0,
                                          "BYTES",
                                          "the file holds records of so many bytes; needs --key",
                                          NULL,
                                          OPTION_COMPLETES_NOTHING,
                                          settings_apply_record};

static bool settings_apply_key(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    if (s->key_count == SETTINGS_MAXIMUM_KEYS)
        return problem_set(problem, "more than %d keys", SETTINGS_MAXIMUM_KEYS);
    s->keys[s->key_count++] = value;
    return true;
}

const struct option_spec option_key = {
    "key",
    0,
    "KEY",
    "what to order records by: OFFSET:LENGTH, OFFSET:TYPE or, in .npy, FIELD (name=FIELD if it "
    "starts with a digit), each with :desc or :asc after it; the next --key decides among equals",
    NULL,
    OPTION_COMPLETES_NOTHING,
    settings_apply_key};

static bool settings_apply_axis(void *settings, const char *value, struct problem *problem)
{
    struct settings *s = settings;
    char *end;
    s->axis = strtoll(value, &end, 10);
    s->axis_given = true;
    if (end == value || *end || s->axis < -64 || s->axis > 63)
        return problem_set(problem, "\"%.40s\" is no axis; write 0, 1, … or -1 for the last",
                           value);
    return true;
}

const struct option_spec option_axis = {
    "axis",
    0,
    "N",
    ".npy of two or more dimensions: the one to sort along; default -1, the last",
    NULL,
    OPTION_COMPLETES_NOTHING,
    settings_apply_axis};
