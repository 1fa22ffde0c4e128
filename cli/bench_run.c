/* SPDX-License-Identifier: Apache-2.0 */
/* The loops over the product of the lists, and what happens at each case. */
#include "bench_run.h"

#include <stdlib.h>
#include <string.h>

#include "bench_bounds.h"
#include "bench_machine.h"
#include "bench_table.h"
#include "size_parse.h"

/* Items of all arrays of the last case are kept: most cases differ in their threads alone. */
static bool have_input(struct bench_run *run, const struct bench_case *shape,
                       struct problem *problem)
{
    bool made = run->input.arrays > 0 && bench_case_same_input(&run->input.shape, shape);
    if (!made && !bench_input_make(&run->input, shape)) {
        run->input.arrays = 0;
        return problem_set(problem, "the input could not be made: not enough memory?");
    }
    run->place.input = &run->input;
    return true;
}

/* The GPU stays open from its first case to the end. */
static bool have_gpu(struct bench_run *run, const struct bench_case *shape, struct problem *problem)
{
    struct bench_gpu *gpu = &run->arrays.gpu;
    if (gpu->driver != NULL && gpu->ordinal == shape->gpu) {
        return true;
    }
    bench_arrays_release(&run->arrays);
    bench_gpu_close(gpu);
    return bench_gpu_open(gpu, shape->gpu, problem);
}

static void release_memory(struct bench_run *run)
{
    bench_input_release(&run->input);
    run->input.arrays = 0;
    bench_memory_release(&run->place.keys);
    bench_memory_release(&run->place.values);
    bench_memory_release(&run->place.workspace);
    bench_arrays_release(&run->arrays);
    bench_spread_release(&run->spread);
}

static bool enough_memory(struct bench_run *run, const struct bench_case *shape)
{
    uint64_t need = bench_input_footprint(shape);
    if (need > bench_memory_available()) {
        release_memory(run);
    }
    return need <= bench_memory_available();
}

/* Why the case is left out, or NULL. */
static const char *refusal(struct bench_run *run, const struct bench_case *shape)
{
    const char *reason = bench_input_refuses(shape);
    if (reason == NULL && !enough_memory(run, shape)) {
        reason = "needs more memory than is free";
    }
    return reason;
}

/* The arrays of the case in device memory, if that is where they belong. */
static bool have_arrays(struct bench_run *run, const struct bench_case *shape,
                        struct problem *problem)
{
    run->place.device = shape->on_device ? &run->arrays : NULL;
    run->place.spread = shape->spread ? &run->spread : NULL;
    if (shape->spread) {
        bench_arrays_release(&run->arrays);
        return bench_spread_make(&run->spread, &run->input, shape->gpus, problem);
    }
    bench_spread_release(&run->spread);
    if (!shape->on_device || bench_arrays_make(&run->arrays, &run->input, problem)) {
        return true;
    }
    /* What larger cases left there may be in the way. */
    bench_arrays_release(&run->arrays);
    return bench_arrays_make(&run->arrays, &run->input, problem);
}

/* Cases that differ in their threads alone, which are measured together. */
struct turns {
    struct bench_case shapes[BENCH_LIST];
    struct bench_lineup *lineups;
    size_t count;
};

static bool make_lineups(struct bench_run *run, const struct bench_settings *settings,
                         struct turns *turns, struct problem *problem)
{
    turns->lineups = malloc(turns->count * sizeof *turns->lineups);
    if (turns->lineups == NULL) {
        return problem_set(problem, "not enough memory");
    }
    for (size_t i = 0; i < turns->count; i++) {
        if (!bench_lineup_make(&turns->lineups[i], settings, &run->plugins, &turns->shapes[i],
                               problem)) {
            return false;
        }
    }
    return true;
}

static bool can_pin(const struct bench_case *shape)
{
    bool can = shape->threads == 1 && shape->gpu < 0 && bench_machine_pin(0);
    bench_machine_unpin();
    return can;
}

static void report(struct bench_run *run, const struct bench_settings *settings,
                   struct bench_result *result)
{
    if (result->pinned) {
        (void)bench_machine_pin(0);
    }
    bench_bounds_measure(run, result);
    bench_machine_unpin();
    if (bench_lineup_all_peers(settings)) {
        bench_result_drop_absent(result);
    }
    bench_table_rows(run->table, result);
}

