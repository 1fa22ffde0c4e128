#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plots from the JSON of `consort bench`.

    plot.py FILE [-o FOLDER] [--format svg,png]

Writes, as far as the file has the results for it, beside FILE or into FOLDER:
    NAME-sizes-….svg          throughput over the number of items
    NAME-types-….svg          types of key, a bar for each sorter
    NAME-distributions-….svg  distributions by sorter, as a heat map
and of a study, instead of sizes and types:
    NAME-times-….svg          milliseconds over the number of items
    NAME-claims.svg           the paper's figures beside ours
    NAME-ranking-….svg        every sorter's speed as a share of the fastest, by keys and items
    NAME-crossover-….svg      one GPU and all of them over the number of items, instead of times

Needs Matplotlib (Debian: python3-matplotlib).
"""
import argparse
import pathlib
import sys

import results_file

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.colors import LogNorm
except ImportError:
    raise SystemExit("plot.py: no Matplotlib: install python3-matplotlib, or run /usr/bin/python3")

# Okabe and Ito's palette: told apart with any colour vision. Ours are always the first.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")
MARKERS = "osD^vP*X"
HATCHES = ("", "//", "\\\\", "..", "xx", "--", "++", "oo")

# The same bytes from the same results: figures live in a repository.
matplotlib.rcParams.update({"svg.hashsalt": "consort", "svg.fonttype": "none", "font.size": 10,
                            "axes.spines.top": False, "axes.spines.right": False})


def groups(results, members):
    """Results by the values of some members, and by who works."""
    found = {}
    for result in results:
        key = (results_file.where(result), *(result[member] for member in members))
        found.setdefault(key, []).append(result)
    return found


class Output:
    """Where figures go, and what they have in common: a sorter looks the same in all of them."""

    def __init__(self, document, path, folder, formats):
        self.stem = path.stem
        self.folder = folder
        self.formats = formats
        self.note = results_file.machine_line(document)
        self.written = []
        self.names = results_file.sorters(results_file.merge(document["results"]))

    def look(self, name):
        """Colour, marker and hatch."""
        index = self.names.index(name)
        return (PALETTE[index % len(PALETTE)], MARKERS[index % len(MARKERS)],
                HATCHES[index % len(HATCHES)])

    def save(self, figure, name):
        figure.text(0.01, 0.005, self.note, fontsize=6, color="#555555")
        for form in self.formats:
            path = self.folder / f"{self.stem}-{name}.{form}"
            metadata = {"Date": None} if form == "svg" else None
            figure.savefig(path, metadata=metadata, dpi=150)
            self.written.append(path)
        plt.close(figure)


def plot_sizes(document, output):
    """Throughput over n, one figure for each kind of work."""
    members = ("operation", "type", "value_bytes", "threads")
    uniform = results_file.select(document, distribution="uniform")
    for (_, operation, *_), results in groups(uniform, members).items():
        merged = sorted(results_file.merge(results), key=lambda pair: pair[0]["count"])
        if len(merged) < 3:
            continue
        keys = results_file.keys_name(results[0])
        figure, axes = plt.subplots(figsize=(7, 4.5))
        for name in results_file.sorters(merged):
            points = [(result["count"], of_case[name] / 1e6) for result, of_case in merged
                      if name in of_case]
            colour, marker, _ = output.look(name)
            axes.plot(*zip(*points), color=colour, marker=marker, label=name,
                      linewidth=2.5 if results_file.is_ours(name) else 1.3)
        axes.set(xscale="log", yscale="log", xlabel="items", ylabel="10⁶ items a second",
                 title=f"{operation} {keys}, uniform, {results_file.workers(results[0])}")
        axes.grid(True, which="major", color="#dddddd")
        axes.legend(fontsize=8, frameon=False)
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        output.save(figure, f"sizes-{operation}-{keys}-{results_file.workers_short(results[0])}"
                    .replace("/", "-").replace("*", "-"))


def draw_bars(axes, merged, names, output):
    width = 0.8 / len(names)
    for index, name in enumerate(names):
        heights = [of_case.get(name, 0) / 1e6 for _, of_case in merged]
        places = [row + (index - (len(names) - 1) / 2) * width for row in range(len(merged))]
        colour, _, hatch = output.look(name)
        bars = axes.bar(places, heights, width, label=name, color=colour, edgecolor="white",
                        hatch=hatch)
        if results_file.is_ours(name):
            axes.bar_label(bars, [f"{height:.3g}" if height else "" for height in heights],
                           fontsize=7)


def plot_types(document, output):
    """Bars by type of key, one figure for each number of items and threads."""
    movers = [result for result in results_file.select(document, distribution="uniform")
              if result["operation"] in ("sort", "pairs")]
    for (_, count, _), results in groups(movers, ("count", "threads")).items():
        merged = results_file.merge(results)
        names = results_file.sorters(merged)
        if len(merged) < 3 or not names:
            continue
        figure, axes = plt.subplots(figsize=(9, 4.5))
        draw_bars(axes, merged, names, output)
        axes.set_xticks(range(len(merged)),
                        [results_file.keys_name(result) for result, _ in merged])
        axes.set(yscale="log", ylabel="10⁶ items a second",
                 title=f"{results_file.short_count(count)} uniform items, "
                       f"{results_file.workers(results[0])}")
        axes.grid(True, axis="y", which="major", color="#dddddd")
        axes.set_axisbelow(True)
        axes.legend(fontsize=8, frameon=False, ncols=min(len(names), 5), loc="upper center",
                    bbox_to_anchor=(0.5, -0.08))
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        output.save(figure, f"types-{results_file.short_count(count).replace('^', '-')}-"
                    f"{results_file.workers_short(results[0])}")


def plot_times(document, output):
    """Time over n, as papers draw it: one figure for each kind of work and place."""
    uniform = results_file.select(document, distribution="uniform")
    for (_, operation, *_), results in groups(uniform, ("operation", "type", "value_bytes")).items():
        merged = sorted(results_file.merge(results), key=lambda pair: pair[0]["count"])
        if len(merged) < 3:
            continue
        keys = results_file.keys_name(results[0])
        figure, axes = plt.subplots(figsize=(7, 4.5))
        for name in results_file.sorters(merged):
            points = [(result["count"], 1e3 * result["count"] / of_case[name])
                      for result, of_case in merged if name in of_case]
            colour, marker, _ = output.look(name)
            axes.plot(*zip(*points), color=colour, marker=marker, linewidth=1.3,
                      label=name.removeprefix("consort:"))
        axes.set(xscale="log", yscale="log", xlabel="items", ylabel="milliseconds",
                 title=f"{operation} {keys}, uniform, {results_file.workers(results[0])}")
        axes.grid(True, which="major", color="#dddddd")
        axes.legend(fontsize=7, frameon=False, ncols=2)
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        output.save(figure, f"times-{operation}-{keys}-{results_file.workers_short(results[0])}"
                    .replace("/", "-").replace("*", "-"))


# One GPU and all of them, arrays of the host: what a series looks like.
PLACES = {"gpu-pinned": ("one GPU, pinned", PALETTE[0], "-"),
          "gpus-pinned": ("all GPUs, pinned", PALETTE[3], "-"),
          "gpu-host": ("one GPU, ordinary", PALETTE[0], "--"),
          "gpus-host": ("all GPUs, ordinary", PALETTE[3], "--")}

# By algorithm; what the planner chose has another.
FORCED_MARKERS = {"merge-chunks": "s", "exchange-host": "^"}


def series_of(results):
    """(place, sorter) to seconds by number of items."""
    found = {}
    for result in results:
        place = results_file.where(result)
        for name, rate in results_file.rates(result).items():
            if place in PLACES:
                found.setdefault((place, name), {})[result["count"]] = result["count"] / rate
    return found


def draw_leads(axes, found):
    """The fastest way on one GPU over the fastest on all of them."""
    for memory in ("pinned", "host"):
        best = {}
        for (place, _), seconds in found.items():
            for count, value in seconds.items():
                if place.endswith(memory):
                    key = (place.startswith("gpus"), count)
                    best[key] = min(value, best.get(key, value))
        points = [(count, best[False, count] / best[True, count])
                  for several, count in sorted(best) if several and (False, count) in best]
        if points:
            words, colour, line = PLACES[f"gpus-{memory}"]
            axes.plot(*zip(*points), color=colour, linestyle=line, marker="o", markersize=4,
                      label=words)
    axes.axhline(1, color="#555555", linewidth=0.8)
    axes.set(xlabel="items", ylabel="faster than one GPU, times")


def mark_crossovers(axes, document):
    """Where several GPUs begin to pay: in the paper, and here, as the study's claims have it."""
    claims = [claim for claim in (document["study"] or {"claims": []})["claims"]
              if claim["unit"] == "M"]
    papers = {1e6 * number_in(claim["paper"]) for claim in claims}
    for items in papers:
        axes.axvline(items, color=PALETTE[2], linestyle=":", label="paper: from here on")
    here = [claim["measured"] for claim in claims
            if claim["measured"] and "pinned" in claim["claim"]]
    if here:
        axes.axvline(1e6 * min(here), color="#000000", linestyle=":", label="here, pinned")


