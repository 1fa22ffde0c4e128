/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races in shared memory. Kernels built with -fsanitize=thread call the functions at the end of
 * this file before every load and store; no ThreadSanitizer runtime is linked. Two accesses of one
 * block to one byte conflict when one writes, not both are atomic, and nothing orders them: a block
 * barrier (a new epoch), __syncwarp (clocks of a warp's lanes), or a published flag (an edge).
 */
#include "emu_grid.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unordered_map>

namespace emu
{

/* Three for each byte of shared memory, so a small one. */
struct access {
    uint32_t epoch, clock;
    int32_t code; /* from code_origin on */
    uint16_t thread;
    bool atomic;
};
static_assert(sizeof(access) == 16, "a byte of shared memory has a cell of 48 bytes");

struct cell {
    access write, reads[2];
};

using known_clock = std::pair<uint16_t, uint32_t>; /* thread, the last of its clocks we follow */

struct lane_clock {
    uint32_t now;
    uint32_t known[32];              /* lanes of the own warp */
    std::vector<known_clock> others; /* threads whose flags were seen since the last barrier */
};

struct race_shadow {
    cell *cells;
    uint32_t epoch, first_epoch;
    std::vector<lane_clock> clocks;
    std::unordered_map<const volatile void *, std::vector<known_clock>> flags;
};

static const char code_origin = 0; /* in the same library as every kernel */

static constexpr size_t cell_count = (64 + 256) * 1024; /* the arena of emu_shared.cpp */
static bool tracing;
static uint32_t epochs;
static std::vector<cell *> free_cells;

static cell *cells_take()
{
    if (!free_cells.empty()) {
        cell *cells = free_cells.back();
        free_cells.pop_back();
        return cells;
    }
    void *mapping = mmap(nullptr, cell_count * sizeof(cell), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapping == MAP_FAILED ? nullptr : static_cast<cell *>(mapping);
}

/* Old cells need no clearing: their epochs lie before this block's first. */
void race_open(block *owner)
{
    if (!tracing)
        return;
    owner->race = new race_shadow();
    owner->race->cells = cells_take();
    owner->race->clocks.resize(owner->thread_count);
    owner->race->epoch = ++epochs;
    for (lane_clock &clock : owner->race->clocks)
        clock.now = 1;
}

void race_close(block *owner)
{
    if (!owner->race)
        return;
    if (owner->race->cells)
        free_cells.push_back(owner->race->cells);
    delete owner->race;
    owner->race = nullptr;
}

void race_block_sync(block *owner)
{
    if (!owner->race)
        return;
    owner->race->epoch = ++epochs;
    for (lane_clock &clock : owner->race->clocks)
        clock.others.clear();
}

static uint16_t thread_of(const lane *one)
{
    return static_cast<uint16_t>(one - one->block->lanes.data());
}

static void learn(std::vector<known_clock> *known, const std::vector<known_clock> &news)
{
    for (const known_clock &item : news) {
        auto same = std::find_if(known->begin(), known->end(),
                                 [&](const known_clock &k) { return k.first == item.first; });
        if (same == known->end())
            known->push_back(item);
        else
            same->second = std::max(same->second, item.second);
    }
}

void race_warp_sync(warp *meeting_warp, uint32_t mask)
{
    race_shadow *shadow = meeting_warp->lanes[0].block->race;
    if (!shadow)
        return;
    lane_clock *clocks = &shadow->clocks[meeting_warp->index * 32];
    lane_clock joined = {};
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        clocks[lane].known[lane] = clocks[lane].now++;
        for (int other = 0; other < 32; other++)
            joined.known[other] = std::max(joined.known[other], clocks[lane].known[other]);
        learn(&joined.others, clocks[lane].others);
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        lane_clock &clock = clocks[__builtin_ctz(left)];
        std::copy(joined.known, joined.known + 32, clock.known);
        clock.others = joined.others;
    }
}

void race_edge_out(const volatile void *word)
{
    const lane *me = self();
    if (!me->block->race)
        return;
    lane_clock &clock = me->block->race->clocks[thread_of(me)];
    std::vector<known_clock> news = clock.others;
    auto first = static_cast<uint16_t>(thread_of(me) - me->number);
    for (uint16_t other = 0; other < 32; other++)
        news.push_back({static_cast<uint16_t>(first + other), clock.known[other]});
    news.push_back({thread_of(me), clock.now++});
    learn(&me->block->race->flags[word], news);
}

void race_edge_in(const volatile void *word)
{
    const lane *me = self();
    if (!me->block->race)
        return;
    auto found = me->block->race->flags.find(word);
    if (found != me->block->race->flags.end())
        learn(&me->block->race->clocks[thread_of(me)].others, found->second);
}

static bool ordered_by_clocks(const race_shadow *shadow, const access &before, uint16_t thread)
{
    const lane_clock &clock = shadow->clocks[thread];
    if (before.thread / 32 == thread / 32 && before.clock <= clock.known[before.thread % 32])
        return true;
    for (const known_clock &item : clock.others)
        if (item.first == before.thread && before.clock <= item.second)
            return true;
    return false;
}

static inline bool ordered(const race_shadow *shadow, const access &before, const access &now)
{
    return before.epoch < now.epoch || before.thread == now.thread ||
           ordered_by_clocks(shadow, before, now.thread);
}

static std::string code_place(int32_t from_origin)
{
    const void *code = &code_origin + from_origin;
    Dl_info info;
    char text[512];
    if (!dladdr(code, &info) || !info.dli_fname)
        return "?";
    std::snprintf(text, sizeof(text), "%s+0x%zx", info.dli_fname,
                  static_cast<size_t>(static_cast<const char *>(code) -
                                      static_cast<const char *>(info.dli_fbase)));
    return text;
}

static void report_race(const access &before, const char *kind, const access &now,
                        const char *now_kind, size_t offset)
{
    launch_fail(outcome::failed,
                "race in shared memory at offset %zu: threads %u (%s) and %u (%s) of block "
                "(%u,%u,%u), nothing orders them\n  %s\n  %s",
                offset, before.thread, kind, now.thread, now_kind, current->block_index.x,
                current->block_index.y, current->block_index.z, code_place(before.code).c_str(),
                code_place(now.code).c_str());
}

static void trace_byte(race_shadow *shadow, size_t offset, bool write, const access &now)
{
    cell &touched = shadow->cells[offset];
    if (!(now.atomic && touched.write.atomic) && !ordered(shadow, touched.write, now))
        report_race(touched.write, "write", now, write ? "write" : "read", offset);
    if (!write) {
        bool known = ordered(shadow, touched.reads[0], now);
        touched.reads[known ? 0 : 1] = now;
        return;
    }
    for (const access &read : touched.reads)
        if (!ordered(shadow, read, now))
            report_race(read, "read", now, "write", offset);
    touched.write = now;
}

static void trace(const volatile void *address, size_t bytes, bool write, bool atomic,
                  const void *code)
{
    if (!active || !current || !self()->block->race)
        return;
    const lane *me = self();
    race_shadow *shadow = me->block->race;
    size_t offset;
    if (!shadow->cells || !shared_offset(me->block->shared, address, &offset))
        return;
    uint16_t thread = thread_of(me);
    auto place = static_cast<int32_t>(static_cast<const char *>(code) - &code_origin);
    access now = {shadow->epoch, shadow->clocks[thread].now, place, thread, atomic};
    for (size_t i = 0; i < bytes && offset + i < cell_count; i++)
        trace_byte(shadow, offset + i, write, now);
}

void race_atomic(const volatile void *address, size_t bytes)
{
    if (tracing)
        trace(address, bytes, true, true, __builtin_return_address(0));
}

} // namespace emu

/* What the compilers call. Hidden, so that a program under the real ThreadSanitizer keeps its own.
 */
extern "C" {

void __tsan_init()
{
    emu::tracing = true;
}

void __tsan_func_entry(void *)
{
}

void __tsan_func_exit(void *)
{
}

#define EMU_TRACE(bytes)                                                                           \
    void __tsan_read##bytes(void *address)                                                         \
    {                                                                                              \
        emu::trace(address, bytes, false, false, __builtin_return_address(0));                     \
    }                                                                                              \
    void __tsan_write##bytes(void *address)                                                        \
    {                                                                                              \
        emu::trace(address, bytes, true, false, __builtin_return_address(0));                      \
    }
EMU_TRACE(1)
EMU_TRACE(2)
EMU_TRACE(4)
EMU_TRACE(8)
EMU_TRACE(16)
#undef EMU_TRACE

#define EMU_TRACE(bytes)                                                                           \
    void __tsan_unaligned_read##bytes(void *address)                                               \
    {                                                                                              \
        emu::trace(address, bytes, false, false, __builtin_return_address(0));                     \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *address)                                              \
    {                                                                                              \
        emu::trace(address, bytes, true, false, __builtin_return_address(0));                      \
    }
EMU_TRACE(2)
EMU_TRACE(4)
EMU_TRACE(8)
EMU_TRACE(16)
#undef EMU_TRACE

void __tsan_read_range(void *address, long bytes)
{
    emu::trace(address, static_cast<size_t>(bytes), false, false, __builtin_return_address(0));
}

void __tsan_write_range(void *address, long bytes)
{
    emu::trace(address, static_cast<size_t>(bytes), true, false, __builtin_return_address(0));
}
}