static bool measure_turns(struct bench_run *run, const struct bench_settings *settings,
                          struct turns *turns, struct problem *problem)
{
    struct bench_side sides[BENCH_LIST];
    for (size_t i = 0; i < turns->count; i++) {
        if (bench_results_add(&run->results, &turns->shapes[i], turns->lineups[i].count) == NULL) {
            return problem_set(problem, "not enough memory");
        }
    }
    for (size_t i = 0; i < turns->count; i++) {
        struct bench_result *result = &run->results.items[run->results.count - turns->count + i];
        result->pinned = can_pin(&result->shape);
        sides[i] = (struct bench_side){result, turns->lineups[i].contenders};
    }
    bench_measure(sides, turns->count, &run->place, &settings->effort);
    for (size_t i = 0; i < turns->count; i++) {
        report(run, settings, sides[i].result);
    }
    return true;
}

/* All there are, or as many as were asked for; false: there are fewer, and the case is left out. */
static bool count_gpus(struct bench_run *run, struct turns *turns)
{
    uint32_t present = (uint32_t)run->arrays.gpu.present;
    uint32_t all = present < BENCH_GPUS ? present : BENCH_GPUS;
    for (size_t i = 0; i < turns->count; i++) {
        struct bench_case *shape = &turns->shapes[i];
        shape->gpus = shape->gpus == 0 ? all : shape->gpus;
        if (shape->gpus > all) {
            bench_table_left_out(run->table, shape, "there are fewer GPUs");
            return false;
        }
    }
    return true;
}

/* What a GPU sorts in its own memory comes from the host and is checked there: that memory is
 * pinned where it can be, as a suite has many cases of a size. */
static bool have_pinned_input(struct bench_run *run, const struct bench_case *shape,
                              struct problem *problem)
{
    bool must = shape->pinned || shape->spread;
    bench_memory_pin(must || shape->on_device ? run->arrays.gpu.driver : NULL, must);
    return have_input(run, shape, problem);
}

static bool run_turns(struct bench_run *run, const struct bench_settings *settings,
                      struct turns *turns, struct problem *problem)
{
    const struct bench_case *shape = &turns->shapes[0];
    struct problem shortage;
    if (!make_lineups(run, settings, turns, problem) ||
        (shape->gpu >= 0 && !have_gpu(run, shape, problem))) {
        return false;
    }
    if (shape->spread && !count_gpus(run, turns)) {
        return true;
    }
    if (!have_pinned_input(run, shape, problem)) {
        return false;
    }
    if (!have_arrays(run, shape, &shortage)) {
        bench_arrays_release(&run->arrays);
        bench_table_left_out(run->table, shape, shortage.text);
        return true;
    }
    return measure_turns(run, settings, turns, problem);
}

/* "-d all" means those that suit the type; what was asked for by name and is left out is told. */
static bool worth_mention(const struct bench_settings *settings, const struct bench_case *shape)
{
    size_t all;
    (void)distribution_list(&all);
    return settings->distribution_count < all ||
           distribution_supports(shape->distribution, shape->type);
}

static bool run_threads(struct bench_run *run, const struct bench_settings *settings,
                        struct bench_case shape, struct problem *problem)
{
    struct turns turns = {.lineups = NULL};
    for (size_t i = 0; i < settings->threads.count; i++) {
        uint64_t threads = settings->threads.items[i];
        shape.threads = threads < INT32_MAX ? (uint32_t)threads : INT32_MAX;
        const char *reason = refusal(run, &shape);
        if (reason == NULL) {
            turns.shapes[turns.count++] = shape;
        } else if (worth_mention(settings, &shape)) {
            bench_table_left_out(run->table, &shape, reason);
        }
    }
    bool good = turns.count == 0 || run_turns(run, settings, &turns, problem);
    free(turns.lineups);
    return good;
}

static bool run_data(struct bench_run *run, const struct bench_settings *settings,
                     struct bench_case shape, struct problem *problem)
{
    for (size_t d = 0; d < settings->distribution_count; d++) {
        for (size_t n = 0; n < settings->counts.count; n++) {
            shape.distribution = settings->distributions[d];
            shape.count = settings->counts.items[n];
            if (shape.operation == BENCH_TOP_K) {
                shape.k = settings->k < shape.count ? settings->k : shape.count;
            } else if (shape.operation == BENCH_SEGMENTED && shape.count > shape.segment &&
                       shape.lengths == BENCH_LENGTHS_EQUAL) {
                shape.count -= shape.count % shape.segment; /* whole segments */
            }
            if (!run_threads(run, settings, shape, problem)) {
                return false;
            }
        }
    }
    return true;
}

