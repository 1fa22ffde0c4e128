/* SPDX-License-Identifier: Apache-2.0 */
/* Checking the arguments of a run before anything is written. */
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "core/type.h"
#include "cuda/array_check.h"

void consort_arguments_init(consort_arguments *arguments)
{
    if (arguments)
        *arguments = (consort_arguments){.size = sizeof *arguments, .rows = 1};
}

/* A place a run reads or writes. `partner` names the span it may be identical with: in place. */
struct span {
    const char *what;
    int64_t column; /* −1: not a column */
    const char *first;
    uint64_t bytes;
    bool written;
    const void *partner;
};

struct spans {
    struct span *items;
    uint32_t count;
    consort_status status;
};

static consort_status span_fail(consort_status status, const struct span *span, const char *problem)
{
    if (span->column >= 0)
        return status_fail(status, "%s of value column %lld %s", span->what,
                           (long long)span->column, problem);
    return status_fail(status, "%s %s", span->what, problem);
}

static void spans_add(struct spans *spans, struct span span, uint32_t alignment)
{
    if (spans->status != CONSORT_OK || span.bytes == 0)
        return;
    if (!span.first)
        spans->status = span_fail(CONSORT_ERROR_ARGUMENT, &span, "is NULL, but has items");
    else if ((uintptr_t)span.first % alignment != 0)
        spans->status =
            span_fail(CONSORT_ERROR_ALIGNMENT, &span, "is not aligned as its type needs");
    else if ((uintptr_t)span.first + span.bytes < (uintptr_t)span.first)
        spans->status = span_fail(CONSORT_ERROR_ARGUMENT, &span, "wraps around the address space");
    else
        spans->items[spans->count++] = span;
}

static bool spans_conflict(const struct span *a, const struct span *b)
{
    if (!a->written && !b->written)
        return false;
    if (a->first + a->bytes <= b->first || b->first + b->bytes <= a->first)
        return false;
    bool same = a->first == b->first && a->bytes == b->bytes && a->column == b->column;
    return !(same && (a->partner == b->first || b->partner == a->first) &&
             a->written != b->written);
}

static consort_status spans_check_overlap(const struct spans *spans)
{
    for (uint32_t i = 0; i < spans->count; i++) {
        for (uint32_t j = i + 1; j < spans->count; j++) {
            const struct span *a = &spans->items[i], *b = &spans->items[j];
            if (spans_conflict(a, b))
                return status_fail(CONSORT_ERROR_OVERLAP,
                                   "%s%s overlaps %s%s; only an output that is exactly its input "
                                   "is allowed",
                                   a->what, a->column >= 0 ? " of a value column" : "", b->what,
                                   b->column >= 0 ? " of a value column" : "");
        }
    }
    return CONSORT_OK;
}

static void arguments_add_columns(struct spans *spans, const struct request *request,
                                  const consort_arguments *arguments, bool double_buffer)
{
    uint64_t total = arguments->count + arguments->count_b;
    bool apart = double_buffer || request->apart || request->operation == CONSORT_OPERATION_MERGE;
    for (uint32_t i = 0; i < request->value_count; i++) {
        const consort_column *column = &arguments->values[i];
        uint64_t bytes = request->value_bytes[i];
        const void *partner = apart ? NULL : column->in;
        spans_add(spans,
                  (struct span){"in", i, column->in, bytes * arguments->count, double_buffer, NULL},
                  1);
        spans_add(spans,
                  (struct span){"in_b", i, column->in_b, bytes * arguments->count_b, false, NULL},
                  1);
        spans_add(spans, (struct span){"out", i, column->out, bytes * total, true, partner}, 1);
    }
}

static uint64_t arguments_selected(const consort_arguments *arguments)
{
    uint64_t row = arguments->count / arguments->rows;
    return arguments->rows * (arguments->k < row ? arguments->k : row);
}

