/* SPDX-License-Identifier: Apache-2.0 */
/* How large samples, candidate buffers and teams are: arithmetic of the GPU's `radix-select`. */
#include "cuda/sorts/topk/topk_sizes.h"

#include "cuda/sorts/topk/topk_layout.h"

enum {
    SIZES_ALIGNMENT = 256,
    SIZES_RATE = 64,              /* one key in so many is sampled, … */
    SIZES_MOST_SAMPLES = 1 << 18, /* … up to these, … */
    SIZES_LEAST_RATE = 4096,      /* … but never fewer than one in so many */
    SIZES_TEAM_BYTES = 1 << 15    /* of a row, that are worth a block of their own */
};

uint64_t topk_sizes_samples(uint64_t length)
{
    uint64_t samples = length / SIZES_RATE;
    if (samples > SIZES_MOST_SAMPLES)
        samples = SIZES_MOST_SAMPLES;
    if (samples < length / SIZES_LEAST_RATE)
        samples = length / SIZES_LEAST_RATE;
    return samples > 0 ? samples : 1;
}

/* The number of wanted codes in the sample has a standard deviation of its square root: three of
 * them, and a little for small numbers, make too low a threshold rare. */
uint64_t topk_sizes_sample_rank(uint64_t length, uint64_t kept)
{
    uint64_t samples = topk_sizes_samples(length);
    double expected = (double)kept * (double)samples / (double)length;
    double margin = 0;
    while (margin * margin < 9 * expected)
        margin += 1 + margin / 64;
    uint64_t rank = (uint64_t)(expected + margin) + 4;
    return rank < samples ? rank : samples;
}

/* Twice what is wanted, and 16 strides of the sample. */
uint64_t topk_sizes_capacity(uint64_t length, uint64_t kept)
{
    uint64_t stride = length / SIZES_MOST_SAMPLES;
    if (stride < SIZES_RATE)
        stride = SIZES_RATE;
    if (stride > SIZES_LEAST_RATE)
        stride = SIZES_LEAST_RATE;
    uint64_t spare = 16 * stride;
    return kept >= length / 2 || length - 2 * kept <= spare ? length : 2 * kept + spare;
}

struct topk_teams topk_sizes_teams(uint64_t rows, uint64_t row_bytes, uint32_t resident)
{
    uint64_t most = resident < TOPK_MOST_BLOCKS ? resident : TOPK_MOST_BLOCKS;
    uint64_t blocks = row_bytes / SIZES_TEAM_BYTES + 1;
    if (blocks == 1 || rows > most / 2)
        return (struct topk_teams){(uint32_t)(rows < most ? rows : most), 1};
    uint64_t teams = rows < TOPK_MOST_TEAMS ? rows : TOPK_MOST_TEAMS;
    if (blocks > most / teams)
        blocks = most / teams;
    return (struct topk_teams){(uint32_t)teams, (uint32_t)blocks};
}

static uint64_t sizes_place(struct topk_workspace *w, uint64_t bytes)
{
    uint64_t at = w->total;
    w->total += (bytes + SIZES_ALIGNMENT - 1) / SIZES_ALIGNMENT * SIZES_ALIGNMENT;
    return at;
}

/* The most that any number of teams needs together: so many teams work on as many rows or more, and
 * these share the items. */
struct sizes_most {
    uint64_t samples, candidates, spares;
};

static struct sizes_most sizes_of_teams(uint64_t count, uint64_t teams, uint64_t kept)
{
    struct sizes_most most = {0};
    for (uint64_t t = 1; t <= teams; t++) {
        uint64_t samples = topk_sizes_samples(count / t);
        uint64_t candidates = topk_sizes_capacity(count / t, kept);
        uint64_t spares = candidates > TOPK_BLOCK_SORT ? candidates : 0;
        if (samples > TOPK_BLOCK_SAMPLE && t * samples > most.samples)
            most.samples = t * samples;
        if (t * candidates > most.candidates)
            most.candidates = t * candidates;
        if (t * spares > most.spares)
            most.spares = t * spares;
    }
    return most;
}

/* Counters of every team that may have several blocks. */
static uint64_t sizes_bins(uint64_t rows, uint32_t position_bytes)
{
    const uint64_t teams = rows < TOPK_MOST_TEAMS ? rows : TOPK_MOST_TEAMS;
    return teams * TOPK_TURNS * TOPK_BINS * position_bytes;
}

/* Blocks that have counts of digits, if any sort together. One team sorts with as many as have a
 * share of the candidates; of several, each has its counts where its blocks are in the grid. */
static uint64_t sizes_counting_blocks(uint64_t blocks, uint64_t rows, const struct sizes_most *most)
{
    if (most->spares == 0)
        return 0;
    uint64_t sorting = (most->candidates + TOPK_SORT_SHARE - 1) / TOPK_SORT_SHARE;
    return rows == 1 && sorting < blocks ? sorting : blocks;
}

/* What the only row needs at different times lies in one place. Its sample and counters are read
 * before candidates are collected, its counters still by some blocks meanwhile: these lie behind
 * the sample and what is `collected`, where candidates are sorted later. Where each block sorts the
 * sample for itself, counters are only needed when the first candidates have been of no use. */
static void sizes_share(struct topk_workspace *w, uint64_t collected, uint64_t samples,
                        uint64_t bins)
{
    uint64_t sorted = w->total;
    w->total = w->sampled;
    sizes_place(w, samples);
    if (samples == 0)
        w->total = w->codes[0];
    else if (w->total < collected)
        w->total = collected;
    w->bins = sizes_place(w, bins);
    if (w->total < sorted)
        w->total = sorted;
}

struct topk_workspace topk_sizes_workspace(uint64_t count, uint64_t rows, uint64_t kept,
                                           uint32_t key_bytes, uint32_t position_bytes,
                                           bool positions)
{
    struct topk_workspace w = {0};
    if (count <= TOPK_SHORT || kept == 0)
        return w;
    uint64_t teams = rows < TOPK_MOST_BLOCKS ? rows : TOPK_MOST_BLOCKS;
    uint64_t more = count / (SIZES_TEAM_BYTES / key_bytes);
    uint64_t blocks = teams + more < TOPK_MOST_BLOCKS ? teams + more : TOPK_MOST_BLOCKS;
    struct sizes_most most = sizes_of_teams(count, teams, kept);
    uint64_t bins = more > 0 ? sizes_bins(rows, position_bytes) : 0;
    uint64_t samples = most.samples * key_bytes;
    uint64_t wide = positions ? position_bytes : 0;
    sizes_place(&w, teams * sizeof(struct topk_control));
    /* Of several teams one may sample while another sorts. */
    w.sampled = sizes_place(&w, rows > 1 ? samples : 0);
    w.bins = sizes_place(&w, rows > 1 ? bins : 0);
    w.ties = sizes_place(&w, blocks * sizeof(uint64_t));
    w.codes[0] = sizes_place(&w, most.candidates * key_bytes);
    w.positions[0] = sizes_place(&w, most.candidates * wide);
    uint64_t collected = w.total;
    w.codes[1] = sizes_place(&w, most.spares * key_bytes);
    w.positions[1] = sizes_place(&w, most.spares * wide);
    w.counts = sizes_place(&w, sizes_counting_blocks(blocks, rows, &most) * 2 * TOPK_SORT_BINS *
                                   sizeof(uint32_t));
    if (rows == 1)
        sizes_share(&w, collected, samples, bins);
    return w;
}
