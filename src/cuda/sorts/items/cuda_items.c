/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of items: from the arrays of a run to items and back. */
#include "cuda/sorts/items/cuda_items.h"

#include <stdio.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/normalised/normalised_windows.h"

enum {
    ITEMS_BLOCKS = 8 /* a multiprocessor: all that fit */
};

/* Where everything lies in the workspace. What is gathered in place rests where the codes were. */
struct items_places {
    uint64_t index, codes, total;
};

static bool items_is_argsort(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_ARGSORT;
}

static bool items_are_keys_alone(const struct request *request)
{
    return !items_is_argsort(request) && request->value_count == 0 && request_is_plain(request);
}

const char *cuda_items_refuses(const struct request *request)
{
    if (request->order.compare)
        return "a GPU cannot call the caller's comparison";
    return order_code_is_complete(&request->order) ? NULL : "it sorts keys of at most 128 bits";
}

uint32_t cuda_items_code_bytes(const struct request *request)
{
    return items_are_keys_alone(request) ? (uint32_t)request->item_bytes
                                         : order_code_bytes(&request->order);
}

uint32_t cuda_items_index_bytes(const struct request *request)
{
    if (items_are_keys_alone(request))
        return 0;
    if (items_is_argsort(request))
        return request->index_bytes;
    return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
}

/* Bytes of the widest array that may have to be moved in place. */
static uint64_t items_widest(const struct request *request)
{
    if (items_is_argsort(request) || request_is_apart(request))
        return 0;
    uint64_t widest = request->item_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        if (request->value_bytes[i] > widest)
            widest = request->value_bytes[i];
    return widest * request->maximum_count;
}

static struct items_places items_lay_out(const struct request *request)
{
    struct items_places places = {0};
    uint64_t count = request->maximum_count;
    if (items_are_keys_alone(request) || count == 0)
        return places;
    uint64_t codes = launch_aligned(count * cuda_items_code_bytes(request));
    uint64_t moving = launch_aligned(items_widest(request));
    places.codes =
        items_is_argsort(request) ? 0 : launch_aligned(count * cuda_items_index_bytes(request));
    places.total = places.codes + (codes > moving ? codes : moving);
    return places;
}

uint64_t cuda_items_workspace(const struct request *request)
{
    return items_lay_out(request).total;
}

CUfunction cuda_items_kernel(const struct request *request, const struct device *device,
                             const char *image, const char *prefix, uint32_t shared)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%u_%u", prefix, 8 * cuda_items_code_bytes(request),
             8 * cuda_items_index_bytes(request));
    return kernels_find(device, image, name, shared);
}

static bool items_find(const struct device *device, struct launch *launch, const char *image,
                       const char *name, uint32_t threads)
{
    *launch = (struct launch){kernels_find(device, image, name, 0), threads, 0};
    return launch->function != NULL;
}

consort_status cuda_items_prepare(struct cuda_items *c, const struct request *request,
                                  const struct device *device)
{
    unsigned bits = 8 * cuda_items_code_bytes(request);
    char encode[32], decode[32];
    bool alone = items_are_keys_alone(request);
    snprintf(encode, sizeof encode, "%s_encode_%u", alone ? "items" : "normalised", bits);
    snprintf(decode, sizeof decode, "items_decode_%u", bits);
    c->blocks = ITEMS_BLOCKS * (uint32_t)device->processors;
    bool found = items_find(device, &c->encode, alone ? "items" : "normalised", encode,
                            alone ? (uint32_t)ITEMS_THREADS : (uint32_t)NORMALISED_THREADS) &&
                 items_find(device, &c->decode, "items", decode, ITEMS_THREADS) &&
                 items_find(device, &c->number, "items", "items_number", ITEMS_THREADS) &&
                 items_find(device, &c->tell, "items", "items_tell", 1);
    return found ? cuda_gather_prepare(&c->gather, device) : consort_last_error()->status;
}

static uint64_t items_blocks(const struct cuda_items *c, uint64_t count)
{
    uint64_t blocks = (count + ITEMS_THREADS - 1) / ITEMS_THREADS;
    return blocks < c->blocks ? blocks : c->blocks;
}

struct items cuda_items_home(const struct consort_plan *plan, const struct run *run)
{
    const struct request *request = &plan->request;
    const consort_arguments *a = run->arguments;
    if (items_are_keys_alone(request))
        return (struct items){.codes = a->out, .count = a->count};
    char *workspace = run->workspace;
    return (struct items){.codes = workspace + items_lay_out(request).codes,
                          .indices = items_is_argsort(request) ? a->indices : workspace,
                          .count = a->count};
}

