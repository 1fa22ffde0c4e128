/* SPDX-License-Identifier: Apache-2.0 */
/* One line on stderr: what is being done, how far, how fast, how long still. */
#include "progress.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "size_parse.h"

enum {
    /* A sixth of a second: more is unreadable, and a terminal over a network is slow. */
    PROGRESS_INTERVAL = 166666667
};

static struct {
    bool shown;
    bool terminal;
    bool line_open;
    bool bytes;
    const char *phase;
    uint64_t total;
    int64_t start;
    _Atomic uint64_t done;
    _Atomic int64_t next_draw;
    atomic_flag drawing;
} progress_state = {.drawing = ATOMIC_FLAG_INIT};

static int64_t progress_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void progress_configure(enum progress_wish wish)
{
    progress_state.terminal = isatty(STDERR_FILENO) == 1;
    progress_state.shown =
        wish == PROGRESS_ALWAYS || (wish == PROGRESS_AUTO && progress_state.terminal);
}

static void progress_draw(uint64_t done, int64_t now)
{
    char amount[SIZE_TEXT];
    char rate[SIZE_TEXT];
    double seconds = (double)(now - progress_state.start) * 1e-9;
    double fraction = progress_state.total ? (double)done / (double)progress_state.total : 0;
    fputs(progress_state.terminal ? "\r\033[K" : "", stderr);
    fprintf(stderr, "%s", progress_state.phase);
    if (progress_state.total)
        fprintf(stderr, " %3.0f %%", 100 * fraction);
    if (progress_state.bytes)
        fprintf(stderr, "  %s  %s/s", size_format(done, amount),
                size_format(seconds > 0 ? (uint64_t)((double)done / seconds) : 0, rate));
    if (fraction > 0 && fraction < 1)
        fprintf(stderr, "  %.0f s left", seconds / fraction - seconds);
    fprintf(stderr, "  %.1f s", seconds);
    fputs(progress_state.terminal ? "" : "\n", stderr);
    progress_state.line_open = progress_state.terminal;
}

static void progress_maybe_draw(void)
{
    int64_t now = progress_now();
    if (now < atomic_load(&progress_state.next_draw) ||
        atomic_flag_test_and_set(&progress_state.drawing))
        return;
    atomic_store(&progress_state.next_draw, now + PROGRESS_INTERVAL);
    progress_draw(atomic_load(&progress_state.done), now);
    atomic_flag_clear(&progress_state.drawing);
}

void progress_begin(const char *phase, uint64_t total, int bytes)
{
    progress_state.phase = phase;
    progress_state.total = total;
    progress_state.bytes = bytes;
    progress_state.start = progress_now();
    atomic_store(&progress_state.done, 0);
    atomic_store(&progress_state.next_draw, progress_state.start + PROGRESS_INTERVAL);
}

void progress_add(uint64_t amount)
{
    atomic_fetch_add(&progress_state.done, amount);
    if (progress_state.shown)
        progress_maybe_draw();
}

int32_t progress_of_sort(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    progress_state.total = total;
    atomic_store(&progress_state.done, done);
    if (progress_state.shown)
        progress_maybe_draw();
    return interrupt_requested();
}

void progress_end(void)
{
    if (progress_state.shown && !progress_state.terminal)
        progress_draw(atomic_load(&progress_state.done), progress_now());
    progress_clear();
}

void progress_clear(void)
{
    if (!progress_state.line_open)
        return;
    fputs("\r\033[K", stderr);
    progress_state.line_open = false;
}
