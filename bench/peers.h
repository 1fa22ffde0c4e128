/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peers: other people's sorts, measured beside this library. They live in plugins that
 * `consort bench` opens at run time, so that no product depends on them. A plugin exports one
 * function, consort_bench_peers(). This header is plain C.
 *
 * One measurement of a peer on the host:
 *     fill job.keys and job.values; prepare(&job); start the clock; run(&job); stop it;
 * finish(&job) prepare and finish do what a user of that peer would not have to do, such as packing
 * separate keys and values into structures; run does what he would, allocations included. After
 * finish the result stands in job.keys and job.values. If prepare fails, the other two are not
 * called; if run fails, finish is, and the arrays are worthless.
 *
 * A peer on a device is prepared once, then run as often as wanted, each time on a fresh copy of
 * the input in job.in and job.values_in, and finished once. Its clock are events on job.stream,
 * where run queues its work.
 */
#ifndef CONSORT_BENCH_PEERS_H
#define CONSORT_BENCH_PEERS_H

#include <stdint.h>

#include "consort.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PEERS_ABI_VERSION = 2
};

enum {
    PEER_SORT = 0,       /* keys */
    PEER_SORT_PAIRS = 1, /* keys, and values of value_bytes each, in two arrays */
    /* Device peers only, with values if value_bytes is not 0: */
    PEER_SEGMENTED_SORT = 2,
    PEER_MERGE = 3, /* the second list follows the first */
    PEER_TOP_K = 4  /* the k smallest keys, in any order */
};

/* Where a peer wants its arrays, and where it leaves the result. */
enum {
    PEER_HOST = 0,        /* host memory, in place */
    PEER_DEVICE_COPY = 1, /* device memory: from job.in to job.keys; job.in stays as it is */
    PEER_DEVICE_IN_PLACE = 2,
    PEER_DEVICE_DOUBLE = 3 /* overwrites both; job.buffer: result in job.in (0) or job.keys (1) */
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
    void *state;
    /* From here on for device peers. */
    void *in; /* in place: job.keys, and job.values */
    void *values_in;
    void *workspace; /* as many bytes as workspace() said, for run to use */
    uint64_t workspace_bytes;
    uint64_t own_bytes; /* what the peer took from the device itself, by now */
    void *stream;       /* a CUstream; run does not wait for it if its user need not */
    int32_t buffer;
    uint64_t count_b;        /* merge: items of the second list; count has those of the first */
    const uint32_t *offsets; /* segmented: in device memory, segments + 1 */
    uint64_t segments;
    uint64_t k; /* top-k */
};

struct peer {
    const char *name;
    const char *description;
    const char *unavailable; /* NULL; or why it cannot run here, and then the rest is unset */
    int32_t memory;          /* PEER_HOST … PEER_DEVICE_DOUBLE */
    int32_t stable;          /* 1: equal keys keep the order of their values */
    int32_t parallel;        /* 1: uses job.threads threads of the host */
    /* 1 if it can do this, else 0. */
    int32_t (*supports)(int32_t operation, consort_type type, uint32_t value_bytes);
    /* Bytes of workspace that run needs, for a job that is described but has no arrays yet; NULL
     * for none, and for peers that take their own. */
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
