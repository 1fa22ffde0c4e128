/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting sort's two loops, for keys of one width.
 *
 * Template parameters, all required, undefined again at the end:
 *   COUNTING_BITS    8 or 16
 *   COUNTING_KEY     the unsigned type of that width
 *   COUNTING_BANKS   histograms that take turns: a power of two, at most the keys in 8 bytes
 *
 * Defines `counting_uBITS_histogram` and `counting_uBITS_expand`.
 */
#if !defined(COUNTING_BITS) || !defined(COUNTING_KEY) || !defined(COUNTING_BANKS)
#error "counting_template.h needs COUNTING_BITS, COUNTING_KEY and COUNTING_BANKS"
#endif

#define COUNTING_PASTE_(a, bits, b) a##bits##b
#define COUNTING_PASTE(a, bits, b)  COUNTING_PASTE_(a, bits, b)
#define COUNTING_FN(name)           COUNTING_PASTE(counting_u, COUNTING_BITS, name)
#define COUNTING_CODEC(name)        COUNTING_PASTE(codec_u, COUNTING_BITS, name)

/* Adds the stored keys of [first, last), fewer than 2^32, to `totals`, by way of `banks`. A word
 * of equal keys is one addition; the banks keep the others from waiting for each other's store. */
static void COUNTING_FN(_histogram)(const void *input, uint64_t first, uint64_t last,
                                    uint32_t *banks, uint64_t *totals)
{
    enum {
        VALUES = 1 << COUNTING_BITS,
        WORD = 64 / COUNTING_BITS
    };
    const COUNTING_KEY *keys = input;
    memset(banks, 0, sizeof *banks * VALUES * COUNTING_BANKS);
    uint64_t i = first;
    for (; i + WORD <= last; i += WORD) {
        uint64_t word;
        memcpy(&word, keys + i, sizeof word);
        if (word == (uint64_t)(COUNTING_KEY)word * (UINT64_MAX / (COUNTING_KEY) ~(COUNTING_KEY)0)) {
            banks[(COUNTING_KEY)word] += WORD;
            continue;
        }
        for (uint32_t j = 0; j < WORD; j++)
            banks[j % COUNTING_BANKS * VALUES + (COUNTING_KEY)(word >> j * COUNTING_BITS)]++;
    }
    for (; i < last; i++)
        banks[keys[i]]++;
    for (uint32_t value = 0; value < VALUES; value++)
        for (uint32_t bank = 0; bank < COUNTING_BANKS; bank++)
            totals[value] += banks[bank * VALUES + value];
}

/* Writes [first, last) of the output; ends[code] is where the keys of that code end. */
static void COUNTING_FN(_expand)(const struct codec *codec, void *output, const uint64_t *ends,
                                 uint64_t first, uint64_t last)
{
    struct COUNTING_CODEC() c = COUNTING_CODEC(_of)(codec);
    COUNTING_KEY *keys = output;
    uint32_t code = counting_upper_bound(ends, 1u << COUNTING_BITS, first);
    while (first < last) {
        uint64_t end = ends[code] < last ? ends[code] : last;
        COUNTING_KEY key = COUNTING_CODEC(_decode)(c, (COUNTING_KEY)code++);
        while (first < end)
            keys[first++] = key;
    }
}

/* Stored keys' totals, in the order of their codes, as ends. */
static void COUNTING_FN(_ends)(const struct codec *codec, const uint64_t *totals, uint64_t *ends)
{
    struct COUNTING_CODEC() c = COUNTING_CODEC(_of)(codec);
    uint64_t end = 0;
    for (uint32_t code = 0; code < 1u << COUNTING_BITS; code++)
        ends[code] = end += totals[COUNTING_CODEC(_decode)(c, (COUNTING_KEY)code)];
}

#undef COUNTING_PASTE_
#undef COUNTING_PASTE
#undef COUNTING_FN
#undef COUNTING_CODEC
#undef COUNTING_BITS
#undef COUNTING_KEY
#undef COUNTING_BANKS
