/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One key of each adversarial distribution. The figures are those of src/cuda/sorts: if those
 * change, keys stay what they are, but hurt less. Those that hide do so from places at which sorts
 * looked once; these depend on a seed of the process now, and hidden keys are but few others among
 * the rest.
 */
#include "adversary.h"

#include <string.h>

enum {
    ADVERSARY_DIGIT = 8,   /* bits by which lists are split at least */
    ADVERSARY_CELL = 16,   /* and at most before leaves */
    ADVERSARY_AIM = 4096,  /* keys of a leaf, on average */
    ADVERSARY_LEAF = 4352, /* and at most */
    ADVERSARY_BIN = 12     /* bits by which a leaf is split */
};

static splitmix_wide adversary_wide(const struct generator *generator, uint64_t index)
{
    return (splitmix_wide)splitmix_at(generator->streams[0], index) << 64 |
           splitmix_at(generator->streams[1], index);
}

static uint64_t adversary_word(const struct generator *generator, uint64_t index)
{
    return splitmix_at(generator->streams[2], index);
}

/* Unused lowest bits of a code: it fills 128 from the top. Of floats two more are, so that their
 * patterns are those of positive numbers below 2. */
static uint32_t adversary_unused(const struct level_shape *shape)
{
    return 128 - shape->bits + (level_shape_float(shape) ? 2 : 0);
}

/* The key whose place in the order of bit patterns is that of the code among codes. */
static void adversary_store(const struct level_shape *shape, splitmix_wide code, unsigned char *out)
{
    if (shape->kind == CONSORT_KIND_BYTES) {
        for (uint32_t i = 0; i < shape->bytes; i++)
            out[i] = i < sizeof code ? (unsigned char)(code >> (120 - 8 * i)) : 0;
        return;
    }
    if (shape->kind == CONSORT_KIND_SIGNED)
        code ^= (splitmix_wide)1 << 127;
    level_store_pattern(shape, code >> adversary_unused(shape), out);
}

/* The same, but floats lie in [0, 1) as codes do among codes: cells of theirs are ranges of
 * numbers. */
static void adversary_store_number(const struct level_shape *shape, splitmix_wide code,
                                   unsigned char *out)
{
    if (level_shape_float(shape))
        level_store_pattern(shape, level_float_pattern(shape, false, (uint64_t)(code >> 64)), out);
    else
        adversary_store(shape, code, out);
}

/* Whether msd read the key when it sampled so many, `beside` of which are neighbours. */
static bool adversary_msd_looks(uint64_t index, uint64_t total, uint64_t samples, uint64_t beside)
{
    uint64_t window = (total / samples > 0 ? total / samples : 1) * beside;
    uint64_t group = index / window;
    uint64_t first = (uint64_t)((uint32_t)group * 2654435761U) * (window - beside) >> 32;
    return group < samples / beside && index % window - first < beside;
}

static bool adversary_hybrid_looks(uint64_t index, uint64_t total)
{
    const uint64_t samples = 2048;
    uint64_t stride = total > samples ? total / samples : 1;
    return index % stride == 0 && index / stride < samples;
}

/* Whether a sort looked at the key before it decided how to go on. */
static bool adversary_looked_at(const struct generator *generator, uint64_t index)
{
    uint64_t total = generator->total;
    const bool narrow = generator->shape.bytes == 4;
    uint32_t sector = generator->shape.bytes < 32 ? 32 / generator->shape.bytes : 1;
    return adversary_msd_looks(index, total, narrow ? 1 << 13 : 1 << 14, narrow ? 4 : sector) ||
           adversary_msd_looks(index, total, 1 << 12, 1) || adversary_hybrid_looks(index, total);
}

/* Bits that are seldom set, as those of low-entropy. */
static splitmix_wide adversary_sparse(const struct generator *generator, uint64_t index)
{
    uint64_t stream = splitmix_at(generator->streams[3], index);
    splitmix_wide code = adversary_wide(generator, index);
    for (uint64_t draw = 0; draw < 4; draw += 2)
        code &= (splitmix_wide)splitmix_at(stream, draw) << 64 | splitmix_at(stream, draw + 1);
    return code;
}

/* Nearly all are among the lowest 256, but each octave has some: a split by the highest bits in
 * which keys differ leaves nearly all together. */
static splitmix_wide adversary_deep(const struct generator *generator, uint64_t index)
{
    uint64_t word = adversary_word(generator, index);
    uint32_t used = 128 - adversary_unused(&generator->shape);
    uint64_t octave = word >> 60 != 0 ? used - 8 : splitmix_below(word << 4, used - 7);
    splitmix_wide lowest = adversary_unused(&generator->shape);
    return adversary_wide(generator, index) >> octave >> lowest << lowest;
}

