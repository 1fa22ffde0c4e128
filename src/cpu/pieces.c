/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sort by distribution, of items that come and go in pieces: each piece is distributed among
 * buckets as soon as it was read, and each bucket is written as soon as it is sorted. Memory holds
 * the items once, and the processors work while others of the team wait for the disk. A bucket
 * that is larger than a piece is distributed again.
 */
#include "cpu/pieces.h"

#include <string.h>

#include "core/status.h"
#include "cpu/cost.h"
#include "cpu/pieces_counted.h"
#include "cpu/pieces_run.h"
#include "cpu/radix_run.h"
#include "cpu/sort_radix.h"
#include "cpu/team.h"

enum {
    /* A bucket's share of a piece, at least: small ones would cost more than they save. */
    PIECES_SMALLEST = 32,
    /* From here on the sample is everything, so that each distribution narrows every bucket. */
    PIECES_EXACT_DEPTH = 3,
    /* Blocks that a sample of a bucket has. */
    PIECES_SAMPLE = 1024
};

static uint64_t pieces_block(const struct pieces_run *pieces)
{
    return PIECES_BLOCK / pieces->sizes.width;
}

/* Spots of the input at equal distances, each to a block of its own, which is its number. */
static void pieces_sample_member(void *context, uint32_t member, uint32_t size)
{
    struct pieces_run *pieces = context;
    uint64_t count = pieces->flow.run->arguments->count, block = pieces_block(pieces);
    uint64_t blocks = count / block + (count % block != 0);
    uint64_t spots = pieces->sizes.spots < blocks ? pieces->sizes.spots : blocks;
    (void)size;
    while (!pieces_flow_stopped(&pieces->flow)) {
        uint64_t spot = atomic_fetch_add(&pieces->flow.next, 1);
        if (spot >= spots)
            break;
        uint64_t first = (uint64_t)((uint128)blocks * spot / spots) * block;
        uint64_t items = count - first < block ? count - first : block;
        void *to = pieces_store_at(&pieces->store, (uint32_t)spot);
        const void *from = pieces_flow_read(&pieces->flow, first, items, to, member);
        if (from != to)
            memcpy(to, from, items * pieces->sizes.width);
        pieces->store.blocks[spot].bytes = (uint32_t)(items * pieces->sizes.width);
    }
}

static struct pieces_chain pieces_sample(struct pieces_run *pieces)
{
    struct pieces_chain sample = pieces_chain_empty();
    atomic_store(&pieces->flow.next, 0);
    team_run(pieces->team, pieces_sample_member, pieces);
    uint64_t count = pieces->flow.run->arguments->count, block = pieces_block(pieces);
    for (uint64_t spot = 0; spot < pieces->sizes.spots && spot * block < count; spot++) {
        uint32_t taken = pieces_store_take(&pieces->store);
        pieces_chain_add(&pieces->store, &sample, taken, pieces->store.blocks[taken].bytes);
    }
    return sample;
}

/* The part of `count` items that a bucket should have: all buckets are used, if that does not make
 * them too small; and half a piece at most. */
static double pieces_share(const struct pieces_run *pieces, uint64_t count)
{
    double piece = (double)pieces->sizes.piece, items = (double)count;
    double even = items / ((double)pieces->sizes.buckets / 2);
    double least = piece / PIECES_SMALLEST;
    double wanted = even > least ? even : least;
    return (wanted < piece / 2 ? wanted : piece / 2) / items;
}

static void pieces_make_map(struct pieces_run *pieces)
{
    struct pieces_later *source = &pieces->source;
    uint64_t count = pieces->flow.run->arguments->count;
    struct pieces_chain sample = source->chain;
    uint64_t step = 1;
    if (source->depth == 0) {
        sample = pieces_sample(pieces);
    } else {
        count = source->chain.bytes / pieces->sizes.width;
        if (source->depth < PIECES_EXACT_DEPTH)
            step = source->chain.bytes / PIECES_BLOCK / PIECES_SAMPLE + 1;
    }
    if (atomic_load(&pieces->flow.stopped))
        return;
    pieces_map_make(pieces->map, &pieces->codec, &pieces->store, &sample, (uint32_t)step,
                    pieces_share(pieces, count), pieces->sizes.buckets);
    if (source->depth == 0)
        pieces_store_give(&pieces->store, &sample);
}

static void pieces_distribute_input(struct pieces_run *pieces, uint32_t member,
                                    pieces_scatter scatter)
{
    struct pieces_member *mine = &pieces->members[member];
    uint64_t count = pieces->flow.run->arguments->count, piece = pieces->sizes.piece;
    unsigned char *buffer = pieces_page(mine->gathered);
    while (!pieces_flow_stopped(&pieces->flow)) {
        uint64_t first = atomic_fetch_add(&pieces->flow.next, 1) * piece;
        if (first >= count)
            break;
        uint64_t items = count - first < piece ? count - first : piece;
        const void *from = pieces_flow_read(&pieces->flow, first, items, buffer, member);
        if (!atomic_load(&pieces->flow.stopped))
            scatter(&mine->writer, pieces->map, &pieces->codec, from, items);
        pieces_flow_count(&pieces->flow, items, member);
    }
}

