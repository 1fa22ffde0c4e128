/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging two sorted lists, with values, by merge path: the output is cut into equal pieces whose
 * ends are found by co-ranking, and each piece is merged by one member. Values follow a trace of
 * the merge, block by block, so that no workspace is needed.
 */
#include "cpu/merge_path.h"

#include <stdatomic.h>
#include <string.h>

#include "core/plan.h"
#include "core/status.h"
#include "cpu/mergesort.h"
#include "cpu/share.h"

enum {
    MERGE_PATH_BLOCK = 4096,          /* outputs of one trace, which lives on the stack */
    MERGE_PATH_LEAST_PIECE = 1 << 13, /* outputs; smaller pieces do not pay for waking threads */
    MERGE_PATH_PIECE = 1 << 20,       /* larger ones make cancelling late */
    MERGE_PATH_PIECES = 1024,
    MERGE_PATH_PIECES_PER_MEMBER = 4
};

struct merge_path {
    const struct request *request;
    const struct run *run;
    struct mergesort sort;
    const char *a, *b;
    char *out;
    uint64_t total;
    struct team *team;
    uint32_t pieces;
    _Atomic uint32_t next;
    _Atomic uint64_t done;
    atomic_bool cancelled;
    uint64_t cut[MERGE_PATH_PIECES + 1];    /* piece p writes outputs cut[p] … cut[p + 1] */
    uint64_t from_a[MERGE_PATH_PIECES + 1]; /* items of a before cut[p] */
};

static void merge_path_find_cuts(struct merge_path *path, uint32_t member, uint32_t size)
{
    const consort_arguments *arguments = path->run->arguments;
    for (uint32_t piece = member; piece < path->pieces; piece += size) {
        uint64_t end;
        team_share(path->total, piece, path->pieces, 1, &path->cut[piece], &end);
        path->from_a[piece] = path->sort.kernels->co_rank(
            &path->sort, path->a, arguments->count, path->b, arguments->count_b, path->cut[piece]);
    }
}

/* Lists that are not sorted can make cuts cross: then they are moved, and the result is still a
 * permutation. */
static void merge_path_straighten(struct merge_path *path)
{
    for (uint32_t piece = 1; piece < path->pieces; piece++) {
        uint64_t low = path->from_a[piece - 1];
        uint64_t high = low + (path->cut[piece] - path->cut[piece - 1]);
        uint64_t *taken = &path->from_a[piece];
        *taken = *taken < low ? low : *taken > high ? high : *taken;
    }
}

/* `bytes` is a constant at the calls that matter. */
static inline __attribute__((always_inline)) void merge_path_replay(const unsigned char *from_b,
                                                                    uint64_t count, const char *a,
                                                                    const char *b, char *out,
                                                                    uint64_t bytes)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t step = from_b[i] ? bytes : 0;
        memcpy(out, from_b[i] ? b : a, bytes);
        a += bytes - step;
        b += step;
        out += bytes;
    }
}

/* The array of an empty list may be NULL, with which no address can be computed. */
static const char *merge_path_base(const void *list, const void *other)
{
    return list ? list : other;
}

static void merge_path_column(const consort_column *column, const unsigned char *from_b,
                              uint64_t count, uint64_t a_first, uint64_t b_first)
{
    uint64_t bytes = column->element_bytes;
    const char *a = merge_path_base(column->in, column->in_b) + a_first * bytes;
    const char *b = merge_path_base(column->in_b, column->in) + b_first * bytes;
    char *out = (char *)column->out + (a_first + b_first) * bytes;
    if (bytes == 4)
        merge_path_replay(from_b, count, a, b, out, 4);
    else if (bytes == 8)
        merge_path_replay(from_b, count, a, b, out, 8);
    else if (bytes == 16)
        merge_path_replay(from_b, count, a, b, out, 16);
    else
        merge_path_replay(from_b, count, a, b, out, bytes);
}

/* Merges items [a, a_end) and [b, b_end) of the two lists, block by block. */
static void merge_path_blocks(const struct merge_path *path, uint64_t a, uint64_t a_end, uint64_t b,
                              uint64_t b_end)
{
    unsigned char from_b[MERGE_PATH_BLOCK];
    uint64_t bytes = path->sort.bytes;
    while (a < a_end || b < b_end) {
        uint64_t left = (a_end - a) + (b_end - b);
        uint64_t count = left < MERGE_PATH_BLOCK ? left : MERGE_PATH_BLOCK;
        uint64_t taken = path->sort.kernels->co_rank(&path->sort, path->a + a * bytes, a_end - a,
                                                     path->b + b * bytes, b_end - b, count);
        path->sort.kernels->trace(&path->sort, path->a + a * bytes, path->a + (a + taken) * bytes,
                                  path->b + b * bytes, path->b + (b + count - taken) * bytes,
                                  path->out + (a + b) * bytes, from_b);
        for (uint32_t i = 0; i < path->request->value_count; i++)
            merge_path_column(&path->run->arguments->values[i], from_b, count, a, b);
        a += taken;
        b += count - taken;
    }
}

