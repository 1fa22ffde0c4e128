/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a distribution, written to a target in parallel. */
#include "gen_data.h"

#include <string.h>

#include "io_write.h"
#include "item_text.h"
#include "parallel.h"
#include "progress.h"
#include "region.h"

enum {
    GEN_LONGEST_ITEM = 256,
    /* Lines that a thread makes at once. */
    GEN_TEXT_LINES = 1 << 16
};

static bool gen_fill(const struct gen_data *data, void *out, uint64_t first, uint64_t count)
{
    return distribution_fill(data->distribution, data->type, out, first, count, data->count,
                             data->seed);
}

/* Bytes [offset, offset + length) of one item. */
static bool gen_fill_part(const struct gen_data *data, unsigned char *out, uint64_t index,
                          uint64_t offset, uint64_t length)
{
    unsigned char item[GEN_LONGEST_ITEM];
    bool good = gen_fill(data, item, index, 1);
    memcpy(out, item + offset, length);
    return good;
}

/* Bytes of the keys, cut anywhere: whole items, and what is cut off at both ends. */
static bool gen_fill_bytes(const struct gen_data *data, unsigned char *out, uint64_t offset,
                           uint64_t length)
{
    uint64_t item = consort_type_size(data->type);
    uint64_t inside = offset % item;
    if (inside > 0 && length > 0) {
        uint64_t head = item - inside < length ? item - inside : length;
        if (!gen_fill_part(data, out, offset / item, inside, head))
            return false;
        out += head;
        offset += head;
        length -= head;
    }
    uint64_t whole = length / item;
    if (whole > 0 && !gen_fill(data, out, offset / item, whole))
        return false;
    uint64_t tail = length % item;
    return tail == 0 || gen_fill_part(data, out + whole * item, offset / item + whole, 0, tail);
}

static const void *gen_part(void *context, uint64_t offset, uint64_t length, void *buffer)
{
    const struct gen_data *data = context;
    unsigned char *out = buffer;
    uint64_t header = 0;
    if (offset < data->header_bytes) {
        header = data->header_bytes - offset < length ? data->header_bytes - offset : length;
        memcpy(out, data->header + offset, header);
    }
    return gen_fill_bytes(data, out + header, offset + header - data->header_bytes, length - header)
               ? buffer
               : NULL;
}

bool gen_data_write(const struct gen_data *data, struct target *target, unsigned threads,
                    struct problem *problem)
{
    struct gen_data context = *data;
    return io_write_parts(target, gen_part, &context,
                          data->header_bytes + data->count * consort_type_size(data->type), threads,
                          problem);
}

/* Text of GEN_TEXT_LINES keys at a time for each worker; written in order when all are done. */
struct gen_text {
    const struct gen_data *data;
    uint64_t first; /* the first key of this round */
    unsigned char *keys;
    char *text;
    uint64_t lengths[PARALLEL_MAXIMUM];
};

static bool gen_text_block(void *context, uint64_t block, unsigned worker)
{
    struct gen_text *round = context;
    const struct gen_data *data = round->data;
    uint64_t item = consort_type_size(data->type);
    uint64_t first = round->first + block * GEN_TEXT_LINES;
    uint64_t count = data->count - first < GEN_TEXT_LINES ? data->count - first : GEN_TEXT_LINES;
    unsigned char *keys = round->keys + block * GEN_TEXT_LINES * item;
    char *text = round->text + block * GEN_TEXT_LINES * ITEM_TEXT_NUMBER;
    size_t length = 0;
    (void)worker;
    if (!gen_fill(data, keys, first, count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        length += item_text_number(data->type, keys + i * item, text + length);
        text[length++] = '\n';
    }
    round->lengths[block] = length;
    return true;
}

static bool gen_text_round(struct gen_text *round, struct target *target, unsigned threads,
                           struct problem *problem)
{
    uint64_t left = round->data->count - round->first;
    uint64_t blocks = (left + GEN_TEXT_LINES - 1) / GEN_TEXT_LINES;
    blocks = blocks < threads ? blocks : threads;
    if (!parallel_run(blocks, threads, gen_text_block, round))
        return problem_set(problem, "the distribution cannot make these keys");
    for (uint64_t i = 0; i < blocks; i++) {
        if (!io_write_append(target, round->text + i * GEN_TEXT_LINES * ITEM_TEXT_NUMBER,
                             round->lengths[i], problem))
            return false;
        progress_add(round->lengths[i]);
    }
    return true;
}

bool gen_data_write_text(const struct gen_data *data, struct target *target, unsigned threads,
                         struct problem *problem)
{
    struct gen_text round = {.data = data};
    struct region keys;
    struct region text = {NULL, 0};
    uint64_t item = consort_type_size(data->type);
    bool good = region_allocate(&keys, threads * GEN_TEXT_LINES * item, "keys", problem) &&
                region_allocate(&text, (uint64_t)threads * GEN_TEXT_LINES * ITEM_TEXT_NUMBER,
                                "text", problem);
    round.keys = keys.bytes;
    round.text = (char *)text.bytes;
    for (; good && round.first < data->count; round.first += (uint64_t)threads * GEN_TEXT_LINES)
        good = gen_text_round(&round, target, threads, problem);
    region_release(&keys);
    region_release(&text);
    return good;
}