static void pieces_distribute_bucket(struct pieces_run *pieces, uint32_t member,
                                     pieces_scatter scatter)
{
    struct pieces_store *store = &pieces->store;
    while (!pieces_flow_stopped(&pieces->flow)) {
        uint32_t block = pieces_store_pop(store, &pieces->source.chain);
        if (block == PIECES_NO_BLOCK)
            break;
        uint32_t bytes = store->blocks[block].bytes;
        scatter(&pieces->members[member].writer, pieces->map, &pieces->codec,
                pieces_store_at(store, block), bytes / pieces->sizes.width);
        pieces_store_give(store, &(struct pieces_chain){block, block, bytes});
    }
}

static void pieces_distribute_member(void *context, uint32_t member, uint32_t size)
{
    struct pieces_run *pieces = context;
    struct pieces_writer *writer = &pieces->members[member].writer;
    pieces_scatter scatter = pieces_scatter_of(pieces->sizes.width);
    (void)size;
    pieces_writer_begin(writer, pieces->map->buckets, pieces->sizes.width);
    if (pieces->source.depth == 0)
        pieces_distribute_input(pieces, member, scatter);
    else
        pieces_distribute_bucket(pieces, member, scatter);
    pieces_writer_end(writer, pieces->map->buckets, pieces->sizes.width);
}

static void pieces_distribute(struct pieces_run *pieces)
{
    atomic_store(&pieces->flow.next, 0);
    team_run(pieces->team, pieces_distribute_member, pieces);
    for (uint32_t bucket = 0; bucket < pieces->map->buckets; bucket++) {
        pieces->buckets[bucket] = pieces_chain_empty();
        for (uint32_t member = 0; member < team_size(pieces->team); member++)
            pieces_chain_join(&pieces->store, &pieces->buckets[bucket],
                              &pieces->members[member].writer.chains[bucket]);
    }
}

/* A bucket of copies of one key is not worth keeping. */
static void pieces_add_copies(struct pieces_run *pieces, uint32_t bucket, uint64_t first,
                              uint64_t count)
{
    const struct pieces_chain *chain = &pieces->buckets[bucket];
    struct pieces_task task = {.first = first, .count = 0};
    memcpy(task.key, pieces_store_at(&pieces->store, chain->first), pieces->sizes.width);
    pieces_store_give(&pieces->store, chain);
    for (uint64_t end = first + count; task.first < end; task.first += task.count) {
        uint64_t left = end - task.first;
        task.count = left < pieces->sizes.piece ? left : pieces->sizes.piece;
        pieces->tasks[pieces->task_count++] = task;
    }
}

/* Neighbours that fit a piece together are one task. */
static void pieces_add_bucket(struct pieces_run *pieces, uint32_t bucket, uint64_t first,
                              uint64_t count)
{
    struct pieces_task *last =
        pieces->task_count > 0 ? &pieces->tasks[pieces->task_count - 1] : NULL;
    if (last && last->buckets > 0 && last->first + last->count == first &&
        last->count + count <= pieces->sizes.piece) {
        last->buckets = bucket - last->bucket + 1;
        last->count += count;
        return;
    }
    pieces->tasks[pieces->task_count++] =
        (struct pieces_task){.first = first, .count = count, .bucket = bucket, .buckets = 1};
}

static void pieces_plan_tasks(struct pieces_run *pieces)
{
    uint64_t first = pieces->source.first;
    pieces->task_count = 0;
    for (uint32_t bucket = 0; bucket < pieces->map->buckets; bucket++) {
        const struct pieces_chain *chain = &pieces->buckets[bucket];
        uint64_t count = chain->bytes / pieces->sizes.width;
        if (count > 0 && pieces->map->equal[bucket])
            pieces_add_copies(pieces, bucket, first, count);
        else if (count > pieces->sizes.piece)
            pieces->later[pieces->later_count++] =
                (struct pieces_later){*chain, first, pieces->source.depth + 1};
        else if (count > 0)
            pieces_add_bucket(pieces, bucket, first, count);
        first += count;
    }
}

static void pieces_gather(struct pieces_store *store, const struct pieces_chain *chain, char *to)
{
    for (uint32_t block = chain->first; block != PIECES_NO_BLOCK;
         block = store->blocks[block].next) {
        memcpy(to, pieces_store_at(store, block), store->blocks[block].bytes);
        to += store->blocks[block].bytes;
    }
    pieces_store_give(store, chain);
}