bool cuda_items_are_codes(const struct consort_plan *plan)
{
    return items_are_keys_alone(&plan->request) &&
           codec_constants_of(&plan->request.order.pieces[0].codec).identity;
}

/* Only keys that are no codes yet, or lie elsewhere, have to be touched. */
static consort_status items_make_keys(const struct cuda_items *c, const struct consort_plan *plan,
                                      const struct run *run, const struct items *items)
{
    struct code_constants codec = codec_constants_of(&plan->request.order.pieces[0].codec);
    const void *in = run->arguments->in;
    void *codes = items->codes;
    uint64_t count = items->count;
    void *parameters[] = {&in, &codes, &count, &codec};
    if (codec.identity && in == codes)
        return CONSORT_OK;
    return launch_kernel(&c->encode, items_blocks(c, count), run->stream, parameters);
}

static consort_status items_make_indexed(const struct cuda_items *c,
                                         const struct consort_plan *plan, const struct run *run,
                                         const struct items *items)
{
    const struct request *request = &plan->request;
    void *codes = items->codes, *indices = items->indices;
    uint64_t first = 0, count = items->count;
    struct normalised_items from = {
        .items = run->arguments->in, .item_bytes = request->item_bytes, .count = count};
    uint32_t key_bytes = (uint32_t)(request->order.total_bits / 8);
    struct normalised_window window = normalised_windows_of(&request->order, 0, key_bytes);
    void *encode[] = {&from, &window, &codes};
    uint32_t index_bytes = cuda_items_index_bytes(request);
    void *number[] = {&indices, &index_bytes, &first, &count};
    uint64_t blocks = items_blocks(c, count);
    consort_status status = launch_kernel(&c->encode, blocks, run->stream, encode);
    return status == CONSORT_OK ? launch_kernel(&c->number, blocks, run->stream, number) : status;
}

consort_status cuda_items_make(const struct cuda_items *c, const struct consort_plan *plan,
                               const struct run *run, const struct items *items)
{
    return items_are_keys_alone(&plan->request) ? items_make_keys(c, plan, run, items)
                                                : items_make_indexed(c, plan, run, items);
}

consort_status cuda_items_begin(const struct cuda_items *c, const struct consort_plan *plan,
                                const struct run *run, struct items *items)
{
    *items = cuda_items_home(plan, run);
    return cuda_items_make(c, plan, run, items);
}

static consort_status items_finish_keys(const struct cuda_items *c, const struct consort_plan *plan,
                                        const struct run *run, const struct items *items)
{
    struct code_constants codec = codec_constants_of(&plan->request.order.pieces[0].codec);
    void *keys = items->codes;
    uint64_t count = items->count;
    void *parameters[] = {&keys, &count, &codec};
    if (codec.identity)
        return CONSORT_OK;
    return launch_kernel(&c->decode, items_blocks(c, count), run->stream, parameters);
}

static consort_status items_finish_indexed(const struct cuda_items *c,
                                           const struct consort_plan *plan, const struct run *run,
                                           const struct items *items)
{
    const struct request *request = &plan->request;
    const consort_arguments *a = run->arguments;
    uint32_t index_bytes = cuda_items_index_bytes(request);
    const consort_column keys = {.in = a->in, .out = a->out, .element_bytes = request->item_bytes};
    consort_status status = items_is_argsort(request)
                                ? CONSORT_OK
                                : cuda_gather_column(&c->gather, &keys, items->indices, index_bytes,
                                                     items->count, items->codes, run->stream);
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++)
        status = cuda_gather_column(&c->gather, &a->values[i], items->indices, index_bytes,
                                    items->count, items->codes, run->stream);
    return status;
}

consort_status cuda_items_finish(const struct cuda_items *c, const struct consort_plan *plan,
                                 const struct run *run, const struct items *items)
{
    consort_status status = items_are_keys_alone(&plan->request)
                                ? items_finish_keys(c, plan, run, items)
                                : items_finish_indexed(c, plan, run, items);
    void *outcome = run->arguments->outcome;
    void *parameters[] = {&outcome};
    return status == CONSORT_OK && outcome ? launch_kernel(&c->tell, 1, run->stream, parameters)
                                           : status;
}