static void arguments_add_items(struct spans *spans, const struct request *request,
                                const consort_arguments *arguments, bool double_buffer)
{
    uint32_t alignment = type_alignment(request->type);
    uint64_t bytes = request->item_bytes;
    uint64_t out_count = arguments->count + arguments->count_b;
    if (request->operation == CONSORT_OPERATION_TOP_K)
        out_count = arguments->out ? arguments_selected(arguments) : 0;
    if (request->operation == CONSORT_OPERATION_ARGSORT ||
        request->operation == CONSORT_OPERATION_IS_SORTED)
        out_count = 0;
    bool in_place_allowed = request->operation == CONSORT_OPERATION_SORT ||
                            request->operation == CONSORT_OPERATION_SEGMENTED_SORT;
    bool apart = double_buffer || request->apart;
    const void *partner = in_place_allowed && !apart ? arguments->in : NULL;
    spans_add(spans,
              (struct span){"in", -1, arguments->in, bytes * arguments->count, double_buffer, NULL},
              alignment);
    spans_add(spans,
              (struct span){"in_b", -1, arguments->in_b, bytes * arguments->count_b, false, NULL},
              alignment);
    spans_add(spans, (struct span){"out", -1, arguments->out, bytes * out_count, true, partner},
              alignment);
}

static void arguments_add_indices(struct spans *spans, const struct request *request,
                                  const consort_arguments *arguments)
{
    uint32_t bytes = request->index_bytes;
    uint64_t count = request->operation == CONSORT_OPERATION_TOP_K ? arguments_selected(arguments)
                                                                   : arguments->count;
    bool wanted =
        bytes > 0 && (arguments->indices || request->operation == CONSORT_OPERATION_ARGSORT);
    if (wanted)
        spans_add(spans,
                  (struct span){"indices", -1, arguments->indices, bytes * count, true, NULL},
                  bytes);
    /* Of 0 items in the host's memory nothing is looked at. */
    bool nothing =
        !arguments->offsets && arguments->count == 0 && request->memory == CONSORT_MEMORY_HOST;
    if (arguments->segment_count > 0 && !nothing)
        spans_add(spans,
                  (struct span){"offsets", -1, arguments->offsets,
                                request->offset_bytes * (arguments->segment_count + 1), false,
                                NULL},
                  request->offset_bytes);
}

static consort_status arguments_check_pieces(const struct request *request,
                                             const consort_arguments *arguments)
{
    bool pieces = request->form == CONSORT_FORM_PIECES;
    if (pieces && (arguments->in || arguments->out))
        return status_fail(CONSORT_ERROR_ARGUMENT, "in and out must be NULL: the plan's items come "
                                                   "and go in pieces");
    if (pieces && arguments->count > 0 && (!arguments->read || !arguments->write))
        return status_fail(CONSORT_ERROR_ARGUMENT, "read or write is NULL, but has items");
    if (!pieces && (arguments->read || arguments->write || arguments->pieces_context))
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "read, write and pieces_context are for CONSORT_FORM_PIECES only");
    return CONSORT_OK;
}

static bool arguments_are_parts(const struct request *request)
{
    return request->memory == CONSORT_MEMORY_SPREAD;
}

/* A part of a spread list, as the arguments of a list of its own; else the arguments. */
static consort_arguments arguments_view(const struct request *request,
                                        const consort_arguments *arguments, uint32_t index)
{
    if (!arguments_are_parts(request))
        return *arguments;
    const consort_part *part = &arguments->parts[index];
    return (consort_arguments){.count = part->count,
                               .in = part->in,
                               .out = part->out,
                               .values = part->values,
                               .indices = part->indices,
                               .rows = 1};
}

static consort_status arguments_check_columns(const struct request *request,
                                              const consort_arguments *arguments)
{
    if (request->value_count > 0 && !arguments->values && arguments->count + arguments->count_b > 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "values is NULL, the plan has %u columns",
                           request->value_count);
    for (uint32_t i = 0; arguments->values && i < request->value_count; i++)
        if (arguments->values[i].element_bytes != request->value_bytes[i])
            return status_fail(CONSORT_ERROR_ARGUMENT,
                               "value column %u has elements of %llu bytes, the plan's have %llu",
                               i, (unsigned long long)arguments->values[i].element_bytes,
                               (unsigned long long)request->value_bytes[i]);
    return CONSORT_OK;
}

