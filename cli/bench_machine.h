/* SPDX-License-Identifier: Apache-2.0 */
/* The machine a benchmark runs on: what a report must name, and which processors a run may use. */
#ifndef CONSORT_CLI_BENCH_MACHINE_H
#define CONSORT_CLI_BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_TEXT = 128
};

struct bench_machine {
    char processor[BENCH_TEXT]; /* model name and numbers, as the kernel has them */
    uint32_t processors;        /* that this process may use */
    uint64_t memory;            /* bytes */
    uint64_t caches[3];         /* bytes: L1 data, L2, L3; 0 = unknown */
    char kernel[BENCH_TEXT];
    char huge_pages[BENCH_TEXT]; /* the kernel's mode for transparent ones */
    char architecture[BENCH_TEXT];
};

void bench_machine_read(struct bench_machine *machine);

/* The first line of a file, without its end; empty if there is none. */
void bench_machine_read_line(const char *path, char text[BENCH_TEXT]);

/* Processors this process could use when it started. */
uint32_t bench_machine_processors(void);

/* Ties this thread, and those that it starts from now on, to one processor: to the last ones, since
 * interrupts prefer the first; to two of them in turns, since two are seldom equally fast: somebody
 * else's work on a core's second thread can cost it a third. False: the system refused. */
bool bench_machine_pin(size_t turn);

/* All of them again. */
void bench_machine_unpin(void);

#endif