static void pieces_sort_buckets(struct pieces_run *pieces, const struct pieces_task *task,
                                struct pieces_member *mine, char *from, char *to)
{
    for (uint32_t i = 0; i < task->buckets; i++) {
        const struct pieces_chain *chain = &pieces->buckets[task->bucket + i];
        if (chain->bytes == 0)
            continue;
        pieces_gather(&pieces->store, chain, from);
        struct radix_job job = {.keys_in = from,
                                .keys_out = to,
                                .count = chain->bytes / pieces->sizes.width,
                                .width = pieces->sizes.width,
                                .codec = pieces->codec,
                                .workspace = mine->sort,
                                .workspace_bytes = pieces->sizes.sort,
                                .team = pieces->alone,
                                .input_is_spare = true};
        job.count <= radix_leaf_items(job.width) ? radix_run_leaf(&job) : radix_msd(&job);
        from += chain->bytes;
        to += chain->bytes;
    }
}

/* What is written lies in memory as in the file, so that it can go there without a copy. */
static char *pieces_place(const struct pieces_run *pieces, unsigned char *buffer, uint64_t first)
{
    return (char *)pieces_page(buffer) + first * pieces->sizes.width % PIECES_BLOCK;
}

static void pieces_do_task(struct pieces_run *pieces, const struct pieces_task *task,
                           uint32_t member)
{
    struct pieces_member *mine = &pieces->members[member];
    uint32_t width = pieces->sizes.width;
    char *to = pieces_flow_whole(&pieces->flow)
                   ? (char *)pieces->flow.run->arguments->out + task->first * width
                   : pieces_place(pieces, mine->sorted, task->first);
    char *from = pieces_place(pieces, mine->gathered, task->first);
    if (task->buckets > 0)
        pieces_sort_buckets(pieces, task, mine, from, to);
    else
        for (uint64_t i = 0; i < task->count; i++)
            memcpy(to + i * width, task->key, width);
    pieces_flow_write(&pieces->flow, task->first, task->count, to, member);
}

static void pieces_tasks_member(void *context, uint32_t member, uint32_t size)
{
    struct pieces_run *pieces = context;
    (void)size;
    while (!pieces_flow_stopped(&pieces->flow)) {
        uint64_t task = atomic_fetch_add(&pieces->flow.next, 1);
        if (task >= pieces->task_count)
            break;
        pieces_do_task(pieces, &pieces->tasks[task], member);
        pieces_flow_count(&pieces->flow, pieces->tasks[task].count, member);
    }
}

static void pieces_sort(struct pieces_run *pieces)
{
    const consort_arguments *arguments = pieces->flow.run->arguments;
    for (;;) {
        pieces_flow_count(&pieces->flow, 0, 0);
        pieces_make_map(pieces);
        if (!atomic_load(&pieces->flow.stopped))
            pieces_distribute(pieces);
        if (atomic_load(&pieces->flow.stopped))
            return;
        if (pieces_flow_whole(&pieces->flow) && arguments->in == arguments->out)
            *pieces->flow.run->input_whole = false;
        pieces_plan_tasks(pieces);
        atomic_store(&pieces->flow.next, 0);
        team_run(pieces->team, pieces_tasks_member, pieces);
        if (pieces->later_count == 0 || atomic_load(&pieces->flow.stopped))
            return;
        pieces->source = pieces->later[--pieces->later_count];
    }
}

static consort_status pieces_run_sort(const struct consort_plan *plan, const struct run *run)
{
    struct pieces_run pieces;
    if (pieces_counted_suits(&plan->request))
        return pieces_counted_run(plan, run);
    bool begun = pieces_run_begin(&pieces, plan, run);
    if (begun) {
        pieces_sort(&pieces);
        pieces_flow_count(&pieces.flow, 0, 0);
    }
    bool stopped = begun && atomic_load(&pieces.flow.stopped);
    pieces_run_release(&pieces);
    if (!begun)
        return status_fail(CONSORT_ERROR_MEMORY, "sort in pieces: out of memory");
    return stopped ? status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled") : CONSORT_OK;
}

static const char *pieces_refuses(const struct request *request)
{
    if (!order_is_plain(&request->order))
        return "it distributes arrays of scalar keys whose order is total";
    return request->value_count > 0 ? "it moves no values" : NULL;
}

static uint64_t pieces_any_workspace(const struct request *request, const int64_t *parameters)
{
    return pieces_counted_suits(request) ? pieces_counted_workspace(request, parameters)
                                         : pieces_workspace(request, parameters);
}

const struct algorithm sort_pieces = {
    .name = "pieces",
    .summary = "distribution into buckets of a sample's quantiles while the items come, buckets "
               "sorted while they go (Frazer & McKellar 1970; Knuth 5.2.5); 8 and 16 bits counted",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .pieces = true,
    .parameters = pieces_parameters,
    .parameter_count = PIECES_PARAMETERS,
    .refuses = pieces_refuses,
    .workspace = pieces_any_workspace,
    .cost = cost_pieces,
    .run = pieces_run_sort,
};
