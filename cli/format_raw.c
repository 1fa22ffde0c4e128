/* SPDX-License-Identifier: Apache-2.0 */
/* Raw binary: numbers, byte strings or records, one after another and nothing else. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dataset.h"
#include "io_write.h"
#include "key_spec.h"
#include "ordered.h"

/* --endian is for types that do not say their byte order themselves; byte strings have none. */
static consort_type format_raw_item_type(const struct settings *settings, consort_type type)
{
    bool plain = type >> 16 == 0 && (type >> 8 & 0xff) != CONSORT_KIND_BYTES;
    return plain && settings->byte_order != CONSORT_NATIVE
               ? consort_type_with_byte_order(type, settings->byte_order)
               : type;
}

static bool format_raw_add_key(struct layout *layout, const struct settings *settings,
                               const char *text, struct problem *problem)
{
    struct key_spec key;
    if (!key_spec_parse(text, strlen(text), &key, problem))
        return problem_prefix(problem, "--key");
    if (key.kind == KEY_SPEC_FIELD)
        return problem_set(problem,
                           "--key: \"%.60s\" is a field's name, which only .npy files have; write "
                           "OFFSET:LENGTH or OFFSET:TYPE",
                           text);
    int32_t direction = key.direction >= 0 ? key.direction : settings->descending;
    if (key.kind == KEY_SPEC_BYTES)
        return layout_add_bytes(layout, text, key.offset, key.length, direction, problem);
    consort_field field = {key.offset, format_raw_item_type(settings, key.type), direction,
                           settings->float_order, 0};
    return layout_add_field(layout, text, field, problem);
}

static bool format_raw_layout(struct layout *layout, const struct settings *settings,
                              struct problem *problem)
{
    if (settings->record_bytes == 0) {
        if (settings->byte_order != CONSORT_NATIVE && settings->type >> 16 != CONSORT_NATIVE)
            return problem_set(problem, "--endian: the type says its byte order itself");
        layout_set_type(layout, format_raw_item_type(settings, settings->type),
                        settings->descending, settings->float_order);
        return true;
    }
    layout_set_record(layout, settings->record_bytes);
    for (uint32_t i = 0; i < settings->key_count; i++)
        if (!format_raw_add_key(layout, settings, settings->keys[i], problem))
            return false;
    return true;
}

/* A header that is sorted with the items is lost. Who says the format knows better. */
static bool format_raw_is_no_npy(const struct source *source, const void *beginning, int64_t bytes,
                                 const struct settings *settings, struct problem *problem)
{
    return settings->format != FORMAT_BY_EXTENSION || bytes < NPY_MAGIC ||
           memcmp(beginning, "\x93NUMPY", NPY_MAGIC) != 0 ||
           problem_set(problem,
                       "%.300s: begins as NumPy's .npy files do; sort it with --format npy, or, if "
                       "that is not what it is, with --format %s",
                       source->path, settings->record_bytes ? "record" : "raw");
}

static bool format_raw_open(struct dataset *dataset, struct source_list *sources,
                            const struct settings *settings, struct problem *problem)
{
    dataset->outer = dataset->inner = 1;
    for (uint32_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->sources[i];
        char beginning[NPY_MAGIC];
        int64_t got = source->sized ? pread(source->descriptor, beginning, sizeof beginning,
                                            (off_t)source->position)
                                    : 0;
        if (!format_raw_is_no_npy(source, beginning, got, settings, problem))
            return false;
    }
    return format_raw_layout(&dataset->layout, settings, problem);
}

static bool format_raw_load(struct dataset *dataset, struct source_list *sources,
                            const struct settings *settings, struct problem *problem)
{
    uint64_t used = 0;
    uint64_t item = dataset->layout.item_bytes;
    for (uint32_t i = 0; i < sources->count; i++) {
        uint64_t before = used;
        struct source *source = &sources->sources[i];
        if (!source_read_rest(source, &dataset->memory, &used, dataset->memory_limit,
                              settings_threads(settings), problem))
            return false;
        if (!format_raw_is_no_npy(source, dataset->memory.bytes + before, (int64_t)(used - before),
                                  settings, problem))
            return false;
        if ((used - before) % item != 0)
            return problem_set(problem,
                               "%.300s: its length of %llu bytes is not a multiple of the %s of "
                               "%llu bytes: %llu left over; is the %s right?",
                               source->path, (unsigned long long)(used - before),
                               settings->record_bytes ? "record" : "item", (unsigned long long)item,
                               (unsigned long long)((used - before) % item),
                               settings->record_bytes ? "--record" : "--type");
    }
    dataset->items = dataset->memory.bytes;
    dataset->count = dataset->length = used / item;
    return true;
}

static const void *format_raw_part(void *context, uint64_t offset, uint64_t length, void *buffer)
{
    return ordered_part(context, offset, length, buffer);
}

static bool format_raw_store(struct dataset *dataset, struct target *target, unsigned threads,
                             struct problem *problem)
{
    return io_write_parts(target, format_raw_part, dataset,
                          dataset->count * dataset->layout.item_bytes, threads, problem);
}

static void format_raw_locate(const struct dataset *dataset, uint64_t index, char *text,
                              size_t size)
{
    snprintf(text, size, "%s %llu (byte %llu)",
             dataset->layout.type == CONSORT_RECORD ? "record" : "item", (unsigned long long)index,
             (unsigned long long)(index * dataset->layout.item_bytes));
}

const struct format_methods format_raw = {
    "raw", true, format_raw_open, format_raw_load, format_raw_store, format_raw_locate};
