#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Markdown tables from the JSON of `consort bench`, so that no document holds a figure typed by hand.

    table.py FILE KIND [NAME=VALUE ...]     prints a table
    table.py --update DOCUMENT ...          renews the tables inside documents
    table.py --check DOCUMENT ...           fails if one of them would change

KIND is one of
    machine        one line: processor, compiler, version, date
    types          a row for each type of key, a column for each sorter
    sizes          a row for each count
    distributions  a row for each distribution
    files          sorts of files beside reading, sorting and writing alone (files.py)
    segments       the least rate over the best peer's for some lengths at a time, and at which length
    targets        what a suite asks for, and what was measured
    gpu            a row for each case in a GPU's memory: rates, best peer, share of the copy rate, workspaces
    bus            a row for each case of host arrays on a GPU, beside copies in and out alone
    claims         what a paper says, and what its study measured
    times          milliseconds: a row for each case, a column for each sorter
    places         milliseconds: a row for each case, a column for each place and sorter
    ranking        a row for each case, the fastest four of our algorithms, and the fastest peer
    order          a row for each case: all our algorithms, the fastest first, each with its multiple of
                   the first one's time
    counters       a row for each case, a column for each counter of a sorter, and its workspace
    phases         milliseconds of each counter that is a time: a row for each case and place
    spread         a row for each list in the memory of several GPUs: milliseconds of its phases, and its
                   rate over that of one GPU with a part of it, ours and CUB's, in the same file
    choices        what the planner chose, and its time over that of the fastest by force: a row for each count
    replays        microseconds and noise of a row's case, launched kernel by kernel and replayed
    skew           a row for each distribution: the least rate over the best peer's of all counts, and at which; geometric means
    workspace      bytes of workspace: a row for each case, a column for each sorter
NAME=VALUE picks results: operation=pairs keys=u64+8 distribution=zipf count=1e8 threads=2 where=gpu-host;
sorters=a,b picks columns, claims=WORD claims with that word. Without them: sort, uniform, one thread, and
the largest count there is; times, places, ranking, order, counters, phases, spread, choices and workspace take every result, ranking and order
uniform ones unless told distribution=all.

Inside a document a table stands between two comments, files named relative to the document:
    <!-- bench: results/name.json types threads=1 -->
    <!-- end bench -->
"""
import pathlib
import re
import sys

import choices_table
import files_table
import replays_table
import results_file
import segments_table
import skew_table
import spread_table

KINDS = ("machine", "types", "sizes", "distributions", "targets", "files", "segments", "gpu", "bus", "claims",
         "times", "places", "ranking", "order", "counters", "phases", "spread", "choices", "replays", "skew", "workspace")
BLOCK = re.compile(r"(<!-- bench: (?P<words>[^>]*?) -->\n).*?(<!-- end bench -->)", re.DOTALL)


def parse_number(text):
    """1e8, 2^28."""
    base, power, exponent = text.partition("^")
    return int(base) ** int(exponent) if power else int(float(text))


def parse_filters(words):
    """NAME=VALUE words to a dictionary."""
    filters = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in ("operation", "keys", "distribution", "count", "threads",
                                      "sorters", "where", "claims"):
            raise SystemExit(f"table.py: \"{word}\" picks nothing")
        filters[name] = parse_number(value) if name in ("count", "threads") else value
    return filters


def pick(document, row_member, filters):
    """Merged results for a table whose rows differ in one member."""
    wanted = {"operation": "sort", "distribution": "uniform", "threads": 1}
    wanted.update({name: value for name, value in filters.items() if name != "sorters"})
    wanted.pop(row_member, None)
    results = results_file.select(document, **wanted)
    if row_member == "keys" and "operation" not in filters:
        # Pairs are rows like any other type of key.
        pairs = {**wanted, "operation": "pairs"}
        results += results_file.select(document, **pairs)
    if row_member != "count" and "count" not in filters and results:
        largest = max(result["count"] for result in results)
        results = [result for result in results if result["count"] == largest]
    return results_file.merge(results)


def columns_of(merged, filters):
    names = results_file.sorters(merged)
    if "sorters" in filters:
        wanted = filters["sorters"].split(",")
        names = [name for name in wanted if name in names]
    return names


def markdown(head, rows):
    """Aligned, first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    lines = ["| " + " | ".join([head[0].ljust(widths[0])] +
                               [cell.rjust(width) for cell, width in
                                zip(head[1:], widths[1:])]) + " |",
             "|" + "|".join(["-" * (widths[0] + 2)] +
                            ["-" * (width + 1) + ":" for width in widths[1:]]) + "|"]
    for row in rows:
        lines.append("| " + " | ".join([row[0].ljust(widths[0])] +
                                       [cell.rjust(width) for cell, width in
                                        zip(row[1:], widths[1:])]) + " |")
    return "\n".join(lines) + "\n"


