/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler: starts blocks, gives each resident block turns, notices deadlock and hanging. */
#include "emu_grid.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace emu
{

thread_view *current;
run *active;

/* Polls without any progress elsewhere before a launch counts as hung, for each per cent of the
 * usual patience: in all about half a second, and 10⁴ times more than the longest honest wait seen
 * in tests of 1024 blocks. */
static constexpr uint64_t spins_per_cent = 200000;

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 (Steele, Lea, Flood 2014) */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

bool random_chance(unsigned int one_in)
{
    return random_next(&active->random_state) % one_in == 0;
}

void note_progress()
{
    active->spins_since_progress = 0;
}

void launch_fail(outcome result, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    active->result = result;
    *active->report = std::string("kernel ") + active->order->kernel->name + ": " + text + "\n" +
                      dump_residents();
    fiber_leave(&self()->fiber, &active->host);
}

uint32_t *launch_arrivals()
{
    if (!active->order->together)
        launch_fail(outcome::failed, "a barrier of all blocks, but the launch is not cooperative");
    return &active->arrivals;
}

/* One draw serves for twelve lanes; the one above its bits tells when none is left. */
static unsigned int random_lane(uint32_t ready)
{
    if (active->random_bits <= 1)
        active->random_bits = random_next(&active->random_state) >> 4 | uint64_t(1) << 60;
    unsigned int turn = active->random_bits & 31;
    active->random_bits >>= 5;
    uint32_t rotated = ready >> turn | ready << (32 - turn) % 32;
    return (__builtin_ctz(rotated) + turn) & 31;
}

static unsigned int lane_of(uint32_t ready)
{
    switch (active->order->schedule) {
    case schedule::adversarial:
        return 31 - __builtin_clz(ready);
    case schedule::random:
        return random_lane(ready);
    default:
        return __builtin_ctz(ready);
    }
}

/* The lane after this one is known by now, so that its stack can be fetched meanwhile: waiting for
 * it took a sixth of the emulator's time. */
static lane *pick_lane(warp *from)
{
    bool decided = active->order->schedule == schedule::random && from->ready >> from->ahead & 1;
    unsigned int picked = decided ? from->ahead : lane_of(from->ready);
    uint32_t rest = from->ready & ~(1u << picked);
    if (rest) {
        from->ahead = lane_of(rest);
        const char *stack = static_cast<const char *>(from->lanes[from->ahead].fiber.stack_pointer);
        __builtin_prefetch(stack);
        __builtin_prefetch(stack + 64);
    }
    return &from->lanes[picked];
}

static void lane_resume(fiber *from, lane *next)
{
    current = next;
    next->state = lane_state::running;
    active->switches++;
    active->budget--;
    fiber_switch(from, &next->fiber);
}

/* The next lane of the warp follows at once where there is one: half as many switches as by way of
 * the scheduler. */
void lane_wait(lane_state state, site where)
{
    lane *me = self();
    warp *mine = me->warp;
    uint32_t bit = 1u << me->number;
    mine->ready &= ~bit;
    if (state == lane_state::spinning)
        mine->spinning |= bit;
    me->state = state;
    me->where = where;
    if (mine->ready && active->budget)
        lane_resume(&me->fiber, pick_lane(mine));
    else
        fiber_switch(&me->fiber, &active->host);
}

static void lane_entry()
{
    lane *me = self();
    fiber_arrived(&active->host);
    active->order->kernel->invoke(active->order->arguments);
    lane_finish(me);
    fiber_leave(&me->fiber, &active->host);
}

void lane_finish(lane *finished)
{
    meetings_check_exit(finished);
    bulk_check_exit(finished);
    block *owner = finished->block;
    if (owner->barrier.arrived)
        launch_fail(outcome::failed, "a thread returned while others wait at __syncthreads (%s:%d)",
                    owner->barrier.where.file, owner->barrier.where.line);
    uint32_t bit = 1u << finished->number;
    finished->warp->ready &= ~bit;
    finished->warp->finished |= bit;
    finished->state = lane_state::finished;
    owner->finished++;
    note_progress();
}

static bool warp_run(warp *from)
{
    bool ran = false;
    while (from->ready && active->budget && active->result == outcome::finished) {
        lane_resume(&active->host, pick_lane(from));
        ran = true;
    }
    return ran;
}

static size_t warp_order(size_t position, size_t count, size_t start)
{
    if (active->order->schedule == schedule::adversarial)
        return count - 1 - position;
    return (position + start) % count;
}

/* One turn: until every lane waits, polls or is done, or the turn's budget is spent. */
static void block_turn(block *owner)
{
    bool random = active->order->schedule == schedule::random;
    active->budget = random ? 1 + random_next(&active->random_state) % 4096 : UINT64_MAX;
    size_t count = owner->warps.size();
    size_t start = random ? random_next(&active->random_state) % count : 0;
    for (warp &each : owner->warps) {
        each.ready |= each.spinning;
        each.spinning = 0;
    }
    for (bool again = true; again && active->budget;) {
        again = false;
        for (size_t i = 0; i < count; i++)
            again |= warp_run(&owner->warps[warp_order(i, count, start)]);
    }
    flags_tick();
    owner->parked = true;
}

static uint3 block_coordinates(uint64_t number, dim3 grid)
{
    uint64_t row = number / grid.x;
    return {static_cast<unsigned int>(number % grid.x), static_cast<unsigned int>(row % grid.y),
            static_cast<unsigned int>(row / grid.y)};
}

static void warp_open(warp *opened, lane *lanes, unsigned int index)
{
    opened->lanes = lanes;
    opened->index = index;
    opened->existing = opened->ready = opened->spinning = opened->finished = 0;
    opened->meeting_count = 0;
}

static void lane_open(block *owner, unsigned int thread)
{
    const launch &order = *active->order;
    lane &next = owner->lanes[thread];
    unsigned int row = thread / order.block.x;
    next.thread_index = {thread % order.block.x, row % order.block.y, row / order.block.y};
    next.block_index = block_coordinates(owner->number, order.grid);
    next.block_size = order.block;
    next.grid_size = order.grid;
    next.number = thread % 32;
    next.cluster_rank = owner->cluster_rank;
    next.cluster_count = order.cluster_count;
    next.block = owner;
    next.polled = nullptr;
    next.warp = &owner->warps[thread / 32];
    next.warp->existing |= 1u << next.number;
    next.warp->ready = next.warp->existing;
    fiber_prepare(&next.fiber, lane_entry);
}

/* Blocks that came to their end, for their lists of lanes: AddressSanitizer keeps memory that was
 * freed for long, so that new lists would always be new memory. Never destroyed: what it holds
 * stays reachable for the leak checker. */
static auto &spare_blocks = *new std::vector<std::unique_ptr<block>>();

static std::unique_ptr<block> block_take()
{
    if (spare_blocks.empty())
        return std::make_unique<block>();
    auto taken = std::move(spare_blocks.back());
    spare_blocks.pop_back();
    taken->finished = 0;
    taken->barrier = {};
    taken->bulk = nullptr;
    taken->parked = false;
    return taken;
}

static std::unique_ptr<block> block_open(uint64_t number, unsigned int rank,
                                         const std::shared_ptr<cluster> &group)
{
    const launch &order = *active->order;
    auto opened = block_take();
    opened->number = number;
    opened->thread_count = order.block.x * order.block.y * order.block.z;
    opened->cluster = group;
    opened->cluster_rank = rank;
    opened->shared = shared_open(order);
    opened->lanes.resize(opened->thread_count);
    opened->warps.resize((opened->thread_count + 31) / 32);
    for (unsigned int i = 0; i < opened->warps.size(); i++)
        warp_open(&opened->warps[i], &opened->lanes[i * 32], i);
    for (unsigned int thread = 0; thread < opened->thread_count; thread++)
        lane_open(opened.get(), thread);
    race_open(opened.get());
    group->blocks.push_back(opened.get());
    group->members++;
    note_progress();
    return opened;
}

static void block_close(block *closed)
{
    race_close(closed);
    shared_close(closed->shared);
    closed->cluster = nullptr;
}

static uint64_t cluster_at(uint64_t position)
{
    return active->start_order.empty() ? position : active->start_order[position];
}

/* Starts whole clusters while there is room; without clusters, a cluster is one block. */
static void start_blocks()
{
    const launch &order = *active->order;
    uint64_t limit = order.together ? active->block_count : order.resident_limit;
    limit = std::max<uint64_t>(limit, order.cluster_count);
    while (active->started < active->block_count &&
           active->resident.size() + order.cluster_count <= limit) {
        auto group = std::make_shared<cluster>();
        uint64_t first = cluster_at(active->started / order.cluster_count) * order.cluster_count;
        for (unsigned int rank = 0; rank < order.cluster_count; rank++)
            active->resident.push_back(block_open(first + rank, rank, group));
        active->started += order.cluster_count;
    }
}

static void choose_start_order()
{
    const launch &order = *active->order;
    if (order.schedule == schedule::order)
        return;
    size_t count = active->block_count / order.cluster_count;
    active->start_order.resize(count);
    for (size_t i = 0; i < count; i++)
        active->start_order[i] = order.schedule == schedule::adversarial ? count - 1 - i : i;
    for (size_t i = count; order.schedule == schedule::random && i > 1; i--)
        std::swap(active->start_order[i - 1],
                  active->start_order[random_next(&active->random_state) % i]);
}

/* A block that had its turn waits for the others to have theirs. Adversarial: newest first, so that
 * everybody has polled in vain before a predecessor moves. */
static block *pick_block()
{
    auto &blocks = active->resident;
    size_t count = blocks.size();
    if (active->order->schedule == schedule::random)
        return blocks[random_next(&active->random_state) % count].get();
    bool newest_first = active->order->schedule == schedule::adversarial;
    for (size_t i = 0; i < count; i++) {
        block *candidate = blocks[newest_first ? count - 1 - i : i].get();
        if (!candidate->parked)
            return candidate;
    }
    for (auto &each : blocks)
        each->parked = false;
    return blocks[newest_first ? count - 1 : 0].get();
}

static bool anybody_can_run()
{
    for (auto &each : active->resident)
        for (warp &candidate : each->warps)
            if (candidate.ready || candidate.spinning)
                return true;
    return false;
}

static void retire(block *done)
{
    for (lane &each : done->lanes)
        fiber_release(&each.fiber);
    block_close(done);
    active->finished++;
    auto &blocks = active->resident;
    auto place = std::find_if(blocks.begin(), blocks.end(),
                              [done](auto &each) { return each.get() == done; });
    spare_blocks.push_back(std::move(*place));
    blocks.erase(place);
}

static void abandon(block *unfinished)
{
    for (lane &each : unfinished->lanes)
        fiber_abandon(&each.fiber);
    block_close(unfinished);
}

static void fail_outside(const char *text)
{
    active->result = outcome::failed;
    *active->report = std::string("kernel ") + active->order->kernel->name + ": " + text + "\n" +
                      dump_residents();
}

static void run_all()
{
    while (active->finished < active->block_count) {
        start_blocks();
        block *next = pick_block();
        block_turn(next);
        if (active->result != outcome::finished)
            return;
        if (active->order->seconds > 0 && active->seconds >= active->order->seconds)
            return fail_outside("it takes longer than CONSORT_EMU_SECONDS");
        if (next->finished == next->thread_count)
            retire(next);
        else if (!anybody_can_run())
            return fail_outside("deadlock: every thread waits");
        else if (active->spins_since_progress > active->order->patience * spins_per_cent)
            return fail_outside("hang: threads poll and nothing else happens");
    }
}

outcome grid_run(const launch &order, std::string *report)
{
    run state = {};
    state.order = &order;
    state.report = report;
    state.result = outcome::finished;
    state.block_count = static_cast<uint64_t>(order.grid.x) * order.grid.y * order.grid.z;
    state.random_state = order.seed;
    active = &state;
    fault_catch_begin();
    shared_launch_begin();
    choose_start_order();
    run_all();
    fault_catch_end();
    for (auto &each : state.resident)
        abandon(each.get());
    flags_drop();
    active = nullptr;
    current = nullptr;
    return state.result;
}

} // namespace emu