def plot_crossover(document, output):
    """Time over n on one GPU and on all of them, and where the lines cross."""
    uniform = results_file.select(document, distribution="uniform")
    kinds = {}
    for result in uniform:
        kinds.setdefault((result["operation"], results_file.keys_name(result)), []).append(result)
    for (operation, keys), results in kinds.items():
        found = series_of(results)
        if len({result["count"] for result in results}) < 3 or len(found) < 2:
            continue
        figure, (times, leads) = plt.subplots(2, 1, figsize=(7, 7), sharex=True,
                                              height_ratios=(3, 2))
        for (place, name), seconds in found.items():
            if "/" in name:  # parameters by force, at one number of items
                continue
            words, colour, line = PLACES[place]
            forced = name.partition(":")[2]
            times.plot(*zip(*sorted((count, 1e3 * value) for count, value in seconds.items())),
                       color=colour, linestyle=line, markersize=4,
                       marker=FORCED_MARKERS.get(forced, "o"),
                       label=f"{words}, {forced or 'planned'}")
        times.set(xscale="log", yscale="log", ylabel="milliseconds",
                  title=f"{operation} {keys}, uniform, arrays of the host")
        draw_leads(leads, found)
        for axes in (times, leads):
            axes.grid(True, which="major", color="#dddddd")
            if (operation, keys) == ("sort", "u32"):
                mark_crossovers(axes, document)
            axes.legend(fontsize=7, frameon=False)
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        output.save(figure, f"crossover-{operation}-{keys}")