void adversary_hidden_crowd(struct generator *generator, uint64_t index, unsigned char *out)
{
    if (adversary_looked_at(generator, index))
        adversary_store_number(&generator->shape, adversary_wide(generator, index), out);
    else
        adversary_store(&generator->shape, adversary_sparse(generator, index), out);
}

void adversary_hidden_peel(struct generator *generator, uint64_t index, unsigned char *out)
{
    if (adversary_looked_at(generator, index))
        adversary_store_number(&generator->shape, adversary_wide(generator, index), out);
    else
        adversary_store(&generator->shape, adversary_deep(generator, index), out);
}

/* A lowest byte that is the same, too, speaks for passes over all digits. */
void adversary_hidden_even(struct generator *generator, uint64_t index, unsigned char *out)
{
    uint32_t above = adversary_unused(&generator->shape) + 8;
    if (!adversary_looked_at(generator, index))
        adversary_store(&generator->shape, adversary_wide(generator, index), out);
    else
        adversary_store(&generator->shape,
                        above < 128 ? adversary_sparse(generator, index) >> above << above : 0,
                        out);
}

void adversary_peeled(struct generator *generator, uint64_t index, unsigned char *out)
{
    adversary_store(&generator->shape, adversary_deep(generator, index), out);
}

/* Clears `count` bits of a code below the `from` highest. */
static splitmix_wide adversary_without(splitmix_wide code, uint32_t from, uint32_t count)
{
    splitmix_wide bits = (((splitmix_wide)1 << count) - 1) << (128 - from - count);
    return code & ~bits;
}

/* Of 2^16 counters, two in a word, those in every 32nd word. */
void adversary_one_bank(struct generator *generator, uint64_t index, unsigned char *out)
{
    adversary_store(&generator->shape, adversary_without(adversary_wide(generator, index), 10, 5),
                    out);
}

/* Of those counters, and of the 2^14 bytes of a table, all in one bank. A few keys elsewhere, so
 * that no digit is the same for all. */
void adversary_table_bank(struct generator *generator, uint64_t index, unsigned char *out)
{
    splitmix_wide code = adversary_wide(generator, index);
    bool elsewhere = adversary_word(generator, index) >> 54 == 0;
    adversary_store(&generator->shape, elsewhere ? code : adversary_without(code, 7, 8), out);
}

/* Even at first, then two neighbours in turns: their counters are one word. */
void adversary_late_pair(struct generator *generator, uint64_t index, unsigned char *out)
{
    splitmix_wide code = adversary_wide(generator, index);
    if (index >= generator->total / 4)
        code = code >> ADVERSARY_CELL | (splitmix_wide)(0x5A5A | (index & 1)) << 112;
    adversary_store(&generator->shape, code, out);
}

/* Bits by which msd and hybrid find the leaf of a key. */
static uint32_t adversary_cell_bits(uint64_t total)
{
    uint32_t bits = ADVERSARY_DIGIT;
    while (bits < ADVERSARY_CELL && total >> bits > ADVERSARY_AIM)
        bits++;
    return bits;
}

/* Cells have none, or one key more than a leaf takes. */
void adversary_long_leaf(struct generator *generator, uint64_t index, unsigned char *out)
{
    uint32_t bits = adversary_cell_bits(generator->total);
    uint64_t parts = generator->total / (ADVERSARY_LEAF + 1);
    parts = parts > 0 ? parts : 1;
    uint64_t part = permutation_apply(&generator->permutation, index) % parts;
    splitmix_wide cell = ((splitmix_wide)part << bits) / parts;
    adversary_store_number(&generator->shape,
                           cell << (128 - bits) | adversary_wide(generator, index) >> bits, out);
}

/* The keys of a cell are at its two ends: in two of a leaf's bins. */
void adversary_clustered(struct generator *generator, uint64_t index, unsigned char *out)
{
    uint32_t bits = adversary_cell_bits(generator->total);
    splitmix_wide code = adversary_without(adversary_wide(generator, index), bits, ADVERSARY_BIN);
    splitmix_wide end = (splitmix_wide)((1 << ADVERSARY_BIN) - 1) << (128 - bits - ADVERSARY_BIN);
    if (adversary_word(generator, index) >> 63 != 0)
        code |= end;
    adversary_store_number(&generator->shape, code, out);
}

/* Each byte is one of the 8 whose counters share a bank. */
void adversary_colliding(struct generator *generator, uint64_t index, unsigned char *out)
{
    splitmix_wide mask = UINT64_C(0xE0E0E0E0E0E0E0E0);
    adversary_store(&generator->shape, adversary_wide(generator, index) & (mask << 64 | mask), out);
}
