# SPDX-License-Identifier: Apache-2.0
"""For table.py: what the planner chose, beside the fastest of its algorithms by force."""
import results_file

NEAR = 1.05


def choice_of(result):
    """The choice's name, and its time by force over the least time by force; None without both."""
    scores = {score["name"]: score for score in result["scores"] if score.get("median_seconds")}
    forced = {name.removeprefix("consort:"): score["median_seconds"] for name, score in scores.items()
              if name.startswith("consort:")}
    if "consort" not in scores or scores["consort"]["algorithm"] not in forced:
        return None
    name = scores["consort"]["algorithm"]
    return name, forced[name] / min(forced.values())


def table(document, filters):
    """Head and rows: a row for each count, a column for each kind of items; below, how many choices are near."""
    columns, cells = [], {}
    for result in results_file.select(document, **filters):
        choice = choice_of(result)
        if choice is None:
            continue
        keys = ("argsort of " if result["operation"] == "argsort" else "") + results_file.keys_name(result)
        columns += [keys] if keys not in columns else []
        cells[result["count"], keys] = choice
    rows = [[results_file.short_count(count)] +
            [f"{cells[count, keys][0]} {cells[count, keys][1]:.2f}" if (count, keys) in cells else "–"
             for keys in columns] for count in sorted({count for count, _ in cells})]
    near = [sum(ratio <= NEAR for (_, keys), (_, ratio) in cells.items() if keys == column)
            for column in columns]
    asked = [sum(keys == column for _, keys in cells) for column in columns]
    total = f"within 5 %: {sum(near)} of {sum(asked)}"
    return ["items", *columns], rows + [[total] + [f"{some} of {every}" for some, every in zip(near, asked)]]
