/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a spread list is sorted: each part by its GPU, and where one part ends and the next
 * begins. */
#include <stddef.h>

#include "core/status.h"
#include "cuda/sorts/scan/cuda_scan.h"
#include "multi/records/records.h"

static char *check_edge(const struct records *r, uint32_t number, bool last)
{
    return r->edges + (2 * number + last) * r->plan->request.item_bytes;
}

static consort_status check_fetch(void *to, const void *from, uint64_t bytes, CUstream stream)
{
    CUresult result =
        driver_get()->cuMemcpyDtoHAsync(to, (CUdeviceptr)(uintptr_t)from, bytes, stream);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "copying from the GPU");
}

static consort_status check_scan(const struct records_member *member)
{
    consort_arguments arguments;
    bool whole;
    consort_arguments_init(&arguments);
    arguments.count = member->part->count;
    arguments.in = member->items;
    const struct run run = {.arguments = &arguments,
                            .workspace = member->spare,
                            .outcome = member->found,
                            .stream = member->lane->sort,
                            .input_whole = &whole};
    return cuda_scan_is_sorted.run(&member->check, &run);
}

static consort_status check_queue(struct records *r, struct records_member *member, void *none)
{
    (void)none;
    uint32_t number = (uint32_t)(member - r->members);
    uint64_t bytes = r->plan->request.item_bytes;
    const char *items = member->items;
    CUstream stream = member->lane->sort;
    consort_status status = check_scan(member);
    if (status == CONSORT_OK) /* a scan has no counters and sets none */
        status = check_fetch(&r->outcomes[number], member->found,
                             offsetof(consort_outcome, counters), stream);
    if (status == CONSORT_OK)
        status = check_fetch(check_edge(r, number, false), items, bytes, stream);
    if (status == CONSORT_OK)
        status = check_fetch(check_edge(r, number, true), items + (member->part->count - 1) * bytes,
                             bytes, stream);
    return status;
}

static consort_status check_await(struct records *r, struct records_member *member, void *none)
{
    (void)r;
    (void)none;
    CUresult result = driver_get()->cuStreamSynchronize(member->lane->sort);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "looking for a disorder on the GPU");
}

static bool check_conclude(const struct records *r)
{
    const char *before = NULL;
    for (uint32_t m = 0; m < r->member_count; m++) {
        uint64_t count = r->members[m].part->count;
        if (count == 0)
            continue;
        if (r->outcomes[m].position != count)
            return false;
        if (before && order_compare(&r->plan->request.order, before, check_edge(r, m, false)) > 0)
            return false;
        before = check_edge(r, m, true);
    }
    return true;
}

consort_status records_check(struct records *r, bool *sorted)
{
    consort_status status = records_each(r, check_queue, NULL);
    if (status == CONSORT_OK)
        status = records_each(r, check_await, NULL);
    *sorted = status == CONSORT_OK && check_conclude(r);
    return status;
}
