/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions, and how they are called. */
#include "api/calls.h"

#include <stdalign.h>

const char *const array_names[ARRAYS] = {"in",
                                         "in_b",
                                         "out",
                                         "indices",
                                         "offsets",
                                         "a column's in",
                                         "a column's in_b",
                                         "a column's out"};

int32_t calls_engine = CONSORT_ENGINE_CPU;

static alignas(64) unsigned char room[ARRAYS * PLACE];

static int32_t compare_bytes(void *context, const void *a, const void *b)
{
    (void)context;
    return memcmp(a, b, KEY);
}

static consort_status call_sort(struct call *c)
{
    return consort_sort(c->at[IN], c->at[OUT], c->count, c->type, &c->options);
}

static consort_status call_pairs(struct call *c)
{
    return consort_sort_pairs(c->at[IN], c->at[OUT], &c->column, 1, c->count, c->type, &c->options);
}

static consort_status call_argsort(struct call *c)
{
    return consort_argsort(c->at[IN], c->at[INDICES], c->index_type, c->count, c->type,
                           &c->options);
}

static consort_status call_records(struct call *c)
{
    return consort_sort_records(c->at[IN], c->at[OUT], c->count, c->record_bytes, &c->field, 1,
                                &c->options);
}

static consort_status call_sort_by(struct call *c)
{
    return consort_sort_by(c->at[IN], c->at[OUT], c->count, c->record_bytes, compare_bytes, NULL,
                           &c->options);
}

static consort_status call_merge(struct call *c)
{
    return consort_merge(c->at[IN], c->count, c->at[IN_B], c->count_b, c->at[OUT], &c->column, 1,
                         c->type, &c->options);
}

static consort_status call_segmented(struct call *c)
{
    return consort_segmented_sort(c->at[IN], c->at[OUT], c->count, c->at[OFFSETS], c->offset_type,
                                  c->segments, &c->column, 1, c->type, &c->options);
}

static consort_status call_top_k(struct call *c)
{
    return consort_top_k(c->at[IN], c->count, c->k, c->at[OUT], c->at[INDICES], c->index_type,
                         c->type, &c->options);
}

static consort_status call_is_sorted(struct call *c)
{
    uint64_t place;
    return consort_is_sorted(c->at[IN], c->count, c->type, &c->options, &place);
}

const struct function functions[FUNCTIONS] = {
    {"sort", call_sort, CONSORT_OPERATION_SORT, PLAN_OF_KEYS, BIT(IN) | BIT(OUT), 0, 0, true},
    {"sort_pairs", call_pairs, CONSORT_OPERATION_SORT, PLAN_OF_KEYS, BIT(IN) | BIT(OUT) | COLUMN,
     COLUMN, 0, true},
    {"argsort", call_argsort, CONSORT_OPERATION_ARGSORT, PLAN_OF_KEYS, BIT(IN) | BIT(INDICES), 0, 0,
     false},
    {"sort_records", call_records, CONSORT_OPERATION_SORT, PLAN_OF_RECORDS, BIT(IN) | BIT(OUT),
     BIT(IN) | BIT(OUT), 0, true},
    {"sort_by", call_sort_by, CONSORT_OPERATION_SORT, PLAN_OF_CALLBACK, BIT(IN) | BIT(OUT),
     BIT(IN) | BIT(OUT), 0, true},
    {"merge", call_merge, CONSORT_OPERATION_MERGE, PLAN_OF_KEYS,
     BIT(IN) | BIT(IN_B) | BIT(OUT) | BIT(VALUES_IN_B) | COLUMN, BIT(VALUES_IN_B) | COLUMN, 0,
     false},
    {"segmented_sort", call_segmented, CONSORT_OPERATION_SEGMENTED_SORT, PLAN_OF_KEYS,
     BIT(IN) | BIT(OUT) | BIT(OFFSETS) | COLUMN, COLUMN, 0, true},
    {"top_k", call_top_k, CONSORT_OPERATION_TOP_K, PLAN_OF_KEYS, BIT(IN) | BIT(OUT) | BIT(INDICES),
     0, BIT(OUT) | BIT(INDICES), false},
    {"is_sorted", call_is_sorted, CONSORT_OPERATION_IS_SORTED, PLAN_OF_KEYS, BIT(IN), 0, 0, false},
};

bool function_has(const struct function *function, int array)
{
    return function->arrays >> array & 1;
}

static void *place_of(int array)
{
    return room + (size_t)array * PLACE;
}

void calls_put_offsets(void *place)
{
    static const uint32_t offsets[3] = {0, 5, COUNT};
    memcpy(place, offsets, sizeof offsets);
}

static void room_fill(void)
{
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = (unsigned char)(i / KEY);
    calls_put_offsets(place_of(OFFSETS));
}

