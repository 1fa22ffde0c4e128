/* SPDX-License-Identifier: Apache-2.0 */
/* How a request's keys are cut into codes, and where everything lies in the workspace. */
#include "cuda/sorts/normalised/normalised_shape.h"

#include "cuda/carried_values.h"
#include "cuda/launch.h"
#include "cuda/sorts/lsd/lsd_passes.h"
#include "cuda/sorts/normalised/normalised_layout.h"

struct normalised_shape normalised_shape_of(const struct request *request)
{
    uint64_t key = request->order.total_bits / 8;
    bool prefix_is_all = key <= NORMALISED_LEAST_PREFIX;
    struct normalised_shape s = {.key_bytes = key, .index_bytes = request->index_bytes};
    s.prefix_bytes = key < NORMALISED_PREFIX_BYTES ? (uint32_t)key : NORMALISED_PREFIX_BYTES;
    s.prefix_width = prefix_is_all ? 4 : 8;
    /* Codes of 8 bytes take more rounds than those of 16, each of half the passes over half the
     * bytes, and two thirds of the workspace. */
    s.code_width = key <= 2 * NORMALISED_PREFIX_BYTES ? 8 : 16;
    /* A group has at least two items. */
    s.group_bytes = request->maximum_count <= (uint64_t)1 << 33 ? 4 : 5;
    if (request->operation != CONSORT_OPERATION_ARGSORT)
        s.index_bytes = request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
    uint32_t fits = s.code_width - s.group_bytes;
    if (!prefix_is_all)
        s.rounds = (key - NORMALISED_LEAST_PREFIX + fits - 1) / fits;
    bool has_room = request_is_aligned(request) && request->item_bytes >= 2 * s.index_bytes &&
                    request->item_bytes >= s.prefix_width;
    s.uses_out = s.rounds > 0 && has_room && request_is_apart(request) &&
                 request->operation != CONSORT_OPERATION_ARGSORT;
    return s;
}

static uint64_t normalised_shape_scratch(const struct normalised_shape *s, uint64_t count)
{
    uint64_t first = lsd_passes_scratch(s->prefix_width, s->index_bytes, count);
    uint64_t rounds = s->rounds > 0 ? lsd_passes_scratch(s->code_width, s->index_bytes, count) : 0;
    return launch_aligned(first > rounds ? first : rounds);
}

/* The widest array that may have to be moved in place; with a double buffer, none. */
static uint64_t normalised_shape_widest(const struct request *request)
{
    bool apart = carried_values_use_both_buffers(request) || request_is_apart(request);
    if (request->operation == CONSORT_OPERATION_ARGSORT || apart)
        return 0;
    uint64_t widest = request->item_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        if (request->value_bytes[i] > widest)
            widest = request->value_bytes[i];
    return widest * request->maximum_count;
}

struct normalised_places normalised_shape_places(const struct request *request)
{
    struct normalised_shape s = normalised_shape_of(request);
    uint64_t count = request->maximum_count;
    uint32_t width = s.rounds > 0 ? s.code_width : s.prefix_width;
    uint64_t codes = launch_aligned(count * width);
    uint64_t index = launch_aligned(count * s.index_bytes);
    bool has_index = request->operation != CONSORT_OPERATION_ARGSORT;
    struct normalised_places p = {.scratch = launch_aligned(sizeof(struct normalised_control))};
    p.index = p.scratch + normalised_shape_scratch(&s, count);
    p.codes[0] = p.index + (has_index ? index : 0);
    p.codes[1] = p.codes[0] + codes;
    p.lists[0] = p.codes[1] + codes;
    p.lists[1] = p.lists[0] + index;
    p.prefixes = p.lists[1]; /* and on to homes[0]: two indices have room for 8 bytes */
    p.homes[0] = p.lists[1] + index;
    p.homes[1] = p.homes[0] + index;
    uint64_t sorting = s.rounds == 0 ? p.prefixes + codes
                       : s.uses_out  ? p.homes[0]
                                     : p.homes[1] + index;
    uint64_t moving = p.codes[0] + normalised_shape_widest(request);
    p.total = sorting > moving ? sorting : moving;
    return p;
}
