#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what every GPU did when, from the log of runs of merge-chunks or exchange.

    CONSORT_LOG=trace consort bench --device gpus --algorithm merge-chunks ... 2> LOG
    CONSORT_LOG=trace consort bench --device gpus --memory device ... 2> LOG
    timeline.py LOG [-o FILE.svg] [--run N] [--title WORDS]

Rows for each GPU: copies in, sorts, and of merge-chunks copies out. There chunks come first, then parts, a
grey band where the runs are cut between them; of exchange the band is its partition. The last run of the log is drawn, or the Nth (from 1). Without -o a line for each
run is printed instead: how long its phases took, and what share of them each GPU's rows were busy.

Needs Matplotlib for -o (Debian: python3-matplotlib).
"""
import argparse
import pathlib
import re
import sys

SPAN = r"(\d+\.\d+) to (\d+\.\d+)"
RUN = re.compile(r"merge-chunks: (\d+) items: open (\S+), chunks (\S+), cuts (\S+), parts (\S+) s")
STEPS = re.compile(rf"merge-chunks: (chunk|part) (\d+) on GPU (\d+): up {SPAN}, sort {SPAN}, down {SPAN} s")
SPREAD_RUN = re.compile(r"exchange: (\d+) items: select (\S+), partition (\S+), ranges (\S+) s")
SPREAD_STEPS = re.compile(rf"exchange: (range) (\d+) on GPU (\d+): up {SPAN}, sort {SPAN} s")
ROWS = ("copies in", "sorts", "copies out")
# Okabe and Ito's palette, two shades each so that neighbours can be told apart.
COLOURS = (("#0072B2", "#56B4E9"), ("#D55E00", "#E69F00"), ("#009E73", "#66C2A5"))


class Run:
    """A run of merge-chunks: seconds of its phases, and the spans of chunks and parts."""
    NAME, ROWS, LEGEND = "merge-chunks", ROWS, "plain: chunks, hatched: parts, grey: cuts"

    def __init__(self, match):
        self.items = int(match[1])
        self.phases = dict(zip(("open", "chunks", "cuts", "parts"),
                               (float(match[i]) for i in range(2, 6))))
        self.kinds = {"chunk": self.phases["chunks"], "part": self.phases["parts"]}
        self.spans = []  # (chunk or part, number, GPU, ((begin, end) of each row))

    def add(self, match):
        times = [float(time) for time in match.groups()[3:]]
        self.spans.append((match[1], int(match[2]), int(match[3]),
                           tuple(zip(times[0::2], times[1::2]))))

    def end(self):
        return sum(self.phases.values())

    def band(self):
        """What is grey."""
        cut = self.phases["open"] + self.phases["chunks"]
        return cut, cut + self.phases["cuts"]

    def gpus(self):
        return sorted({gpu for _, _, gpu, _ in self.spans})

    def busy(self, kind, gpu, row):
        """Seconds that a row of a GPU was busy in a phase."""
        return sum(rows[row][1] - rows[row][0] for of, _, on, rows in self.spans
                   if (of, on) == (kind, gpu))


class SpreadRun(Run):
    """A run of exchange, which tells its phases when its ranges are over."""
    NAME, ROWS, LEGEND = "exchange", ROWS[:2], "grey: partition, before it the selection"

    def __init__(self, match, steps):
        self.items = int(match[1])
        self.phases = dict(zip(("select", "partition", "ranges"),
                               (float(match[i]) for i in range(2, 5))))
        self.kinds = {"range": self.phases["ranges"]}
        self.spans = []
        for step in steps:
            self.add(step)

    def end(self):
        return max(rows[-1][1] for _, _, _, rows in self.spans)

    def band(self):
        begin = self.end() - self.phases["ranges"]
        return begin - self.phases["partition"], begin


def read(path):
    runs, waiting = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        run, steps = RUN.search(line), STEPS.search(line)
        spread, range_steps = SPREAD_RUN.search(line), SPREAD_STEPS.search(line)
        if run:
            runs.append(Run(run))
        elif steps and runs:
            runs[-1].add(steps)
        elif range_steps:
            waiting.append(range_steps)
        elif spread and waiting:
            runs.append(SpreadRun(spread, waiting))
            waiting = []
    return runs


def describe(run):
    words = [f"{run.items} items: " +
             ", ".join(f"{name} {1e3 * seconds:.1f}" for name, seconds in run.phases.items()) + " ms"]
    for gpu in run.gpus():
        for kind, wall in run.kinds.items():
            shares = ", ".join(f"{name} {100 * run.busy(kind, gpu, row) / wall:.0f} %"
                               for row, name in enumerate(run.ROWS))
            words.append(f"  GPU {gpu}, {kind}s: {shares}")
    return "\n".join(words)


def draw(run, path, title):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        raise SystemExit("timeline.py: no Matplotlib: install python3-matplotlib")
    matplotlib.rcParams.update({"svg.hashsalt": "consort", "svg.fonttype": "none", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    gpus = run.gpus()
    drawn = dict.fromkeys(gpus, 0)
    figure, axes = plt.subplots(figsize=(10, 1.2 + 0.9 * len(gpus)))
    for kind, _, gpu, rows in sorted(run.spans, key=lambda span: span[3]):
        drawn[gpu] += 1
        for row, (begin, end) in enumerate(rows):
            axes.barh(len(run.ROWS) * gpus.index(gpu) + row, 1e3 * (end - begin), 0.8, 1e3 * begin,
                      color=COLOURS[row][drawn[gpu] % 2], hatch="///" if kind == "part" else "",
                      edgecolor="white", linewidth=0.3)
    axes.axvspan(*(1e3 * time for time in run.band()), color="#999999", linewidth=0)
    axes.set_yticks(range(len(run.ROWS) * len(gpus)),
                    [f"GPU {gpu}, {name}" for gpu in gpus for name in run.ROWS])
    axes.invert_yaxis()
    axes.set(xlabel=f"milliseconds; {run.LEGEND}", title=title or f"{run.NAME}, {run.items} items")
    axes.set_xlim(0, 1e3 * run.end())
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--run", type=int, help="the Nth run of the log; standard: the last")
    parser.add_argument("--title")
    arguments = parser.parse_args()
    runs = read(arguments.log)
    if not runs:
        raise SystemExit(f"{arguments.log}: no run of merge-chunks or exchange with its spans")
    if arguments.run is not None and not 1 <= arguments.run <= len(runs):
        raise SystemExit(f"--run {arguments.run}: the log has {len(runs)}")
    chosen = runs if arguments.run is None else [runs[arguments.run - 1]]
    if arguments.output:
        draw(chosen[-1], arguments.output, arguments.title)
    else:
        for run in chosen:
            print(describe(run))
    return 0


if __name__ == "__main__":
    sys.exit(main())
