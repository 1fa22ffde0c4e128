/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoupled look-back: how a tile of a pass learns what the tiles before it hold.
 *
 * Look-back words hold two status bits and a count of 30, or three of 20. Which of the four values
 * of the status bits mean empty, local and prefix alternates from step to step: what one step
 * leaves behind ("prefix" everywhere) is the next one's "empty", so that the words are cleared once
 * per run.
 */
#ifndef CONSORT_LSD_LOOKBACK_CUH
#define CONSORT_LSD_LOOKBACK_CUH

#include "cuda/device/flag.cuh"
#include "cuda/sorts/lsd/lsd_layout.h"
#include "cuda/sorts/lsd/lsd_tuning.h"

/* The status values of a step: see above. */
struct lsd_status {
    uint32_t empty, local, prefix;

    __device__ __forceinline__ explicit lsd_status(unsigned parity)
        : empty(parity ? 2 : 0), local(parity ? 3 : 1), prefix(parity ? 0 : 2)
    {
    }
};

enum : uint32_t {
    LSD_PATIENCE = 512 /* questions, of 0.7 µs each, while a tile takes 10 to 20 µs */
};

/* The status bits are on top of a word, whatever it counts. */
template <typename Word> struct lsd_word {
    static constexpr unsigned count_bits = 8 * sizeof(Word) - 2;

    static __device__ __forceinline__ Word of(uint32_t state, Word counts)
    {
        return (Word)state << count_bits | counts;
    }

    static __device__ __forceinline__ uint32_t state(Word word)
    {
        return (uint32_t)(word >> count_bits);
    }

    static __device__ __forceinline__ Word counts(Word word)
    {
        return word & (((Word)1 << count_bits) - 1);
    }
};

/*
 * The words of a tile. A thread has a number of its own, its digit value's, and maybe a word, which
 * is number `column()` of the tile's `row`. gather() makes what the word counts of the threads'
 * numbers, own() the numbers of what words count, one_of() what a key of a digit adds to a word.
 * `Window` words of a look-back are asked for at once: of tiles that began together none has a
 * prefix.
 *
 * Here one for each digit value.
 */
template <unsigned Window, unsigned Bins = LSD_BINS> struct lsd_words {
    using type = uint32_t;
    static constexpr unsigned window = Window, bins = Bins, row = Bins;
    static constexpr unsigned shares = 1;
    static constexpr bool last_too = true; /* the last tile has words, too, though nobody asks */

    static __device__ __forceinline__ bool has_word()
    {
        return true;
    }

    static __device__ __forceinline__ uint32_t column()
    {
        return threadIdx.x;
    }

    static __device__ __forceinline__ uint32_t gather(uint32_t number)
    {
        return number;
    }

    static __device__ __forceinline__ uint32_t own(uint32_t counts)
    {
        return counts;
    }

    static __device__ __forceinline__ uint32_t one_of(uint32_t digit)
    {
        return digit == threadIdx.x;
    }
};

/*
 * One for three digit values each of a warp's 32, in its first lanes: two thirds of the memory. The
 * last has a third that nobody asks for. Of so many keys in all fewer precede the end of any tile
 * but the last, so that no field carries over.
 */
template <unsigned Window> struct lsd_triples {
    using type = uint64_t;
    static constexpr unsigned window = Window, bins = LSD_BINS, words = LSD_WARP_TRIPLES;
    static constexpr unsigned row = LSD_BINS / 32 * words;
    static constexpr unsigned field = LSD_TRIPLE_BITS;
    static constexpr unsigned shares = 2;
    static constexpr bool last_too = false;
    static_assert(shares * words <= 32, "a lane for each");
    static_assert(row * sizeof(type) == LSD_TRIPLES_BYTES, "the host reserves memory for a row");
    static_assert(3 * field <= lsd_word<type>::count_bits, "the status has bits of its own");

    static __device__ __forceinline__ bool has_word()
    {
        return threadIdx.x % 32 < words;
    }

    static __device__ __forceinline__ uint32_t column()
    {
        return threadIdx.x / 32 * words + threadIdx.x % 32 % words;
    }

    /* The whole warp calls it, like own(). */
    static __device__ __forceinline__ uint64_t gather(uint32_t number)
    {
        uint64_t counts = 0;
#pragma unroll
        for (unsigned i = 3; i-- > 0;)
            counts = counts << field |
                     __shfl_sync(0xffffffffu, number, (int)((3 * threadIdx.x % 32 + i) % 32));
        return counts;
    }

    static __device__ __forceinline__ uint32_t own(uint64_t counts)
    {
        const uint32_t lane = threadIdx.x % 32;
        counts = __shfl_sync(0xffffffffu, counts, (int)(lane / 3));
        return (uint32_t)(counts >> lane % 3 * field) & ((1u << field) - 1);
    }

    static __device__ __forceinline__ uint64_t one_of(uint32_t digit)
    {
        const uint32_t which = digit - (threadIdx.x / 32 * 32 + 3 * (threadIdx.x % 32));
        return which < 3 ? (uint64_t)1 << which * field : 0;
    }
};