def number_in(words):
    try:
        return float(words.split()[0].rstrip(","))
    except ValueError:
        return None


def plot_claims(document, output):
    """Claims that are numbers: the paper's bar above ours."""
    claims = [claim for claim in document["study"]["claims"]
              if claim["measured"] and number_in(claim["paper"]) and claim["unit"] != "%"]
    if len(claims) < 3:
        return
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.3 * len(claims)))
    rows = range(len(claims))
    axes.barh([row - 0.2 for row in rows], [number_in(claim["paper"]) for claim in claims], 0.4,
              label="paper", color=PALETTE[1], hatch=HATCHES[1], edgecolor="white")
    bars = axes.barh([row + 0.2 for row in rows], [claim["measured"] for claim in claims], 0.4,
                     label="here", color=PALETTE[0])
    axes.bar_label(bars, [f"{claim['measured']:.4g}" for claim in claims], fontsize=7)
    axes.set_yticks(rows, [f"{claim['claim']}, {claim['unit']}" for claim in claims], fontsize=7)
    axes.set(xscale="log")
    axes.invert_yaxis()
    axes.legend(fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    output.save(figure, "claims")


def plot_ranking(document, output):
    """Shares of the fastest, a row for each case: the best is 100."""
    uniform = results_file.select(document, distribution="uniform")
    for (_, operation), results in groups(uniform, ("operation",)).items():
        merged = [pair for pair in results_file.merge(results) if len(pair[1]) > 2]
        merged.sort(key=lambda pair: (pair[0]['key_bytes'], pair[0]['type'], pair[0]['count']))
        names = [name for name in results_file.sorters(merged)
                 if 4 * sum(name in of_case for _, of_case in merged) >= len(merged)]
        if len(merged) < 6 or len(names) < 6:
            continue
        table = [[100 * of_case.get(name, float("nan")) / max(of_case.values()) for name in names]
                 for _, of_case in merged]
        figure, axes = plt.subplots(figsize=(2.5 + 0.62 * len(names), 1.8 + 0.3 * len(merged)))
        image = axes.imshow(table, aspect="auto", cmap="cividis", norm=LogNorm(1, 100))
        axes.set_xticks(range(len(names)), [name.removeprefix("consort:") for name in names],
                        rotation=40, ha="right", fontsize=8)
        axes.set_yticks(range(len(merged)),
                        [f"{results_file.keys_name(result)}, "
                         f"{results_file.short_count(result['count'])}" for result, _ in merged],
                        fontsize=8)
        for row, shares in enumerate(table):
            for column, share in enumerate(shares):
                if share == share:
                    axes.text(column, row, f"{share:.0f}", ha="center", va="center", fontsize=7,
                              color="white" if share < 10 else "black",
                              weight="bold" if share == 100 else "normal")
        axes.set_title(f"{operation}, uniform, {results_file.workers(results[0])}: "
                       "% of the fastest", fontsize=10)
        figure.colorbar(image, label="% of the fastest")
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        output.save(figure, f"ranking-{operation}-{results_file.workers_short(results[0])}")


def draw_map(axes, merged, names):
    table = [[of_case.get(name, float("nan")) / 1e6 for name in names] for _, of_case in merged]
    known = [rate for row in table for rate in row if rate == rate]
    image = axes.imshow(table, aspect="auto", cmap="cividis",
                        norm=LogNorm(min(known), max(max(known), min(known) * 1.01)))
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(merged)), [result["distribution"] for result, _ in merged])
    middle = (min(known) * max(known)) ** 0.5
    for row, rates in enumerate(table):
        for column, rate in enumerate(rates):
            if rate == rate:
                axes.text(column, row, f"{rate:,.0f}", ha="center", va="center", fontsize=8,
                          color="white" if rate < middle else "black")
    return image


