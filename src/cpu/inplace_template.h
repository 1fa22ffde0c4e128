/* SPDX-License-Identifier: Apache-2.0 */
/*
 * American-flag permutation, for keys of one width.
 *
 * Template parameters, all required, undefined again at the end:
 *   INPLACE_BITS   8, 16, 32, 64 or 128
 *   INPLACE_KEY    the unsigned type of that width
 *
 * Defines `inplace_uBITS_permute`.
 */
#if !defined(INPLACE_BITS) || !defined(INPLACE_KEY)
#error "inplace_template.h needs INPLACE_BITS and INPLACE_KEY"
#endif

#define INPLACE_PASTE_(a, bits, b) a##bits##b
#define INPLACE_PASTE(a, bits, b)  INPLACE_PASTE_(a, bits, b)
#define INPLACE_CODEC(name)        INPLACE_PASTE(codec_u, INPLACE_BITS, name)

/* Moves each key into its digit's bucket: heads[digit] is the bucket's first free place,
 * ends[digit] where it ends. Keys stay as stored, so an array is a permutation of the input at
 * every moment. */
static void INPLACE_PASTE(inplace_u, INPLACE_BITS, _permute)(const struct codec *codec, void *array,
                                                             uint64_t *heads, const uint64_t *ends,
                                                             uint32_t shift)
{
    const struct INPLACE_CODEC() c = INPLACE_CODEC(_of)(codec);
    INPLACE_KEY *keys = array;
    for (uint32_t bucket = 0; bucket < INPLACE_BUCKETS; bucket++) {
        while (heads[bucket] < ends[bucket]) {
            INPLACE_KEY key = keys[heads[bucket]];
            uint32_t digit;
            while ((digit = (uint32_t)(INPLACE_CODEC(_encode)(c, key) >> shift) %
                            INPLACE_BUCKETS) != bucket) {
                uint64_t place = heads[digit]++;
                INPLACE_KEY other = keys[place];
                keys[place] = key;
                key = other;
            }
            keys[heads[bucket]++] = key;
        }
    }
}

#undef INPLACE_PASTE_
#undef INPLACE_PASTE
#undef INPLACE_CODEC
#undef INPLACE_BITS
#undef INPLACE_KEY
