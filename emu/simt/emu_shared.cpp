/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory: an arena per resident block between guard pages, static variables in one half,
 * the dynamic part flush against the upper guard in the other. Poisoned when a block starts.
 */
#include "emu_grid.h"
#include "emu_sanitizer.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace emu
{

static constexpr size_t static_bytes = 64 * 1024; /* room for 48 KiB and the red zones */
static constexpr size_t static_limit = 48 * 1024; /* as on every GPU so far */
static constexpr size_t dynamic_bytes = 256 * 1024;
static constexpr size_t guard_bytes = 64 * 1024;
static constexpr size_t arena_bytes = 3 * guard_bytes + static_bytes + dynamic_bytes;
static constexpr size_t red_zone = 32;
static constexpr int poison = 0xa5;

struct shared_memory {
    char *mapping;
    char *statics, *dynamic_end;
    size_t dynamic_used;
    std::vector<bool> touched; /* statics this block has already met */
};

/* Where each static variable of the kernel lies: the same in all blocks, as a cluster needs. */
struct static_variable {
    const void *tag;
    size_t offset, bytes;
};

static std::vector<static_variable> layout;
static size_t layout_end, layout_payload;
/* Never destroyed: what it holds stays reachable for the leak checker. */
static auto &free_arenas = *new std::vector<shared_memory *>();

void shared_launch_begin()
{
    layout.clear();
    layout_end = layout_payload = 0;
}

static shared_memory *arena_map()
{
    void *mapping =
        mmap(nullptr, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    auto *arena = new shared_memory();
    arena->mapping = static_cast<char *>(mapping);
    arena->statics = arena->mapping + guard_bytes;
    char *dynamic = arena->statics + static_bytes + guard_bytes;
    arena->dynamic_end = dynamic + dynamic_bytes;
    if (mapping == MAP_FAILED ||
        mprotect(arena->statics, static_bytes, PROT_READ | PROT_WRITE) != 0 ||
        mprotect(dynamic, dynamic_bytes, PROT_READ | PROT_WRITE) != 0) {
        std::fprintf(stderr, "consort_emu: no memory for a block's shared memory\n");
        std::abort();
    }
    return arena;
}

shared_memory *shared_open(const launch &order)
{
    shared_memory *arena;
    if (free_arenas.empty()) {
        arena = arena_map();
    } else {
        arena = free_arenas.back();
        free_arenas.pop_back();
    }
    arena->dynamic_used = (order.dynamic_shared + 15u) / 16 * 16;
    arena->touched.clear();
    char *base = arena->dynamic_end - arena->dynamic_used;
    ASAN_POISON_MEMORY_REGION(arena->statics, static_bytes);
    ASAN_POISON_MEMORY_REGION(arena->dynamic_end - dynamic_bytes, dynamic_bytes);
    ASAN_UNPOISON_MEMORY_REGION(base, order.dynamic_shared);
    std::memset(base, poison, order.dynamic_shared);
    return arena;
}

void shared_close(shared_memory *arena)
{
    ASAN_UNPOISON_MEMORY_REGION(arena->mapping, arena_bytes);
    free_arenas.push_back(arena);
}

static size_t layout_find(const void *tag, size_t bytes, size_t alignment)
{
    for (size_t i = 0; i < layout.size(); i++)
        if (layout[i].tag == tag)
            return i;
    if (alignment < 16)
        alignment = 16;
    size_t offset = (layout_end + red_zone + alignment - 1) / alignment * alignment;
    layout_end = offset + bytes;
    layout_payload += bytes;
    if (layout_payload > static_limit || layout_end > static_bytes)
        launch_fail(outcome::failed, "%zu bytes of static shared memory, the limit is %zu",
                    layout_payload, static_limit);
    layout.push_back({tag, offset, bytes});
    return layout.size() - 1;
}

void *shared_static(const void *tag, size_t bytes, size_t alignment)
{
    shared_memory *arena = self()->block->shared;
    size_t index = layout_find(tag, bytes, alignment);
    char *variable = arena->statics + layout[index].offset;
    if (arena->touched.size() <= index)
        arena->touched.resize(index + 1);
    if (!arena->touched[index]) {
        arena->touched[index] = true;
        ASAN_UNPOISON_MEMORY_REGION(variable, bytes);
        std::memset(variable, poison, bytes);
    }
    return variable;
}

void *shared_dynamic()
{
    const shared_memory *arena = self()->block->shared;
    return arena->dynamic_end - arena->dynamic_used;
}

/* A cluster's blocks have one layout, so an address translates by its distance from the arena. */
void *shared_translate(const shared_memory *from, const shared_memory *to, void *address)
{
    size_t offset;
    if (!shared_offset(from, address, &offset))
        launch_fail(outcome::failed, "%p is not in this block's shared memory", address);
    return to->mapping + (static_cast<char *>(address) - from->mapping);
}

bool shared_offset(const shared_memory *arena, const volatile void *address, size_t *offset)
{
    const auto *byte = static_cast<const volatile char *>(address);
    if (byte < arena->statics || byte >= arena->dynamic_end)
        return false;
    *offset = static_cast<size_t>(byte - arena->statics);
    if (*offset >= static_bytes) {
        if (*offset < static_bytes + guard_bytes)
            return false;
        *offset -= guard_bytes;
    }
    return true;
}

bool shared_guard_holds(const shared_memory *arena, const void *address)
{
    const auto *byte = static_cast<const char *>(address);
    return byte >= arena->mapping && byte < arena->mapping + arena_bytes;
}

} // namespace emu
