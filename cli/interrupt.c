/* SPDX-License-Identifier: Apache-2.0 */
/* SIGINT, SIGTERM and SIGHUP ask long work to stop; so does a closed pipe. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const int interrupt_signals[] = {SIGINT, SIGTERM, SIGHUP};
static volatile int32_t interrupt_signal;
static bool interrupt_pipes_kill;
static const char *_Atomic interrupt_litter;
static _Atomic int interrupt_folder;

/* The signal that kills is blocked until this returns. */
static void interrupt_handle(int signal_number)
{
    const char *name = atomic_load(&interrupt_litter);
    if (interrupt_signal == 0) {
        interrupt_signal = signal_number;
        return;
    }
    if (name)
        unlinkat(atomic_load(&interrupt_folder), name, 0);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void interrupt_remove(int folder, const char *name)
{
    atomic_store(&interrupt_litter, NULL);
    atomic_store(&interrupt_folder, folder);
    atomic_store(&interrupt_litter, name);
}

void interrupt_install(void)
{
    for (size_t i = 0; i < sizeof interrupt_signals / sizeof interrupt_signals[0]; i++) {
        struct sigaction action = {.sa_handler = interrupt_handle};
        struct sigaction before;
        sigemptyset(&action.sa_mask);
        /* No SA_RESTART: a read that waits for a pipe must wake up. */
        action.sa_flags = 0;
        /* Ignored from outside (nohup) stays ignored. */
        if (sigaction(interrupt_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(interrupt_signals[i], &action, NULL);
    }
    /* A file that grows beyond `ulimit -f` is a write that fails, like any other. */
    signal(SIGXFSZ, SIG_IGN);
}

void interrupt_hold_pipes(void)
{
    struct sigaction before;
    interrupt_pipes_kill = sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler != SIG_IGN;
    signal(SIGPIPE, SIG_IGN);
}

bool interrupt_by_pipe(void)
{
    if (interrupt_pipes_kill && interrupt_signal == 0)
        interrupt_signal = SIGPIPE;
    return interrupt_pipes_kill;
}

const volatile int32_t *interrupt_flag(void)
{
    return &interrupt_signal;
}

bool interrupt_requested(void)
{
    return interrupt_signal != 0;
}

void interrupt_finish(void)
{
    if (!interrupt_requested())
        return;
    signal(interrupt_signal, SIG_DFL);
    raise(interrupt_signal);
}
