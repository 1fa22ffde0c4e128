/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of lists in the memory of several GPUs, compared with the CPU engine byte for byte. */
#include "spread_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "support/random.h"

static const uint64_t value_sizes[SPREAD_KINDS][SPREAD_VALUES] = {
    [SPREAD_PAIRS] = {4, 0}, [SPREAD_WIDE] = {16, 0}, [SPREAD_COLUMNS] = {8, 3}};

static uint32_t columns_of(const struct spread_trial *trial)
{
    const uint64_t *sizes = value_sizes[trial->kind];
    return (sizes[0] > 0) + (sizes[1] > 0);
}

static uint64_t item_bytes_of(const struct spread_trial *trial)
{
    return trial->fields ? trial->record_bytes : consort_type_size(trial->type);
}

static consort_type index_type_of(const struct spread_trial *trial)
{
    return trial->index_type ? trial->index_type : CONSORT_U32;
}

static uint64_t count_of(const struct spread_trial *trial)
{
    uint64_t count = 0;
    for (uint32_t p = 0; p < trial->parts; p++)
        count += trial->counts[p];
    return count;
}

uint32_t spread_usual_parts(void)
{
    uint32_t devices = (uint32_t)device_count();
    return devices < 2 ? 2 : devices < SPREAD_PARTS ? devices : SPREAD_PARTS;
}

uint32_t spread_most_parts(void)
{
    uint32_t parts = 2 * spread_usual_parts() - 1;
    return parts < SPREAD_PARTS ? parts : SPREAD_PARTS;
}

int32_t spread_device(uint32_t part)
{
    return (int32_t)part % device_count();
}

const char *spread_trial_name(const struct spread_trial *trial)
{
    static char text[512];
    char type[16] = "";
    consort_type_name(trial->type, type, sizeof type);
    int length = snprintf(
        text, sizeof text,
        "kind %d %s (%u fields, letters %u, alike %llu) %s direction %d order %d seed=%llu "
        "ranges=%lld sample=%lld stored=%lld room=%lld in place %d, parts of",
        trial->kind, type, trial->field_count, trial->letters, (unsigned long long)trial->alike,
        trial->distribution->name, trial->direction, trial->float_order,
        (unsigned long long)trial->seed, (long long)trial->ranges, (long long)trial->sample,
        (long long)trial->stored, (long long)trial->room, trial->in_place);
    for (uint32_t p = 0; p < trial->parts; p++)
        length += snprintf(text + length, sizeof text - (size_t)length, " %llu",
                           (unsigned long long)trial->counts[p]);
    return text;
}

static void describe(const struct spread_trial *trial, consort_descriptor *descriptor,
                     consort_options *options)
{
    consort_descriptor_init(descriptor);
    consort_options_init(options);
    options->context = trial->context;
    descriptor->options = options;
    descriptor->operation =
        trial->kind == SPREAD_ARGSORT ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor->maximum_count = count_of(trial);
    descriptor->form = !trial->in_place && trial->seed % 2 ? CONSORT_FORM_APART : CONSORT_FORM_COPY;
    descriptor->value_bytes = value_sizes[trial->kind];
    descriptor->value_count = columns_of(trial);
    if (trial->kind == SPREAD_ARGSORT)
        descriptor->index_type = index_type_of(trial);
    if (trial->fields) {
        descriptor->type = CONSORT_RECORD;
        descriptor->record_bytes = trial->record_bytes;
        descriptor->fields = trial->fields;
        descriptor->field_count = trial->field_count;
        return;
    }
    descriptor->type = trial->type;
    options->direction = trial->direction;
    options->float_order = trial->float_order;
}

consort_plan *spread_trial_plan(const struct spread_trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    int32_t devices[SPREAD_PARTS];
    const consort_parameter parameters[] = {{"ranges", trial->ranges},
                                            {"sample", trial->sample},
                                            {"stored", trial->stored},
                                            {"room", trial->room}};
    describe(trial, &descriptor, &options);
    for (uint32_t p = 0; p < trial->parts; p++)
        devices[p] = spread_device(p);
    descriptor.memory = CONSORT_MEMORY_SPREAD;
    descriptor.devices = devices;
    descriptor.device_count = trial->parts;
    options.algorithm = trial->algorithm ? trial->algorithm : "exchange";
    options.parameters = parameters;
    options.parameter_count = sizeof parameters / sizeof *parameters;
    return consort_plan_create(&descriptor, &plan) == CONSORT_OK ? plan : NULL;
}

static unsigned char *take(uint64_t bytes)
{
    unsigned char *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    return memory;
}