static bool run_segments(struct bench_run *run, const struct bench_settings *settings,
                         struct bench_case shape, struct problem *problem)
{
    if (shape.operation != BENCH_SEGMENTED) {
        return run_data(run, settings, shape, problem);
    }
    for (size_t i = 0; i < settings->lengths_count; i++) {
        for (size_t j = 0; j < settings->segments.count; j++) {
            shape.lengths = settings->lengths[i];
            shape.segment = settings->segments.items[j];
            if (!run_data(run, settings, shape, problem)) {
                return false;
            }
        }
    }
    return true;
}

/* The value sizes that an operation is measured with; what cannot be had is refused. */
static bool choose_values(const struct bench_settings *settings, enum bench_operation operation,
                          struct bench_numbers *values, struct problem *problem)
{
    bool argsort = operation == BENCH_ARGSORT;
    bool takes = operation == BENCH_PAIRS || argsort || operation == BENCH_SEGMENTED ||
                 operation == BENCH_MERGE;
    *values = settings->values;
    if (values->count == 0 || !takes) {
        uint64_t habit = operation == BENCH_PAIRS ? 8 : argsort ? 4 : 0;
        *values = (struct bench_numbers){{habit}, 1};
    }
    for (size_t i = 0; argsort && i < values->count; i++) {
        if (values->items[i] != 4 && values->items[i] != 8) {
            return problem_set(problem, "an index of argsort has 4 or 8 bytes");
        }
    }
    return true;
}

static bool run_operation(struct bench_run *run, const struct bench_settings *settings,
                          enum bench_operation operation, struct problem *problem)
{
    struct bench_numbers values;
    if (!choose_values(settings, operation, &values, problem)) {
        return false;
    }
    struct bench_case shape = {
        .operation = operation,
        .gpu = settings->gpu,
        .every_gpu = settings->every_gpu,
        .on_device = settings->device_memory,
        .spread = settings->spread,
        .gpus = settings->spread ? settings->gpus : 0,
        .pinned = settings->pinned,
        .separate = settings->separate,
        .seed = settings->seed,
        .record_bytes = operation == BENCH_RECORDS ? settings->record_bytes : 0,
    };
    for (size_t t = 0; t < settings->type_count; t++) {
        for (size_t v = 0; v < values.count; v++) {
            shape.type = settings->types[t];
            shape.value_bytes = (uint32_t)values.items[v];
            if (!run_segments(run, settings, shape, problem)) {
                return false;
            }
        }
    }
    return true;
}

bool bench_run_settings(struct bench_run *run, const struct bench_settings *asked,
                        struct problem *problem)
{
    struct bench_settings settings = *asked;
    if (!bench_settings_complete(&settings, problem)) {
        return false;
    }
    bench_memory_huge_pages(settings.huge_pages);
    for (size_t i = 0; i < settings.operation_count; i++) {
        if (!run_operation(run, &settings, settings.operations[i], problem)) {
            return false;
        }
    }
    return true;
}

enum {
    LINE_WORDS = 40
};

static bool run_line(struct bench_run *run, const char *line, const struct bench_settings *common,
                     struct problem *problem)
{
    struct bench_settings settings;
    bench_settings_init(&settings);
    settings.lenient = true;
    char *words[LINE_WORDS] = {(char *)"bench"};
    int count = 1;
    int operands;
    bool help_wanted;
    char *rest;
    char *copy = strdup(line);
    if (copy == NULL) {
        return problem_set(problem, "not enough memory");
    }
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && count < LINE_WORDS - 1;
         word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    bool good = option_parse(bench_settings_options, count, words, &settings, &operands,
                             &help_wanted, problem);
    if (good) {
        bench_settings_override(&settings, common);
        good = bench_run_settings(run, &settings, problem);
    }
    free(copy);
    return good;
}

bool bench_run_suite(struct bench_run *run, const struct bench_suite *suite,
                     const struct bench_settings *settings, struct problem *problem)
{
    for (const char *const *line = suite->lines; *line != NULL; line++) {
        if (!run_line(run, *line, settings, problem)) {
            return false;
        }
    }
    return true;
}

void bench_run_release(struct bench_run *run)
{
    release_memory(run);
    bench_spread_close(&run->spread);
    bench_gpu_close(&run->arrays.gpu);
    bench_results_release(&run->results);
}
