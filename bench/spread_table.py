# SPDX-License-Identifier: Apache-2.0
"""For table.py: lists in the memory of several GPUs."""
import results_file

HEAD = ["each part", "GPUs", "select", "partition", "ranges", "of them copies", "sorts", "all, ms",
        "over one GPU", "over CUB", "all-to-all, GB/s", "copies' share"]


def table(document, filters):
    """Head and rows: lists in the memory of several GPUs beside one GPU with one part of as many items: times, rates,
    phases, and the rate of copies between GPUs beside that of nothing but copies. Filters pick the
    lists, not what they are set beside."""
    medians = {(results_file.case(result)[:4], results_file.where(result), score["name"]):
               score["median_seconds"] for result in results_file.select(document)
               for score in result["scores"] if "median_seconds" in score}
    found = []
    place = filters.get("where")
    filters = {name: value for name, value in filters.items() if name != "where"}
    for result in results_file.select(document, **filters):
        score = result["scores"][0]
        if place not in (None, results_file.where(result)):
            continue
        if not results_file.where(result).startswith("gpus:") or "median_seconds" not in score:
            continue
        gpus, counters, seconds = result["gpus"], score["counters"], score["median_seconds"]
        part = (*results_file.case(result)[:3], result["count"] // gpus)
        rates = [f"{gpus * medians[part, 'gpu', other] / seconds:.2f}"
                 if (part, "gpu", other) in medians else "–" for other in ("consort", "cub_radix")]
        copied = (counters["crossed"] - counters["stored"]) * (
            result["key_bytes"] + result["value_bytes"]) / gpus
        arriving = counters["ranges-arrive-ns"] * 1e-9
        alone = result["exchange_bytes_per_second"]
        share = f"{copied / arriving / alone:.0%}" if alone and arriving > 0 else "–"
        keys = f"{results_file.keys_name(result)} {result['distribution']}"
        found.append([f"{keys}, {results_file.short_count(part[3])}", str(gpus)] +
                     [f"{counters[name + '-ns'] / 1e6:.1f}" for name in
                      ("select", "partition", "ranges", "ranges-arrive", "ranges-sort")] +
                     [f"{1e3 * seconds:.1f}", *rates, f"{alone / 1e9:.0f}" if alone else "–", share])
    return HEAD, found
