/* SPDX-License-Identifier: Apache-2.0 */
/* Requests whose keys and values move in the passes of `lsd`. */
#include "cuda/sorts/lsd/lsd_request.h"

#include <stddef.h>

#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/codec_constants.h"
#include "cuda/cuda_cost.h"
#include "cuda/launch.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/lsd/lsd_passes.h"

/* Values in host memory: the bus takes longer than the sort, so keys and an index are sorted while
 * the values arrive. Below this the bus is not worth the extra launches. */
static const uint64_t lsd_request_overlap_count = 1 << 20;

bool lsd_request_moves_index(const struct request *request)
{
    uint64_t bytes = request->value_count == 1 ? request->value_bytes[0] : 0;
    bool overlaps = request->memory == CONSORT_MEMORY_HOST &&
                    request->maximum_count >= lsd_request_overlap_count;
    return request->value_count > 0 && (overlaps || (bytes != 4 && bytes != 8 && bytes != 16));
}

uint32_t lsd_request_value_bytes(const struct request *request)
{
    if (request->operation == CONSORT_OPERATION_ARGSORT)
        return request->index_bytes;
    if (lsd_request_moves_index(request))
        return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
    return request->value_count == 1 ? (uint32_t)request->value_bytes[0] : 0;
}

const char *lsd_request_refuses(const struct request *request)
{
    if (!request_is_plain(request))
        return "the GPU's lsd sorts numbers, not in NumPy's float order";
    if (lsd_request_moves_index(request) && carried_values_use_both_buffers(request))
        return "with a double buffer the GPU's lsd moves one column of 4, 8 or 16 bytes";
    if (!lsd_passes_exist((uint32_t)request->item_bytes, lsd_request_value_bytes(request)))
        return "the GPU's lsd writes indices of 4 or 8 bytes";
    return NULL;
}

/* H200, CUDA 13.0, 2026-11: 15 µs and 12.5 µs a pass of launches (2^17 u8 + 4 bytes 27 µs, u32 65
 * µs, u64 110 µs), of keys alone 10 and 7.5 µs (2^20 u32 57 µs, 2^24 340; u64 123, 917), by tiles
 * for short lists 9 and 10 µs (2^16 u16 29 µs, u32 + 8 bytes 50 µs, u64 + 8 91 µs); then
 * lsd_passes_cost. Replayed, one or two passes with values 8.7 µs and 9.5 µs a pass (u8 + 4
 * bytes 2^8 18.4 µs, 2^12 20, 2^16 21.5), u16 alone in one launch 16 µs (2^14 17 µs, 2^20 22). */
double lsd_request_cost(const struct request *request)
{
    uint32_t key = (uint32_t)request->item_bytes, value = lsd_request_value_bytes(request);
    double moved = (double)request->maximum_count * lsd_passes_cost(key, value);
    if (request->replay && key <= 2 && value > 0)
        return 8.7e3 + key * (9.5e3 + moved);
    if (request->replay && key == 2 && request->maximum_count <= 1 << 20)
        return 16e3 + key * moved;
    if (lsd_passes_are_short(key, value, request->maximum_count))
        return 9e3 + key * (10e3 + moved);
    return value == 0 ? 10e3 + key * (7.5e3 + moved) : 15e3 + key * (12.5e3 + moved);
}

/* How many arrays keys rest in between passes, besides an `out`. Of two passes of an argsort the
 * first leaves its keys in spare 1, and the last one leaves none. */
static uint32_t lsd_request_spares(const struct request *request)
{
    if (request->operation == CONSORT_OPERATION_ARGSORT)
        return request->item_bytes > 2 ? 2 : (uint32_t)request->item_bytes - 1;
    bool once = request->item_bytes == 1 && request_is_apart(request);
    return once || carried_values_use_both_buffers(request) ? 0 : 1;
}

static struct lsd_workspace lsd_request_lay_out_with(const struct request *request,
                                                     uint64_t scratch, uint32_t spares)
{
    uint64_t count = request->maximum_count;
    uint64_t keys = launch_aligned(count * request->item_bytes);
    uint64_t values = launch_aligned(count * lsd_request_value_bytes(request));
    struct lsd_workspace w;
    w.keys[0] = scratch;
    w.keys[1] = scratch + (spares > 1 ? keys : 0);
    w.values = scratch + spares * keys;
    w.index = w.values + (spares > 0 ? values : 0);
    w.column = w.index + (lsd_request_moves_index(request) ? values : 0);
    w.total =
        w.column + (lsd_request_moves_index(request) ? carried_values_widest_column(request) : 0);
    return w;
}

