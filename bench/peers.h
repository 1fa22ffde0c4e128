/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peers: other people's sorts, measured beside this library. They live in plugins that
 * `consort bench` opens at run time, so that no product depends on them. A plugin exports one
 * function, consort_bench_peers(). This header is plain C.
 *
 * One measurement of a peer:
 *     fill job.keys and job.values; prepare(&job); start the clock; run(&job); stop it;
 * finish(&job) prepare and finish do what a user of that peer would not have to do, such as packing
 * separate keys and values into structures; run does what he would, allocations included. After
 * finish the result stands in job.keys and job.values. If prepare fails, the other two are not
 * called; if run fails, finish is, and the arrays are worthless.
 */
#ifndef CONSORT_BENCH_PEERS_H
#define CONSORT_BENCH_PEERS_H

#include <stdint.h>

#include "consort.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PEERS_ABI_VERSION = 1
};

enum {
    PEER_SORT = 0,      /* keys */
    PEER_SORT_PAIRS = 1 /* keys, and values of value_bytes each, in two arrays */
};

enum {
    PEER_HOST = 0,
    PEER_DEVICE = 1
};

/* Results of prepare, run and finish. */
enum {
    PEER_OK = 0,
    PEER_UNSUPPORTED = 1,
    PEER_NO_MEMORY = 2,
    PEER_FAILED = 3
};

/* What to sort. The caller clears it and fills what he knows; `state` belongs to the peer. */
struct peer_job {
    int32_t operation;
    consort_type type; /* native byte order; floats without NaN: peers compare with < */
    uint32_t value_bytes;
    int32_t threads; /* at least 1; ignored by peers that are not parallel */
    uint64_t count;
    void *keys; /* aligned to their type; host or device memory as the peer says */
    void *values;
    void *workspace; /* device peers: as many bytes as workspace() said, for run to use */
    uint64_t workspace_bytes;
    void *stream; /* device peers: the CUstream that run works on; it does not synchronise */
    void *state;
};

struct peer {
    const char *name;
    const char *description;
    const char *unavailable; /* NULL; or why it cannot run here, and then the rest is unset */
    int32_t memory;          /* PEER_HOST or PEER_DEVICE: where keys and values must be */
    int32_t stable;          /* 1: equal keys keep the order of their values */
    int32_t parallel;        /* 1: uses job.threads threads of the host */
    /* 1 if it can do this, else 0. */
    int32_t (*supports)(int32_t operation, consort_type type, uint32_t value_bytes);
    /* Bytes of workspace that run needs; NULL for none. */
    uint64_t (*workspace)(const struct peer_job *job);
    int32_t (*prepare)(struct peer_job *job);
    int32_t (*run)(struct peer_job *job);
    int32_t (*finish)(struct peer_job *job);
};

struct peer_table {
    uint32_t abi_version; /* PEERS_ABI_VERSION of the plugin: of another number read no further */
    uint32_t count;
    const struct peer *peers; /* the missing ones too, so that reports can name them */
};

/* The one symbol of a plugin; the table lives as long as the plugin is open. */
#define PEERS_SYMBOL "consort_bench_peers"
typedef const struct peer_table *(*peers_function)(void);

const struct peer_table *consort_bench_peers(void);

#ifdef __cplusplus
}
#endif

#endif
