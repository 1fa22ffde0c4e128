/* SPDX-License-Identifier: Apache-2.0 */
/* The header of .npy files: what is understood must hang together and make a plan. */
#include "fuzz/fuzz_input.h"

#include "npy_header.h"
#include "npy_layout.h"

static void check_fields(const struct npy_header *header)
{
    for (uint32_t i = 0; i < header->field_count; i++) {
        const struct npy_field *field = &header->fields[i];
        FUZZ_DEMAND(memchr(field->name, '\0', sizeof field->name) != NULL);
        /* Of an empty array of records the item has nothing, wherever its fields would be. */
        if (field->elements == 0)
            continue;
        FUZZ_DEMAND(field->offset <= header->item_bytes);
        uint64_t room = header->item_bytes - field->offset;
        FUZZ_DEMAND(field->dtype.bytes == 0 || field->elements <= room / field->dtype.bytes);
    }
}

static void check_shape(const struct npy_header *header, size_t size)
{
    uint64_t count = 1, bytes;
    FUZZ_DEMAND(header->dimensions <= NPY_MAXIMUM_DIMENSIONS);
    for (uint32_t i = 0; i < header->dimensions; i++)
        FUZZ_DEMAND(header->shape[i] == 0 || header->count == 0 ||
                    !__builtin_mul_overflow(count, header->shape[i], &count));
    FUZZ_DEMAND(header->count == 0 || header->count == count);
    FUZZ_DEMAND(!__builtin_mul_overflow(header->count, header->item_bytes, &bytes));
    FUZZ_DEMAND(header->header_bytes <= size);
    FUZZ_DEMAND(header->shape_from <= header->shape_end && header->shape_end <= size);
}

/* Whatever layout comes of it, the library must take it. */
static void check_plan(const struct layout *layout)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.maximum_count = 1;
    layout_describe(layout, &descriptor, &options);
    descriptor.options = &options;
    consort_status status = consort_plan_create(&descriptor, &plan);
    FUZZ_DEMAND(status == CONSORT_OK || layout->item_bytes == 0 || layout->item_bytes > 1u << 30);
    consort_plan_destroy(plan);
}

static void check_layout(const struct npy_header *header, int32_t direction)
{
    static struct layout layout;
    struct problem problem = {{0}};
    struct npy_order order = {.direction = direction};
    if (npy_layout_make(header, &order, &layout, &problem))
        check_plan(&layout);
    else
        FUZZ_DEMAND(problem.text[0] != '\0');
    for (uint32_t i = 0; i < header->field_count && i < 4; i++) {
        const char *key = header->fields[i].name;
        order = (struct npy_order){.keys = &key, .key_count = 1};
        if (npy_layout_make(header, &order, &layout, &problem))
            check_plan(&layout);
    }
}

static void check_resize(const uint8_t *old, const struct npy_header *header, uint64_t count)
{
    static struct npy_header again;
    struct problem problem = {{0}};
    size_t room = header->header_bytes + 128;
    char *bytes = malloc(room);
    size_t written = bytes ? npy_header_resize(old, header, count, bytes, room) : 0;
    FUZZ_DEMAND(written <= room);
    if (written > 0) {
        FUZZ_DEMAND(npy_header_parse((const unsigned char *)bytes, written, &again, &problem));
        FUZZ_DEMAND(again.count == count && again.item_bytes == header->item_bytes);
        FUZZ_DEMAND(again.field_count == header->field_count);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct npy_header header;
    struct problem problem = {{0}};
    uint64_t header_bytes = 0;
    uint8_t *copy = fuzz_copy(data, size);
    size_t prefix = size < NPY_PREFIX ? size : NPY_PREFIX;
    if (npy_header_measure(copy, prefix, &header_bytes, &problem) && header_bytes <= size &&
        npy_header_parse(copy, header_bytes, &header, &problem)) {
        check_shape(&header, header_bytes);
        check_fields(&header);
        check_layout(&header, (int32_t)(size & 1));
        if (header.dimensions == 1)
            check_resize(copy, &header, size * 977);
    }
    free(copy);
    return 0;
}