static void expect(const struct spread_trial *trial, struct spread_data *data)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_column columns[SPREAD_VALUES];
    consort_plan *plan;
    describe(trial, &descriptor, &options);
    options.context = NULL;
    options.engine = CONSORT_ENGINE_CPU;
    options.threads = 1;
    for (uint32_t c = 0; c < data->columns; c++)
        columns[c] = (consort_column){.in = data->values[c],
                                      .out = data->sorted_values[c],
                                      .element_bytes = value_sizes[trial->kind][c]};
    consort_arguments_init(&arguments);
    arguments.count = data->count;
    arguments.in = data->keys;
    arguments.values = columns;
    if (trial->kind == SPREAD_ARGSORT)
        arguments.indices = data->sorted;
    else
        arguments.out = data->sorted;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK ||
        consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    consort_plan_destroy(plan);
}

/* Keys that are drawn, by the rule of `exchange`, become lower than all others. */
static uint32_t deceiving(const struct spread_trial *trial, uint32_t part, uint64_t i, uint32_t key)
{
    switch (trial->deceit) {
    case SPREAD_LARGE_IN_TURN:
        return part % 2 == 0 ? key | 0x80000000 : key & 0x7fffffff;
    case SPREAD_LEANING:
        return i % 5 == 0 ? key | 0x80000000 : key;
    case SPREAD_ALL_LARGEST:
        return key | 0xe0000000;
    case SPREAD_ALL_LARGE:
        break;
    }
    return key | 0x80000000;
}

/* Keys that are drawn are as they were, but small if all others are large. */
static void deceive(const struct spread_trial *trial, uint32_t *keys)
{
    for (uint32_t p = 0; p < trial->parts; keys += trial->counts[p++]) {
        uint64_t stride = trial->counts[p] / trial->deceived, next = 0;
        for (uint64_t i = 0; i < trial->counts[p]; i++) {
            uint64_t drawn = (next + 1) * 0x9e3779b97f4a7c15u >> 32;
            if (i != next * stride + (drawn * stride >> 32)) {
                keys[i] = deceiving(trial, p, i, keys[i]);
                continue;
            }
            next++;
            if (trial->deceit == SPREAD_ALL_LARGE)
                keys[i] &= 0x7fffffff;
        }
    }
}

static void fill(const struct spread_trial *trial, unsigned char *items, uint64_t count)
{
    uint64_t random = trial->seed, bytes = item_bytes_of(trial);
    if (trial->letters == 0)
        assert_true(distribution_fill(trial->distribution, trial->type, items, 0, count, count,
                                      trial->seed));
    for (uint64_t i = 0; i < count * bytes && trial->letters > 0; i++)
        items[i] = (unsigned char)random_below(&random, trial->letters);
    for (uint64_t i = 0; i < count && trial->alike > 0; i++)
        memset(items + i * bytes, 0, trial->alike);
    if (trial->deceived)
        deceive(trial, (uint32_t *)(void *)items);
}

struct spread_data spread_data_of(const struct spread_trial *trial)
{
    uint64_t key = item_bytes_of(trial), count = count_of(trial);
    uint64_t random = trial->seed;
    struct spread_data data = {.count = count, .columns = columns_of(trial), .result_bytes = key};
    if (trial->kind == SPREAD_ARGSORT)
        data.result_bytes = consort_type_size(index_type_of(trial));
    data.keys = take(count * key);
    data.sorted = take(count * data.result_bytes);
    fill(trial, data.keys, count);
    for (uint32_t c = 0; c < data.columns; c++) {
        uint64_t bytes = count * value_sizes[trial->kind][c];
        data.values[c] = take(bytes);
        data.sorted_values[c] = take(bytes);
        random_bytes(&random, data.values[c], bytes);
    }
    expect(trial, &data);
    return data;
}

void spread_data_free(struct spread_data *data)
{
    free(data->keys);
    free(data->sorted);
    for (uint32_t c = 0; c < data->columns; c++) {
        free(data->values[c]);
        free(data->sorted_values[c]);
    }
}

static const struct device *enter(uint32_t part)
{
    const struct device *device = device_open(spread_device(part));
    assert_non_null(device);
    assert_int_equal(device_enter(device), CONSORT_OK);
    return device;
}

/* Device memory with a copy of host memory, or SPREAD_UNSET; the device is entered. */
/* `off` bytes behind where the driver would put it. */
static void *array_new(const unsigned char *host, uint64_t bytes, uint64_t off)
{
    CUdeviceptr memory = 0;
    const struct driver *driver = driver_get();
    assert_int_equal(driver->cuMemAlloc(&memory, bytes + off), CUDA_SUCCESS);
    memory += off;
    if (host)
        assert_int_equal(driver->cuMemcpyHtoD(memory, host, bytes), CUDA_SUCCESS);
    else
        assert_int_equal(driver->cuMemsetD8(memory, SPREAD_UNSET, bytes), CUDA_SUCCESS);
    return (void *)(uintptr_t)memory;
}

static void array_free(const void *array, uint64_t off)
{
    if (array)
        driver_get()->cuMemFree((CUdeviceptr)(uintptr_t)array - off);
}

