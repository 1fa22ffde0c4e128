/* SPDX-License-Identifier: Apache-2.0 */
/* What `coded` asks of other algorithms, and where everything lies in the workspace. */
#include "cuda/sorts/coded/coded_request.h"

#include "cuda/launch.h"
#include "cuda/sorts/coded/coded_layout.h"
#include "cuda/sorts/merge/cuda_merge_path.h"
#include "cuda/sorts/normalised/normalised.h"
#include "cuda/sorts/normalised/normalised_order.h"
#include "cuda/sorts/segmented/cuda_segmented.h"
#include "cuda/sorts/topk/topk.h"

bool coded_by_key(const struct request *request)
{
    return order_code_is_complete(&request->order);
}

bool coded_by_rank(const struct request *request)
{
    return !coded_by_key(request) && request->operation != CONSORT_OPERATION_MERGE;
}

/* Numbers of items. */
static uint32_t coded_number_bytes(const struct request *request)
{
    return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
}

uint32_t coded_bytes(const struct request *request)
{
    return coded_by_key(request) ? order_code_bytes(&request->order) : coded_number_bytes(request);
}

const struct algorithm *coded_algorithm(int32_t operation)
{
    return operation == CONSORT_OPERATION_MERGE   ? &cuda_merge_path
           : operation == CONSORT_OPERATION_TOP_K ? &topk_radix_select
                                                  : &cuda_segmented_sort;
}

static consort_type coded_type(uint32_t bytes)
{
    return bytes == 4 ? CONSORT_U32 : bytes == 8 ? CONSORT_U64 : CONSORT_U128;
}

/* The items behind the columns move as one column more; top-k moves none, and always wants
 * indices. */
void coded_request_make(struct coded_request *coded, const struct request *request)
{
    uint32_t bytes = coded_bytes(request);
    struct request *r = &coded->request;
    *r = *request;
    r->type = coded_type(bytes);
    coded->piece =
        (struct order_piece){.codec = codec_of(r->type, CONSORT_ASCENDING, CONSORT_NAN_LAST)};
    r->order = (struct order){.item_bytes = bytes,
                              .piece_count = 1,
                              .pieces = &coded->piece,
                              .total_bits = coded->piece.codec.bits,
                              .injective = true};
    r->item_bytes = bytes;
    r->memory = CONSORT_MEMORY_DEVICE;
    r->form = CONSORT_FORM_COPY;
    r->apart = false;
    if (r->operation != CONSORT_OPERATION_TOP_K)
        r->value_count++;
    else if (r->index_bytes == 0)
        r->index_bytes = coded_number_bytes(request);
}

struct request coded_argsort_of(const struct request *request)
{
    struct request argsort = *request;
    argsort.operation = CONSORT_OPERATION_ARGSORT;
    argsort.memory = CONSORT_MEMORY_DEVICE;
    argsort.form = CONSORT_FORM_COPY;
    argsort.apart = false;
    argsort.value_count = 0;
    argsort.index_bytes = coded_bytes(request);
    return argsort;
}

/* Rows together keep no more items than there are. */
static uint64_t coded_most_chosen(const struct request *request)
{
    uint64_t rows = request->maximum_rows;
    return request->maximum_k <= request->maximum_count / rows ? request->maximum_k * rows
                                                               : request->maximum_count;
}

/* Bytes of what ranks or places are made of, from w->prefixes on. */
static uint64_t coded_making_bytes(const struct request *request, struct coded_workspace *w)
{
    if (coded_by_key(request))
        return 0;
    if (!coded_by_rank(request))
        return request->maximum_count * CODED_PREFIX_BYTES;
    struct request argsort = coded_argsort_of(request);
    uint64_t sorted = launch_aligned(request->maximum_count * coded_bytes(request));
    w->argsort = w->sorted + sorted;
    return sorted + normalised_argsort.workspace(&argsort, NULL);
}

struct coded_workspace coded_lay_out(const struct request *request)
{
    struct coded_workspace w = {0};
    struct coded_request coded;
    coded_request_make(&coded, request);
    bool merges = request->operation == CONSORT_OPERATION_MERGE;
    bool chooses = request->operation == CONSORT_OPERATION_TOP_K;
    bool compares = merges && !coded_by_key(request);
    uint64_t codes = request->maximum_count * coded_bytes(request), end = 0;
    w.codes = launch_take(&end, codes);
    w.order = launch_take(&end, compares ? normalised_order_bytes(&request->order) : 0);
    w.chosen =
        launch_take(&end, chooses ? coded_most_chosen(request) * coded.request.index_bytes : 0);
    w.merged = w.prefixes = w.sorted = end;
    w.inner = end + launch_aligned(merges ? codes : 0);
    uint64_t making = end + coded_making_bytes(request, &w);
    w.total = w.inner + coded_algorithm(request->operation)->workspace(&coded.request, NULL);
    w.total = w.total > making ? w.total : making;
    return w;
}
