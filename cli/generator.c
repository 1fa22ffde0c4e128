/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One key of each distribution, as a level.
 *
 * Most are a *ramp*, a strictly increasing sequence of `length` levels that looks like sorted
 * uniform draws, read in some order: forwards, backwards, shuffled, or at random positions.
 */
#include "generator.h"

void generator_init(struct generator *generator, uint64_t seed, generator_length length)
{
    for (uint64_t i = 0; i < GENERATOR_STREAMS; i++) {
        generator->streams[i] = splitmix_at(seed, i);
    }
    generator->length = length != NULL ? length(generator) : 1;
    generator->step = UINT64_MAX / generator->length;
    generator->swaps = generator->total / 100;
    if (generator->swaps == 0 && generator->total >= 2) {
        generator->swaps = 1;
    }
    permutation_init(&generator->permutation, generator->total, generator->streams[1]);
    generator->shuffled_block = UINT64_MAX;
}

uint64_t generator_length_total(const struct generator *generator)
{
    return generator->total;
}

uint64_t generator_length_half(const struct generator *generator)
{
    return generator->total - generator->total / 2;
}

uint64_t generator_length_tooth(const struct generator *generator)
{
    return (generator->total - 1) / GENERATOR_TEETH + 1;
}

uint64_t generator_length_one(const struct generator *generator)
{
    (void)generator;
    return 1;
}

uint64_t generator_length_few(const struct generator *generator)
{
    (void)generator;
    return GENERATOR_FEW;
}

/* ⌊log₂ total⌋, but at least 1. */
uint64_t generator_length_logarithm(const struct generator *generator)
{
    return generator->total < 4 ? 1 : 63 - (uint64_t)__builtin_clzll(generator->total);
}

/* No more values than keys, nor than the type has. */
uint64_t generator_length_zipf(const struct generator *generator)
{
    uint64_t values = generator->shape.bits < 20 ? UINT64_C(1) << generator->shape.bits
                                                 : (uint64_t)GENERATOR_ZIPF;
    return generator->total < values ? generator->total : values;
}

/* One level out of each of `length` equal intervals. */
static uint64_t generator_ramp(const struct generator *generator, uint64_t position)
{
    uint64_t jitter = splitmix_below(splitmix_at(generator->streams[0], position), generator->step);
    return position * generator->step + jitter;
}

uint64_t generator_uniform(struct generator *generator, uint64_t index)
{
    return splitmix_at(generator->streams[0], index);
}

/* The average of four uniform draws: [G] of Helman, Bader and JáJá, "A new deterministic parallel
 * sorting algorithm with an experimental evaluation", 1998. */
uint64_t generator_gaussian(struct generator *generator, uint64_t index)
{
    uint64_t level = 0;
    for (int i = 0; i < 4; i++) {
        level += splitmix_at(generator->streams[i], index) >> 2;
    }
    return level;
}

uint64_t generator_sorted(struct generator *generator, uint64_t index)
{
    return generator_ramp(generator, index);
}

uint64_t generator_reverse(struct generator *generator, uint64_t index)
{
    return generator_ramp(generator, generator->total - 1 - index);
}

/* The indices that a random permutation sends below 2 · swaps are the ones that move; those sent
 * to 2k and 2k + 1 exchange their keys. So the pairs are disjoint and exactly `swaps`. */
uint64_t generator_nearly_sorted(struct generator *generator, uint64_t index)
{
    uint64_t image = permutation_apply(&generator->permutation, index);
    if (image >= 2 * generator->swaps) {
        return generator_ramp(generator, index);
    }
    return generator_ramp(generator, permutation_invert(&generator->permutation, image ^ 1));
}

static void generator_shuffle(struct generator *generator, uint64_t block)
{
    uint64_t rest = generator->total - block * GENERATOR_SHUFFLE;
    uint64_t size = rest < GENERATOR_SHUFFLE ? rest : GENERATOR_SHUFFLE;
    uint64_t stream = splitmix_at(generator->streams[1], block);
    generator->shuffled_block = block;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t other = splitmix_below(splitmix_at(stream, i), i + 1);
        generator->places[i] = generator->places[other];
        generator->places[other] = (uint8_t)i;
    }
}

