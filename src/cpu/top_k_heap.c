/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selecting the first k of an order with heaps, for any order: a member keeps the k best positions
 * of its items in a heap whose root is the worst of them, and most items fail against the root.
 * Many rows are shared out; the heaps of one large row are united at the end.
 */
#include "cpu/top_k_heap.h"

#include <stdatomic.h>
#include <string.h>

#include "core/plan.h"
#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/cost.h"
#include "cpu/share.h"

enum {
    TOP_K_HEAP_LOOK = 1 << 14, /* items between two looks at the cancel flag */
    TOP_K_HEAP_SLACK = 4       /* a row per member and more: rows are shared out */
};

struct top_k_heap {
    const struct request *request;
    const struct run *run;
    const struct order *order;
    const char *items; /* of the present row, or of all */
    uint64_t row_length;
    uint64_t kept;   /* items per row in the output */
    uint64_t *heaps; /* per member `stride` words: the heap's size, then its positions */
    uint64_t stride;
    _Atomic uint64_t next_row;
    atomic_bool cancelled;
};

/* Positions within one row, worst first. */
struct heap {
    const struct order *order;
    const char *items;
    uint64_t *positions;
    uint64_t size;
    uint64_t most;
};

/* Of equal items the lower position comes first. */
static bool heap_before(const struct heap *heap, uint64_t i, uint64_t j)
{
    uint64_t bytes = heap->order->item_bytes;
    int sign = order_compare(heap->order, heap->items + i * bytes, heap->items + j * bytes);
    return sign != 0 ? sign < 0 : i < j;
}

static void heap_sift_down(const struct heap *heap, uint64_t hole, uint64_t size, uint64_t position)
{
    for (;;) {
        uint64_t child = 2 * hole + 1;
        if (child >= size)
            break;
        if (child + 1 < size &&
            heap_before(heap, heap->positions[child], heap->positions[child + 1]))
            child++;
        if (!heap_before(heap, position, heap->positions[child]))
            break;
        heap->positions[hole] = heap->positions[child];
        hole = child;
    }
    heap->positions[hole] = position;
}

