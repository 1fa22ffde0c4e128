# SPDX-License-Identifier: Apache-2.0
"""For table.py: runs launched kernel by kernel beside those that replay."""
import results_file

HEAD = ["items", "launched, µs", "noise", "replayed, µs", "noise"]


def cells(score):
    """Noise is the median deviation from the median, over the median."""
    return [f"{1e6 * score['median_seconds']:,.1f}", f"{100 * score['relative_deviation']:.1f} %"]


def table(document, filters):
    """Head and rows."""
    rows = []
    for result in results_file.select(document, **filters):
        scores = {score["name"]: score for score in result["scores"] if score.get("median_seconds")}
        if {"consort", "consort/launches"} <= set(scores):
            operation = "" if result["operation"] in ("sort", "pairs") else result["operation"] + " "
            label = f"{operation}{results_file.keys_name(result)}, {results_file.short_count(result['count'])}"
            rows.append([label, *cells(scores["consort/launches"]), *cells(scores["consort"])])
    return HEAD, rows