static void arguments_add_all(struct spans *spans, const struct request *request,
                              const consort_arguments *arguments)
{
    bool double_buffer = request->form == CONSORT_FORM_DOUBLE_BUFFER;
    if (request->form != CONSORT_FORM_PIECES)
        arguments_add_items(spans, request, arguments, double_buffer);
    arguments_add_indices(spans, request, arguments);
    if (arguments->count + arguments->count_b > 0)
        arguments_add_columns(spans, request, arguments, double_buffer);
}

/* What is the run's as a whole, however many parts its list has. */
static void arguments_add_run(struct spans *spans, const struct consort_plan *plan,
                              const consort_arguments *arguments, const void *workspace)
{
    uint64_t outcome_bytes = arguments->outcome ? sizeof *arguments->outcome : 0;
    uint64_t workspace_bytes = workspace ? plan->workspace : 0;
    spans_add(
        spans,
        (struct span){"outcome", -1, (const char *)arguments->outcome, outcome_bytes, true, NULL},
        _Alignof(consort_outcome));
    spans_add(spans, (struct span){"workspace", -1, workspace, workspace_bytes, true, NULL}, 1);
}

static consort_status arguments_check_spans(const struct consort_plan *plan,
                                            const consort_arguments *arguments,
                                            const void *workspace)
{
    const struct request *request = &plan->request;
    struct span few[3 * 8 + 7];
    uint32_t views = arguments_are_parts(request) ? request->device_count : 1;
    uint64_t most = views * (3 * (uint64_t)request->value_count + 5) + 2;
    struct spans spans = {.items = few};
    if (most > sizeof few / sizeof *few)
        spans.items = malloc(most * sizeof *spans.items);
    if (!spans.items)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    for (uint32_t v = 0; v < views && spans.status == CONSORT_OK; v++) {
        consort_arguments view = arguments_view(request, arguments, v);
        spans.status = arguments_check_columns(request, &view);
        if (spans.status == CONSORT_OK)
            arguments_add_all(&spans, request, &view);
    }
    arguments_add_run(&spans, plan, arguments, workspace);
    consort_status status = spans.status;
    if (status == CONSORT_OK)
        status = spans_check_overlap(&spans);
    if (spans.items != few)
        free(spans.items);
    return status;
}

static consort_status arguments_check_parts(const struct request *request,
                                            const consort_arguments *arguments)
{
    uint64_t total = 0;
    if (!arguments_are_parts(request))
        return arguments->parts
                   ? status_fail(CONSORT_ERROR_ARGUMENT, "parts are for CONSORT_MEMORY_SPREAD")
                   : CONSORT_OK;
    if (!arguments->parts || arguments->in || arguments->out || arguments->values ||
        arguments->indices)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "the arrays of a spread list stand in its parts, and nowhere else");
    for (uint32_t p = 0; p < request->device_count; p++) {
        const consort_part *part = &arguments->parts[p];
        if (part->device != request->devices[p] || part->reserved != 0)
            return status_fail(CONSORT_ERROR_ARGUMENT,
                               "part %u is on device %d, the plan's on %d; or reserved is not 0", p,
                               part->device, request->devices[p]);
        if (part->count > arguments->count - total)
            return status_fail(CONSORT_ERROR_ARGUMENT, "parts have more than `count` items");
        total += part->count;
    }
    return total == arguments->count
               ? CONSORT_OK
               : status_fail(CONSORT_ERROR_ARGUMENT, "parts have %llu items, `count` is %llu",
                             (unsigned long long)total, (unsigned long long)arguments->count);
}