struct lsd_workspace lsd_request_lay_out(const struct request *request, uint64_t scratch)
{
    return lsd_request_lay_out_with(request, scratch, lsd_request_spares(request));
}

struct lsd_workspace lsd_request_lay_out_at_once(const struct request *request, uint64_t scratch)
{
    return lsd_request_lay_out_with(request, scratch, 0);
}

uint64_t lsd_held_keys(uint64_t blocks, uint32_t tile_keys)
{
    const uint64_t most = LSD_GROUP * LSD_MOST_GROUPS;
    return (blocks < most ? blocks : most) * tile_keys;
}

uint64_t lsd_request_held_keys(const struct request *request, uint32_t tile_keys, uint64_t shared)
{
    const uint64_t system = 1024; /* bytes of each block, and of the most that one may have */
    const uint64_t fit = 2 * (shared + system) <= cuda_cost_shared(request) + system ? 2 : 1;
    return lsd_held_keys(fit * cuda_cost_processors(request), tile_keys);
}

consort_status lsd_request_check_held(const struct request *request, uint64_t keys)
{
    return request->maximum_count <= keys
               ? CONSORT_OK
               : status_fail(CONSORT_ERROR_NO_KERNEL,
                             "fewer blocks live on this GPU than it has room for: they hold %llu "
                             "keys, not %llu",
                             (unsigned long long)keys, (unsigned long long)request->maximum_count);
}

struct lsd_arguments lsd_request_arguments(const struct request *request, const struct run *run,
                                           const struct lsd_workspace *w)
{
    const consort_arguments *arguments = run->arguments;
    struct lsd_arguments a = {.keys_in = arguments->in,
                              .keys_out = arguments->out,
                              .count = arguments->count,
                              .outcome = arguments->outcome};
    const struct codec *codec = &request->order.pieces[0].codec;
    a.codec = codec_constants_of(codec);
    a.passes = codec->bits / LSD_DIGIT_BITS;
    a.double_buffer = carried_values_use_both_buffers(request);
    a.keys_spare[0] =
        a.double_buffer ? (void *)arguments->in : launch_place(run->workspace, w->keys[0]);
    a.keys_spare[1] = launch_place(run->workspace, w->keys[1]);
    a.values_spare = launch_place(run->workspace, w->values);
    a.in_place = arguments->in == arguments->out;
    if (request->operation == CONSORT_OPERATION_ARGSORT) {
        a.value_mode = LSD_VALUES_INDEX;
        a.values_out = arguments->indices;
    } else if (lsd_request_moves_index(request)) {
        a.value_mode = LSD_VALUES_INDEX;
        a.values_out = launch_place(run->workspace, w->index);
    } else if (request->value_count == 1) {
        const consort_column *column = &arguments->values[0];
        a.values_in = column->in;
        a.values_out = column->out;
        a.in_place |= column->in == column->out;
        if (a.double_buffer)
            a.values_spare = (void *)column->in;
    }
    return a;
}

/* Brings every column into the order of the sorted index. */
static consort_status lsd_request_gather(const struct launch *gather, const struct request *request,
                                         const struct run *run, const struct lsd_workspace *w)
{
    const consort_arguments *arguments = run->arguments;
    char *workspace = run->workspace;
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++) {
        status = run_wants_column(run, i);
        if (status == CONSORT_OK)
            status = cuda_gather_column(gather, &arguments->values[i], workspace + w->index,
                                        lsd_request_value_bytes(request), arguments->count,
                                        workspace + w->column, run->stream);
        if (status == CONSORT_OK)
            status = run_column_done(run, i);
    }
    return status;
}

consort_status lsd_request_run(const struct consort_plan *plan, const struct run *run,
                               const struct lsd_workspace *w, const struct launch *gather,
                               lsd_request_sort *sort)
{
    const struct request *request = &plan->request;
    bool moves_index = lsd_request_moves_index(request);
    consort_status status = CONSORT_OK;
    if (request->value_count > 0 && !moves_index)
        status = run_wants_column(run, 0);
    if (status == CONSORT_OK)
        status = sort(plan, run, w);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    if (status == CONSORT_OK && moves_index)
        status = lsd_request_gather(gather, request, run, w);
    return status;
}
