/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial sorts of an array of codes in place, for one width.
 *
 * Template parameters, all required, undefined again at the end:
 *   CODE_BITS   8, 16, 32, 64 or 128
 *   CODE_KEY    the unsigned type of that width
 *
 * Defines `code_sorts_uN`, a struct code_kernels.
 */
#if !defined(CODE_BITS) || !defined(CODE_KEY)
#error "code_sorts_template.h needs CODE_BITS and CODE_KEY"
#endif

#define CODE_PASTE_(prefix, bits, name) prefix##bits##name
#define CODE_PASTE(prefix, bits, name)  CODE_PASTE_(prefix, bits, name)
#define CODE_FN(name)                   CODE_PASTE(code_sorts_u, CODE_BITS, name)
#define CODE_CODEC(name)                CODE_PASTE(codec_u, CODE_BITS, name)

static void CODE_FN(_encode)(const struct codec *constants, const void *in, void *out,
                             uint64_t count)
{
    const struct CODE_CODEC() codec = CODE_CODEC(_of)(constants);
    for (uint64_t i = 0; i < count; i++)
        ((CODE_KEY *)out)[i] = CODE_CODEC(_encode)(codec, ((const CODE_KEY *)in)[i]);
}

static void CODE_FN(_decode)(const struct codec *constants, void *array, uint64_t count)
{
    const struct CODE_CODEC() codec = CODE_CODEC(_of)(constants);
    CODE_KEY *keys = array;
    for (uint64_t i = 0; i < count; i++)
        keys[i] = CODE_CODEC(_decode)(codec, keys[i]);
}

static inline void CODE_FN(_order)(CODE_KEY *low, CODE_KEY *high)
{
    CODE_KEY a = *low, b = *high;
    *low = b < a ? b : a;
    *high = b < a ? a : b;
}

/* One step of the bitonic network: all exchanges of `size` and `stride`. A step begins with
 * stride = size, which compares a block with its mirror image, so that every exchange puts the
 * smaller code first; places from `count` on then act as if they held the largest code. */
static void CODE_FN(_bitonic)(void *array, uint64_t count, uint64_t size, uint64_t stride)
{
    CODE_KEY *keys = array;
    if (stride == size) {
        for (uint64_t base = 0; base < count; base += size)
            for (uint64_t i = size / 2; i < size && i < count - base; i++)
                CODE_FN(_order)(&keys[base + size - 1 - i], &keys[base + i]);
        return;
    }
    for (uint64_t base = 0; base + stride < count; base += 2 * stride) {
        uint64_t pairs = count - base - stride < stride ? count - base - stride : stride;
        for (uint64_t i = 0; i < pairs; i++)
            CODE_FN(_order)(&keys[base + i], &keys[base + stride + i]);
    }
}

static void CODE_FN(_insertion)(CODE_KEY *keys, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        CODE_KEY key = keys[i];
        uint64_t hole = i;
        for (; hole > 0 && key < keys[hole - 1]; hole--)
            keys[hole] = keys[hole - 1];
        keys[hole] = key;
    }
}

static void CODE_FN(_sift)(CODE_KEY *keys, uint64_t hole, uint64_t count, CODE_KEY key)
{
    for (uint64_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count && keys[child] < keys[child + 1])
            child++;
        if (keys[child] <= key)
            break;
        keys[hole] = keys[child];
    }
    keys[hole] = key;
}

static void CODE_FN(_heap)(CODE_KEY *keys, uint64_t count)
{
    for (uint64_t i = count / 2; i-- > 0;)
        CODE_FN(_sift)(keys, i, count, keys[i]);
    for (uint64_t size = count; size > 1; size--) {
        CODE_KEY last = keys[size - 1];
        keys[size - 1] = keys[0];
        CODE_FN(_sift)(keys, 0, size - 1, last);
    }
}

static inline void CODE_FN(_swap)(CODE_KEY *a, CODE_KEY *b)
{
    CODE_KEY held = *a;
    *a = *b;
    *b = held;
}

/* Brings the median of three, or of three such medians, to the front. */
static void CODE_FN(_pivot)(CODE_KEY *keys, uint64_t count)
{
    uint64_t step = count / 8, middle = count / 2, last = count - 1;
    if (count > CODE_SORTS_NINTHER) {
        CODE_KEY *groups[] = {keys, keys + middle - step, keys + last - 2 * step};
        for (int i = 0; i < 3; i++) {
            CODE_FN(_order)(groups[i], groups[i] + step);
            CODE_FN(_order)(groups[i] + step, groups[i] + 2 * step);
            CODE_FN(_order)(groups[i], groups[i] + step);
        }
        CODE_FN(_swap)(keys, keys + step);
        CODE_FN(_swap)(keys + last, keys + last - step);
    }
    CODE_FN(_order)(keys, keys + middle);
    CODE_FN(_order)(keys + middle, keys + last);
    CODE_FN(_order)(keys, keys + middle);
    CODE_FN(_swap)(keys, keys + middle);
}

/* Partitions around keys[0] without a branch on comparisons (Lomuto's scheme, as Alexandrescu 2020
 * writes it); codes equal to the pivot go left if `equal_left`. Returns the pivot's place. */
static uint64_t CODE_FN(_partition)(CODE_KEY *keys, uint64_t count, bool equal_left)
{
    const CODE_KEY pivot = keys[0];
    const CODE_KEY bound = (CODE_KEY)(pivot + equal_left); /* equal_left only below the largest */
    uint64_t left = 1;
    for (uint64_t i = 1; i < count; i++) {
        CODE_KEY key = keys[i];
        keys[i] = keys[left];
        keys[left] = key;
        left += key < bound;
    }
    CODE_FN(_swap)(keys, keys + left - 1);
    return left - 1;
}

/* `floor` is a code at most as large as all of keys; what equals it is in place already. */
static void CODE_FN(_quick_range)(CODE_KEY *keys, uint64_t count, uint32_t depth, bool has_floor,
                                  CODE_KEY floor)
{
    while (count > CODE_SORTS_INSERTION) {
        if (depth-- == 0) {
            CODE_FN(_heap)(keys, count);
            return;
        }
        CODE_FN(_pivot)(keys, count);
        CODE_KEY pivot = keys[0];
        if (has_floor && pivot == floor) {
            if (pivot == (CODE_KEY) ~(CODE_KEY)0)
                return; /* nothing is larger, and all is at least the floor */
            uint64_t equal = CODE_FN(_partition)(keys, count, true) + 1;
            keys += equal;
            count -= equal;
            continue;
        }
        uint64_t place = CODE_FN(_partition)(keys, count, false);
        CODE_FN(_quick_range)(keys, place, depth, has_floor, floor);
        keys += place + 1;
        count -= place + 1;
        has_floor = true;
        floor = pivot;
    }
    CODE_FN(_insertion)(keys, count);
}

static void CODE_FN(_quick)(void *array, uint64_t count)
{
    uint32_t depth = 2;
    for (uint64_t n = count; n > 1; n /= 2)
        depth += 2;
    CODE_FN(_quick_range)(array, count, depth, false, 0);
}

static const struct code_kernels CODE_PASTE(code_sorts_u, CODE_BITS, ) = {
    .encode = CODE_FN(_encode),
    .decode = CODE_FN(_decode),
    .bitonic = CODE_FN(_bitonic),
    .quick = CODE_FN(_quick),
};

#undef CODE_CODEC
#undef CODE_FN
#undef CODE_PASTE
#undef CODE_PASTE_
#undef CODE_BITS
#undef CODE_KEY