static consort_status arguments_check_counts(const struct request *request,
                                             const consort_arguments *arguments)
{
    uint64_t total = arguments->count + arguments->count_b;
    if (arguments->device_count)
        return status_fail(CONSORT_ERROR_ARGUMENT, "device_count is reserved and must be NULL");
    if (request->operation != CONSORT_OPERATION_MERGE && arguments->count_b != 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "count_b is for merge only");
    if (total < arguments->count || total > request->maximum_count)
        return status_fail(CONSORT_ERROR_ARGUMENT, "%llu items, the plan allows %llu",
                           (unsigned long long)total, (unsigned long long)request->maximum_count);
    if (arguments->segment_count > request->maximum_segments)
        return status_fail(CONSORT_ERROR_ARGUMENT, "%llu segments, the plan allows %llu",
                           (unsigned long long)arguments->segment_count,
                           (unsigned long long)request->maximum_segments);
    bool needs_outcome = request->operation == CONSORT_OPERATION_IS_SORTED ||
                         request->form == CONSORT_FORM_DOUBLE_BUFFER;
    if (needs_outcome && !arguments->outcome)
        return status_fail(CONSORT_ERROR_ARGUMENT, "outcome is NULL, but this plan's result goes "
                                                   "there");
    return CONSORT_OK;
}

static consort_status arguments_check_top_k(const struct request *request,
                                            const consort_arguments *arguments)
{
    if (request->operation != CONSORT_OPERATION_TOP_K)
        return CONSORT_OK;
    if (arguments->k > request->maximum_k || arguments->rows == 0 ||
        arguments->rows > request->maximum_rows)
        return status_fail(
            CONSORT_ERROR_ARGUMENT, "k = %llu and rows = %llu, the plan allows %llu and 1 to %llu",
            (unsigned long long)arguments->k, (unsigned long long)arguments->rows,
            (unsigned long long)request->maximum_k, (unsigned long long)request->maximum_rows);
    if (arguments->count % arguments->rows != 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "%llu items are not %llu rows of equal length",
                           (unsigned long long)arguments->count,
                           (unsigned long long)arguments->rows);
    if (arguments->indices && request->index_bytes == 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "the plan has no index_type, but indices is "
                                                   "set");
    if (!arguments->out && !arguments->indices && arguments_selected(arguments) > 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "out and indices are both NULL");
    return CONSORT_OK;
}

static uint64_t arguments_offset(const struct request *request, const consort_arguments *arguments,
                                 uint64_t index)
{
    return request->offset_bytes == 4 ? ((const uint32_t *)arguments->offsets)[index]
                                      : ((const uint64_t *)arguments->offsets)[index];
}

/* Offsets that only a GPU can read are checked there; a plan that runs on the CPU refuses them. */
static consort_status arguments_check_offsets(const struct request *request,
                                              const consort_arguments *arguments)
{
    if (request->operation != CONSORT_OPERATION_SEGMENTED_SORT || arguments->segment_count == 0 ||
        !arguments->offsets || !array_check_is_readable(arguments->offsets))
        return CONSORT_OK;
    uint64_t previous = arguments_offset(request, arguments, 0);
    for (uint64_t s = 0; s < arguments->segment_count; s++) {
        uint64_t next = arguments_offset(request, arguments, s + 1);
        if (next < previous || next > arguments->count) {
            if (arguments->outcome)
                *arguments->outcome =
                    (consort_outcome){.status = CONSORT_ERROR_OFFSETS, .buffer = 0, .position = s};
            return status_fail(CONSORT_ERROR_OFFSETS,
                               "segment %llu goes from %llu to %llu of %llu items",
                               (unsigned long long)s, (unsigned long long)previous,
                               (unsigned long long)next, (unsigned long long)arguments->count);
        }
        previous = next;
    }
    return CONSORT_OK;
}

consort_status arguments_check(const struct consort_plan *plan, const consort_arguments *arguments,
                               const void *workspace)
{
    const struct request *request = &plan->request;
    consort_status status = arguments_check_counts(request, arguments);
    if (status == CONSORT_OK)
        status = arguments_check_parts(request, arguments);
    if (status == CONSORT_OK)
        status = arguments_check_top_k(request, arguments);
    if (status == CONSORT_OK)
        status = arguments_check_pieces(request, arguments);
    if (status == CONSORT_OK)
        status = arguments_check_spans(plan, arguments, workspace);
    if (status == CONSORT_OK && request->memory == CONSORT_MEMORY_HOST)
        status = arguments_check_offsets(request, arguments);
    return status;
}
