# SPDX-License-Identifier: Apache-2.0
"""The faults: (name, file, text that is there exactly once, what replaces it[, QUICK]), of each room
in a file of its own. And the tests that must find them."""

from command_mutants import COMMAND
from cpu_mutants import CPU
from gpu_mutants import GPU
from host_mutants import HOST
from msd_mutants import MSD
from multi_mutants import MULTI
from segmented_mutants import SEGMENTED

# What a mutant is tested with, stage by stage until something fails: what takes seconds first.
TESTS = [
    ["-R", "operations.product"],
    ["-R", "^(api|unit.team|unit.streaming)", "-E", "cancel"],
    ["-R", "operations.middle"],
    ["-R", "^(api.cancel|unit.radix)"],
    ["-R", "operations.pairwise"],
    ["-R", "^unit.cpu"],
]

# Those of the command: what is built is the command, too.
COMMAND_TESTS = [
    ["-R", "^fuzz.npy.corpus$"],
    ["-R", "^cli.npy"],
]

# The GPU's mutants run on the emulator, each with the programs that test its folder, the first that
# fits: a sixteenth of the trials in order and one as badly ordered as it can, which find most; all;
# and what all sorts' host sides have in common.
GPU_TESTS = [
    ["CONSORT_TEST_SHARE=0/16", "-R", "^cuda.(%s).order"],
    ["CONSORT_TEST_SHARE=0/16", "-R", "^cuda.(%s).adversarial"],
    ["-R", "^cuda.(%s).order"],
    ["-R", "^cuda.(%s).(adversarial|random)"],
    ["-R", "^cuda.(device_workspace|device_layouts|arrivals.1)$"],
]
GPU_PROGRAMS = {
    "src/cuda/device/block_scan.cuh": "device_sort|device_split",
    "src/cuda/device/code_range.cuh": "device_msd|device_crowds",
    "src/cuda/device/expansion.cuh": "device_counting",
    "src/cuda/device/few_codes.cuh": "device_crowds|device_hybrid",
    "src/cuda/device/merge_path.cuh": "device_merge",
    "src/cuda/device/multi_co_rank.cuh": "device_merge",
    "src/cuda/device/warp_ranks.cuh": "device_sort|device_algorithms",
    "src/cuda/launch.c": "device_sort|device_algorithms",
    "src/cuda/replay.c": "replay|replay_beside",
    "src/cuda/sorts/bucket/": "device_bucket",
    "src/cuda/sorts/coded/": "device_operations",
    "src/cuda/sorts/counting/": "device_counting",
    "src/cuda/sorts/fused/fused_short": "device_short",
    "src/cuda/sorts/fused/": "device_fused",
    "src/cuda/sorts/gather/": "device_sort|device_top_k|device_operations",
    "src/cuda/sorts/hybrid/hybrid.c": "replay|device_hybrid",
    "src/cuda/sorts/hybrid/hybrid_chunk.cuh": "device_prefix",
    "src/cuda/sorts/hybrid/hybrid_count.cuh": "device_hybrid|device_prefix",
    "src/cuda/sorts/hybrid/hybrid_groups.cuh": "device_prefix",
    "src/cuda/sorts/hybrid/hybrid_large.cuh": "device_prefix",
    "src/cuda/sorts/hybrid/": "device_hybrid",
    "src/cuda/sorts/lsd/lsd_digits.cuh": "device_crowds",
    "src/cuda/sorts/lsd/lsd_request.c": "replay|device_sort|device_hybrid",
    "src/cuda/sorts/lsd/lsd_resident.cuh": "device_short",
    "src/cuda/sorts/lsd/": "device_sort|device_hybrid",
    "src/cuda/sorts/merge": "device_merge",
    "src/cuda/sorts/msd/msd_counted.cuh": "device_crowds|device_msd",
    "src/cuda/sorts/msd/msd_few.cuh": "device_crowds",
    "src/cuda/sorts/msd/msd_guess.cuh": "device_crowds",
    "src/cuda/sorts/msd/msd_counter.cuh": "device_crowds|device_msd|device_numbers",
    "src/cuda/sorts/msd/msd_middling.cuh": "device_crowds|device_msd",
    "src/cuda/sorts/msd/msd_middling_passes.cuh": "device_crowds",
    "src/cuda/sorts/msd/msd_uneven.cuh": "device_crowds|device_msd",
    "src/cuda/sorts/msd/msd_groups.cuh": "device_rooms",
    "src/cuda/sorts/msd/msd_levels.cuh":
        "device_rooms|device_fused|device_msd|device_numbers|device_halves",
    "src/cuda/sorts/msd/msd_spilled.cuh": "device_rooms",
    "src/cuda/sorts/msd/msd_codes.cuh": "device_rooms|device_msd",
    "src/cuda/sorts/msd/msd_prefixes.cuh": "device_cuts|device_short",
    "src/cuda/sorts/msd/msd_rooms.cuh": "device_rooms",
    "src/cuda/sorts/msd/msd_tile.cuh": "device_rooms|device_msd",
    "src/cuda/sorts/msd/msd_octaves.cuh": "device_crowds",
    "src/cuda/sorts/msd/msd.cu": "device_crowds",
    "src/cuda/sorts/msd/msd_skew.cuh": "device_crowds",
    "src/cuda/sorts/msd/msd_skew_passes.cuh": "device_crowds",
    "src/cuda/sorts/msd/msd_short_numbers.cuh": "device_numbers",
    "src/cuda/sorts/msd/msd_held_numbers.cuh": "device_numbers",
    "src/cuda/sorts/msd/msd_middling_numbers.cuh": "device_numbers",
    "src/cuda/sorts/msd/msd_values.cuh": "device_numbers",
    "src/cuda/sorts/msd/": "device_msd|device_numbers|device_halves",
    "src/cuda/sorts/normalised/normalised_compare.cuh": "device_operations",
    "src/cuda/sorts/normalised/normalised_order.c": "device_operations",
    "src/cuda/sorts/normalised/": "device_orders",
    "src/cuda/sorts/quick/": "device_split",
    "src/cuda/sorts/radix_steps/": "device_algorithms",
    "src/cuda/sorts/sample/": "device_split",
    "src/cuda/sorts/segmented_long/segmented_long_bytes.cuh": "device_segmented_narrow",
    "src/cuda/sorts/segmented": "device_segmented|device_segmented_long",
    "src/cuda/sorts/split/": "device_split",
    "src/cuda/sorts/topk/": "device_top_k",
}

# Those of long lists and several GPUs.
MULTI_TESTS = [
    ["-R", "^cuda.(carry|multi.1)$"],
    ["-R", "^cuda.multi.3"],
    ["-R", "^cuda.multi_runs.3"],
    ["-R", "^cuda.multi_failures.(1|3|lost)$"],
    ["-R", "^cuda.trouble.3$"],
    ["-R", "^cuda.spread.2$"],
    ["-R", "^cuda.records.2$"],
    ["-R", "^cuda.exchange_failures.lost$"],
]

# Those of host arrays on one GPU.
HOST_TESTS = [
    ["-R", "^cuda.arrivals.1$"],
    ["-R", "^cuda.host_arrays.1$"],
]

# Those of lists in the memory of several GPUs, kernels included.
EXCHANGE_TESTS = [
    ["-R", "^cuda.exchange_lend$"],
    ["-R", "^cuda.exchange.1$"],
    ["-R", "^cuda.exchange.[23]$"],
]

MUTANTS = CPU + COMMAND + GPU + MSD + SEGMENTED + HOST + MULTI
