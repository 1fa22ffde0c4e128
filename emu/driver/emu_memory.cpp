/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory. A device's memory is its own range of addresses, locked whenever nothing of that device
 * runs, so host code that dereferences it faults: by a key of the processor, if it has such, which
 * only the thread that runs things for the device holds then, or by protecting its pages. Every
 * allocation lies between guard pages, flush with the upper one; the few bytes left by alignment
 * are poisoned for AddressSanitizer and checked as canaries without it. Addresses are not reused
 * until the range is used up.
 */
#include "emu_driver.h"
#include "emu_sanitizer.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace emu
{

static constexpr size_t range_bytes = size_t(1) << 40;
static constexpr size_t page_bytes = 65536; /* ≥ any page size of our processors */
static constexpr size_t pointer_alignment = 256;
static constexpr unsigned char fresh = 0xcd, canary = 0xeb;

struct range {
    uintptr_t start = 0, next = 0;
    size_t used = 0;
    int key = -1; /* to its memory, for each thread, where the processor has such */
};

static range ranges[16];
static std::map<uintptr_t, allocation> allocations;
static uint32_t open_mask;

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static bool range_reserve(range *reserved)
{
    if (reserved->start)
        return true;
    void *mapping =
        mmap(nullptr, range_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    /* A test that fills a device takes a third of the time if it is not protected by 4 KiB. */
    madvise(mapping, range_bytes, MADV_HUGEPAGE);
    if (configuration().keys)
        reserved->key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    reserved->start = round_up(reinterpret_cast<uintptr_t>(mapping), page_bytes);
    reserved->next = reserved->start;
    return true;
}

bool fault_is_device_address(const volatile void *address)
{
    auto byte = reinterpret_cast<uintptr_t>(address);
    for (const range &each : ranges)
        if (each.start && byte >= each.start && byte < each.start + range_bytes - page_bytes)
            return true;
    return false;
}

/* Memory that whoever holds the key may touch, or everybody; or nobody. */
static void protect(const allocation &memory, bool open)
{
    auto *pages = reinterpret_cast<void *>(memory.pages_start);
    const size_t bytes = memory.pages_end - memory.pages_start;
    const int key = ranges[memory.device].key;
    if (open && key >= 0)
        pkey_mprotect(pages, bytes, PROT_READ | PROT_WRITE, key);
    else
        mprotect(pages, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

static bool has_key(size_t device)
{
    return ranges[device].key >= 0;
}

/* For this thread, which takes no time: to protect pages instead took three quarters of the time of
 * tests that run small things side by side (cuda.multi_runs.4: 49 s, 13 by keys). */
static void turn_keys(uint32_t mask)
{
    for (size_t device = 0; device < sizeof ranges / sizeof *ranges; device++)
        if (has_key(device))
            pkey_set(ranges[device].key, mask >> device & 1 ? 0 : PKEY_DISABLE_ACCESS);
}

/* Of a device that has no key. */
static void turn_pages(const allocation &memory, bool open)
{
    if (!has_key(memory.device))
        protect(memory, open);
}

void memory_open(uint32_t mask)
{
    turn_keys(mask);
    for (const auto &each : allocations) {
        uint32_t bit = 1u << each.second.device;
        if (each.second.type == memory_type::device && ((mask ^ open_mask) & bit))
            turn_pages(each.second, (mask & bit) != 0);
    }
    open_mask = mask;
}

void memory_close()
{
    memory_open(0);
}

static void poison_new(const allocation &memory)
{
    auto *pages = reinterpret_cast<unsigned char *>(memory.pages_start);
    auto *start = reinterpret_cast<unsigned char *>(memory.start);
    protect(memory, true);
    turn_keys(open_mask | 1u << memory.device);
    size_t before = memory.start - memory.pages_start;
    size_t after = memory.pages_end - memory.start - memory.bytes;
    std::memset(start, fresh, memory.bytes);
    std::memset(start + memory.bytes, canary, after);
    ASAN_POISON_MEMORY_REGION(pages, before);
    ASAN_POISON_MEMORY_REGION(start + memory.bytes, after);
    turn_keys(open_mask);
    if (!(open_mask >> memory.device & 1))
        turn_pages(memory, false);
}

/* Next fit. The range is a thousand times what tests hold at once, so the second round finds room
 * after skipping a few live allocations. */
static uintptr_t range_place(range *from, size_t span)
{
    if (from->next + span > from->start + range_bytes - page_bytes)
        from->next = from->start;
    for (auto after = allocations.lower_bound(from->next);
         after != allocations.end() && after->second.pages_start < from->next + span; ++after)
        from->next = after->second.pages_end;
    uintptr_t place = from->next + page_bytes; /* behind a guard */
    from->next += span;
    return place;
}

CUresult memory_allocate(int device, size_t bytes, CUcontext context, CUmemoryPool pool,
                         CUdeviceptr *pointer)
{
    range &from = ranges[device];
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > configuration().memory - from.used || !range_reserve(&from))
        return CUDA_ERROR_OUT_OF_MEMORY;
    size_t payload = round_up(bytes, pointer_alignment);
    size_t pages = round_up(payload, page_bytes);
    uintptr_t place = range_place(&from, pages + 2 * page_bytes);
    allocation made = {place + pages - payload,
                       bytes,
                       memory_type::device,
                       device,
                       context,
                       pool,
                       place,
                       place + pages};
    poison_new(made);
    allocations[made.start] = made;
    from.used += bytes;
    if (pool)
        pool->high = std::max(pool->high, pool_used(pool));
    *pointer = made.start;
    return CUDA_SUCCESS;
}

CUresult memory_free(CUdeviceptr pointer)
{
    auto found = allocations.find(pointer);
    if (found == allocations.end() || found->second.type == memory_type::pinned ||
        found->second.type == memory_type::registered)
        return CUDA_ERROR_INVALID_VALUE;
    allocation gone = found->second;
    if (gone.type == memory_type::managed)
        return host_free(reinterpret_cast<void *>(gone.start), memory_type::managed);
    auto *pages = reinterpret_cast<void *>(gone.pages_start);
    ASAN_UNPOISON_MEMORY_REGION(pages, gone.pages_end - gone.pages_start);
    madvise(pages, gone.pages_end - gone.pages_start, MADV_DONTNEED);
    protect(gone, false);
    ranges[gone.device].used -= gone.bytes;
    allocations.erase(found);
    return CUDA_SUCCESS;
}

/* Without AddressSanitizer, the bytes between an allocation's end and its guard page. */
bool memory_check_margins(std::string *report)
{
    if (EMU_ASAN)
        return true;
    for (const auto &each : allocations) {
        const allocation &memory = each.second;
        if (memory.type != memory_type::device || !(open_mask >> memory.device & 1))
            continue;
        auto *end = reinterpret_cast<unsigned char *>(memory.pages_end);
        for (auto *byte = reinterpret_cast<unsigned char *>(memory.start + memory.bytes);
             byte < end; byte++) {
            if (*byte != canary) {
                *report = "something wrote behind the end of an allocation of " +
                          std::to_string(memory.bytes) + " bytes\n";
                std::memset(byte, canary, static_cast<size_t>(end - byte));
                return false;
            }
        }
    }
    return true;
}

CUresult host_allocate(size_t bytes, memory_type type, CUcontext context, void **pointer)
{
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    void *memory = std::aligned_alloc(4096, round_up(bytes, 4096));
    if (!memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    std::memset(memory, fresh, bytes);
    auto start = reinterpret_cast<uintptr_t>(memory);
    allocations[start] = {start,   bytes,   type,  context->device,
                          context, nullptr, start, start + bytes};
    *pointer = memory;
    return CUDA_SUCCESS;
}

CUresult host_register(void *pointer, size_t bytes, CUcontext context)
{
    auto start = reinterpret_cast<uintptr_t>(pointer);
    if (!pointer || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    auto next = allocations.lower_bound(start + bytes);
    if (next != allocations.begin() && std::prev(next)->second.pages_end > start)
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    allocations[start] = {start,           bytes,        memory_type::registered,
                          context->device, context,      nullptr,
                          start,           start + bytes};
    return CUDA_SUCCESS;
}

CUresult host_free(void *pointer, memory_type type)
{
    auto found = allocations.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == allocations.end() || found->second.type != type)
        return type == memory_type::registered ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
                                               : CUDA_ERROR_INVALID_VALUE;
    allocations.erase(found);
    if (type != memory_type::registered)
        std::free(pointer);
    return CUDA_SUCCESS;
}

const allocation *memory_find(uintptr_t address)
{
    auto after = allocations.upper_bound(address);
    if (after == allocations.begin())
        return nullptr;
    const allocation &before = std::prev(after)->second;
    return address < before.start + before.bytes ? &before : nullptr;
}

void memory_free_context(CUcontext context)
{
    std::vector<CUdeviceptr> doomed;
    for (const auto &each : allocations)
        if (each.second.context == context && each.second.type == memory_type::device)
            doomed.push_back(each.first);
    for (CUdeviceptr pointer : doomed)
        memory_free(pointer);
}

size_t memory_used(int device)
{
    return ranges[device].used;
}

size_t pool_used(CUmemoryPool pool)
{
    size_t used = 0;
    for (const auto &each : allocations)
        used += each.second.pool == pool ? each.second.bytes : 0;
    return used;
}

} // namespace emu