/* What the tiles of short lists have, by its bytes. */
template <uint32_t RowBytes> struct lsd_short_class;

template <> struct lsd_short_class<LSD_WORDS_BYTES> {
    using type = lsd_words<LSD_SHORT_WINDOW>;
};

template <> struct lsd_short_class<LSD_TRIPLES_BYTES> {
    using type = lsd_triples<LSD_SHORT_WINDOW>;
};

template <uint32_t MostBits>
using lsd_short_words = typename lsd_short_class<lsd_row_bytes(MostBits)>::type;

/* This thread's word of a tile. */
template <typename Words>
static __device__ __forceinline__ typename Words::type *lsd_word_of(uint32_t *lookback,
                                                                    uint32_t tile)
{
    return (typename Words::type *)lookback + ((uint64_t)tile * Words::row + Words::column());
}

/* Of a tile that has counted its keys, and the words of which others ask if it has a `row`. All
 * owners of digit values call it, in whole warps. */
template <typename Words>
static __device__ __forceinline__ void lsd_publish(uint32_t *lookback, uint32_t tile, bool row,
                                                   uint32_t count, lsd_status status)
{
    using word = typename Words::type;
    const word counts = Words::gather(count);
    if (row && Words::has_word())
        flag_publish(lsd_word_of<Words>(lookback, tile),
                     lsd_word<word>::of(tile == 0 ? status.prefix : status.local, counts));
}

/* The word of a tile, the first of the list or another; false if it has been told. */
template <typename Word, typename Count>
static __device__ __forceinline__ bool lsd_publish_for(Word *word, lsd_status status, bool is_first,
                                                       const Count &count)
{
    const Word seen = flag_poll(word);
    if (lsd_word<Word>::state(seen) != status.empty)
        return false;
    const uint32_t state = is_first ? status.prefix : status.local;
    return flag_publish_unless_changed(word, seen, lsd_word<Word>::of(state, count()));
}

/*
 * What this thread's word counts in all tiles before `tile`.
 *
 * Nobody promises that the blocks of the tiles before have started. Who has waited too long counts
 * the keys of the next tile before for itself, by `count_of(tile)`, and publishes them in its
 * place; but not if a tile between has been told by others, as somebody is at work there then, and
 * does it. So every list is sorted in whatever order blocks start. After T. Smith, R. Levien and
 * J. D. Owens, "Decoupled Fallback: A Portable Single-Pass GPU Scan", SPAA 2025. `Begun`: all tiles
 * before have begun, as tickets or resident blocks have it, and nobody counts for them.
 */
template <typename Words, bool Begun, typename CountOf>
static __device__ __forceinline__ typename Words::type
lsd_sum_before(uint32_t *lookback, uint32_t tile, lsd_status status, const CountOf &count_of)
{
    using word_type = typename Words::type;
    using as = lsd_word<word_type>;
    word_type before = 0;
    uint32_t counted = 0, asked = 0;
    for (uint32_t other = tile; other > 0;) {
        word_type word[Words::window];
#pragma unroll
        for (unsigned i = 0; i < Words::window; i++)
            word[i] = i < other ? flag_poll(lsd_word_of<Words>(lookback, other - 1 - i))
                                : as::of(status.prefix, 0);
        bool known = true;
#pragma unroll
        for (unsigned i = 0; i < Words::window; i++) {
            const uint32_t state = as::state(word[i]);
            known &= state != status.empty;
            if (!known)
                continue;
            before += as::counts(word[i]);
            known = state != status.prefix;
            other = known ? other - 1 : 0;
        }
        if (other == 0 || known)
            continue;
        if constexpr (!Begun)
            if (++asked > LSD_PATIENCE && other + counted == tile)
                counted += lsd_publish_for(lsd_word_of<Words>(lookback, other - 1), status,
                                           other == 1, [&] { return count_of(other - 1); });
        spin_pause();
    }
    return before;
}

