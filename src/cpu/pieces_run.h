/* SPDX-License-Identifier: Apache-2.0 */
/* A distribution sort in pieces: its sizes, and its workspace carved up. */
#ifndef CONSORT_CPU_PIECES_RUN_H
#define CONSORT_CPU_PIECES_RUN_H

#include "cpu/pieces_flow.h"
#include "cpu/pieces_map.h"

struct team;

enum pieces_parameter {
    PIECES_PIECE,
    PIECES_BUCKETS,
    PIECES_PARAMETERS
};

extern const consort_parameter_info pieces_parameters[PIECES_PARAMETERS];

/* Follows from the request and the parameters alone. */
struct pieces_sizes {
    uint32_t width;   /* bytes of a key */
    uint32_t members; /* at most */
    uint32_t buckets; /* at most, of one distribution */
    uint64_t piece;   /* items read, sorted or written at once: whole blocks */
    uint64_t spots;   /* blocks of the sample */
    uint64_t blocks;
    uint64_t tasks;
    uint64_t later; /* buckets that wait to be distributed once more */
    uint64_t sort;  /* bytes to sort a bucket with */
};

struct pieces_sizes pieces_sizes_of(const struct request *request, const int64_t *parameters);

/* UINT64_MAX: more than an address space. */
uint64_t pieces_workspace(const struct request *request, const int64_t *parameters);

/* Items of the result that one member sorts and writes at once: buckets, or copies of one key. */
struct pieces_task {
    uint64_t first;
    uint64_t count;
    uint32_t bucket;
    uint32_t buckets; /* 0: copies of `key` */
    unsigned char key[sizeof(uint128)];
};

/* A bucket that is larger than a piece. */
struct pieces_later {
    struct pieces_chain chain;
    uint64_t first; /* where its items begin in the result */
    uint32_t depth; /* how often they were distributed */
};

struct pieces_member {
    struct pieces_writer writer;
    unsigned char *gathered; /* room for a piece at any place within a page */
    unsigned char *sorted;
    void *sort;
};

struct pieces_run {
    struct pieces_flow flow;
    struct team *team;
    struct team *alone; /* of one member */
    struct pieces_sizes sizes;
    struct codec codec;
    struct pieces_store store;
    struct pieces_map *map;
    struct pieces_chain *buckets;
    struct pieces_task *tasks;
    uint64_t task_count;
    struct pieces_later *later;
    uint64_t later_count;
    struct pieces_member *members;
    struct pieces_later source; /* what is distributed; depth 0: the input */
};

/* False: out of memory. To be released all the same. */
bool pieces_run_begin(struct pieces_run *pieces, const struct consort_plan *plan,
                      const struct run *run);
void pieces_run_release(struct pieces_run *pieces);

#endif
