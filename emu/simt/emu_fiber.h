/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fibers: one per CUDA thread. A switch saves the callee-saved registers and swaps stack pointers:
 * a few nanoseconds, where swapcontext makes two system calls for the signal mask. Each stack lies
 * over a guard page.
 */
#ifndef CONSORT_EMU_FIBER_H
#define CONSORT_EMU_FIBER_H

#include <cstddef>

namespace emu
{

struct fiber {
    void *stack_pointer = nullptr;
    char *stack = nullptr; /* lowest usable byte; null for the fiber of the host thread */
    const void *sanitizer_bottom = nullptr;
    size_t sanitizer_bytes = 0;
    void *sanitizer_frames = nullptr;
};

/* Gives `target` a stack from the pool and arranges that the first switch to it calls `entry`,
 * which must never return. */
void fiber_prepare(fiber *target, void (*entry)());

/* The stack may be reused at once. Every function on it has returned and left nothing poisoned:
 * AddressSanitizer's shadow of a whole stack, 32 KiB, would take long to clear for each thread. */
void fiber_release(fiber *target);

/* The same of a fiber that has not come to its end. */
void fiber_abandon(fiber *target);

void fiber_switch(fiber *from, fiber *to);

/* Leaves `from` for good: it is prepared anew or released, never resumed. */
[[noreturn]] void fiber_leave(fiber *from, fiber *to);

/* First thing to call on a new stack. The first of a launch is entered from the host thread and
 * learns where that has its stack. */
void fiber_arrived(fiber *host);

bool fiber_guard_holds(const fiber *self, const void *address);

} // namespace emu

#endif