def rate_text(rate):
    millions = rate / 1e6
    return f"{millions:,.0f}" if millions >= 100 else f"{millions:.3g}"


def ratio_text(of_case):
    """Ours against the fastest of the others."""
    others = [rate for name, rate in of_case.items() if not results_file.is_ours(name)]
    if "consort" not in of_case or not others:
        return "–"
    return f"{of_case['consort'] / max(others):.2f}×"


def rates_table(document, row_member, title, filters):
    merged = pick(document, row_member, filters)
    if not merged:
        raise SystemExit(f"table.py: no results for {title} {filters}")
    names = columns_of(merged, filters)
    rows = []
    for result, of_case in merged:
        keys = results_file.keys_name(result)
        label = {"keys": keys, "count": results_file.short_count(result["count"]),
                 "distribution": result["distribution"]}[row_member]
        # Several types of key in one table of counts or distributions: say which.
        if row_member != "keys" and len({results_file.keys_name(r) for r, _ in merged}) > 1:
            label = f"{keys} {label}"
        rows.append([label] + [rate_text(of_case[name]) if name in of_case else "–"
                               for name in names] + [ratio_text(of_case)])
    return markdown([f"{title}, 10⁶ items/s"] + names + ["vs best peer"], rows)


def targets_table(document, _):
    rows = [[target["target"], f"{target['required_ratio']:.2f}×",
             f"{target['measured_ratio']:.2f}×" if target["measured_ratio"] else "–",
             target["verdict"]] for target in document["targets"]]
    return markdown(["target", "required", "measured", "verdict"], rows)


def case_name(result):
    """u32+8 pairs, u64 zipf, 2^27: what is usual goes without saying."""
    words = [results_file.keys_name(result)]
    words += [result["operation"]] if result["operation"] not in ("sort", "pairs") else []
    words += [result["distribution"]] if result["distribution"] != "uniform" else []
    return " ".join(words) + f", {results_file.short_count(result['count'])}"


def gpu_cells(ours, best, result):
    """Figures of one of our scores beside the best peer's."""
    traffic = result["traffic_bytes"]
    share = ours["ceiling_share"]
    workspaces = [f"{score['workspace_bytes'] / 2**20:,.1f}" if score else "–"
                  for score in (ours, best)]
    return [ours["algorithm"], f"{ours['items_per_second'] / 1e9:.3g}",
            f"{best['items_per_second'] / 1e9:.3g}" if best else "–",
            best["name"] if best else "–",
            f"{ours['items_per_second'] / best['items_per_second']:.2f}×" if best else "–",
            f"{traffic / ours['median_seconds'] / 1e9:,.0f}",
            f"{100 * share:.0f} %" if share else "–", *workspaces]


def gpu_table(document, filters):
    """Ours by the planner's choice, against the fastest peer there was."""
    rows = []
    for result in results_file.select(document, **filters):
        if results_file.where(result) != "gpu":
            continue
        good = [score for score in result["scores"] if score.get("items_per_second")]
        ours = [score for score in good if score["name"] == "consort"]
        peers = [score for score in good if score["kind"] == "peer"]
        if ours:
            best = max(peers, key=lambda score: score["items_per_second"], default=None)
            rows.append([case_name(result), *gpu_cells(ours[0], best, result)])
    if not rows:
        raise SystemExit(f"table.py: no results of a GPU for {filters}")
    return markdown(["keys, items", "algorithm", "10⁹ items/s", "best peer", "which", "ratio", "GB/s",
                     "of a copy", "workspace, MiB", "peer's"], rows)