struct call call_of(const struct function *function)
{
    struct call c = {.count = COUNT,
                     .segments = 2,
                     .k = COUNT,
                     .record_bytes = KEY,
                     .type = CONSORT_U32,
                     .index_type = CONSORT_U32,
                     .offset_type = CONSORT_U32,
                     .field = {.type = consort_type_bytes(KEY)}};
    consort_options_init(&c.options);
    c.options.engine = calls_engine;
    c.count_b = function->operation == CONSORT_OPERATION_MERGE ? COUNT : 0;
    for (int array = 0; array < ARRAYS; array++)
        c.at[array] = function_has(function, array) ? place_of(array) : NULL;
    c.column.element_bytes = VALUE;
    return c;
}

static void describe(const struct function *function, const struct call *c,
                     consort_descriptor *descriptor)
{
    consort_descriptor_init(descriptor);
    descriptor->operation = function->operation;
    descriptor->type = function->plan == PLAN_OF_RECORDS    ? CONSORT_RECORD
                       : function->plan == PLAN_OF_CALLBACK ? CONSORT_CALLBACK
                                                            : c->type;
    descriptor->maximum_count = c->count + c->count_b;
    descriptor->record_bytes = function->plan == PLAN_OF_KEYS ? 0 : c->record_bytes;
    descriptor->fields = function->plan == PLAN_OF_RECORDS ? &c->field : NULL;
    descriptor->field_count = function->plan == PLAN_OF_RECORDS;
    descriptor->compare = function->plan == PLAN_OF_CALLBACK ? compare_bytes : NULL;
    descriptor->value_bytes = function_has(function, VALUES_IN) ? &c->column.element_bytes : NULL;
    descriptor->value_count = function_has(function, VALUES_IN);
    descriptor->index_type = function_has(function, INDICES) ? c->index_type : 0;
    descriptor->offset_type = function_has(function, OFFSETS) ? c->offset_type : 0;
    descriptor->maximum_segments = function_has(function, OFFSETS) ? c->segments : 0;
    descriptor->maximum_k = function->operation == CONSORT_OPERATION_TOP_K ? c->k : 0;
    descriptor->options = &c->options;
}

consort_status call_by_plan(const struct function *function, struct call *c, void *workspace)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_outcome outcome;
    consort_plan *plan;
    describe(function, c, &descriptor);
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status != CONSORT_OK)
        return status;
    consort_arguments_init(&arguments);
    arguments.count = c->count;
    arguments.count_b = c->count_b;
    arguments.in = c->at[IN];
    arguments.in_b = c->at[IN_B];
    arguments.out = c->at[OUT];
    arguments.indices = c->at[INDICES];
    arguments.offsets = c->at[OFFSETS];
    arguments.segment_count = descriptor.maximum_segments;
    arguments.values = function_has(function, VALUES_IN) ? &c->column : NULL;
    arguments.k = descriptor.maximum_k;
    arguments.outcome = &outcome;
    status = consort_plan_run(plan, &arguments, workspace,
                              workspace ? consort_plan_workspace(plan) : 0, NULL);
    consort_plan_destroy(plan);
    return status;
}

uint64_t call_workspace(const struct function *function, struct call *c)
{
    consort_descriptor descriptor;
    consort_plan *plan;
    describe(function, c, &descriptor);
    assert_works(consort_plan_create(&descriptor, &plan));
    uint64_t bytes = consort_plan_workspace(plan);
    consort_plan_destroy(plan);
    return bytes;
}

void call_columns(struct call *c)
{
    c->column.in = c->at[VALUES_IN];
    c->column.in_b = c->at[VALUES_IN_B];
    c->column.out = c->at[VALUES_OUT];
}

static consort_status run_call(const struct function *function, struct call *c, bool by_plan)
{
    call_columns(c);
    return by_plan ? call_by_plan(function, c, NULL) : function->call(c);
}

void expect(const struct function *function, struct call *c, consort_status expected,
            const char *what, const char *where)
{
    static unsigned char before[sizeof room];
    for (int by_plan = 0; by_plan < 2; by_plan++) {
        room_fill();
        memcpy(before, room, sizeof room);
        consort_status status = run_call(function, c, by_plan);
        if (status != expected)
            fail_msg("%s%s, %s %s: %s (%s), not %s", function->name, by_plan ? " by a plan" : "",
                     where, what, consort_status_name(status), consort_last_error()->message,
                     consort_status_name(expected));
        if (expected == CONSORT_OK)
            continue;
        assert_memory_equal(room, before, sizeof room);
        assert_int_equal(consort_last_error()->status, expected);
        assert_true(consort_last_error()->message[0] != '\0');
        assert_int_equal(consort_last_error()->input_whole, 1);
    }
}
