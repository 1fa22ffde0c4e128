/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of radix selection for one width of plain codes.
 *
 * Template parameters, all required, undefined again at the end:
 *   SELECT_BITS   8, 16, 32, 64 or 128
 *   SELECT_KEY    the unsigned type of that width
 *
 * Defines select_uN_histogram and select_uN_collect; a `struct select_range` says which codes
 * still are in question.
 */
#if !defined(SELECT_BITS) || !defined(SELECT_KEY)
#error "select_template.h needs SELECT_BITS and SELECT_KEY"
#endif

#define SELECT_PASTE_(prefix, bits, name) prefix##bits##_##name
#define SELECT_PASTE(prefix, bits, name)  SELECT_PASTE_(prefix, bits, name)
#define SELECT_FN(name)                   SELECT_PASTE(select_u, SELECT_BITS, name)
#define SELECT_CODEC(name)                SELECT_PASTE(codec_u, SELECT_BITS, name)
#define SELECT_STRUCT_(bits)              struct codec_u##bits
#define SELECT_STRUCT(bits)               SELECT_STRUCT_(bits)
#define SELECT_CODEC_T                    SELECT_STRUCT(SELECT_BITS)

static void SELECT_FN(histogram)(const struct codec *constants, const void *array, uint64_t first,
                                 uint64_t last, const struct select_range *range, uint64_t *counts)
{
    const SELECT_CODEC_T codec = SELECT_CODEC(of)(constants);
    const SELECT_KEY *keys = array;
    const SELECT_KEY low = (SELECT_KEY)range->low, span = (SELECT_KEY)range->span;
    const uint32_t shift = range->shift;
    memset(counts, 0, sizeof *counts << SELECT_DIGIT);
    for (uint64_t i = first; i < last; i++) {
        SELECT_KEY above = (SELECT_KEY)(SELECT_CODEC(encode)(codec, keys[i]) - low);
        if (above <= span)
            counts[(uint32_t)(above >> shift)]++;
    }
}

/* Writes the codes below the range, and until `within_end` those in it, with their positions,
 * each in the order of positions. */
static void SELECT_FN(collect)(const struct codec *constants, const void *array, uint64_t first,
                               uint64_t last, const struct select_range *range,
                               struct select_target *target)
{
    const SELECT_CODEC_T codec = SELECT_CODEC(of)(constants);
    const SELECT_KEY *keys = array;
    const SELECT_KEY low = (SELECT_KEY)range->low, span = (SELECT_KEY)range->span;
    SELECT_KEY *codes = target->codes;
    for (uint64_t i = first; i < last; i++) {
        SELECT_KEY code = SELECT_CODEC(encode)(codec, keys[i]);
        if (code >= low && (SELECT_KEY)(code - low) > span)
            continue;
        if (code >= low && target->within == target->within_end)
            continue;
        uint64_t at = code < low ? target->below++ : target->within++;
        codes[at] = code;
        target->positions[at] = i;
    }
}

static void SELECT_FN(write)(const struct codec *constants, const void *codes, void *out,
                             uint64_t count)
{
    const SELECT_CODEC_T codec = SELECT_CODEC(of)(constants);
    for (uint64_t i = 0; i < count; i++)
        ((SELECT_KEY *)out)[i] = SELECT_CODEC(decode)(codec, ((const SELECT_KEY *)codes)[i]);
}

static const struct select_kernels SELECT_FN(kernels) = {
    .histogram = SELECT_FN(histogram),
    .collect = SELECT_FN(collect),
    .write = SELECT_FN(write),
};

#undef SELECT_CODEC_T
#undef SELECT_STRUCT
#undef SELECT_STRUCT_
#undef SELECT_FN
#undef SELECT_CODEC
#undef SELECT_PASTE
#undef SELECT_PASTE_
#undef SELECT_BITS
#undef SELECT_KEY
