/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults and runaway threads. A bad address inside a kernel ends the launch like on a GPU, with an
 * error from the next synchronisation; host code that dereferences device memory is told so before
 * it crashes; a kernel thread that computes for seconds without meeting anybody has a polling loop
 * without spin_pause; a launch may be given so many seconds.
 */
#include "emu_grid.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace emu
{

static constexpr int seconds_per_thread = 4;
static struct sigaction previous_segv, previous_bus;
static struct sigaction outside_segv, outside_bus;
static timer_t watchdog;
static bool watchdog_exists;
static uint64_t switches_seen;
static int seconds_stuck;

static const char *fault_place(const void *address)
{
    const lane *me = self();
    if (fiber_guard_holds(&me->fiber, address))
        return "the guard of its stack: too deep, or a large local array";
    if (shared_guard_holds(me->block->shared, address))
        return "a guard page of shared memory";
    if (fault_is_device_address(address))
        return "device memory that is not allocated, or not accessible from this device";
    return "no memory of this device";
}

static void on_fault(int number, siginfo_t *info, void *)
{
    if (active && current && active->result == outcome::finished) {
        uint3 block = current->block_index, thread = current->thread_index;
        launch_fail(outcome::illegal_address, "block (%u,%u,%u) thread (%u,%u,%u) touched %p: %s",
                    block.x, block.y, block.z, thread.x, thread.y, thread.z, info->si_addr,
                    fault_place(info->si_addr));
    }
    if (fault_is_device_address(info->si_addr))
        std::fprintf(stderr, "consort_emu: host code touched device memory at %p\n", info->si_addr);
    sigaction(number, number == SIGSEGV ? &previous_segv : &previous_bus, nullptr);
}

static void on_tick(int)
{
    if (!active || !current)
        return;
    if (++active->seconds >= active->order->seconds && active->order->seconds > 0)
        active->budget = 0; /* back to the scheduler, which ends it */
    seconds_stuck = active->switches == switches_seen ? seconds_stuck + 1 : 0;
    switches_seen = active->switches;
    if (seconds_stuck >= seconds_per_thread)
        launch_fail(outcome::failed,
                    "block (%u,%u,%u) thread (%u,%u,%u) ran %d ms without meeting "
                    "anybody: a loop that polls without spin_pause()?",
                    current->block_index.x, current->block_index.y, current->block_index.z,
                    current->thread_index.x, current->thread_index.y, current->thread_index.z,
                    seconds_stuck * 10 * active->order->patience);
}

/* SA_NODEFER: the handler leaves by switching fibers and never returns to unblock the signal. */
static void catch_faults(struct sigaction *segv, struct sigaction *bus)
{
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, segv);
    sigaction(SIGBUS, &action, bus);
}

void fault_install()
{
    catch_faults(&previous_segv, &previous_bus);
    struct sigaction tick = {};
    tick.sa_handler = on_tick;
    tick.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(SIGVTALRM, &tick, nullptr);
}

/* A stack overflow needs another stack to be reported on. AddressSanitizer brings its own. */
static void provide_signal_stack()
{
    static thread_local char memory[64 * 1024];
    stack_t present;
    if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
        stack_t own = {};
        own.ss_sp = memory;
        own.ss_size = sizeof(memory);
        sigaltstack(&own, nullptr);
    }
}

/* The program may have put its own handlers in place of ours since cuInit, as cmocka does for each
 * test; a kernel's faults are not for them. The watchdog counts this thread's processor time and
 * interrupts this thread only. */
void fault_catch_begin()
{
    provide_signal_stack();
    catch_faults(&outside_segv, &outside_bus);
    switches_seen = UINT64_MAX;
    struct sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = gettid();
    watchdog_exists = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watchdog) == 0;
    const long milliseconds = 10L * active->order->patience;
    const struct timespec second = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    const struct itimerspec every_second = {second, second};
    if (watchdog_exists)
        timer_settime(watchdog, 0, &every_second, nullptr);
}

void fault_catch_end()
{
    if (watchdog_exists)
        timer_delete(watchdog);
    watchdog_exists = false;
    sigaction(SIGSEGV, &outside_segv, nullptr);
    sigaction(SIGBUS, &outside_bus, nullptr);
}

} // namespace emu
