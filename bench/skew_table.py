# SPDX-License-Identifier: Apache-2.0
"""For table.py: every distribution beside the best peer."""
import statistics

import results_file


def sized(ratios):
    """The least ratio, and of how many items it is."""
    ratio, count = min(ratios)
    return f"{ratio:.2f} ({results_file.short_count(count)})"


def table(document, _):
    """Head and rows: for each distribution the least ratio of all sizes, and geometric means of all."""
    found, keys, distributions = {}, [], []
    for result in document["results"]:
        ratio = results_file.ratio_of(result)
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
        ratios = [ratio for name in distributions for ratio, _ in found.get((name, key), [])]
        means.append(f"{statistics.geometric_mean(ratios):.2f}")
    return ["distribution", *keys], rows + [["geometric mean", *means]] if rows else rows
