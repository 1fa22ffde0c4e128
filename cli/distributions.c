/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of distributions, and the loop that makes a slice of one.
 */
#include "distributions.h"

#include <string.h>

#include "adversary.h"

/* Exactly one of `level` and `key` is set. */
struct distribution_method {
    generator_level level;
    generator_length length;
    generator_key key;
    bool centred;
    bool sparse;
};

static const struct distribution_method method_uniform = {.level = generator_uniform};
static const struct distribution_method method_gaussian = {.level = generator_gaussian,
                                                           .centred = true};
static const struct distribution_method method_sorted = {.level = generator_sorted,
                                                         .length = generator_length_total};
static const struct distribution_method method_reverse = {.level = generator_reverse,
                                                          .length = generator_length_total};
static const struct distribution_method method_nearly_sorted = {.level = generator_nearly_sorted,
                                                                .length = generator_length_total};
static const struct distribution_method method_local_shuffle = {.level = generator_local_shuffle,
                                                                .length = generator_length_total};
static const struct distribution_method method_equal = {.level = generator_draw,
                                                        .length = generator_length_one};
static const struct distribution_method method_few_unique = {.level = generator_draw,
                                                             .length = generator_length_few};
static const struct distribution_method method_zipf = {.level = generator_zipf,
                                                       .length = generator_length_zipf};
static const struct distribution_method method_bucket = {.level = generator_bucket};
static const struct distribution_method method_staggered = {.level = generator_staggered};
static const struct distribution_method method_duplicates = {.level = generator_draw,
                                                             .length = generator_length_logarithm};
static const struct distribution_method method_organ_pipe = {.level = generator_organ_pipe,
                                                             .length = generator_length_half};
static const struct distribution_method method_sawtooth = {.level = generator_sawtooth,
                                                           .length = generator_length_tooth};
static const struct distribution_method method_low_entropy = {.level = generator_low_entropy,
                                                              .sparse = true};
static const struct distribution_method method_one_outlier = {.level = generator_one_outlier};
static const struct distribution_method method_half_constant = {.key = special_half_constant};
static const struct distribution_method method_extremes = {.key = special_extremes};
static const struct distribution_method method_subnormals = {.key = special_subnormals};
static const struct distribution_method method_zeros = {.key = special_zeros};
static const struct distribution_method method_infinities = {.key = special_infinities};
static const struct distribution_method method_nans = {.key = special_nans};
static const struct distribution_method method_hidden_crowd = {.key = adversary_hidden_crowd};
static const struct distribution_method method_hidden_peel = {.key = adversary_hidden_peel};
static const struct distribution_method method_hidden_even = {.key = adversary_hidden_even};
static const struct distribution_method method_peeled = {.key = adversary_peeled};
static const struct distribution_method method_one_bank = {.key = adversary_one_bank};
static const struct distribution_method method_table_bank = {.key = adversary_table_bank};
static const struct distribution_method method_late_pair = {.key = adversary_late_pair};
static const struct distribution_method method_long_leaf = {.key = adversary_long_leaf};
static const struct distribution_method method_clustered = {.key = adversary_clustered};
static const struct distribution_method method_colliding = {.key = adversary_colliding};

static const struct distribution distributions[] = {
    {"uniform", "independent, uniform over the range", true, true, true, &method_uniform},
    {"gaussian", "averages of four uniform draws; floats centred", true, true, true,
     &method_gaussian},
    {"sorted", "ascending, one draw from each of n equal intervals", true, true, true,
     &method_sorted},
    {"reverse", "descending: sorted read backwards", true, true, true, &method_reverse},
    {"nearly-sorted", "sorted, then n/100 (at least 1) disjoint random pairs exchanged", true, true,
     true, &method_nearly_sorted},
    {"local-shuffle", "sorted, then each 8 neighbours in random order", true, true, true,
     &method_local_shuffle},
    {"equal", "one value", true, true, true, &method_equal},
    {"few-unique", "16 values, equally likely", true, true, true, &method_few_unique},
    {"zipf", "min(n, 1000000) values, the k-th smallest with probability ~ 1/k", true, true, true,
     &method_zipf},
    {"bucket", "128 parts, each in 128 pieces drawn from ascending 128ths of the range", true, true,
     true, &method_bucket},
    {"staggered", "128 parts, each drawn from another 128th of the range", true, true, true,
     &method_staggered},
    {"duplicates", "log2(n) values, equally likely", true, true, true, &method_duplicates},
    {"organ-pipe", "ascending, then the same descending", true, true, true, &method_organ_pipe},
    {"sawtooth", "the same ascending run 16 times", true, true, true, &method_sawtooth},
    {"low-entropy", "AND of three uniform draws", true, true, true, &method_low_entropy},
    {"one-outlier", "all in the lowest sliver of the range but one at the top", true, true, true,
     &method_one_outlier},
    {"half-constant", "upper half of the bits constant, lower half uniform", true, true, true,
     &method_half_constant},
    {"extremes", "ends of the type and neighbours of zero; floats with infinities", true, true,
     true, &method_extremes},
    {"subnormals", "subnormal numbers of both signs", false, true, false, &method_subnormals},
    {"zeros", "half -0 and +0, half uniform centred", false, true, false, &method_zeros},
    {"infinities", "a quarter -Inf and +Inf, the rest uniform centred", false, true, false,
     &method_infinities},
    {"nans", "a quarter NaNs of any sign and payload, 1/16 infinities, the rest uniform centred",
     false, true, false, &method_nans},
};