static void merge_path_piece(const struct merge_path *path, uint32_t piece)
{
    uint64_t bytes = path->sort.bytes;
    uint64_t a = path->from_a[piece], a_end = path->from_a[piece + 1];
    uint64_t b = path->cut[piece] - a, b_end = path->cut[piece + 1] - a_end;
    if (path->request->value_count > 0)
        merge_path_blocks(path, a, a_end, b, b_end);
    else
        path->sort.kernels->merge(&path->sort, path->a + a * bytes, path->a + a_end * bytes,
                                  path->b + b * bytes, path->b + b_end * bytes,
                                  path->out + path->cut[piece] * bytes);
}

static void merge_path_member(void *context, uint32_t member, uint32_t size)
{
    struct merge_path *path = context;
    merge_path_find_cuts(path, member, size);
    team_barrier(path->team);
    if (member == 0)
        merge_path_straighten(path);
    team_barrier(path->team);
    while (!atomic_load(&path->cancelled)) {
        uint32_t piece = atomic_fetch_add(&path->next, 1);
        if (piece >= path->pieces)
            return;
        merge_path_piece(path, piece);
        uint64_t count = path->cut[piece + 1] - path->cut[piece];
        uint64_t done = atomic_fetch_add(&path->done, count) + count;
        if (member == 0 ? checkpoint_pass(path->run->checkpoint, done, path->total)
                        : checkpoint_cancelled(path->run->checkpoint))
            atomic_store(&path->cancelled, true);
    }
}

static void merge_path_plan(struct merge_path *path, uint64_t members)
{
    uint64_t pieces = members == 1 ? 1 : members * MERGE_PATH_PIECES_PER_MEMBER;
    if (pieces > path->total / MERGE_PATH_LEAST_PIECE)
        pieces = path->total / MERGE_PATH_LEAST_PIECE;
    if (pieces < path->total / MERGE_PATH_PIECE)
        pieces = path->total / MERGE_PATH_PIECE;
    if (pieces > MERGE_PATH_PIECES)
        pieces = MERGE_PATH_PIECES;
    path->pieces = pieces ? (uint32_t)pieces : 1;
    path->cut[path->pieces] = path->total;
    path->from_a[path->pieces] = path->run->arguments->count;
}

static consort_status merge_path_run(const struct consort_plan *plan, const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    struct merge_path path;
    path.request = &plan->request;
    path.run = run;
    path.sort = mergesort_of(MERGESORT_ITEM, &plan->request.order, NULL);
    path.a = merge_path_base(arguments->in, arguments->in_b);
    path.b = merge_path_base(arguments->in_b, arguments->in);
    path.out = arguments->out;
    path.total = arguments->count + arguments->count_b;
    if (path.total == 0)
        return CONSORT_OK;
    path.team = share_team(&plan->request, path.total, SHARE_MERGE);
    if (!path.team)
        return CONSORT_ERROR_MEMORY;
    merge_path_plan(&path, team_size(path.team));
    atomic_init(&path.next, 0);
    atomic_init(&path.done, 0);
    atomic_init(&path.cancelled, checkpoint_pass(run->checkpoint, 0, path.total));
    if (!atomic_load(&path.cancelled))
        team_run(path.team, merge_path_member, &path);
    team_return(path.team);
    if (!atomic_load(&path.cancelled) && !checkpoint_pass(run->checkpoint, path.total, path.total))
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_CANCELLED, "the merge was cancelled");
}

static double merge_path_cost(const struct request *request)
{
    return (double)request->maximum_count * (double)request->item_bytes;
}

const struct algorithm merge_path = {
    .name = "merge-path",
    .summary = "parallel stable merge of equal pieces of output found by co-ranks (Merge Path: "
               "Odeh, Green, Mwassi, Shmueli, Birk 2012)",
    .operation = CONSORT_OPERATION_MERGE,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .cost = merge_path_cost,
    .run = merge_path_run,
};