def plot_distributions(document, output):
    """Heat maps, one for each kind of work at one number of items."""
    members = ("operation", "type", "value_bytes", "count", "threads")
    for (_, operation, _, _, count, _), results in groups(document["results"], members).items():
        merged = [pair for pair in results_file.merge(results) if pair[1]]
        if len(merged) < 4:
            continue
        keys = results_file.keys_name(results[0])
        # Sorters that met uniform keys only would be empty columns.
        names = [name for name in results_file.sorters(merged)
                 if 2 * sum(name in of_case for _, of_case in merged) > len(merged)]
        if not names:
            continue
        figure, axes = plt.subplots(figsize=(3 + 1.3 * len(names), 1.8 + 0.3 * len(merged)))
        image = draw_map(axes, merged, names)
        axes.set_title(f"{operation} {keys}, {results_file.short_count(count)} items, "
                       f"{results_file.workers(results[0])}", fontsize=10)
        figure.colorbar(image, label="10⁶ items a second")
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        name = (f"distributions-{operation}-{keys}-{results_file.short_count(count)}-"
                f"{results_file.workers_short(results[0])}")
        output.save(figure, name.replace("/", "-").replace("^", "-").replace("*", "-"))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="folder of the figures")
    parser.add_argument("--format", default="svg", help="svg, png, or both: svg,png")
    arguments = parser.parse_args()
    formats = arguments.format.split(",")
    if not set(formats) <= {"svg", "png"}:
        parser.error(f"--format {arguments.format}: svg, png or svg,png")
    document = results_file.load(arguments.file)
    folder = arguments.output or arguments.file.parent
    folder.mkdir(parents=True, exist_ok=True)
    output = Output(document, arguments.file, folder, formats)
    several = any(result.get("device") == "gpus" for result in document["results"])
    study = (plot_crossover if several else plot_times, plot_claims, plot_ranking,
             plot_distributions)
    usual = (plot_sizes, plot_types, plot_distributions)
    for plot in study if document.get("study") else usual:
        plot(document, output)
    for path in output.written:
        print(path)
    if not output.written:
        print("plot.py: too few results for any figure", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
