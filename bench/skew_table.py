# SPDX-License-Identifier: Apache-2.0
"""For table.py: every distribution beside the best peer."""
import math

import results_file
from segments_table import ratio_of


def sized(ratios):
    """The least ratio, and of how many items it is."""
    ratio, count = min(ratios)
    return f"{ratio:.2f} ({results_file.short_count(count)})"


def table(document, _):
    """Head and rows: for each distribution the least ratio of all sizes, and geometric means of all."""
    found, keys, distributions = {}, [], []
    for result in document["results"]:
        ratio = ratio_of(result)
        if ratio is None:
            continue
        name = results_file.keys_name(result)
        key = f"argsort {name}" if result["operation"] == "argsort" else name
        keys += [key] if key not in keys else []
        distributions += [result["distribution"]] if result["distribution"] not in distributions else []
        found.setdefault((result["distribution"], key), []).append((ratio, result["count"]))
    rows = [[name] + [sized(found[name, key]) if (name, key) in found else "–" for key in keys]
            for name in distributions]
    means = []
    for key in keys:
        ratios = [ratio for (_, of), cases in found.items() if of == key for ratio, _ in cases]
        means.append(f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    return ["distribution", *keys], rows + [["geometric mean", *means]] if rows else rows
