/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tables lie in workspaces, of lists of any length and GPUs of any size: what is used at the
 * same time lies apart, and there is room for as much as there can be. Only the host's side is
 * asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "consort.h"
#include "core/plan.h"
#include "cuda/sorts/msd/msd.h"
#include "cuda/sorts/msd/msd_tuning.h"
#include "cuda/sorts/msd/msd_workspace.h"
#include "cuda/sorts/segmented/segmented_workspace.h"
#include "cuda/sorts/topk/topk_layout.h"
#include "cuda/sorts/topk/topk_sizes.h"

/* Where halves of keys are written, levels have other memory than where cells begin. */
static void test_cells_of_halves_are_apart(void **state)
{
    (void)state;
    int64_t standard[MSD_PARAMETERS];
    struct order_piece piece = {0};
    algorithm_standards(&msd_sort, standard);
    for (uint32_t bits = 26; bits <= 31; bits++) {
        const struct request request = {
            .item_bytes = 4, .maximum_count = UINT64_C(1) << bits, .order = {.pieces = &piece}};
        const struct msd_workspace w = msd_lay_out(&request, standard, true, false);
        const uint64_t bytes = 4u << msd_cell_bits(request.maximum_count, standard);
        const uint64_t first = w.passes < w.bounds ? w.passes : w.bounds;
        assert_true(w.singles + bytes <= first);
    }
}

/* Leaves that are runs, which passes by a prefix leave, of any list that a plan may have. */
static void test_runs_have_room(void **state)
{
    (void)state;
    static const uint64_t counts[] = {5000,    1 << 20, 1048831, 1048832,          1100000,
                                      3 << 20, 1 << 23, 8388609, UINT64_C(3) << 23};
    int64_t standard[MSD_PARAMETERS];
    struct order_piece piece = {0};
    algorithm_standards(&msd_sort, standard);
    for (uint32_t bytes = 8; bytes <= 16; bytes *= 2)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            const struct request request = {
                .item_bytes = bytes, .maximum_count = counts[i], .order = {.pieces = &piece}};
            const struct msd_workspace w = msd_lay_out(&request, standard, true, false);
            const uint64_t most = bytes == 8 ? 1 << 23 : 1048831;
            const uint64_t longest = counts[i] < most ? counts[i] : most;
            assert_true(w.counters - w.leaves >=
                        longest / (msd_longest_run(bytes) + 1) * sizeof(struct msd_leaf));
        }
}

/* Highest digits of few u128 are counted where tables of levels never are, which others write while
 * some still read these counts; of more, in the control block. */
static void test_digits_of_wide_keys_are_apart(void **state)
{
    (void)state;
    int64_t standard[MSD_PARAMETERS];
    struct order_piece piece = {0};
    algorithm_standards(&msd_sort, standard);
    for (int64_t leaf = 64; leaf <= 4352; leaf += 67)
        for (uint64_t count = (uint64_t)leaf + 1; count < (uint64_t)leaf * MSD_WHOLE_LEAVES;
             count += count / 9 + 1) {
            standard[MSD_PARAMETER_LEAF] = leaf;
            const struct request request = {
                .item_bytes = 16, .maximum_count = count, .order = {.pieces = &piece}};
            const struct msd_workspace w = msd_lay_out(&request, standard, true, false);
            const uint64_t digits = w.cells + MSD_DIGITS * sizeof(uint32_t);
            const uint64_t levels = w.counters + w.batch * (MSD_DIGITS + 2) * sizeof(uint32_t);
            assert_true(digits <= w.passes || levels <= w.cells);
            assert_true(digits <= w.cleared && w.extremes >= w.cleared);
            assert_true(w.cleared >= w.lookback + MSD_DIGITS * sizeof(uint32_t));
        }
}

/* Units that have counts of digits, of lists of any length on GPUs of any size; and of one that
 * is one segment, as many as two blocks on each multiprocessor move. */
static void test_units_have_room(void **state)
{
    (void)state;
    static const uint64_t lists[] = {17000, 300000, 100000000, UINT64_C(1) << 32,
                                     UINT64_C(1) << 36};
    static const uint32_t processors[] = {1, 4, 46, 66, 84, 108, 114, 132, 148, 264, 1000};
    for (uint64_t bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
            const struct request request = {
                .item_bytes = bytes, .maximum_count = lists[l], .maximum_segments = 1};
            const struct segmented_shape *shape = segmented_shape_of(&request);
            const uint64_t room = segmented_lay_out(&request).unit_room;
            const uint32_t start_bits = segmented_start_bits(lists[l]);
            for (size_t p = 0; p < sizeof processors / sizeof processors[0]; p++)
                for (uint64_t count = lists[l]; count > 1000; count -= count / 7) {
                    const uint32_t items =
                        segmented_unit_items(shape, count, start_bits, processors[p]);
                    assert_true(count < 2 * (uint64_t)items || count / items <= room);
                }
            if (lists[l] != 100000000 || segmented_is_counted(shape))
                continue;
            assert_in_range(lists[l] / segmented_unit_items(shape, lists[l], start_bits, 132), 250,
                            264);
            assert_in_range(lists[l] / segmented_unit_items(shape, lists[l], start_bits, 84), 160,
                            168);
        }
}

/* The counters of a row that blocks sample together lie behind the sample and the candidates; of
 * others, behind the ties; of several rows nothing lies where something else does. */
static void test_top_k_counters_are_apart(void **state)
{
    (void)state;
    static const uint64_t counts[] = {9000, 65536, 65600, 1 << 17, 1000000, 1 << 24, 1 << 26};
    static const uint64_t kept[] = {1, 100, 1000, 20000};
    const uint64_t bins = TOPK_TURNS * TOPK_BINS * 4;
    for (size_t i = 0; i < 4 * sizeof counts / sizeof counts[0]; i++) {
        const uint64_t n = counts[i / 4], k = kept[i % 4], samples = topk_sizes_samples(n);
        struct topk_workspace w = topk_sizes_workspace(n, 1, k, 4, 4, i % 3 > 0);
        assert_true(w.codes[0] > w.ties && w.bins >= w.codes[0] && w.total >= w.bins + bins);
        if (samples > TOPK_BLOCK_SAMPLE)
            assert_true(w.bins >= w.sampled + samples * 4 &&
                        w.bins >= w.positions[0] + (i % 3 > 0) * topk_sizes_capacity(n, k) * 4 &&
                        w.bins >= w.codes[0] + topk_sizes_capacity(n, k) * 4);
        w = topk_sizes_workspace(n, 3, k, 4, 4, true);
        assert_true(w.bins - w.sampled >= (samples > TOPK_BLOCK_SAMPLE ? samples * 4 : 0));
        assert_true(w.ties >= w.bins + 3 * bins);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_halves_are_apart),
        cmocka_unit_test(test_runs_have_room),
        cmocka_unit_test(test_digits_of_wide_keys_are_apart),
        cmocka_unit_test(test_units_have_room),
        cmocka_unit_test(test_top_k_counters_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
