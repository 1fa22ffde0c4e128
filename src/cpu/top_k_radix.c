/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selecting the first k of an array of plain codes: histograms of ever lower digits narrow the
 * range of codes that holds the k-th, until what is in it is few or equal. One more read collects
 * what lies below and in the range, in the order of positions, and a stable radix sort of that ends
 * with the first k.
 */
#include "cpu/top_k_radix.h"

#include <stdatomic.h>
#include <string.h>

#include "core/plan.h"
#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/cost.h"
#include "cpu/radix.h"
#include "cpu/share.h"

enum {
    SELECT_DIGIT = 11,     /* bits of a histogram: 16 KiB, half of a first-level cache */
    SELECT_FEW = 1 << 12,  /* codes that are sorted rather than narrowed once more */
    SELECT_ALONE = 1 << 15 /* fewer items do not pay for waking threads */
};

/* The codes low … low + span are in question; their digit is what `shift` leaves of code − low. */
struct select_range {
    uint128 low;
    uint128 span;
    uint32_t shift;
};

/* Where a member writes next what lies below the range, and in it. */
struct select_target {
    void *codes;
    uint64_t *positions;
    uint64_t below;
    uint64_t within;
    uint64_t within_end;
};

struct select_kernels {
    void (*histogram)(const struct codec *constants, const void *array, uint64_t first,
                      uint64_t last, const struct select_range *range, uint64_t *counts);
    void (*collect)(const struct codec *constants, const void *array, uint64_t first, uint64_t last,
                    const struct select_range *range, struct select_target *target);
    void (*write)(const struct codec *constants, const void *codes, void *out, uint64_t count);
};

#define SELECT_BITS 8
#define SELECT_KEY  uint8_t
#include "cpu/select_template.h"
#define SELECT_BITS 16
#define SELECT_KEY  uint16_t
#include "cpu/select_template.h"
#define SELECT_BITS 32
#define SELECT_KEY  uint32_t
#include "cpu/select_template.h"
#define SELECT_BITS 64
#define SELECT_KEY  uint64_t
#include "cpu/select_template.h"
#define SELECT_BITS 128
#define SELECT_KEY  uint128
#include "cpu/select_template.h"

static const struct select_kernels *select_kernels_of(uint32_t width)
{
    return width == 1   ? &select_u8_kernels
           : width == 2 ? &select_u16_kernels
           : width == 4 ? &select_u32_kernels
           : width == 8 ? &select_u64_kernels
                        : &select_u128_kernels;
}

/* What one member counted, over all histograms so far. */
struct select_share {
    uint64_t below;
    uint64_t within;
};

/* Selection from one row. */
struct select {
    const struct select_kernels *kernels;
    struct codec codec;
    const char *row;
    uint64_t length;
    uint64_t kept;
    struct team *team;
    const struct checkpoint *checkpoint;
    /* workspace */
    uint64_t *counts;            /* a histogram per member */
    struct select_share *shares; /* per member */
    void *codes;
    uint64_t *positions;
    char *rest; /* for the sort */
    uint64_t rest_bytes;
    /* the present state */
    struct select_range range;
    uint64_t below;  /* codes below the range: all of them are selected */
    uint64_t within; /* codes in the range */
    bool narrow;     /* no more histograms */
};

static uint32_t select_bit_width(uint128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high  ? 128 - (uint32_t)__builtin_clzll(high)
           : low ? 64 - (uint32_t)__builtin_clzll(low)
                 : 0;
}

static void select_set_shift(struct select *select)
{
    uint32_t bits = select_bit_width(select->range.span);
    select->range.shift = bits > SELECT_DIGIT ? bits - SELECT_DIGIT : 0;
    select->narrow = select->range.span == 0 || select->within <= SELECT_FEW;
}

static void select_begin(struct select *select, uint32_t members)
{
    uint32_t width = 8 * select->codec.width;
    select->range.low = 0;
    select->range.span = width == 128 ? ~(uint128)0 : ((uint128)1 << width) - 1;
    select->below = 0;
    select->within = select->length;
    for (uint32_t m = 0; m < members; m++) {
        uint64_t first, last;
        team_share(select->length, m, members, 64, &first, &last);
        select->shares[m] = (struct select_share){0, last - first};
    }
    select_set_shift(select);
}