static void heap_offer(struct heap *heap, uint64_t position)
{
    if (heap->size == heap->most) {
        if (heap_before(heap, position, heap->positions[0]))
            heap_sift_down(heap, 0, heap->size, position);
        return;
    }
    uint64_t hole = heap->size++;
    while (hole > 0 && heap_before(heap, heap->positions[(hole - 1) / 2], position)) {
        heap->positions[hole] = heap->positions[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap->positions[hole] = position;
}

/* Leaves the positions sorted, best first. */
static void heap_sort(struct heap *heap)
{
    for (uint64_t size = heap->size; size > 1; size--) {
        uint64_t last = heap->positions[size - 1];
        heap->positions[size - 1] = heap->positions[0];
        heap_sift_down(heap, 0, size - 1, last);
    }
}

static void top_k_heap_write(const struct top_k_heap *job, uint64_t row, const struct heap *heap)
{
    const consort_arguments *arguments = job->run->arguments;
    uint64_t bytes = job->order->item_bytes, at = row * job->kept;
    for (uint64_t j = 0; j < job->kept; j++) {
        uint64_t position = heap->positions[j];
        if (arguments->out)
            memcpy((char *)arguments->out + (at + j) * bytes, heap->items + position * bytes,
                   bytes);
        if (arguments->indices && job->request->index_bytes == 4)
            ((uint32_t *)arguments->indices)[at + j] = (uint32_t)position;
        else if (arguments->indices)
            ((uint64_t *)arguments->indices)[at + j] = position;
    }
}

static struct heap top_k_heap_of(const struct top_k_heap *job, uint64_t row, uint32_t member)
{
    return (struct heap){.order = job->order,
                         .items = job->items + row * job->row_length * job->order->item_bytes,
                         .positions = job->heaps + member * job->stride + 1,
                         .most = job->kept};
}

static void top_k_heap_select(struct top_k_heap *job, struct heap *heap, uint64_t first,
                              uint64_t last)
{
    for (uint64_t i = first; i < last; i++) {
        if (i % TOP_K_HEAP_LOOK == 0 && checkpoint_cancelled(job->run->checkpoint)) {
            atomic_store(&job->cancelled, true);
            return;
        }
        heap_offer(heap, i);
    }
}

static void top_k_heap_rows(void *context, uint32_t member, uint32_t size)
{
    struct top_k_heap *job = context;
    uint64_t rows = job->run->arguments->rows;
    (void)size;
    for (;;) {
        uint64_t row = atomic_fetch_add(&job->next_row, 1);
        if (row >= rows || atomic_load(&job->cancelled))
            return;
        struct heap heap = top_k_heap_of(job, row, member);
        top_k_heap_select(job, &heap, 0, job->row_length);
        if (atomic_load(&job->cancelled))
            return;
        heap_sort(&heap);
        top_k_heap_write(job, row, &heap);
        if (member == 0 && checkpoint_pass(job->run->checkpoint, row, rows))
            atomic_store(&job->cancelled, true);
    }
}

static void top_k_heap_share(void *context, uint32_t member, uint32_t size)
{
    struct top_k_heap *job = context;
    uint64_t first, last, row = atomic_load(&job->next_row);
    struct heap heap = top_k_heap_of(job, row, member);
    team_share(job->row_length, member, size, 1, &first, &last);
    top_k_heap_select(job, &heap, first, last);
    job->heaps[member * job->stride] = heap.size;
}

/* Selects from one row after the other by the whole team. */
static void top_k_heap_together(struct top_k_heap *job, struct team *team)
{
    uint64_t rows = job->run->arguments->rows;
    for (uint64_t row = 0; row < rows && !atomic_load(&job->cancelled); row++) {
        atomic_store(&job->next_row, row);
        team_run(team, top_k_heap_share, job);
        struct heap best = top_k_heap_of(job, row, 0);
        best.size = job->heaps[0];
        for (uint32_t member = 1; member < team_size(team); member++) {
            const uint64_t *other = job->heaps + member * job->stride;
            for (uint64_t i = 1; i <= other[0]; i++)
                heap_offer(&best, other[i]);
        }
        if (atomic_load(&job->cancelled))
            return;
        heap_sort(&best);
        top_k_heap_write(job, row, &best);
        if (checkpoint_pass(job->run->checkpoint, row, rows))
            atomic_store(&job->cancelled, true);
    }
}

static uint64_t top_k_heap_most(const struct request *request)
{
    return request->maximum_k < request->maximum_count ? request->maximum_k
                                                       : request->maximum_count;
}

/* A heap for each thread and its size, or for as many as the limit has room for, at least one. */
static uint64_t top_k_heap_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    uint64_t most = top_k_heap_most(request);
    if (most == 0)
        return 0;
    uint64_t each = arena_bytes(most + 1, sizeof(uint64_t));
    uint64_t members = request->workspace_limit / each;
    if (members > request->threads)
        members = request->threads;
    return request_bytes(members ? members : 1, each);
}

static bool top_k_heap_do(struct top_k_heap *job, struct team *team)
{
    const consort_arguments *arguments = job->run->arguments;
    uint64_t rows = arguments->rows;
    if (checkpoint_pass(job->run->checkpoint, 0, rows))
        return false;
    uint32_t members = team_size(team);
    if (rows >= (uint64_t)members * TOP_K_HEAP_SLACK || members == 1)
        team_run(team, top_k_heap_rows, job);
    else
        top_k_heap_together(job, team);
    return !atomic_load(&job->cancelled) && !checkpoint_pass(job->run->checkpoint, rows, rows);
}

static consort_status top_k_heap_run(const struct consort_plan *plan, const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    uint64_t most = top_k_heap_most(&plan->request);
    struct top_k_heap job = {.request = &plan->request,
                             .run = run,
                             .order = &plan->request.order,
                             .items = arguments->in,
                             .row_length = arguments->count / arguments->rows,
                             .heaps = run->workspace,
                             .stride = arena_bytes(most + 1, 8) / 8};
    job.kept = arguments->k < job.row_length ? arguments->k : job.row_length;
    if (job.kept == 0)
        return CONSORT_OK;
    uint64_t heaps = plan->workspace / (job.stride * 8);
    uint32_t threads = share_threads(&plan->request, arguments->count, SHARE_HEAP);
    struct team *team =
        team_borrow(plan->request.context->pool, heaps < threads ? (uint32_t)heaps : threads);
    if (!team)
        return status_fail(CONSORT_ERROR_MEMORY, "top-k: out of memory");
    bool done = top_k_heap_do(&job, team);
    team_return(team);
    return done ? CONSORT_OK : status_fail(CONSORT_ERROR_CANCELLED, "top-k was cancelled");
}

const struct algorithm top_k_heap = {
    .name = "heap-select",
    .summary = "a heap of the k best positions per thread, united and heap-sorted; any comparison "
               "(Williams 1964)",
    .operation = CONSORT_OPERATION_TOP_K,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .workspace = top_k_heap_workspace,
    .cost = cost_top_k_heap,
    .run = top_k_heap_run,
};
