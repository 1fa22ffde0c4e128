/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meetings: lanes of a warp meet by mask and call site, threads of a block at __syncthreads, blocks
 * of a cluster at theirs. The last to arrive computes everybody's result. What the hardware
 * tolerates or leaves undefined is an error here: other call sites, lanes that left, a lane outside
 * its own mask, a shuffle from a lane that takes no part.
 */
#include "emu_grid.h"

#include <algorithm>
#include <chrono>

namespace emu
{

static bool same_place(site a, site b)
{
    return a.line == b.line && a.file == b.file;
}

static meeting *meeting_find(warp *from, uint32_t mask)
{
    for (unsigned int i = 0; i < from->meeting_count; i++)
        if (from->meetings[i].mask == mask)
            return &from->meetings[i];
    if (from->meeting_count == from->meetings.size())
        from->meetings.emplace_back();
    meeting *opened = &from->meetings[from->meeting_count++];
    opened->mask = mask;
    opened->arrived = opened->ones = 0;
    return opened;
}

/* The lane a shuffle reads, per PTX shfl.sync: outside its segment a lane reads itself. */
static uint32_t shuffle_source(const meeting &m, uint32_t lane)
{
    uint32_t operand = m.operands[lane];
    uint32_t base = lane & ~(m.width - 1), last = base + m.width - 1;
    uint32_t source = lane;
    switch (m.op) {
    case warp_op::shuffle:
        return base | (operand & (m.width - 1));
    case warp_op::shuffle_up:
        return operand <= lane - base ? lane - operand : lane;
    case warp_op::shuffle_down:
        return operand <= last - lane ? lane + operand : lane;
    default:
        source = lane ^ (operand & 31);
        return source <= last ? source : lane;
    }
}

static uint64_t reduce(const meeting &m)
{
    uint64_t total = 0;
    bool first = true;
    for (uint32_t left = m.mask; left; left &= left - 1) {
        uint64_t value = m.values[__builtin_ctz(left)];
        auto number = static_cast<int32_t>(value), so_far = static_cast<int32_t>(total);
        bool less = m.op == warp_op::reduce_min || m.op == warp_op::reduce_max ? value < total
                                                                               : number < so_far;
        bool is_minimum = m.op == warp_op::reduce_min || m.op == warp_op::reduce_min_signed;
        if (first)
            total = value;
        else if (m.op == warp_op::reduce_add)
            total = static_cast<uint32_t>(total + value);
        else if (m.op == warp_op::reduce_and)
            total &= value;
        else if (m.op == warp_op::reduce_or)
            total |= value;
        else if (m.op == warp_op::reduce_xor)
            total ^= value;
        else if (value != total && less == is_minimum)
            total = value;
        first = false;
    }
    return total;
}

static uint32_t equal_lanes(const meeting &m, uint64_t value)
{
    uint32_t lanes = 0;
    for (uint32_t left = m.mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        if (m.values[lane] == value)
            lanes |= 1u << lane;
    }
    return lanes;
}

static uint64_t shuffle_read(const meeting &m, uint32_t lane)
{
    uint32_t source = shuffle_source(m, lane);
    if (!(m.mask >> source & 1))
        launch_fail(outcome::failed,
                    "lane %u shuffles from lane %u, which is not in mask 0x%08x (%s:%d)", lane,
                    source, m.mask, m.where.file, m.where.line);
    return m.values[source];
}

static uint64_t lane_result(const meeting &m, uint32_t lane, uint64_t common)
{
    switch (m.op) {
    case warp_op::shuffle:
    case warp_op::shuffle_up:
    case warp_op::shuffle_down:
    case warp_op::shuffle_xor:
        return shuffle_read(m, lane);
    case warp_op::match_any:
        return equal_lanes(m, m.values[lane]);
    default:
        return common;
    }
}

static uint64_t common_result(const meeting &m)
{
    switch (m.op) {
    case warp_op::ballot:
        return m.ones;
    case warp_op::any:
        return m.ones != 0;
    case warp_op::all:
        return m.ones == m.mask;
    case warp_op::match_all:
        return equal_lanes(m, m.values[__builtin_ctz(m.mask)]) == m.mask ? m.mask : 0;
    case warp_op::sync:
    case warp_op::match_any:
    case warp_op::shuffle:
    case warp_op::shuffle_up:
    case warp_op::shuffle_down:
    case warp_op::shuffle_xor:
        return 0;
    default:
        return reduce(m);
    }
}

static void meeting_complete(warp *from, meeting *done)
{
    uint64_t common = common_result(*done);
    for (uint32_t left = done->mask; left; left &= left - 1) {
        uint32_t lane = static_cast<uint32_t>(__builtin_ctz(left));
        from->results[lane] = lane_result(*done, lane, common);
    }
    from->ready |= done->mask;
    if (done->op == warp_op::sync) /* the others do not order memory, says CUDA's manual */
        race_warp_sync(from, done->mask);
    meeting *last = &from->meetings[--from->meeting_count];
    if (done != last)
        *done = *last;
}

static void check_mask(const lane *me, uint32_t mask, site where)
{
    const warp *mine = me->warp;
    if (!(mask >> me->number & 1))
        launch_fail(outcome::failed, "lane %u is not in its own mask 0x%08x (%s:%d)", me->number,
                    mask, where.file, where.line);
    uint32_t gone = mask & (~mine->existing | mine->finished);
    if (gone)
        launch_fail(outcome::failed,
                    "mask 0x%08x names lanes 0x%08x that returned or never were "
                    "(%s:%d)",
                    mask, gone, where.file, where.line);
}

uint64_t warp_meet(warp_op op, uint32_t mask, uint64_t value, uint32_t operand, uint32_t width,
                   site where)
{
    lane *me = self();
    check_mask(me, mask, where);
    meeting *mine = meeting_find(me->warp, mask);
    if (!mine->arrived) {
        mine->op = op;
        mine->where = where;
        mine->width = width;
    } else if (mine->op != op || !same_place(mine->where, where) || mine->width != width) {
        launch_fail(outcome::failed,
                    "lanes of mask 0x%08x meet at different call sites: %s:%d and %s:%d", mask,
                    mine->where.file, mine->where.line, where.file, where.line);
    }
    mine->values[me->number] = value;
    mine->operands[me->number] = operand;
    mine->arrived |= 1u << me->number;
    mine->ones |= static_cast<uint32_t>(value == 1) << me->number;
    if (mine->arrived == mask) {
        meeting_complete(me->warp, mine);
    } else {
        me->mask = mask;
        lane_wait(lane_state::at_warp, where);
    }
    return me->warp->results[me->number];
}

void meetings_check_exit(lane *leaving)
{
    const warp *from = leaving->warp;
    for (unsigned int i = 0; i < from->meeting_count; i++)
        if (from->meetings[i].mask >> leaving->number & 1)
            launch_fail(outcome::failed, "lane %u returned while lanes 0x%08x wait for it at %s:%d",
                        leaving->number, from->meetings[i].arrived, from->meetings[i].where.file,
                        from->meetings[i].where.line);
}

static void block_barrier_open(block *owner)
{
    block_barrier &barrier = owner->barrier;
    int count = barrier.count;
    barrier.result = barrier.op == barrier_op::count ? count
                     : barrier.op == barrier_op::all
                         ? count == static_cast<int>(owner->thread_count)
                         : count != 0;
    barrier.arrived = 0;
    barrier.count = 0;
    for (warp &each : owner->warps)
        each.ready = each.existing;
    race_block_sync(owner);
}

int block_meet(barrier_op op, int predicate, site where)
{
    lane *me = self();
    block *owner = me->block;
    block_barrier &barrier = owner->barrier;
    if (owner->finished)
        launch_fail(outcome::failed,
                    "__syncthreads at %s:%d after %u threads of the block returned", where.file,
                    where.line, owner->finished);
    if (!barrier.arrived) {
        barrier.op = op;
        barrier.where = where;
    } else if (barrier.op != op || !same_place(barrier.where, where)) {
        launch_fail(outcome::failed,
                    "threads of one block meet at different barriers: %s:%d and "
                    "%s:%d",
                    barrier.where.file, barrier.where.line, where.file, where.line);
    }
    barrier.count += predicate != 0;
    if (++barrier.arrived == owner->thread_count)
        block_barrier_open(owner);
    else
        lane_wait(lane_state::at_block, where);
    return barrier.result;
}

/* The barrier of a cluster counts threads, like barrier.cluster. */
void cluster_meet(site where)
{
    lane *me = self();
    cluster *group = me->block->cluster.get();
    if (++group->waiting < group->members * me->block->thread_count)
        return lane_wait(lane_state::at_cluster, where);
    group->waiting = 0;
    for (block *member : group->blocks) {
        for (warp &each : member->warps)
            each.ready = each.existing;
        race_block_sync(member);
    }
}

void *cluster_map(void *shared, unsigned int rank)
{
    const block *mine = self()->block;
    if (rank >= mine->cluster->members)
        launch_fail(outcome::failed, "rank %u in a cluster of %u", rank, mine->cluster->members);
    return shared_translate(mine->shared, mine->cluster->blocks[rank]->shared, shared);
}

void spin(unsigned int, site where)
{
    active->spins_since_progress++;
    lane_wait(lane_state::spinning, where);
}

/* What a GPU calls its global timer. */
uint64_t nanoseconds()
{
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                 std::chrono::nanoseconds(1));
}

/* Other blocks run between atomics only under the random schedule, and seldom: a switch costs. */
void maybe_yield(unsigned int one_in)
{
    if (active->order->schedule != schedule::random || !random_chance(one_in))
        return;
    active->budget = 0;
    lane *me = self();
    fiber_switch(&me->fiber, &active->host);
}

void atomic_point(const volatile void *address, size_t bytes)
{
    note_progress();
    race_atomic(address, bytes);
    maybe_yield(64);
}

void fence_point()
{
    maybe_yield(4);
}

} // namespace emu