/* Narrows the range to the digit that holds number `kept`, from all members' histograms. */
static void select_narrow(struct select *select, uint32_t members)
{
    uint64_t wanted = select->kept - select->below, before = 0, here = 0;
    uint32_t digit = 0;
    for (; digit < 1u << SELECT_DIGIT; digit++) {
        here = 0;
        for (uint32_t m = 0; m < members; m++)
            here += select->counts[((uint64_t)m << SELECT_DIGIT) + digit];
        if (before + here >= wanted)
            break;
        before += here;
    }
    for (uint32_t m = 0; m < members; m++) {
        const uint64_t *counts = select->counts + ((uint64_t)m << SELECT_DIGIT);
        for (uint32_t d = 0; d < digit; d++)
            select->shares[m].below += counts[d];
        select->shares[m].within = counts[digit];
    }
    select->below += before;
    select->within = here;
    select->range.low += (uint128)digit << select->range.shift;
    select->range.span = ((uint128)1 << select->range.shift) - 1;
    select_set_shift(select);
}

/* Equal codes are wanted only as far as they are needed, the lowest positions first. */
static uint64_t select_within_wanted(const struct select *select)
{
    uint64_t needed = select->kept - select->below;
    return select->range.span == 0 && needed < select->within ? needed : select->within;
}

static void select_collect(struct select *select, uint32_t member, uint64_t first, uint64_t last)
{
    struct select_target target = {
        .codes = select->codes, .positions = select->positions, .within = select->below};
    uint64_t end = select->below + select_within_wanted(select);
    for (uint32_t m = 0; m < member; m++) {
        target.below += select->shares[m].below;
        target.within += select->shares[m].within;
    }
    target.within = target.within < end ? target.within : end;
    target.within_end = end;
    select->kernels->collect(&select->codec, select->row, first, last, &select->range, &target);
}

static void select_member(void *context, uint32_t member, uint32_t size)
{
    struct select *select = context;
    uint64_t first, last;
    team_share(select->length, member, size, 64, &first, &last);
    while (!select->narrow) {
        select->kernels->histogram(&select->codec, select->row, first, last, &select->range,
                                   select->counts + ((uint64_t)member << SELECT_DIGIT));
        team_barrier(select->team);
        if (member == 0)
            select_narrow(select, size);
        team_barrier(select->team);
    }
    select_collect(select, member, first, last);
}

/* False: cancelled. */
static bool select_row(struct select *select)
{
    select_begin(select, team_size(select->team));
    team_run(select->team, select_member, select);
    struct codec identity = {
        .width = select->codec.width, .stored = select->codec.width, .bits = select->codec.bits};
    struct radix_job job = {.keys_in = select->codes,
                            .keys_out = select->codes,
                            .values_in = select->positions,
                            .values_out = select->positions,
                            .count = select->below + select_within_wanted(select),
                            .width = select->codec.width,
                            .value_bytes = 8,
                            .codec = identity,
                            .workspace = select->rest,
                            .workspace_bytes = select->rest_bytes,
                            .team = select->team,
                            .checkpoint = select->checkpoint};
    return presorted_finish(&job) || radix_msd(&job) == RADIX_DONE;
}

static uint64_t top_k_radix_most(const struct request *request)
{
    uint64_t k =
        request->maximum_k < request->maximum_count ? request->maximum_k : request->maximum_count;
    return k + SELECT_FEW; /* cannot overflow: k items have an address space's bytes at most */
}

/* Bytes for selecting one row by `members`. */
static uint64_t top_k_radix_bytes(const struct request *request, uint32_t members)
{
    uint64_t most = top_k_radix_most(request);
    uint64_t bytes = arena_bytes((uint64_t)members << SELECT_DIGIT, sizeof(uint64_t));
    bytes = arena_add(bytes, arena_bytes(members, sizeof(struct select_share)));
    bytes = arena_add(bytes, arena_bytes(most, request->item_bytes));
    bytes = arena_add(bytes, arena_bytes(most, sizeof(uint64_t)));
    uint64_t sort = radix_msd_workspace(most, (uint32_t)request->item_bytes, sizeof(uint64_t),
                                        RADIX_TAKES_ITEMS, members);
    return arena_add(bytes, arena_bytes(sort, 1));
}

/* Many rows are shared out, each member with a workspace of its own. */
static uint64_t top_k_radix_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    if (request->maximum_k == 0 || request->maximum_count == 0)
        return 0;
    uint64_t together = top_k_radix_bytes(request, request->threads);
    if (request->maximum_rows == 1)
        return together;
    uint64_t apart = request_bytes(request->threads, top_k_radix_bytes(request, 1));
    return apart > together ? apart : together;
}

struct top_k_radix {
    const struct consort_plan *plan;
    const struct run *run;
    uint64_t length;
    uint64_t kept;
    _Atomic uint64_t next;
    atomic_bool cancelled;
    atomic_bool no_memory;
};

