/* SPDX-License-Identifier: Apache-2.0 */
/* What the items of a file are and how they are ordered. */
#include "layout.h"

void layout_set_type(struct layout *layout, consort_type type, int32_t direction,
                     int32_t float_order)
{
    layout->type = type;
    layout->item_bytes = consort_type_size(type);
    layout->direction = direction;
    layout->float_order = float_order;
    layout->field_count = 0;
}

void layout_set_record(struct layout *layout, uint64_t record_bytes)
{
    layout->type = CONSORT_RECORD;
    layout->item_bytes = record_bytes;
    layout->direction = CONSORT_ASCENDING;
    layout->float_order = CONSORT_NAN_LAST;
    layout->field_count = 0;
}

static bool layout_is_float(consort_type type)
{
    int32_t kind = type >> 8 & 0xff;
    return kind == CONSORT_KIND_FLOAT || kind == CONSORT_KIND_BFLOAT;
}

bool layout_has_floats(const struct layout *layout)
{
    bool found = false;
    if (layout->type != CONSORT_RECORD)
        return layout_is_float(layout->type);
    for (uint32_t i = 0; i < layout->field_count; i++)
        found |= layout_is_float(layout->fields[i].type);
    return found;
}

bool layout_add_field(struct layout *layout, const char *name, consort_field field,
                      struct problem *problem)
{
    uint64_t bytes = consort_type_size(field.type);
    if (layout->field_count == LAYOUT_MAXIMUM_FIELDS)
        return problem_set(problem, "key %.100s: the keys make more than %d fields", name,
                           LAYOUT_MAXIMUM_FIELDS);
    if (field.offset > layout->item_bytes || bytes > layout->item_bytes - field.offset)
        return problem_set(problem,
                           "key %.100s: %llu bytes from byte %llu on reach past the end of the "
                           "record of %llu bytes; the first byte is 0",
                           name, (unsigned long long)bytes, (unsigned long long)field.offset,
                           (unsigned long long)layout->item_bytes);
    layout->fields[layout->field_count++] = field;
    return true;
}

bool layout_add_bytes(struct layout *layout, const char *name, uint64_t offset, uint64_t length,
                      int32_t direction, struct problem *problem)
{
    if (offset > layout->item_bytes || length > layout->item_bytes - offset)
        return problem_set(problem,
                           "key %.100s: %llu bytes from byte %llu on reach past the end of the "
                           "record of %llu bytes; the first byte is 0",
                           name, (unsigned long long)length, (unsigned long long)offset,
                           (unsigned long long)layout->item_bytes);
    while (length > 0) {
        uint32_t part = length > LAYOUT_LONGEST_BYTES ? LAYOUT_LONGEST_BYTES : (uint32_t)length;
        consort_field field = {offset, consort_type_bytes(part), direction, 0, 0};
        if (!layout_add_field(layout, name, field, problem))
            return false;
        offset += part;
        length -= part;
    }
    return true;
}

void layout_describe(const struct layout *layout, consort_descriptor *descriptor,
                     consort_options *options)
{
    descriptor->type = layout->type;
    descriptor->options = options;
    options->direction = layout->direction;
    options->float_order = layout->float_order;
    if (layout->type != CONSORT_RECORD)
        return;
    descriptor->record_bytes = layout->item_bytes;
    descriptor->fields = layout->fields;
    descriptor->field_count = layout->field_count;
}
