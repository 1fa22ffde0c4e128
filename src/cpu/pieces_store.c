/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of items, chained into buckets. */
#include "cpu/pieces_store.h"

#include <string.h>

#include "cpu/stream.h"

void pieces_store_init(struct pieces_store *store, void *bytes, void *blocks)
{
    *store = (struct pieces_store){.bytes = bytes,
                                   .blocks = blocks,
                                   .given = PIECES_NO_BLOCK,
                                   .mutex = PTHREAD_MUTEX_INITIALIZER};
}

void pieces_store_release(struct pieces_store *store)
{
    pthread_mutex_destroy(&store->mutex);
}

uint32_t pieces_store_take(struct pieces_store *store)
{
    pthread_mutex_lock(&store->mutex);
    uint32_t block = store->given;
    if (block != PIECES_NO_BLOCK)
        store->given = store->blocks[block].next;
    else
        block = store->fresh++;
    pthread_mutex_unlock(&store->mutex);
    return block;
}

void pieces_store_give(struct pieces_store *store, const struct pieces_chain *chain)
{
    if (chain->first == PIECES_NO_BLOCK)
        return;
    pthread_mutex_lock(&store->mutex);
    store->blocks[chain->last].next = store->given;
    store->given = chain->first;
    pthread_mutex_unlock(&store->mutex);
}

uint32_t pieces_store_pop(struct pieces_store *store, struct pieces_chain *chain)
{
    pthread_mutex_lock(&store->mutex);
    uint32_t block = chain->first;
    if (block != PIECES_NO_BLOCK)
        chain->first = store->blocks[block].next;
    pthread_mutex_unlock(&store->mutex);
    return block;
}

struct pieces_chain pieces_chain_empty(void)
{
    return (struct pieces_chain){PIECES_NO_BLOCK, PIECES_NO_BLOCK, 0};
}

void pieces_chain_add(struct pieces_store *store, struct pieces_chain *chain, uint32_t block,
                      uint32_t bytes)
{
    store->blocks[block] = (struct pieces_block){PIECES_NO_BLOCK, bytes};
    pieces_chain_join(store, chain, &(struct pieces_chain){block, block, bytes});
}

void pieces_chain_join(struct pieces_store *store, struct pieces_chain *chain,
                       const struct pieces_chain *more)
{
    if (more->first == PIECES_NO_BLOCK)
        return;
    if (chain->first == PIECES_NO_BLOCK)
        chain->first = more->first;
    else
        store->blocks[chain->last].next = more->first;
    chain->last = more->last;
    chain->bytes += more->bytes;
}

void pieces_writer_begin(struct pieces_writer *writer, uint32_t buckets, uint32_t width)
{
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        writer->cursor[bucket] = bucket * (PIECES_LINE / width);
        writer->block[bucket] = PIECES_NO_BLOCK;
        writer->filled[bucket] = 0;
        writer->chains[bucket] = pieces_chain_empty();
    }
}

/* Where the bucket's next line goes: in a block that has room for it. */
static unsigned char *pieces_writer_place(struct pieces_writer *writer, uint32_t bucket)
{
    if (writer->block[bucket] == PIECES_NO_BLOCK)
        writer->block[bucket] = pieces_store_take(writer->store);
    return pieces_store_at(writer->store, writer->block[bucket]) + writer->filled[bucket];
}

static void pieces_writer_close(struct pieces_writer *writer, uint32_t bucket)
{
    pieces_chain_add(writer->store, &writer->chains[bucket], writer->block[bucket],
                     writer->filled[bucket]);
    writer->block[bucket] = PIECES_NO_BLOCK;
    writer->filled[bucket] = 0;
}

void pieces_writer_flush(struct pieces_writer *writer, uint32_t bucket, uint32_t width)
{
    unsigned char *to = pieces_writer_place(writer, bucket);
    const unsigned char *from = writer->lines + (uint64_t)bucket * PIECES_LINE;
    for (uint32_t i = 0; i < PIECES_LINE; i += 64)
        stream_line(to + i, from + i);
    writer->cursor[bucket] = bucket * (PIECES_LINE / width);
    writer->filled[bucket] += PIECES_LINE;
    if (writer->filled[bucket] == PIECES_BLOCK)
        pieces_writer_close(writer, bucket);
}

void pieces_writer_end(struct pieces_writer *writer, uint32_t buckets, uint32_t width)
{
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        uint32_t bytes = (writer->cursor[bucket] - bucket * (PIECES_LINE / width)) * width;
        if (bytes > 0)
            memcpy(pieces_writer_place(writer, bucket),
                   writer->lines + (uint64_t)bucket * PIECES_LINE, bytes);
        writer->filled[bucket] += bytes;
        if (writer->filled[bucket] > 0)
            pieces_writer_close(writer, bucket);
    }
    stream_fence();
}
