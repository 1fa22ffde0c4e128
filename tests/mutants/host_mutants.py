# SPDX-License-Identifier: Apache-2.0
"""Faults of host arrays on one GPU, for mutant_list.py."""

HOST = [
    ("arrivals-piece-of-another-place", "src/cuda/sorts/arrivals/arrivals.c",
     "run_wants_items(a->run, a->begins[piece], arrivals_count(a, piece),",
     "run_wants_items(a->run, a->begins[piece / 2], arrivals_count(a, piece),"),
    ("arrivals-sort-works-in-the-run", "src/cuda/sorts/arrivals/arrivals.c",
     "a->arrays[arrivals_is_spare(piece) ? 0 : 1];", "a->arrays[arrivals_is_spare(piece) ? 1 : 1];"),
    ("arrivals-even-number-of-pieces", "src/cuda/sorts/arrivals/arrivals.c",
     "plan->parameters[ARRIVALS_PIECES] | 1)", "plan->parameters[ARRIVALS_PIECES])"),
    ("arrivals-sort-works-beyond-the-room", "src/cuda/sorts/arrivals/arrivals.c",
     "bytes < ARRIVALS_ALIGNMENT ? 0 : bytes - ARRIVALS_ALIGNMENT;", "4 * bytes;"),
]
