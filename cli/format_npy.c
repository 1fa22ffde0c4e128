/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files: arrays of one or more dimensions, numbers, byte strings, structured dtypes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "io_write.h"
#include "npy_layout.h"
#include "ordered.h"

enum {
    FORMAT_NPY_PAGE = 4096,
    /* What the strictest type needs, 8-byte numbers, and a little more. */
    FORMAT_NPY_ALIGNMENT = 16
};

/* Reads the header's bytes into `memory` and parses them. */
static bool format_npy_read_header(struct source *source, struct region *memory,
                                   struct npy_header *header, struct problem *problem)
{
    unsigned char prefix[NPY_PREFIX];
    uint64_t got;
    uint64_t header_bytes;
    if (!source_read(source, prefix, NPY_PREFIX, &got, problem))
        return false;
    if (!npy_header_measure(prefix, got, &header_bytes, problem))
        return problem_prefix(problem, source->path);
    if (!region_allocate(memory, header_bytes, "the .npy header", problem))
        return false;
    memcpy(memory->bytes, prefix, NPY_PREFIX);
    if (!source_read(source, memory->bytes + NPY_PREFIX, header_bytes - NPY_PREFIX, &got, problem))
        return false;
    return npy_header_parse(memory->bytes, got + NPY_PREFIX, header, problem) ||
           problem_prefix(problem, source->path);
}

/* outer × length × inner in the order of memory; --axis counts as NumPy does. */
static bool format_npy_set_shape(struct dataset *dataset, const struct npy_header *header,
                                 const struct settings *settings, struct problem *problem)
{
    uint32_t dimensions = header->dimensions;
    int64_t axis = settings->axis < 0 ? settings->axis + dimensions : settings->axis;
    if (dimensions == 0)
        return problem_set(problem,
                           "%.300s: holds a single value (0 dimensions); there is nothing "
                           "to sort",
                           dataset->path);
    if (axis < 0 || axis >= dimensions)
        return problem_set(problem, "--axis: %.300s has %u dimensions, so its axes are 0 to %u",
                           dataset->path, dimensions, dimensions - 1);
    dataset->fortran_order = header->fortran_order && dimensions > 1;
    dataset->dimensions = dimensions;
    memcpy(dataset->shape, header->shape, sizeof dataset->shape);
    dataset->outer = dataset->inner = 1;
    for (uint32_t i = 0; i < dimensions; i++) {
        uint64_t *outside =
            (i < axis) != dataset->fortran_order ? &dataset->outer : &dataset->inner;
        if (i != axis)
            *outside *= header->shape[i];
    }
    dataset->count = header->item_bytes > 0 ? header->count : 0;
    dataset->length = dataset->count > 0 ? header->shape[axis] : 0;
    if (dataset->count == 0)
        dataset->outer = dataset->inner = 1;
    return true;
}

static bool format_npy_read_items(struct dataset *dataset, struct source *source,
                                  const struct npy_header *header, uint64_t *used,
                                  const struct settings *settings, struct problem *problem)
{
    uint64_t before = *used;
    uint64_t expected = header->count * header->item_bytes;
    uint64_t got = source->left;
    if (!source->sized || got == expected) {
        if (!source_read_rest(source, &dataset->memory, used, dataset->memory_limit,
                              settings_threads(settings), problem))
            return false;
        got = *used - before;
    }
    if (got == expected)
        return true;
    return problem_set(problem,
                       "%.300s: %s: its header promises %llu items of %llu bytes, %llu bytes, but "
                       "%llu follow it; copy or write it again",
                       source->path, got < expected ? "is truncated" : "has bytes too many",
                       (unsigned long long)header->count, (unsigned long long)header->item_bytes,
                       (unsigned long long)expected, (unsigned long long)got);
}

static bool format_npy_same_dtype(const struct npy_header *a, const struct npy_header *b)
{
    if (a->structured != b->structured || a->item_bytes != b->item_bytes ||
        a->dtype.type != b->dtype.type || a->field_count != b->field_count)
        return false;
    for (uint32_t i = 0; i < a->field_count; i++)
        if (strcmp(a->fields[i].name, b->fields[i].name) != 0 ||
            a->fields[i].offset != b->fields[i].offset ||
            a->fields[i].elements != b->fields[i].elements ||
            a->fields[i].dtype.bytes != b->fields[i].dtype.bytes ||
            a->fields[i].dtype.type != b->fields[i].dtype.type)
            return false;
    return true;
}

/* Items of further files go behind the first one's. */
static bool format_npy_append(struct dataset *dataset, const struct npy_header *first,
                              struct source *source, uint64_t *used,
                              const struct settings *settings, struct problem *problem)
{
    struct region bytes = {NULL, 0};
    struct npy_header *header = malloc(sizeof *header);
    bool good = header ? format_npy_read_header(source, &bytes, header, problem)
                       : problem_set(problem, "out of memory for the .npy header");
    if (good && (first->dimensions != 1 || header->dimensions != 1))
        good =
            problem_set(problem, "%.300s: only one-dimensional .npy files can be sorted together",
                        source->path);
    if (good && !format_npy_same_dtype(first, header))
        good = problem_set(problem, "%.200s: its dtype differs from that of %.200s", source->path,
                           dataset->path);
    if (good)
        good = format_npy_read_items(dataset, source, header, used, settings, problem);
    if (good) {
        dataset->shape[0] += header->count;
        dataset->count += first->item_bytes > 0 ? header->count : 0;
    }
    region_release(&bytes);
    free(header);
    return good;
}