def bus_table(document, filters):
    """Each of ours beside the time that the driver's copies in and out take alone."""
    rows = []
    cases, _ = rows_of(document, filters)
    for result, scores in cases:
        if results_file.where(result) not in ("gpu-host", "gpu-pinned"):
            continue
        memory = {"host": "ordinary", "pinned": "pinned"}[result["memory"]]
        copies = result["traffic_bytes"] / result["ceiling_bytes_per_second"]
        for score in scores.values():
            rows.append([case_name(result), memory, score["algorithm"],
                         f"{score['median_seconds'] * 1e3:,.4g}", f"{copies * 1e3:,.4g}",
                         f"{score['median_seconds'] / copies:.3g}"])
    return markdown(["host arrays", "memory", "algorithm", "whole run, ms", "copies alone, ms",
                     "ratio"], rows)


def claims_table(document, filters):
    rows = [[claim["claim"], claim["paper"],
             "–" if claim["measured"] is None else f"{claim['measured']:.4g} {claim['unit']}".strip()]
            for claim in (document["study"] or {"claims": []})["claims"]
            if filters.get("claims", "") in claim["claim"]]
    return markdown(["claim", "paper", "here"], rows)


def rows_of(document, filters):
    """Cases with their scores by name, of all lines that measured them; and the sorters."""
    wanted = {name: value for name, value in filters.items()
              if name not in ("sorters", "where", "claims")}
    cases = {}
    for result in results_file.select(document, **wanted):
        if filters.get("where", results_file.where(result)) == results_file.where(result):
            scores = cases.setdefault(results_file.case(result), (result, {}))[1]
            scores.update({score["name"]: score for score in result["scores"]
                           if score.get("median_seconds")})
    names = []
    for _, scores in cases.values():
        names += [name for name in scores if name not in names]
    if "sorters" in filters:
        names = [name for name in filters["sorters"].split(",") if name in names]
    rows = [pair for pair in cases.values() if any(name in pair[1] for name in names)]
    return sorted(rows, key=lambda pair: (pair[0]["key_bytes"], pair[0]["type"],
                                          pair[0]["count"])), names


def short_name(name):
    return name.removeprefix("consort:")


def times_table(document, filters):
    """The fastest of a row stands out."""
    cases, names = rows_of(document, filters)
    rows = []
    for result, scores in cases:
        best = min(scores[name]["median_seconds"] for name in names if name in scores)
        cells = [f"{scores[name]['median_seconds'] * 1e3:,.4g}" if name in scores else "–"
                 for name in names]
        rows.append([case_name(result)] +
                    [f"**{cell}**" if name in scores and scores[name]["median_seconds"] == best
                     and len(names) > 1 else cell for name, cell in zip(names, cells)])
    return markdown(["ms"] + [short_name(name) for name in names], rows)


def places_table(document, filters):
    """Where the arrays are and who sorts them, side by side; the fastest of a row stands out."""
    cases, _ = rows_of(document, filters)
    places, rows = [], {}
    for result, scores in cases:
        row = rows.setdefault(case_name(result), {})
        for name, score in scores.items():
            place = f"{results_file.where(result)} {short_name(name)}"
            places += [place] if place not in places else []
            row[place] = score["median_seconds"]
    cells = [[label] + [f"**{1e3 * row[place]:,.4g}**" if row.get(place) == min(row.values())
                        else f"{1e3 * row[place]:,.4g}" if place in row else "–"
                        for place in sorted(places)] for label, row in rows.items()]
    return markdown(["ms"] + sorted(places), cells)


def ranks_of(document, filters):
    """Cases and scores by name, and the same scores, the fastest first."""
    filters = {"distribution": "uniform", **filters}
    if filters["distribution"] == "all":
        del filters["distribution"]
    return [(result, scores, sorted(scores.values(), key=lambda score: score["median_seconds"]))
            for result, scores in rows_of(document, filters)[0]]


def ranking_table(document, filters):
    """Times of the fastest in milliseconds; what the planner chose is shown by its own name."""
    rows = []
    for result, scores, ranks in ranks_of(document, filters):
        cells = [f"{short_name(score['name'])} {score['median_seconds'] * 1e3:,.4g}"
                 for score in ranks]
        ours = [cell for cell, score in zip(cells, ranks)
                if score["kind"] == "consort" and score["name"] != "consort"]
        peers = [cell for cell, score in zip(cells, ranks) if score["kind"] == "peer"]
        chosen = [f"{scores[name]['algorithm']} {scores[name]['median_seconds'] * 1e3:,.4g}"
                  for name in scores if name == "consort"]
        rows.append([case_name(result)] + [(ours + 4 * ["–"])[place] for place in range(4)] +
                    [(chosen + ["–"])[0], (peers + ["–"])[0]])
    return markdown(["ms", "first", "second", "third", "fourth", "planner's choice", "fastest peer"],
                    rows)


