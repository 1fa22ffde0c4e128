/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a distribution sort keeps its items between input and output: blocks of one size, chained
 * into buckets that grow as items come. So memory holds the items once, whatever the sizes of the
 * buckets, and what one phase has read the next can fill again.
 */
#ifndef CONSORT_CPU_PIECES_STORE_H
#define CONSORT_CPU_PIECES_STORE_H

#include <pthread.h>
#include <stdint.h>

enum {
    PIECES_BLOCK = 4096, /* bytes: a multiple of a line */
    PIECES_LINE = 128,   /* bytes of a bucket that go to its block at once */
    PIECES_MAX_BUCKETS = 4096
};

#define PIECES_NO_BLOCK UINT32_MAX

/* Bytes on a list of blocks. */
struct pieces_chain {
    uint32_t first; /* PIECES_NO_BLOCK: none */
    uint32_t last;
    uint64_t bytes;
};

struct pieces_block {
    uint32_t next;
    uint32_t bytes;
};

struct pieces_store {
    unsigned char *bytes;
    struct pieces_block *blocks;
    uint32_t fresh; /* blocks from here on were never taken */
    uint32_t given; /* list of those that came back */
    pthread_mutex_t mutex;
};

/* `blocks` and `bytes` have room for as many blocks as will be taken at once. */
void pieces_store_init(struct pieces_store *store, void *bytes, void *blocks);
void pieces_store_release(struct pieces_store *store);

/* The first page from here on. */
static inline unsigned char *pieces_page(unsigned char *bytes)
{
    return bytes + -(uintptr_t)bytes % PIECES_BLOCK;
}

static inline unsigned char *pieces_store_at(const struct pieces_store *store, uint32_t block)
{
    return store->bytes + (uint64_t)block * PIECES_BLOCK;
}

/* Any thread: takes a block (there is one: the workspace counts them), gives back the blocks of a
 * chain, takes the first block off a chain that several threads read; PIECES_NO_BLOCK: empty. */
uint32_t pieces_store_take(struct pieces_store *store);
void pieces_store_give(struct pieces_store *store, const struct pieces_chain *chain);
uint32_t pieces_store_pop(struct pieces_store *store, struct pieces_chain *chain);

struct pieces_chain pieces_chain_empty(void);

/* Puts a block that holds `bytes` behind the others; puts a whole chain there. */
void pieces_chain_add(struct pieces_store *store, struct pieces_chain *chain, uint32_t block,
                      uint32_t bytes);
void pieces_chain_join(struct pieces_store *store, struct pieces_chain *chain,
                       const struct pieces_chain *more);

/* One thread's half of a distribution: a line for each bucket, in cache, and the block that its
 * lines go to. */
struct pieces_writer {
    struct pieces_store *store;
    unsigned char *lines;
    uint32_t *cursor; /* per bucket: the next free item of its line, counted over all lines */
    uint32_t *block;  /* per bucket: the block being filled, or PIECES_NO_BLOCK */
    uint32_t *filled; /* per bucket: its bytes */
    struct pieces_chain *chains;
};

/* Empty lines for so many buckets of items of `width` bytes. */
void pieces_writer_begin(struct pieces_writer *writer, uint32_t buckets, uint32_t width);

/* The bucket's line is full. */
void pieces_writer_flush(struct pieces_writer *writer, uint32_t bucket, uint32_t width);

/* Everything into the chains. */
void pieces_writer_end(struct pieces_writer *writer, uint32_t buckets, uint32_t width);

#endif
