/* SPDX-License-Identifier: Apache-2.0 */
/* Counting sort of keys that come and go in pieces. */
#include "cpu/pieces_counted.h"

#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/counting.h"
#include "cpu/pieces_run.h"
#include "cpu/share.h"
#include "cpu/team.h"

struct pieces_counted {
    struct pieces_flow flow;
    const struct codec *codec;
    uint64_t piece;  /* items */
    uint64_t *ends;  /* per code: where its keys end */
    char *tallies;   /* per member */
    char *buffers;   /* per member: a piece, from a page's beginning on */
    uint64_t buffer; /* bytes of one */
};

bool pieces_counted_suits(const struct request *request)
{
    return request->item_bytes <= 2;
}

/* Whole pages, and not much more than there are items. */
static uint64_t pieces_counted_buffer(const struct request *request, const int64_t *parameters)
{
    uint64_t bytes = request_bytes(request->maximum_count, request->item_bytes);
    uint64_t piece = (uint64_t)parameters[PIECES_PIECE] * 1024 / PIECES_BLOCK * PIECES_BLOCK;
    return bytes < piece ? bytes + -bytes % PIECES_BLOCK : piece;
}

/* Whole arrays need no buffers. */
static uint64_t pieces_counted_buffers(const struct request *request, const int64_t *parameters)
{
    return request->form == CONSORT_FORM_PIECES
               ? request->threads * pieces_counted_buffer(request, parameters) + PIECES_BLOCK
               : 0;
}

uint64_t pieces_counted_workspace(const struct request *request, const int64_t *parameters)
{
    uint32_t width = (uint32_t)request->item_bytes;
    if (request->maximum_count == 0)
        return 0;
    return arena_bytes(1, counting_ends_bytes(width)) +
           arena_bytes(request->threads, counting_tally_bytes(width)) +
           arena_bytes(1, pieces_counted_buffers(request, parameters));
}

/* The next piece that no member has taken; false: there is none. */
static bool pieces_counted_next(struct pieces_counted *counted, uint64_t *first, uint64_t *items)
{
    uint64_t count = counted->flow.run->arguments->count;
    if (pieces_flow_stopped(&counted->flow))
        return false;
    *first = atomic_fetch_add(&counted->flow.next, 1) * counted->piece;
    if (*first >= count)
        return false;
    *items = count - *first < counted->piece ? count - *first : counted->piece;
    return true;
}

static void pieces_counted_come(void *context, uint32_t member, uint32_t size)
{
    struct pieces_counted *counted = context;
    uint32_t width = counted->codec->width;
    uint64_t *tally = (void *)(counted->tallies + member * counting_tally_bytes(width));
    uint64_t first, items;
    (void)size;
    counting_tally_begin(tally, width);
    while (pieces_counted_next(counted, &first, &items)) {
        const void *keys = pieces_flow_read(&counted->flow, first, items,
                                            counted->buffers + member * counted->buffer, member);
        if (!atomic_load(&counted->flow.stopped))
            counting_tally_add(tally, width, keys, 0, items);
        pieces_flow_count(&counted->flow, items, member);
    }
    counting_tally_end(tally, width);
}

static void pieces_counted_go(void *context, uint32_t member, uint32_t size)
{
    struct pieces_counted *counted = context;
    char *out = counted->flow.run->arguments->out;
    uint64_t first, items;
    (void)size;
    while (pieces_counted_next(counted, &first, &items)) {
        char *to = pieces_flow_whole(&counted->flow) ? out + first * counted->codec->width
                                                     : counted->buffers + member * counted->buffer;
        counting_expand(counted->codec, counted->ends, first, first + items, to, false);
        pieces_flow_write(&counted->flow, first, items, to, member);
        pieces_flow_count(&counted->flow, items, member);
    }
}

static void pieces_counted_sort(struct pieces_counted *counted, struct team *team)
{
    const consort_arguments *arguments = counted->flow.run->arguments;
    pieces_flow_count(&counted->flow, 0, 0);
    team_run(team, pieces_counted_come, counted);
    if (pieces_flow_stopped(&counted->flow))
        return;
    counting_ends(counted->codec, (uint64_t *)(void *)counted->tallies, team_size(team),
                  counted->ends);
    if (pieces_flow_whole(&counted->flow) && arguments->in == arguments->out)
        *counted->flow.run->input_whole = false;
    atomic_store(&counted->flow.next, 0);
    team_run(team, pieces_counted_go, counted);
    pieces_flow_count(&counted->flow, 0, 0);
}

consort_status pieces_counted_run(const struct consort_plan *plan, const struct run *run)
{
    const struct request *request = &plan->request;
    uint32_t width = (uint32_t)request->item_bytes;
    char *rest = run->workspace;
    struct pieces_counted counted = {.flow = {.plan = plan, .run = run},
                                     .codec = &request->order.pieces[0].codec,
                                     .buffer = pieces_counted_buffer(request, plan->parameters)};
    struct team *team = share_team(request, run->arguments->count, SHARE_PIECES);
    if (!team)
        return status_fail(CONSORT_ERROR_MEMORY, "sort in pieces: out of memory");
    counted.piece = counted.buffer / width;
    counted.ends = arena_take(&rest, 1, counting_ends_bytes(width));
    counted.tallies = arena_take(&rest, request->threads, counting_tally_bytes(width));
    counted.buffers = (char *)pieces_page(
        arena_take(&rest, 1, pieces_counted_buffers(request, plan->parameters)));
    if (run->arguments->count > 0)
        pieces_counted_sort(&counted, team);
    team_return(team);
    return atomic_load(&counted.flow.stopped)
               ? status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled")
               : CONSORT_OK;
}