def order_table(document, filters):
    """All of ours, each once."""
    rows = []
    for result, _, ranks in ranks_of(document, filters):
        ours = [score for score in ranks
                if score["kind"] == "consort" and score["name"] != "consort"]
        words = [f"{short_name(score['name'])} "
                 f"{score['median_seconds'] / ours[0]['median_seconds']:.3g}" for score in ours]
        rows.append([case_name(result), ", ".join(words)])
    return markdown(["items", "algorithms, fastest first"], rows)


def workspace_table(document, filters):
    cases, names = rows_of(document, filters)
    rows = [[case_name(result)] + [f"{scores[name]['workspace_bytes']:,}" if name in scores else "–"
                                   for name in names] for result, scores in cases]
    return markdown(["bytes"] + [short_name(name) for name in names], rows)


def phases_table(document, filters):
    """Counters in nanoseconds, that is all whose names end in -ns."""
    cases, names = rows_of(document, filters)
    rows = [(f"{case_name(result)}, {results_file.where(result)}, {short_name(name)}", scores[name])
            for result, scores in cases for name in names if name in scores]
    phases = []
    for _, score in rows:
        phases += [name for name in score["counters"] if name.endswith("-ns")
                   and name not in phases]
    return markdown(["ms"] + [name.removesuffix("-ns") for name in phases] + ["the run"],
                    [[label] + [f"{score['counters'][name] / 1e6:,.4g}" for name in phases] +
                     [f"{score['median_seconds'] * 1e3:,.4g}"] for label, score in rows
                     if all(name in score["counters"] for name in phases)])


def counters_table(document, filters):
    cases, names = rows_of(document, filters)
    counters = []
    for _, scores in cases:
        for name in names:
            counters += [counter for counter in scores.get(name, {}).get("counters", {})
                         if counter not in counters]
    rows = [[f"{case_name(result)}, {short_name(name)}"] +
            [f"{scores[name]['counters'].get(counter, 0):,}" for counter in counters] +
            [f"{scores[name]['workspace_bytes']:,}"]
            for result, scores in cases for name in names if scores.get(name, {}).get("counters")]
    return markdown(["case"] + counters + ["workspace, bytes"], rows)


def render(path, kind, filters):
    document = results_file.load(path)
    tables = {"bus": bus_table, "claims": claims_table, "times": times_table, "places": places_table,
              "ranking": ranking_table, "order": order_table, "counters": counters_table,
              "phases": phases_table, "workspace": workspace_table, "targets": targets_table}
    if kind in tables:
        return tables[kind](document, filters)
    if kind == "machine":
        return results_file.machine_line(document) + "\n"
    modules = {"files": files_table, "segments": segments_table, "spread": spread_table,
               "choices": choices_table, "replays": replays_table, "skew": skew_table}
    if kind in modules:
        return markdown(*modules[kind].table(document, filters))
    if kind == "gpu":
        return gpu_table(document, filters)
    member, title = {"types": ("keys", "keys"), "sizes": ("count", "items"),
                     "distributions": ("distribution", "distribution")}[kind]
    return rates_table(document, member, title, filters)


def render_words(words, folder):
    if len(words) < 2 or words[1] not in KINDS:
        raise SystemExit(f"table.py: wanted FILE and one of {', '.join(KINDS)}, not: "
                         + " ".join(words))
    return render(folder / words[0], words[1], parse_filters(words[2:]))


def renewed(path):
    """The document's text with every table made anew."""
    def replace(match):
        return match[1] + render_words(match["words"].split(), path.parent) + match[3]
    return BLOCK.sub(replace, path.read_text(encoding="utf-8"))


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__, end="")
        return 0 if arguments else 2
    if arguments[0] not in ("--update", "--check"):
        print(render_words(arguments, pathlib.Path()), end="")
        return 0
    stale = 0
    for path in map(pathlib.Path, arguments[1:]):
        text = renewed(path)
        if text != path.read_text(encoding="utf-8"):
            stale = 1
            print(f"{path}: {'renewed' if arguments[0] == '--update' else 'out of date'}")
            if arguments[0] == "--update":
                path.write_text(text, encoding="utf-8")
    return stale if arguments[0] == "--check" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