static const struct distribution adversaries[] = {
    {"hidden-crowd", "even where our sorts sample, elsewhere AND of three uniform draws", true,
     true, true, &method_hidden_crowd},
    {"hidden-peel", "even where our sorts sample, elsewhere peeled", true, true, true,
     &method_hidden_peel},
    {"hidden-even", "AND of three uniform draws where our sorts sample, elsewhere uniform", true,
     true, true, &method_hidden_even},
    {"peeled", "15/16 in the lowest 256 of the range, the rest as many in each octave", true, true,
     true, &method_peeled},
    {"one-bank", "uniform but for 5 bits: counters of 16 bits share a bank", true, true, true,
     &method_one_bank},
    {"table-bank", "uniform but for 8 bits: counters and entries of a table share a bank", true,
     true, true, &method_table_bank},
    {"late-pair", "a quarter uniform, then two neighbouring 65536ths of the range in turns", true,
     true, true, &method_late_pair},
    {"long-leaf", "equal parts of one key more than a leaf takes", true, true, true,
     &method_long_leaf},
    {"clustered", "each part that makes a leaf has its keys at its two ends", true, true, true,
     &method_clustered},
    {"colliding", "each byte a multiple of 32: counters of any digit share a bank", true, true,
     true, &method_colliding},
};

const struct distribution *distribution_list(size_t *count)
{
    *count = sizeof distributions / sizeof *distributions;
    return distributions;
}

const struct distribution *distribution_adversaries(size_t *count)
{
    *count = sizeof adversaries / sizeof *adversaries;
    return adversaries;
}

const struct distribution *distribution_at(size_t index)
{
    const size_t ordinary = sizeof distributions / sizeof *distributions;
    if (index < ordinary) {
        return &distributions[index];
    }
    index -= ordinary;
    return index < sizeof adversaries / sizeof *adversaries ? &adversaries[index] : NULL;
}

const struct distribution *distribution_find(const char *name)
{
    for (size_t i = 0; distribution_at(i) != NULL; i++) {
        if (strcmp(distribution_at(i)->name, name) == 0) {
            return distribution_at(i);
        }
    }
    return NULL;
}

static bool distribution_supports_shape(const struct distribution *distribution,
                                        const struct level_shape *shape)
{
    if (level_shape_float(shape)) {
        return distribution->floats;
    }
    return shape->kind == CONSORT_KIND_BYTES ? distribution->byte_strings : distribution->integers;
}

bool distribution_supports(const struct distribution *distribution, consort_type type)
{
    struct level_shape shape;
    return level_shape_init(&shape, type) && distribution_supports_shape(distribution, &shape);
}

/* Levels are made by the batch, so that choosing the type is out of the loop. */
static void distribution_fill_levels(struct generator *generator, generator_level level,
                                     uint64_t first, uint64_t count, unsigned char *out)
{
    uint64_t levels[256];
    while (count != 0) {
        size_t batch = count < 256 ? (size_t)count : 256;
        for (size_t i = 0; i < batch; i++) {
            levels[i] = level(generator, first + i);
        }
        level_store(&generator->shape, levels, batch, out);
        out += batch * generator->shape.bytes;
        first += batch;
        count -= batch;
    }
}

bool distribution_fill(const struct distribution *distribution, consort_type type, void *out,
                       uint64_t first, uint64_t count, uint64_t total, uint64_t seed)
{
    struct generator generator;
    const struct distribution_method *method = distribution->method;
    if (!level_shape_init(&generator.shape, type) ||
        !distribution_supports_shape(distribution, &generator.shape) || first > total ||
        count > total - first) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    generator.total = total;
    generator.shape.centred = method->centred;
    generator.shape.sparse = method->sparse;
    generator_init(&generator, seed, method->length);
    if (method->level != NULL) {
        distribution_fill_levels(&generator, method->level, first, count, out);
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        method->key(&generator, first + i, (unsigned char *)out + i * generator.shape.bytes);
    }
    return true;
}
