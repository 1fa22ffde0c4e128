/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and opens the plugins of peers. Nothing depends on them: without any, only this library is
 * measured, and the report says so.
 */
#ifndef CONSORT_CLI_BENCH_PLUGIN_H
#define CONSORT_CLI_BENCH_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "../bench/peers.h"
#include "problem.h"

enum {
    BENCH_PLUGIN_PEERS = 64
};

struct bench_plugins {
    const struct peer *peers[BENCH_PLUGIN_PEERS]; /* the missing ones too */
    uint32_t count;
    struct problem problem; /* why there are none, or fewer than asked for; empty if all is well */
    struct problem device_problem; /* the same about peers on GPUs */
};

/*
 * Opens what $CONSORT_BENCH_PEERS lists (paths with colons between; empty: none); if it is not set,
 * the plugins beside the executable: of the build, or as installed. Of a CCCL of one's own there
 * need not be one. Plugins stay open.
 */
void bench_plugin_open(struct bench_plugins *plugins);

/* Does `name` mean it: "cub_radix" every version's, "cub_radix@3.4.2" one's? */
bool bench_plugin_is_called(const struct peer *peer, const char *name);

#endif