/* The header of several files together has their count. */
static bool format_npy_new_header(struct dataset *dataset, const struct npy_header *header,
                                  uint64_t count, struct problem *problem)
{
    struct region bytes;
    if (!region_allocate(&bytes, header->header_bytes + 128, "the .npy header", problem))
        return false;
    dataset->header_bytes =
        npy_header_resize(dataset->header.bytes, header, count, (char *)bytes.bytes, bytes.size);
    region_release(&dataset->header);
    dataset->header = bytes;
    return dataset->header_bytes > 0 || problem_set(problem, "out of memory for the .npy header");
}

static bool format_npy_open(struct dataset *dataset, struct source_list *sources,
                            const struct settings *settings, struct problem *problem)
{
    struct npy_order order = {settings->keys, settings->key_count, settings->descending,
                              settings->float_order};
    struct npy_header *header = dataset->npy = malloc(sizeof *header);
    struct source *first = &sources->sources[0];
    if (!header)
        return problem_set(problem, "out of memory for the .npy header");
    if (!format_npy_read_header(first, &dataset->header, header, problem) ||
        !format_npy_set_shape(dataset, header, settings, problem))
        return false;
    if (!npy_layout_make(header, &order, &dataset->layout, problem))
        return problem_prefix(problem, first->path);
    dataset->header_bytes = header->header_bytes;
    return true;
}

static bool format_npy_load(struct dataset *dataset, struct source_list *sources,
                            const struct settings *settings, struct problem *problem)
{
    const struct npy_header *header = dataset->npy;
    /* Memory that lies like the file can be read into without a copy. */
    uint64_t start = header->header_bytes % FORMAT_NPY_PAGE;
    start = start % FORMAT_NPY_ALIGNMENT == 0 ? start : 0;
    uint64_t used = start;
    if (!format_npy_read_items(dataset, &sources->sources[0], header, &used, settings, problem))
        return false;
    for (uint32_t i = 1; i < sources->count; i++)
        if (!format_npy_append(dataset, header, &sources->sources[i], &used, settings, problem))
            return false;
    if (sources->count > 1) {
        dataset->length = dataset->count;
        if (!format_npy_new_header(dataset, header, dataset->shape[0], problem))
            return false;
    }
    dataset->items = dataset->memory.bytes ? dataset->memory.bytes + start : NULL;
    return true;
}

static const void *format_npy_part(void *context, uint64_t offset, uint64_t length, void *buffer)
{
    const struct dataset *dataset = context;
    uint64_t header = 0;
    if (offset >= dataset->header_bytes)
        return ordered_part(dataset, offset - dataset->header_bytes, length, buffer);
    header = dataset->header_bytes - offset;
    header = header < length ? header : length;
    memcpy(buffer, dataset->header.bytes + offset, header);
    if (length == header)
        return buffer;
    unsigned char *rest = (unsigned char *)buffer + header;
    const void *items = ordered_part(dataset, 0, length - header, rest);
    if (items != rest)
        memcpy(rest, items, length - header);
    return buffer;
}

static bool format_npy_store(struct dataset *dataset, struct target *target, unsigned threads,
                             struct problem *problem)
{
    uint64_t bytes = dataset->header_bytes + dataset->count * dataset->layout.item_bytes;
    return io_write_parts(target, format_npy_part, dataset, bytes, threads, problem);
}

/* "item (2, 5) (byte 96)". */
static void format_npy_locate(const struct dataset *dataset, uint64_t index, char *text,
                              size_t size)
{
    uint64_t byte = dataset->header_bytes + index * dataset->layout.item_bytes;
    uint64_t places[64];
    for (uint32_t i = 0; i < dataset->dimensions; i++) {
        uint32_t axis = dataset->fortran_order ? i : dataset->dimensions - 1 - i;
        places[axis] = index % dataset->shape[axis];
        index /= dataset->shape[axis];
    }
    size_t length = (size_t)snprintf(text, size, "item ");
    for (uint32_t i = 0; i < dataset->dimensions && length < size - 60; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%llu%s",
                                   i == 0 && dataset->dimensions > 1 ? "(" : "",
                                   (unsigned long long)places[i],
                                   i + 1 < dataset->dimensions ? ", "
                                   : dataset->dimensions > 1   ? ")"
                                                               : "");
    snprintf(text + length, size - length, " (byte %llu)", (unsigned long long)byte);
}

const struct format_methods format_npy = {
    "npy", true, format_npy_open, format_npy_load, format_npy_store, format_npy_locate};
