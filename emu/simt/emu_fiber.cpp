/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers: a pool of guarded stacks, and the notes that AddressSanitizer needs to follow a change of
 * stack. The switch itself is emu_switch.S. */
#include "emu_fiber.h"

#include "emu_sanitizer.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

extern "C" void emu_switch_stacks(void **save, void *load);

/* The frame emu_switch.S pops from a new stack. */
#if defined(__x86_64__)
static constexpr size_t frame_words = 8; /* six registers, the return address, alignment */
static constexpr size_t return_word = 6;
#else
static constexpr size_t frame_words = 20; /* AArch64: x19 … x30, d8 … d15 */
static constexpr size_t return_word = 11;
#endif

namespace emu
{

static constexpr size_t page_bytes = 4096;
static constexpr size_t guard_bytes = 16 * page_bytes;
static constexpr size_t stack_bytes = (EMU_ASAN ? 256 : 64) * 1024;
/* One page more than a power of two, and a shift by lines: stacks that all start at the same
 * address modulo 64 KiB fight for one set of every cache. */
static constexpr size_t stride_bytes = guard_bytes + stack_bytes + page_bytes;

static std::vector<char *> free_stacks;
static size_t stack_count;

static char *stack_take()
{
    if (free_stacks.empty()) {
        void *mapping = mmap(nullptr, stride_bytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapping == MAP_FAILED || mprotect(static_cast<char *>(mapping) + guard_bytes,
                                              stack_bytes, PROT_READ | PROT_WRITE) != 0) {
            std::fprintf(stderr, "consort_emu: no memory for the stack of thread %zu\n",
                         stack_count);
            std::abort();
        }
        stack_count++;
        return static_cast<char *>(mapping) + guard_bytes;
    }
    char *stack = free_stacks.back();
    free_stacks.pop_back();
    return stack;
}

void fiber_prepare(fiber *target, void (*entry)())
{
    if (!target->stack)
        target->stack = stack_take();
    size_t color = reinterpret_cast<uintptr_t>(target->stack) / page_bytes % 31 * 64;
    void **top = reinterpret_cast<void **>(target->stack + stack_bytes - 256 - color);
    void **frame = top - frame_words;
    for (size_t word = 0; word < frame_words; word++)
        frame[word] = nullptr;
    frame[return_word] = reinterpret_cast<void *>(entry);
    target->stack_pointer = frame;
    target->sanitizer_bottom = target->stack;
    target->sanitizer_bytes = stack_bytes;
    target->sanitizer_frames = nullptr;
}

void fiber_release(fiber *target)
{
    if (target->stack)
        free_stacks.push_back(target->stack);
    target->stack = nullptr;
}

void fiber_abandon(fiber *target)
{
    if (target->stack)
        ASAN_UNPOISON_MEMORY_REGION(target->stack, stack_bytes);
    fiber_release(target);
}

void fiber_switch(fiber *from, fiber *to)
{
    EMU_ASAN_START_SWITCH(&from->sanitizer_frames, to->sanitizer_bottom, to->sanitizer_bytes);
    emu_switch_stacks(&from->stack_pointer, to->stack_pointer);
    EMU_ASAN_FINISH_SWITCH(from->sanitizer_frames, nullptr, nullptr);
}

void fiber_leave(fiber *from, fiber *to)
{
    EMU_ASAN_START_SWITCH(nullptr, to->sanitizer_bottom, to->sanitizer_bytes);
    emu_switch_stacks(&from->stack_pointer, to->stack_pointer);
    __builtin_unreachable();
}

void fiber_arrived([[maybe_unused]] fiber *host)
{
    const void *bottom = nullptr;
    size_t bytes = 0;
    EMU_ASAN_FINISH_SWITCH(nullptr, &bottom, &bytes);
    if (!host->sanitizer_bottom) {
        host->sanitizer_bottom = bottom;
        host->sanitizer_bytes = bytes;
    }
}

bool fiber_guard_holds(const fiber *self, const void *address)
{
    const char *byte = static_cast<const char *>(address);
    return self->stack && byte >= self->stack - guard_bytes && byte < self->stack;
}

} // namespace emu
