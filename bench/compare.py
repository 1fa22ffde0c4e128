#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two JSON files of `consort bench`: faster, slower or the same.

    compare.py [--all] [--fail] OLD NEW

A difference counts if it is larger than the noise of both: three standard deviations, estimated
from the median absolute deviations, and at least 2 %. --all lists peers too: they did not change,
so if they moved, the machine did. --fail exits with 1 if something of ours got slower or went wrong.
"""
import argparse
import math
import sys

import results_file

# Of a normal distribution: standard deviation over median absolute deviation.
DEVIATION_SCALE = 1.4826
SIGMAS = 3
LEAST = 0.02


def scores(document, everybody):
    """(case, sorter) → score."""
    return {
        (results_file.case(result), score["name"]): score
        for result in document["results"]
        for score in result["scores"]
        if everybody or score["kind"] == "consort"
    }


def noise(old, new):
    """Relative difference of medians that means nothing."""
    deviation = math.hypot(old["relative_deviation"], new["relative_deviation"])
    return max(LEAST, SIGMAS * DEVIATION_SCALE * deviation)


def judge(old, new):
    """Verdict, relative change of the time, and the noise."""
    if old["verdict"] != "verified" or new["verdict"] != "verified":
        same = old["verdict"] == new["verdict"]
        return ("same" if same else f"{old['verdict']} → {new['verdict']}"), None, None
    change = new["median_seconds"] / old["median_seconds"] - 1
    threshold = noise(old, new)
    if abs(change) <= threshold:
        return "same", change, threshold
    return ("slower" if change > 0 else "faster"), change, threshold


def seconds_text(score):
    seconds = score.get("median_seconds")
    if seconds is None:
        return "–"
    for limit, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= limit:
            return f"{seconds / limit:.3f} {unit}"
    return f"{seconds / 1e-9:.1f} ns"


def percent(number, sign="+"):
    return "–" if number is None else f"{100 * number:{sign}.1f}%"


def case_text(key):
    (operation, keys, distribution, count, threads, *_), name = key
    return (f"| {operation:9} | {keys:9} | {distribution:13} | "
            f"{results_file.short_count(count):>9} | {threads:2} | {name:24} ")


def warn_about_machines(old, new):
    for member in ("processor", "processors", "memory_bytes", "transparent_huge_pages"):
        if old["machine"].get(member) != new["machine"].get(member):
            print(f"compare.py: different machines: {member} was {old['machine'].get(member)}, "
                  f"is {new['machine'].get(member)}", file=sys.stderr)


def compare(old, new, everybody):
    """Prints the table; how many of each verdict."""
    before = scores(old, everybody)
    after = scores(new, everybody)
    tally = {}
    bad = 0
    print("| operation | keys      | distribution  |     items |  T | sorter                   "
          "|        old |        new |  change |  noise | verdict |")
    print("|-----------|-----------|---------------|----------:|---:|--------------------------"
          "|-----------:|-----------:|--------:|-------:|---------|")
    for key in (key for key in before if key in after):
        verdict, change, threshold = judge(before[key], after[key])
        tally[verdict] = tally.get(verdict, 0) + 1
        ours = after[key]["kind"] == "consort"
        bad += ours and (verdict == "slower" or verdict.endswith("FAILED"))
        print(f"{case_text(key)}| {seconds_text(before[key]):>10} | {seconds_text(after[key]):>10} "
              f"| {percent(change):>7} | {percent(threshold, ''):>6} | {verdict} |")
    alone = len(before.keys() ^ after.keys())
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items()))
          + (f", {alone} in one file only" if alone else ""))
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="peers too")
    parser.add_argument("--fail", action="store_true", help="exit with 1 if ours got slower")
    parser.add_argument("old")
    parser.add_argument("new")
    arguments = parser.parse_args()
    old = results_file.load(arguments.old)
    new = results_file.load(arguments.new)
    warn_about_machines(old, new)
    bad = compare(old, new, arguments.all)
    return 1 if bad and arguments.fail else 0


if __name__ == "__main__":
    sys.exit(main())