/* A random order of each block of 8 sorted keys. */
uint64_t generator_local_shuffle(struct generator *generator, uint64_t index)
{
    uint64_t block = index / GENERATOR_SHUFFLE;
    if (block != generator->shuffled_block) {
        generator_shuffle(generator, block);
    }
    uint64_t place = generator->places[index % GENERATOR_SHUFFLE];
    return generator_ramp(generator, block * GENERATOR_SHUFFLE + place);
}

/* A random position of the ramp: equal, few-unique and duplicates differ in its length only. */
uint64_t generator_draw(struct generator *generator, uint64_t index)
{
    return generator_ramp(
        generator, splitmix_below(splitmix_at(generator->streams[1], index), generator->length));
}

/*
 * Rank k of 1 … length has probability proportional to 1/k, exactly: draw an octave [2^j, 2^(j+1))
 * and k in it, both uniformly, and keep k with probability 2^j / k, which is over 1/2. Rejection
 * from a dyadic envelope, as in Devroye, "Non-uniform random variate generation", 1986.
 */
uint64_t generator_zipf(struct generator *generator, uint64_t index)
{
    uint64_t stream = splitmix_at(generator->streams[1], index);
    uint64_t octaves = 64 - (uint64_t)__builtin_clzll(generator->length);
    for (uint64_t draw = 0;; draw += 3) {
        uint64_t low = UINT64_C(1) << splitmix_below(splitmix_at(stream, draw), octaves);
        uint64_t rank = low + splitmix_below(splitmix_at(stream, draw + 1), low);
        bool keep = splitmix_below(splitmix_at(stream, draw + 2), rank) < low;
        if (keep && rank <= generator->length) {
            return generator_ramp(generator, rank - 1);
        }
    }
}

/* A uniform level within slot 0 … p − 1 of p equal ones. */
static uint64_t generator_slot(const struct generator *generator, uint64_t index, uint64_t slot)
{
    uint64_t fraction = splitmix_at(generator->streams[0], index);
    return fraction / GENERATOR_PROCESSORS + slot * (UINT64_MAX / GENERATOR_PROCESSORS + 1);
}

/* Part 0 … parts − 1 of the array in which `index` lies. */
static uint64_t generator_part(const struct generator *generator, uint64_t index, uint64_t parts)
{
    return (uint64_t)((splitmix_wide)index * parts / generator->total);
}

/* [B] of Helman, Bader and JáJá: each processor's share is p pieces, piece b drawn from slot b. */
uint64_t generator_bucket(struct generator *generator, uint64_t index)
{
    const uint64_t pieces = (uint64_t)GENERATOR_PROCESSORS * GENERATOR_PROCESSORS;
    uint64_t piece = generator_part(generator, index, pieces);
    return generator_slot(generator, index, piece % GENERATOR_PROCESSORS);
}

/* [S] of the same: processor i < p/2 draws from slot 2i + 1, the others from slot 2i − p. */
uint64_t generator_staggered(struct generator *generator, uint64_t index)
{
    uint64_t processor = generator_part(generator, index, GENERATOR_PROCESSORS);
    uint64_t slot = processor < GENERATOR_PROCESSORS / 2 ? 2 * processor + 1
                                                         : 2 * processor - GENERATOR_PROCESSORS;
    return generator_slot(generator, index, slot);
}

uint64_t generator_organ_pipe(struct generator *generator, uint64_t index)
{
    uint64_t mirrored = generator->total - 1 - index;
    return generator_ramp(generator, index < mirrored ? index : mirrored);
}

uint64_t generator_sawtooth(struct generator *generator, uint64_t index)
{
    return generator_ramp(generator, index % generator->length);
}

/* The AND of three uniform draws: 0.544 bits of entropy a bit. Thearling and Smith, "An improved
 * supercomputer sorting benchmark", 1992. */
uint64_t generator_low_entropy(struct generator *generator, uint64_t index)
{
    return splitmix_at(generator->streams[0], index) & splitmix_at(generator->streams[1], index) &
           splitmix_at(generator->streams[2], index);
}

/* Everything in the lowest 2^-(bits/2) of the range, but for one key at the top: slices that are
 * linear in the value all fall together. */
uint64_t generator_one_outlier(struct generator *generator, uint64_t index)
{
    if (index == splitmix_below(generator->streams[1], generator->total)) {
        return UINT64_MAX;
    }
    uint32_t shift = generator->shape.bits < 64 ? generator->shape.bits / 2 : 32;
    return splitmix_at(generator->streams[0], index) >> shift;
}
