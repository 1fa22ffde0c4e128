# SPDX-License-Identifier: Apache-2.0
"""Faults of the GPU's `msd`, for mutant_list.py."""

CELLS = [
    ("msd-stray-ignored", "src/cuda/sorts/msd/msd_histogram.cuh",
     "a.control->strays = MSD_STRAYS + 1;", "a.control->strays = 0;"),
    ("msd-flipped-cells-as-keys", "src/cuda/sorts/msd/msd_histogram.cuh",
     "code_window((K)(key ^ codec.flip), shift)", "code_window(key, shift)"),
    ("msd-stray-in-place-of-a-key", "src/cuda/sorts/msd/msd_counted.cuh",
     "i <= strays; i++, all.keys++)", "i <= strays; i++)"),
    ("msd-halves-in-each-other", "src/cuda/sorts/msd/msd_partition.cuh",
     "return begins[of] + atomicAdd", "return atomicAdd"),
    ("msd-halves-of-short-cells", "src/cuda/sorts/msd/msd_half_cells.cuh",
     "return code + (half >> unused);", "return code + (half >> unused / 2);"),
    ("msd-halves-of-wide-cells", "src/cuda/sorts/msd/msd_values.cuh",
     "half = (K)1 << MSD_HALF_BITS;", "half = (K)2 << MSD_HALF_BITS;"),
    ("msd-rows-without-marks", "src/cuda/sorts/msd/msd_half_counts.cuh",
     "place = place / row * row + row)", "place += 2 * row)"),
    ("msd-halves-of-a-crowd", "src/cuda/sorts/msd/msd_halves.cuh",
     "if (cell.count > a.small_leaf && !cell.whole)", "if (cell.count > 2 * a.small_leaf && !cell.whole)"),
    ("msd-no-number-among-numbers", "src/cuda/sorts/msd/msd_values.cuh",
     "> number::infinity;", "> (K)(number::infinity + number::infinity);"),
    ("msd-numbers-rest-as-keys", "src/cuda/sorts/msd/msd_values.cuh",
     "return Rests ? codec.encode_straight(key) : key;", "return key;"),
    ("msd-agreeing-words-decide", "src/cuda/sorts/msd/msd_worded.cuh",
     "(word | undecided) < next", "word < next"),
    ("msd-next-cell-not-fetched", "src/cuda/sorts/msd/msd_local.cuh",
     "[&] { local.fetch(from + next.begin, next.count); }", "[] {}"),
    ("msd-ends-are-begins", "src/cuda/sorts/msd/msd_levels.cuh",
     "*cursor = before + count;", "*cursor = before;"),
]

# Work that blocks take by a counter, and what they do together.
WORK = [
    ("msd-stretches-counted-twice", "src/cuda/sorts/msd/msd_histogram.cuh",
     "following = 2 * gridDim.x + s.next[turn];", "following = gridDim.x + s.next[turn];"),
    ("msd-recount-goes-on-with-numbers", "src/cuda/sorts/msd/msd_histogram.cuh",
     "msd_range_cells<K>(a, MSD_TAKEN_AGAIN)", "msd_range_cells<K>(a, MSD_TAKEN_COUNTED)"),
    ("msd-second-goes-on-with-numbers", "src/cuda/sorts/msd/msd_partition.cuh",
     "return msd_take(a, MSD_TAKEN_SECOND);", "return msd_take(a, MSD_TAKEN_FIRST);"),
    ("msd-number-of-a-tile-not-told", "src/cuda/sorts/msd/msd_tile.cuh",
     "            tile.s.next = next;\n        __syncthreads();",
     "            tile.s.next = next;"),
    ("msd-cells-left", "src/cuda/sorts/msd/msd_local.cuh",
     "following = 3 * gridDim.x + local.s.next[turn];",
     "following = 4 * gridDim.x + local.s.next[turn];"),
    ("msd-wide-cells-left", "src/cuda/sorts/msd/msd_local.cuh",
     "msd_leaf_of_cell(a, ends, 2 * gridDim.x + taken)",
     "msd_leaf_of_cell(a, ends, 3 * gridDim.x + taken)"),
    ("msd-cells-of-halves-left", "src/cuda/sorts/msd/msd_halves.cuh",
     "s.next[turn] = gridDim.x + taken;", "s.next[turn] = gridDim.x + 1 + taken;"),
    ("msd-places-of-stretches-short", "src/cuda/sorts/msd/msd_plan.cuh",
     "if (threadIdx.x < stretch)\n", "if (threadIdx.x + 1 < stretch)\n"),
    ("msd-plans-before-all-have-scanned", "src/cuda/sorts/msd/msd_plan.cuh",
     "&a.control->planned, 1u) == blocks - 1;", "&a.control->planned, 1u) == 0;"),
    ("msd-larger-cells-share-a-place", "src/cuda/sorts/msd/msd_plan.cuh",
     "a.counters[first + __popc(lanes & lanemask_lt())] = cell;", "a.counters[first] = cell;"),
]

# Passes over the digits of keys that crowd.
CROWDS = [
    ("msd-crowd-loses-a-counter", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "for (unsigned copy = 0; copy < copies; copy++)",
     "for (unsigned copy = 1; copy < copies; copy++)"),
    ("msd-crowd-planned-too-soon", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "&a.control->finished_blocks, 1u) == gridDim.x - 1;",
     "&a.control->finished_blocks, 1u) == 0;"),
    ("msd-crowd-begins-with-any-digit", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "    while (a.control->step[pass] != 0)\n        pass++;\n", ""),
    ("msd-crowd-last-stretch-repeated", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "if (i * MSD_HISTOGRAM_THREADS + threadIdx.x >= left)",
     "if (i * MSD_HISTOGRAM_THREADS + threadIdx.x > left)"),
    ("msd-crowd-order-forgotten", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "((in[0] ^ in[keys - 1]) & lower) == 0;", "((in[0] ^ in[keys - 1]) & lower >> 8) == 0;"),
    ("msd-crowd-counters-left", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "        if (counted)\n            keys.clear_counts();\n", ""),
    ("msd-crowd-tickets-of-another-pass", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "atomicAdd(&a.control->tickets[pass], 1u)", "atomicAdd(&a.control->tickets[0], 1u)"),
    ("msd-crowd-passes-do-not-wait", "src/cuda/sorts/msd/msd_skew_passes.cuh",
     "        if (route.step > 1)\n            grid_barrier(arrivals);\n", ""),
]

# Segments that peel, split by octaves.
OCTAVES = [
    ("msd-octaves-below-reach-too-short", "src/cuda/sorts/msd/msd_octaves.cuh",
     "(K)(pivot - 1 - reach) : (K)0;", "(K)(pivot - reach / 2) : (K)0;"),
    ("msd-octaves-below-in-the-order-of-those-above", "src/cuda/sorts/msd/msd_octaves.cuh",
     "return below ? MSD_FIRST_ABOVE - bits : MSD_FIRST_ABOVE - 1 + bits;",
     "return below ? bits - 1 : MSD_FIRST_ABOVE - 1 + bits;"),
    ("msd-octaves-above-begin-late", "src/cuda/sorts/msd/msd_octaves.cuh",
     "msd_ones<K>(part - MSD_FIRST_ABOVE) + 1 : 0);", "msd_ones<K>(part - MSD_FIRST_ABOVE) + 3 : 0);"),
]

MSD = CELLS + CROWDS + OCTAVES + WORK
