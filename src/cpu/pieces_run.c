/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of a distribution sort, and its workspace. */
#include "cpu/pieces_run.h"

#include "cpu/arena.h"
#include "cpu/radix.h"
#include "cpu/share.h"

enum {
    PIECES_SPOTS = 1024 /* blocks of the input that make the sample: 4 MiB */
};

const consort_parameter_info pieces_parameters[PIECES_PARAMETERS] = {
    [PIECES_PIECE] = {"piece", "KiB that are read, sorted or written at once", 4, 1 << 18, 8192},
    [PIECES_BUCKETS] = {"buckets", "most buckets of one distribution", 4, PIECES_MAX_BUCKETS, 2048},
};

static uint64_t pieces_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct pieces_sizes pieces_sizes_of(const struct request *request, const int64_t *parameters)
{
    struct pieces_sizes sizes = {.width = (uint32_t)request->item_bytes,
                                 .members = request->threads,
                                 .buckets = (uint32_t)parameters[PIECES_BUCKETS]};
    uint64_t block = PIECES_BLOCK / sizes.width, count = request->maximum_count;
    uint64_t full = count / block + (count % block != 0);
    uint64_t piece = (uint64_t)parameters[PIECES_PIECE] * 1024 / PIECES_BLOCK;
    sizes.piece = pieces_least(piece, full > 0 ? full : 1) * block;
    sizes.spots = pieces_least(full, PIECES_SPOTS);
    sizes.later = count / sizes.piece + 1;
    sizes.tasks = sizes.buckets + sizes.later;
    /* Each bucket may have a block of each member that is not full. */
    sizes.blocks = full + sizes.spots + sizes.members * (sizes.buckets + sizes.later + 1);
    sizes.sort = radix_msd_workspace(sizes.piece, sizes.width, 0, RADIX_TAKES_NOTHING, 1);
    return sizes;
}

/* Room for a piece that begins anywhere within a page. */
static uint64_t pieces_buffer(const struct pieces_sizes *sizes)
{
    return sizes->piece * sizes->width + 2 * PIECES_BLOCK;
}

static uint64_t pieces_member_bytes(const struct pieces_sizes *sizes)
{
    return arena_bytes(sizes->buckets, PIECES_LINE) +
           3 * arena_bytes(sizes->buckets, sizeof(uint32_t)) +
           arena_bytes(sizes->buckets, sizeof(struct pieces_chain)) +
           2 * arena_bytes(1, pieces_buffer(sizes)) + arena_bytes(1, sizes->sort);
}

uint64_t pieces_workspace(const struct request *request, const int64_t *parameters)
{
    struct pieces_sizes sizes = pieces_sizes_of(request, parameters);
    if (request->maximum_count == 0)
        return 0;
    if (sizes.blocks >= PIECES_NO_BLOCK)
        return UINT64_MAX;
    /* One block more, because blocks begin at pages. */
    uint64_t parts[] = {arena_bytes(sizes.blocks + 1, PIECES_BLOCK),
                        arena_bytes(sizes.blocks, sizeof(struct pieces_block)),
                        arena_bytes(1, sizeof(struct pieces_map)),
                        arena_bytes(sizes.buckets, sizeof(struct pieces_chain)),
                        arena_bytes(sizes.tasks, sizeof(struct pieces_task)),
                        arena_bytes(sizes.later, sizeof(struct pieces_later)),
                        arena_bytes(sizes.members, sizeof(struct pieces_member)),
                        arena_bytes(sizes.members, pieces_member_bytes(&sizes))};
    uint64_t total = 0;
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++)
        total = arena_add(total, parts[i]);
    return total;
}

static void pieces_carve_member(struct pieces_run *pieces, struct pieces_member *member,
                                char **rest)
{
    const struct pieces_sizes *sizes = &pieces->sizes;
    uint32_t buckets = sizes->buckets;
    member->writer.store = &pieces->store;
    member->writer.lines = arena_take(rest, buckets, PIECES_LINE);
    member->writer.cursor = arena_take(rest, buckets, sizeof(uint32_t));
    member->writer.block = arena_take(rest, buckets, sizeof(uint32_t));
    member->writer.filled = arena_take(rest, buckets, sizeof(uint32_t));
    member->writer.chains = arena_take(rest, buckets, sizeof(struct pieces_chain));
    member->gathered = arena_take(rest, 1, pieces_buffer(sizes));
    member->sorted = arena_take(rest, 1, pieces_buffer(sizes));
    member->sort = arena_take(rest, 1, sizes->sort);
}

bool pieces_run_begin(struct pieces_run *pieces, const struct consort_plan *plan,
                      const struct run *run)
{
    char *rest = run->workspace;
    *pieces = (struct pieces_run){.flow = {.plan = plan, .run = run},
                                  .sizes = pieces_sizes_of(&plan->request, plan->parameters),
                                  .codec = plan->request.order.pieces[0].codec};
    const struct pieces_sizes *sizes = &pieces->sizes;
    unsigned char *bytes = arena_take(&rest, sizes->blocks + 1, PIECES_BLOCK);
    void *blocks = arena_take(&rest, sizes->blocks, sizeof(struct pieces_block));
    pieces->map = arena_take(&rest, 1, sizeof *pieces->map);
    pieces->buckets = arena_take(&rest, sizes->buckets, sizeof *pieces->buckets);
    pieces->tasks = arena_take(&rest, sizes->tasks, sizeof *pieces->tasks);
    pieces->later = arena_take(&rest, sizes->later, sizeof *pieces->later);
    pieces->members = arena_take(&rest, sizes->members, sizeof *pieces->members);
    for (uint32_t i = 0; i < sizes->members; i++)
        pieces_carve_member(pieces, &pieces->members[i], &rest);
    pieces_store_init(&pieces->store, pieces_page(bytes), blocks);
    pieces->team = share_team(&plan->request, run->arguments->count, SHARE_PIECES);
    pieces->alone = team_borrow(NULL, 1);
    return pieces->team && pieces->alone;
}

void pieces_run_release(struct pieces_run *pieces)
{
    pieces_store_release(&pieces->store);
    team_return(pieces->alone);
    team_return(pieces->team);
}