static struct select top_k_radix_select(const struct top_k_radix *job, struct team *team,
                                        char *workspace, uint64_t bytes)
{
    const struct request *request = &job->plan->request;
    uint32_t members = team_size(team);
    struct select select = {.kernels = select_kernels_of((uint32_t)request->item_bytes),
                            .codec = request->order.pieces[0].codec,
                            .length = job->length,
                            .kept = job->kept,
                            .team = team,
                            .checkpoint = NULL,
                            .rest = workspace};
    select.counts =
        arena_take(&select.rest, (uint64_t)members << SELECT_DIGIT, sizeof *select.counts);
    select.shares = arena_take(&select.rest, members, sizeof *select.shares);
    select.codes = arena_take(&select.rest, top_k_radix_most(request), request->item_bytes);
    select.positions =
        arena_take(&select.rest, top_k_radix_most(request), sizeof *select.positions);
    select.rest_bytes = bytes - (uint64_t)(select.rest - workspace);
    return select;
}

static void top_k_radix_row(const struct top_k_radix *job, struct select *select, uint64_t row)
{
    const consort_arguments *arguments = job->run->arguments;
    uint64_t bytes = job->plan->request.item_bytes, at = row * job->kept;
    select->row = (const char *)arguments->in + row * job->length * bytes;
    select_row(select);
    if (arguments->out)
        select->kernels->write(&select->codec, select->codes, (char *)arguments->out + at * bytes,
                               job->kept);
    for (uint64_t j = 0; arguments->indices && j < job->kept; j++) {
        if (job->plan->request.index_bytes == 4)
            ((uint32_t *)arguments->indices)[at + j] = (uint32_t)select->positions[j];
        else
            ((uint64_t *)arguments->indices)[at + j] = select->positions[j];
    }
}

static void top_k_radix_rows_member(void *context, uint32_t member, uint32_t size)
{
    struct top_k_radix *job = context;
    uint64_t rows = job->run->arguments->rows;
    uint64_t bytes = top_k_radix_bytes(&job->plan->request, 1);
    struct team *alone = team_borrow(NULL, 1);
    (void)size;
    if (!alone) {
        atomic_store(&job->no_memory, true);
        return;
    }
    struct select select =
        top_k_radix_select(job, alone, (char *)job->run->workspace + member * bytes, bytes);
    for (;;) {
        uint64_t row = atomic_fetch_add(&job->next, 1);
        if (row >= rows || atomic_load(&job->cancelled))
            break;
        if (member == 0 ? checkpoint_pass(job->run->checkpoint, row, rows)
                        : checkpoint_cancelled(job->run->checkpoint))
            atomic_store(&job->cancelled, true);
        else
            top_k_radix_row(job, &select, row);
    }
    team_return(alone);
}

static void top_k_radix_rows_together(struct top_k_radix *job, struct team *team)
{
    uint64_t rows = job->run->arguments->rows;
    struct select select = top_k_radix_select(job, team, job->run->workspace, job->plan->workspace);
    for (uint64_t row = 0; row < rows; row++) {
        if (checkpoint_pass(job->run->checkpoint, row, rows)) {
            atomic_store(&job->cancelled, true);
            return;
        }
        top_k_radix_row(job, &select, row);
    }
}

static consort_status top_k_radix_run(const struct consort_plan *plan, const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    struct top_k_radix job = {
        .plan = plan, .run = run, .length = arguments->count / arguments->rows};
    job.kept = arguments->k < job.length ? arguments->k : job.length;
    if (job.kept == 0)
        return CONSORT_OK;
    struct team *team = share_team(&plan->request, arguments->count, SHARE_SELECT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    if (arguments->rows > 1 &&
        (arguments->rows >= 4 * (uint64_t)team_size(team) || job.length < SELECT_ALONE))
        team_run(team, top_k_radix_rows_member, &job);
    else
        top_k_radix_rows_together(&job, team);
    team_return(team);
    if (atomic_load(&job.no_memory))
        return status_fail(CONSORT_ERROR_MEMORY, "top-k: out of memory");
    if (!atomic_load(&job.cancelled) &&
        !checkpoint_pass(run->checkpoint, arguments->rows, arguments->rows))
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_CANCELLED, "top-k was cancelled");
}

static const char *top_k_radix_refuses(const struct request *request)
{
    return order_is_plain(&request->order) ? NULL
                                           : "it selects from arrays of scalar keys whose "
                                             "order is total";
}

const struct algorithm top_k_radix = {
    .name = "radix-select",
    .summary =
        "histograms of ever lower digits narrow down the k-th code, then a stable radix sort "
        "of what lies before it (Alabi, Blanchard, Gordon, Steinbach 2012)",
    .operation = CONSORT_OPERATION_TOP_K,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = top_k_radix_refuses,
    .workspace = top_k_radix_workspace,
    .cost = cost_top_k_radix,
    .run = top_k_radix_run,
};
