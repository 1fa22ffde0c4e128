/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors and arguments with anything in them: every call ends with a status, whatever the
 * numbers, and touches nothing but the arena that all pointers lead into.
 */
#include "fuzz/fuzz_input.h"

#include "consort.h"

enum {
    ARENA = 1 << 16,
    COLUMNS = 3,
    FIELDS = 4,
    MOST_ITEMS = 48, /* so that every array the arguments describe ends inside the arena */
    MOST_ITEM_BYTES = 80
};

static _Alignas(64) unsigned char arena[ARENA + MOST_ITEMS * MOST_ITEM_BYTES * 8];

struct call {
    consort_descriptor descriptor;
    consort_options options;
    consort_field fields[FIELDS];
    uint64_t value_bytes[COLUMNS];
    consort_arguments arguments;
    consort_column columns[COLUMNS];
    consort_outcome outcome;
};

/* Mostly a small number, now and then any. */
static uint64_t take_number(struct fuzz_input *input, uint64_t most)
{
    uint64_t small = fuzz_take(input, 1);
    if (small == 0xff)
        return fuzz_take(input, 8);
    return small % (most + 1);
}

static void *take_place(struct fuzz_input *input)
{
    uint64_t place = fuzz_take(input, 2);
    return place == 0 ? NULL : arena + (place & 1 ? place : place / 64 * 64);
}

static consort_type take_type(struct fuzz_input *input)
{
    static const consort_type kinds[] = {CONSORT_U32, CONSORT_U64,    CONSORT_F64,      CONSORT_I8,
                                         CONSORT_F16, CONSORT_RECORD, CONSORT_CALLBACK, 0x0511};
    uint64_t choice = fuzz_take(input, 1);
    if (choice < 200)
        return kinds[choice % 8];
    return (consort_type)fuzz_take(input, 4);
}

static int32_t compare(void *context, const void *a, const void *b)
{
    (void)context;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void take_options(struct fuzz_input *input, consort_options *options)
{
    consort_options_init(options);
    options->direction = (int32_t)take_number(input, 1);
    options->float_order = (int32_t)take_number(input, 3);
    options->stable = (int32_t)take_number(input, 1);
    options->engine = (int32_t)take_number(input, 1);
    options->threads = (uint32_t)take_number(input, 2);
    options->workspace_limit = fuzz_take(input, 1) & 1 ? UINT64_MAX : take_number(input, 200);
    if (fuzz_take(input, 1) == 0)
        options->size = take_number(input, 200);
}

static void take_descriptor(struct fuzz_input *input, struct call *call)
{
    consort_descriptor *d = &call->descriptor;
    consort_descriptor_init(d);
    d->operation = (int32_t)take_number(input, 6);
    d->type = take_type(input);
    d->maximum_count = take_number(input, MOST_ITEMS);
    d->value_count = (uint32_t)take_number(input, COLUMNS);
    d->value_bytes = d->value_count <= COLUMNS ? call->value_bytes : NULL;
    for (int i = 0; i < COLUMNS; i++)
        call->value_bytes[i] = take_number(input, MOST_ITEM_BYTES);
    d->index_type = fuzz_take(input, 1) & 1 ? CONSORT_U32 : CONSORT_U64;
    d->offset_type = fuzz_take(input, 1) & 1 ? CONSORT_U32 : CONSORT_U64;
    d->record_bytes = take_number(input, MOST_ITEM_BYTES);
    d->field_count = (uint32_t)take_number(input, FIELDS);
    d->fields = d->field_count <= FIELDS ? call->fields : NULL;
    for (int i = 0; i < FIELDS; i++)
        call->fields[i] = (consort_field){.offset = take_number(input, MOST_ITEM_BYTES),
                                          .type = take_type(input),
                                          .direction = (int32_t)take_number(input, 1),
                                          .float_order = (int32_t)take_number(input, 3)};
    d->maximum_segments = take_number(input, MOST_ITEMS);
    d->maximum_k = take_number(input, MOST_ITEMS);
    d->maximum_rows = take_number(input, 4);
    d->compare = fuzz_take(input, 1) & 7 ? compare : NULL;
    d->form = (int32_t)take_number(input, 1);
    d->memory = fuzz_take(input, 1) == 7;
    d->options = fuzz_take(input, 1) & 1 ? &call->options : NULL;
}

static void take_arguments(struct fuzz_input *input, struct call *call)
{
    consort_arguments *a = &call->arguments;
    consort_arguments_init(a);
    a->count = take_number(input, MOST_ITEMS);
    a->count_b = take_number(input, 3) ? 0 : take_number(input, MOST_ITEMS);
    a->in = take_place(input);
    a->out = fuzz_take(input, 1) & 1 ? take_place(input) : (void *)a->in;
    a->in_b = take_place(input);
    a->indices = take_place(input);
    a->offsets = take_place(input);
    a->segment_count = take_number(input, MOST_ITEMS);
    a->k = take_number(input, MOST_ITEMS);
    a->rows = take_number(input, 4);
    for (int i = 0; i < COLUMNS; i++)
        call->columns[i] = (consort_column){take_place(input), take_place(input), take_place(input),
                                            call->value_bytes[i]};
    a->values = fuzz_take(input, 1) & 7 ? call->columns : NULL;
    a->outcome = fuzz_take(input, 1) & 7 ? &call->outcome : NULL;
}

/* Would every array of a run that is not refused end inside the arena? */
static int stays_inside(const struct call *call)
{
    int inside = call->descriptor.maximum_count <= MOST_ITEMS &&
                 call->descriptor.record_bytes <= MOST_ITEM_BYTES &&
                 call->descriptor.maximum_segments <= MOST_ITEMS;
    for (int i = 0; i < COLUMNS; i++)
        inside = inside && call->value_bytes[i] <= MOST_ITEM_BYTES;
    return inside;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct call call;
    consort_plan *plan;
    memset(&call, 0, sizeof call);
    take_options(&input, &call.options);
    take_descriptor(&input, &call);
    consort_status status = consort_plan_create(&call.descriptor, &plan);
    FUZZ_DEMAND((status == CONSORT_OK) == (plan != NULL));
    /* Runs of huge plans need a huge workspace, which is not the point. */
    if (plan && stays_inside(&call) && consort_plan_workspace(plan) < 1u << 24) {
        take_arguments(&input, &call);
        for (size_t i = 0; i < ARENA && input.left > 0; i += 64)
            arena[i] = (unsigned char)fuzz_take(&input, 1);
        status = consort_plan_run(plan, &call.arguments, NULL, 0, NULL);
    }
    if (status != CONSORT_OK)
        FUZZ_DEMAND(consort_last_error()->status == status);
    FUZZ_DEMAND(consort_status_name(status)[8] != '_');
    consort_plan_destroy(plan);
    return 0;
}
