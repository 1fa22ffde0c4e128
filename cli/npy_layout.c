/* SPDX-License-Identifier: Apache-2.0 */
/* How the items of a .npy file are ordered. */
#include "npy_layout.h"

#include <string.h>

#include "key_spec.h"

static bool npy_layout_add(struct layout *layout, const struct npy_field *field, int32_t direction,
                           int32_t float_order, struct problem *problem)
{
    if (field->dtype.refusal)
        return problem_set(problem, "field \"%.100s\" cannot be a key: %s", field->name,
                           field->dtype.refusal);
    if (field->elements != 1)
        return problem_set(problem, "field \"%.100s\" cannot be a key: it is an array of %llu",
                           field->name, (unsigned long long)field->elements);
    if (field->dtype.is_string)
        return layout_add_bytes(layout, field->name, field->offset, field->dtype.bytes, direction,
                                problem);
    consort_field key = {field->offset, field->dtype.type, direction, float_order, 0};
    return layout_add_field(layout, field->name, key, problem);
}

/* Always false. */
static bool npy_layout_list_fields(const struct npy_header *header, const char *wanted,
                                   struct problem *problem)
{
    uint32_t i;
    problem_set(problem, "has no field \"%.100s\"; it has", wanted);
    for (i = 0; i < header->field_count && strlen(problem->text) < 500; i++) {
        strcat(problem->text, i > 0 ? ", \"" : " \"");
        strncat(problem->text, header->fields[i].name, 100);
        strcat(problem->text, "\"");
    }
    strcat(problem->text, i < header->field_count ? ", …" : i > 0 ? "" : " none");
    return false;
}

static bool npy_layout_add_key(const struct npy_header *header, const struct npy_order *order,
                               const char *text, struct layout *layout, struct problem *problem)
{
    struct key_spec key;
    if (!key_spec_parse(text, strlen(text), &key, problem))
        return problem_prefix(problem, "--key");
    if (key.kind != KEY_SPEC_FIELD)
        return problem_set(problem,
                           "--key %.60s: in .npy files keys are fields; write name=FIELD if it is "
                           "one whose name starts with a digit",
                           text);
    for (uint32_t i = 0; i < header->field_count; i++)
        if (strcmp(header->fields[i].name, key.field) == 0)
            return npy_layout_add(layout, &header->fields[i],
                                  key.direction >= 0 ? key.direction : order->direction,
                                  order->float_order, problem);
    /* A direction may be part of a name, too. */
    const char *whole = strncmp(text, "name=", 5) == 0 ? text + 5 : text;
    for (uint32_t i = 0; i < header->field_count; i++)
        if (strcmp(header->fields[i].name, whole) == 0)
            return problem_set(problem,
                               "has no field \"%.100s\"; for its field \"%.100s\" say the "
                               "direction, too: --key '%.100s:asc'",
                               key.field, whole, text);
    return npy_layout_list_fields(header, key.field, problem);
}

static bool npy_layout_of_fields(const struct npy_header *header, const struct npy_order *order,
                                 struct layout *layout, struct problem *problem)
{
    layout_set_record(layout, header->item_bytes);
    for (uint32_t i = 0; i < order->key_count; i++)
        if (!npy_layout_add_key(header, order, order->keys[i], layout, problem))
            return false;
    /* As NumPy does without order=: by all fields, from the first on. */
    for (uint32_t i = 0; i < header->field_count && order->key_count == 0; i++)
        if (!npy_layout_add(layout, &header->fields[i], order->direction, order->float_order,
                            problem))
            return problem_set(problem,
                               "without --key all fields are keys, but \"%.100s\" cannot be one; "
                               "name those to order by with --key FIELD",
                               header->fields[i].name);
    return layout->field_count > 0 || header->item_bytes == 0 ||
           problem_set(problem, "its dtype has no fields to order by");
}

bool npy_layout_make(const struct npy_header *header, const struct npy_order *order,
                     struct layout *layout, struct problem *problem)
{
    if (header->structured)
        return npy_layout_of_fields(header, order, layout, problem);
    if (order->key_count > 0)
        return problem_set(problem, "--key: its dtype is not structured, so it has no fields");
    if (header->dtype.refusal)
        return problem_set(problem, "its dtype cannot be sorted: %s", header->dtype.refusal);
    if (header->dtype.type != 0) {
        layout_set_type(layout, header->dtype.type, order->direction, order->float_order);
        return true;
    }
    /* Strings of more than 255 bytes are records with several keys. */
    layout_set_record(layout, header->item_bytes);
    return layout_add_bytes(layout, "item", 0, header->item_bytes, order->direction, problem);
}
