/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bulk copies and their barriers. A load poisons its target at once and is done when a waiting
 * thread finds all arrivals of the phase; a store reads its source when its group is waited for. So
 * who reads too early sees poison, and who overwrites too early stores the wrong bytes.
 */
#include "emu_grid.h"

#include <cstring>
#include <deque>
#include <map>

namespace emu
{

struct bulk_copy {
    void *target;
    const void *source;
    uint32_t bytes;
};

struct bulk_barrier {
    uint32_t arrivals, missing, phase;
    int64_t bytes; /* expected and not yet copied */
    std::vector<bulk_copy> loads;
};

struct bulk_stores {
    std::vector<bulk_copy> open;
    std::deque<std::vector<bulk_copy>> committed;
};

struct bulk_state {
    std::map<const void *, bulk_barrier> barriers;
    std::map<const lane *, bulk_stores> stores;
};

static bulk_state &state_of(block *owner)
{
    if (!owner->bulk)
        owner->bulk = std::make_shared<bulk_state>();
    return *owner->bulk;
}

static void check_shared(const void *address, const char *what)
{
    size_t offset;
    if (!shared_offset(self()->block->shared, address, &offset))
        launch_fail(outcome::failed, "%s at %p is not in the block's shared memory", what, address);
}

static void check_copy(const void *shared, const void *global, uint32_t bytes)
{
    uintptr_t all = reinterpret_cast<uintptr_t>(shared) | reinterpret_cast<uintptr_t>(global);
    check_shared(shared, "a bulk copy");
    if ((all | bytes) % 16)
        launch_fail(outcome::failed, "bulk copy of %u bytes between %p and %p: not multiples of 16",
                    bytes, shared, global);
}

static bulk_barrier &barrier_find(const void *barrier)
{
    auto &barriers = state_of(self()->block).barriers;
    auto found = barriers.find(barrier);
    if (found == barriers.end())
        launch_fail(outcome::failed, "the bulk barrier at %p was never initialised", barrier);
    return found->second;
}

void bulk_barrier_init(void *barrier, uint32_t arrivals)
{
    check_shared(barrier, "a bulk barrier");
    state_of(self()->block).barriers[barrier] = {arrivals, arrivals, 0, 0, {}};
}

void bulk_barrier_arrive(void *barrier, uint32_t bytes)
{
    bulk_barrier &mine = barrier_find(barrier);
    if (mine.missing == 0)
        launch_fail(outcome::failed, "more than %u arrivals in one phase of a bulk barrier",
                    mine.arrivals);
    note_progress();
    mine.missing--;
    mine.bytes += bytes;
}

static void copy_all(const std::vector<bulk_copy> &copies)
{
    for (const bulk_copy &copy : copies)
        std::memcpy(copy.target, copy.source, copy.bytes);
}

bool bulk_barrier_done(void *barrier, uint32_t parity)
{
    bulk_barrier &mine = barrier_find(barrier);
    if (mine.phase % 2 != parity % 2)
        return true;
    if (mine.missing)
        return false;
    copy_all(mine.loads);
    for (const bulk_copy &copy : mine.loads)
        mine.bytes -= copy.bytes;
    mine.loads.clear();
    if (mine.bytes != 0)
        return false;
    mine.phase++;
    mine.missing = mine.arrivals;
    note_progress();
    return true;
}

void bulk_load(void *shared, const void *global, uint32_t bytes, void *barrier)
{
    check_copy(shared, global, bytes);
    std::memset(shared, 0xa5, bytes);
    barrier_find(barrier).loads.push_back({shared, global, bytes});
}

void bulk_store(void *global, const void *shared, uint32_t bytes)
{
    check_copy(shared, global, bytes);
    state_of(self()->block).stores[self()].open.push_back({global, shared, bytes});
}

void bulk_store_commit()
{
    bulk_stores &mine = state_of(self()->block).stores[self()];
    mine.committed.push_back(std::move(mine.open));
    mine.open.clear();
}

void bulk_store_wait(size_t left)
{
    bulk_stores &mine = state_of(self()->block).stores[self()];
    for (; mine.committed.size() > left; mine.committed.pop_front())
        copy_all(mine.committed.front());
}

void bulk_check_exit(const lane *leaving)
{
    if (!leaving->block->bulk)
        return;
    auto found = leaving->block->bulk->stores.find(leaving);
    if (found != leaving->block->bulk->stores.end() &&
        (!found->second.open.empty() || !found->second.committed.empty()))
        launch_fail(outcome::failed, "a thread returned before its bulk stores had read");
}

} // namespace emu
