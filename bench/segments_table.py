# SPDX-License-Identifier: Apache-2.0
"""For table.py: segmented sorts of all lengths beside the best peer."""
import results_file

KEYS = ["u32", "u32+4", "u64", "u64+8", "u8", "u16", "u128", "f32"]
HEAD = ["lengths", *KEYS]
# The longest of each row of equal lengths.
LENGTHS = [4, 8, 12, 16, 18, 24, 32, 40, 64, 96, 129, 257, 1025, 2049, 8193, 20000, 10**6, 10**9]


def row_of(result):
    """Where a case belongs: its row's number and name."""
    if result["lengths"] != "equal":
        return (1, result["lengths"], 0), f"by {result['lengths']}"
    number = next(i for i, most in enumerate(LENGTHS) if result["segment"] <= most)
    least = LENGTHS[number - 1] + 1 if number else 1
    last = f"to {LENGTHS[number]:,}" if number + 1 < len(LENGTHS) else "and more"
    return (0, "", number), f"{least:,} {last}"


def table(document, _):
    """Head and rows: for some lengths at a time, and for each mix: the least ratio, and at which length."""
    names, least = {}, {}
    for result in document["results"]:
        ratio = results_file.ratio_of(result) if result["operation"] == "segmented" else None
        if ratio is None:
            continue
        row, name = row_of(result)
        names[row] = name
        keys = results_file.keys_name({**result, "segment": 0, "lengths": "equal"})
        found = (ratio, result["segment"])
        least[row, keys] = min(least.get((row, keys), found), found)
    return HEAD, [[names[row]] + [f"{least[row, keys][0]:.2f} ({least[row, keys][1]:,})"
                            if (row, keys) in least else "–" for keys in KEYS]
            for row in sorted(names)]
