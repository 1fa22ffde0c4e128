/* SPDX-License-Identifier: Apache-2.0 */
/* From an exercise to the descriptor and options that ask for it. */
#include "operations/description.h"

static uint64_t description_limit(const struct test_case *test, uint64_t count, uint64_t item_bytes)
{
    switch (test->level[FACTOR_WORKSPACE]) {
    case WORKSPACE_NONE:
        return 0;
    case WORKSPACE_SMALL:
        return 4096;
    case WORKSPACE_PART:
        return count * item_bytes / 16;
    default:
        return UINT64_MAX;
    }
}

static int64_t description_parameter(const consort_parameter_info *info, uint32_t kind)
{
    if (kind == PARAMETERS_LEAST)
        return info->minimum;
    if (kind == PARAMETERS_MOST)
        return info->maximum;
    return info->minimum / 2 + info->maximum / 2;
}

static void description_set_options(struct description *plan, const struct test_case *test,
                                    const struct entry *entry, const struct key_order *order)
{
    consort_options *options = &plan->options;
    uint32_t kind = test->level[FACTOR_PARAMETERS];
    consort_options_init(options);
    options->direction = order->direction;
    options->float_order = order->float_order;
    options->stable = test->level[FACTOR_STABLE] == 0;
    options->threads = test->level[FACTOR_THREADS] + 1;
    options->algorithm = entry->algorithm;
    options->engine = entry->algorithm ? entry->engine : CONSORT_ENGINE_AUTO;
    if (kind == PARAMETERS_STANDARD)
        return;
    options->parameters = plan->parameters;
    options->parameter_count = entry->parameter_count;
    for (uint32_t i = 0; i < entry->parameter_count; i++)
        plan->parameters[i] = (consort_parameter){
            entry->parameters[i].name, description_parameter(&entry->parameters[i], kind)};
}

bool description_is_plain(const struct exercise *exercise)
{
    const struct test_case *test = exercise->test;
    bool records = exercise->order->field_count > 0 && (exercise->order->type == CONSORT_RECORD ||
                                                        exercise->order->type == CONSORT_CALLBACK);
    bool sort = exercise->entry->operation == CONSORT_OPERATION_SORT && exercise->columns == 0;
    return test->level[FACTOR_CALL] == 1 && test->level[FACTOR_PLACE] != PLACE_DOUBLE &&
           exercise->rows == 1 && (!records || sort);
}

void description_make(struct description *plan, const struct exercise *exercise,
                      consort_context *context)
{
    const struct test_case *test = exercise->test;
    consort_descriptor *descriptor = &plan->descriptor;
    uint64_t room = description_is_plain(exercise) ? 0 : test->level[FACTOR_ROOM];
    uint32_t index = test->level[FACTOR_INDEX];
    description_set_options(plan, test, exercise->entry, exercise->order);
    plan->options.context = context;
    plan->options.workspace_limit =
        description_limit(test, exercise->count + room * 1000, exercise->order->item_bytes);
    consort_descriptor_init(descriptor);
    descriptor->operation = exercise->entry->operation;
    descriptor->type = exercise->order->type;
    descriptor->maximum_count = exercise->count + room * 1000;
    descriptor->value_bytes = exercise->column_bytes;
    descriptor->value_count = exercise->columns;
    descriptor->record_bytes = exercise->order->item_bytes;
    if (exercise->order->type == CONSORT_RECORD) {
        descriptor->fields = exercise->order->fields;
        descriptor->field_count = exercise->order->field_count;
    }
    descriptor->compare = exercise->order->compare;
    descriptor->compare_context = &key_order_context;
    if (factor_matters(test, FACTOR_INDEX)) {
        descriptor->index_type = index == INDEX_U64 ? CONSORT_U64 : CONSORT_U32;
        descriptor->offset_type = index % 2 == INDEX_U32 ? CONSORT_U32 : CONSORT_U64;
        if (descriptor->operation == CONSORT_OPERATION_TOP_K && index == INDEX_ABSENT)
            descriptor->index_type = 0;
    }
    descriptor->maximum_segments = exercise->segments + room * 7;
    descriptor->maximum_k = exercise->k + room * 3;
    descriptor->maximum_rows = exercise->rows + room;
    if (test->level[FACTOR_PLACE] == PLACE_DOUBLE)
        descriptor->form = CONSORT_FORM_DOUBLE_BUFFER;
    descriptor->options = &plan->options;
}