/* What a lane finds of its share of a look-back: a sum, of how many tiles, and whether a prefix was
 * the last. */
template <typename Words> struct lsd_share {
    typename Words::type sum;
    uint32_t tiles;
    bool ends;

    /* From the tile before `other` on. */
    static __device__ __forceinline__ lsd_share of(uint32_t *lookback, uint32_t other,
                                                   lsd_status status)
    {
        using as = lsd_word<typename Words::type>;
        typename Words::type word[Words::window];
#pragma unroll
        for (unsigned i = 0; i < Words::window; i++)
            word[i] = i < other ? flag_poll(lsd_word_of<Words>(lookback, other - 1 - i))
                                : as::of(status.prefix, 0);
        lsd_share share = {0, 0, false};
        bool known = true;
#pragma unroll
        for (unsigned i = 0; i < Words::window; i++) {
            const uint32_t state = as::state(word[i]);
            known &= state != status.empty && !share.ends;
            if (!known)
                continue;
            share.sum += as::counts(word[i]);
            share.tiles++;
            share.ends = state == status.prefix;
        }
        return share;
    }

    /* That of a lane so much higher. */
    __device__ __forceinline__ lsd_share of_lane(uint32_t higher) const
    {
        const int lane = (int)((threadIdx.x + higher) % 32);
        return {__shfl_sync(0xffffffffu, sum, lane), __shfl_sync(0xffffffffu, tiles, lane),
                __shfl_sync(0xffffffffu, (uint32_t)ends, lane) != 0};
    }

    /* With the next, if nothing is missing between. */
    __device__ __forceinline__ void add(const lsd_share &next)
    {
        if (ends || tiles < Words::window)
            return;
        sum += next.sum;
        tiles += next.tiles;
        ends = next.ends;
    }
};

/* The same as lsd_sum_before() by whole warps, whose lanes without words ask for those of tiles
 * farther away: of twice as many at once, as the last of tiles that began together waits long. */
template <typename Words, bool Begun, typename CountOf>
static __device__ __forceinline__ typename Words::type
lsd_sum_shares_before(uint32_t *lookback, uint32_t tile, lsd_status status, const CountOf &count_of)
{
    static_assert(Words::shares == 2, "one is added to another");
    const uint32_t lane = threadIdx.x % 32, ahead = lane / Words::words * Words::window;
    const bool looks = lane < 2 * Words::words;
    typename Words::type before = 0;
    uint32_t counted = 0, asked = 0;
    for (uint32_t other = tile; __any_sync(0xffffffffu, other > 0);) {
        lsd_share<Words> share =
            lsd_share<Words>::of(lookback, looks && other > ahead ? other - ahead : 0, status);
        share.add(share.of_lane(Words::words));
        before += share.sum;
        other = share.ends ? 0 : other - share.tiles;
        const bool waits = other > 0 && share.tiles < 2 * Words::window && Words::has_word();
        if constexpr (!Begun)
            if (waits && ++asked > LSD_PATIENCE && other + counted == tile)
                counted += lsd_publish_for(lsd_word_of<Words>(lookback, other - 1), status,
                                           other == 1, [&] { return count_of(other - 1); });
        other = __shfl_sync(0xffffffffu, other, (int)(lane % Words::words));
        if (__any_sync(0xffffffffu, waits))
            spin_pause();
    }
    return before;
}

/* The number of keys of this thread's digit value in all tiles before `tile`, which has `count`.
 * Called like lsd_publish(); publishes both. */
template <typename Words, bool Begun, typename CountOf>
static __device__ __forceinline__ uint32_t lsd_look_back(uint32_t *lookback, uint32_t tile,
                                                         bool row, uint32_t count,
                                                         lsd_status status, const CountOf &count_of)
{
    using word = typename Words::type;
    word before = 0;
    if constexpr (Words::shares > 1)
        before = lsd_sum_shares_before<Words, Begun>(lookback, tile, status, count_of);
    else
        before = lsd_sum_before<Words, Begun>(lookback, tile, status, count_of);
    const word own = Words::gather(count);
    if (row && Words::has_word() && tile > 0)
        flag_publish(lsd_word_of<Words>(lookback, tile),
                     lsd_word<word>::of(status.prefix, before + own));
    return Words::own(before);
}

#endif