static void part_make(consort_part *part, consort_column *columns, const struct spread_trial *trial,
                      const struct spread_data *data, uint64_t first)
{
    uint64_t key = item_bytes_of(trial), count = part->count;
    bool numbered = trial->kind == SPREAD_ARGSORT;
    part->in = array_new(data->keys + first * key, count * key, 0);
    if (numbered)
        part->indices = array_new(NULL, count * data->result_bytes, 0);
    else
        part->out = trial->in_place ? (void *)part->in : array_new(NULL, count * key, 0);
    for (uint32_t c = 0; c < data->columns; c++) {
        uint64_t bytes = value_sizes[trial->kind][c];
        columns[c].element_bytes = bytes;
        columns[c].in = array_new(data->values[c] + first * bytes, count * bytes, trial->off);
        columns[c].out =
            trial->in_place ? (void *)columns[c].in : array_new(NULL, count * bytes, trial->off);
    }
    part->values = data->columns > 0 ? columns : NULL;
}

void spread_parts_make(struct spread_parts *all, const struct spread_trial *trial,
                       const struct spread_data *data)
{
    uint64_t first = 0;
    memset(all, 0, sizeof *all);
    for (uint32_t p = 0; p < trial->parts; p++) {
        const struct device *device = enter(p);
        all->parts[p] = (consort_part){.device = spread_device(p), .count = trial->counts[p]};
        if (trial->counts[p] > 0)
            part_make(&all->parts[p], all->columns[p], trial, data, first);
        first += trial->counts[p];
        assert_int_equal(driver_get()->cuCtxSynchronize(), CUDA_SUCCESS);
        device_leave(device);
    }
}

void spread_parts_free(const struct spread_parts *all, const struct spread_trial *trial)
{
    for (uint32_t p = 0; p < trial->parts; p++) {
        const consort_part *part = &all->parts[p];
        const struct device *device = enter(p);
        array_free(part->in != part->out ? part->out : NULL, 0);
        array_free(part->in, 0);
        array_free(part->indices, 0);
        for (uint32_t c = 0; c < SPREAD_VALUES; c++) {
            const consort_column *column = &all->columns[p][c];
            array_free(column->in != column->out ? column->out : NULL, trial->off);
            array_free(column->in, trial->off);
        }
        device_leave(device);
    }
}

consort_status spread_trial_run(struct spread_trial *trial, const consort_plan *plan,
                                const struct spread_parts *parts, const consort_arguments *with)
{
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    if (with)
        arguments = *with;
    arguments.count = count_of(trial);
    arguments.parts = parts->parts;
    arguments.outcome = &trial->outcome;
    return consort_plan_run(plan, &arguments, NULL, 0, NULL);
}

static void compare(const struct spread_trial *trial, const void *array, const void *wanted,
                    uint64_t bytes, uint32_t part, const char *what)
{
    unsigned char *read = take(bytes);
    if (bytes > 0)
        assert_int_equal(driver_get()->cuMemcpyDtoH(read, (CUdeviceptr)(uintptr_t)array, bytes),
                         CUDA_SUCCESS);
    for (uint64_t i = 0; i < bytes; i++)
        if (read[i] != ((const unsigned char *)wanted)[i])
            fail_msg("%s of part %u differs at byte %llu: %s", what, part, (unsigned long long)i,
                     spread_trial_name(trial));
    free(read);
}

void spread_trial_check(const struct spread_trial *trial, const struct spread_data *data,
                        const struct spread_parts *all, bool sorted, bool whole)
{
    uint64_t key = item_bytes_of(trial), first = 0;
    for (uint32_t p = 0; p < trial->parts; first += trial->counts[p++]) {
        const consort_part *part = &all->parts[p];
        const void *result = trial->kind == SPREAD_ARGSORT ? part->indices : part->out;
        uint64_t count = part->count, bytes = data->result_bytes;
        const struct device *device = enter(p);
        if (sorted)
            compare(trial, result, data->sorted + first * bytes, count * bytes, p, "result");
        if (whole)
            compare(trial, part->in, data->keys + first * key, count * key, p, "input");
        for (uint32_t c = 0; c < data->columns; c++) {
            const consort_column *column = &all->columns[p][c];
            bytes = value_sizes[trial->kind][c];
            if (sorted)
                compare(trial, column->out, data->sorted_values[c] + first * bytes, count * bytes,
                        p, "values");
            if (whole)
                compare(trial, column->in, data->values[c] + first * bytes, count * bytes, p,
                        "values before");
        }
        device_leave(device);
    }
}

void spread_trial_try(struct spread_trial *trial)
{
    struct spread_data data = spread_data_of(trial);
    struct spread_parts parts;
    spread_parts_make(&parts, trial, &data);
    consort_plan *plan = spread_trial_plan(trial);
    if (!plan || spread_trial_run(trial, plan, &parts, NULL) != CONSORT_OK)
        fail_msg("%s: %s", spread_trial_name(trial), consort_last_error()->message);
    bool apart = !trial->in_place || trial->kind == SPREAD_ARGSORT;
    spread_trial_check(trial, &data, &parts, true, apart);
    consort_plan_destroy(plan);
    spread_parts_free(&parts, trial);
    spread_data_free(&data);
}
