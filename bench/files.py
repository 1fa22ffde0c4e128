#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sorting a file takes beside its three parts, each measured alone.

files.py CONSORT [--bytes N] [--folder FOLDER] [--rounds N] [--json FILE]

For each kind of file: reading it, sorting as many items in memory (consort bench, all processors),
writing as many bytes, and `consort sort` from file to file, output complete and on the disk. Files
are in the page cache; `dd` reads them and writes past the cache. The parts of a text file are
`consort check`, which reads all numbers before it looks at their order, and `consort gen`, which
makes and writes as many. Rounds alternate, medians count, and each output is checked. The JSON is
that of consort bench, with the members `files` and `targets`.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

MOST = 1.25  # of the sum of the parts
RECORD = 100

# Name, items, how they are made, how they are sorted, what is sorted in memory.
KINDS = (
    ("f32", 4, ["-t", "f32"], ["-t", "f32"], ["-t", "f32"]),
    ("f64, .npy", 8, ["-t", "f64", "--format", "npy"], ["--format", "npy"], ["-t", "f64"]),
    ("u16", 2, ["-t", "u16"], ["-t", "u16"], ["-t", "u16"]),
    ("records of 100 bytes, key of 10", RECORD, ["-t", f"bytes:{RECORD}"],
     ["--record", str(RECORD), "--key", "0:10"],
     ["-t", "bytes:10", "--operation", "records", "--record", str(RECORD)]),
    ("text, u64", 20, ["-t", "u64", "--format", "text"], ["-t", "u64", "--format", "text"],
     ["-t", "u64"]),
)


def seconds(*command, allowed=(0,)):
    """How long a command takes; SystemExit if it fails."""
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    passed = time.perf_counter() - begin
    if done.returncode not in allowed:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return passed


def sorting(consort, count, options):
    """The document of consort bench for as many items in memory."""
    command = [consort, "bench", "--device", "cpu", "--threads", str(os.cpu_count()), "--peers",
               "none", "-n", str(count), "-d", "uniform", "--repeat", "5", "--json", "-", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    document = json.loads(done.stdout)
    if document["results"][0]["scores"][0]["verdict"] != "verified":
        raise SystemExit(f"{' '.join(command)}: the result is wrong")
    return document


def measured(consort, kind, total, folder, rounds):
    """One kind of file: the document of its sort in memory, and its row."""
    name, item, made, sorted_by, in_memory = kind
    count = total // item
    source, target = str(folder / "in"), str(folder / "out")
    seconds(consort, "gen", *made, "-n", str(count), "-o", source)
    size = os.path.getsize(source)
    text = "text" in made
    times = {"read": [], "write": [], "file": []}
    for _ in range(rounds):
        if text:
            times["read"].append(seconds(consort, "check", *sorted_by, source, allowed=(0, 1)))
            times["write"].append(seconds(consort, "gen", *made, "-n", str(count), "-o", target))
        else:
            times["read"].append(seconds("dd", f"if={source}", "of=/dev/null", "bs=8M"))
            times["write"].append(seconds("dd", "if=/dev/zero", f"of={target}", "bs=8M",
                                          f"count={size}", "iflag=count_bytes", "oflag=direct",
                                          "conv=fsync"))
        os.unlink(target)
        times["file"].append(seconds(consort, "sort", *sorted_by, source, "-o", target))
        seconds(consort, "check", *sorted_by, target)
        os.unlink(target)
    document = sorting(consort, count, in_memory)
    parts = {part: statistics.median(times[part]) for part in times}
    parts["sort"] = document["results"][0]["scores"][0]["median_seconds"]
    ratio = parts["file"] / (parts["read"] + parts["sort"] + parts["write"])
    row = {"file": name, "bytes": size, "items": count, "ratio": ratio,
           **{f"{part}_seconds": value for part, value in parts.items()},
           "samples_seconds": times}
    print(f"{name}: read {parts['read']:.2f}, sort {parts['sort']:.2f}, write {parts['write']:.2f}, "
          f"consort sort {parts['file']:.2f} s, {ratio:.2f} of the sum", flush=True)
    return document, row


def target_of(row):
    return {"target": f"{row['file']}, {row['bytes'] / 1e9:.1f} GB, of its parts' sum, at most",
            "required_ratio": MOST, "measured_ratio": row["ratio"],
            "verdict": "pass" if row["ratio"] <= MOST else "MISS"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("consort", help="the command to measure")
    parser.add_argument("--bytes", type=int, default=1_200_000_000, help="of each file, about")
    parser.add_argument("--folder", default=".", help="where files are made, on the disk to measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the results here, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="consort-files-") as folder:
        found = [measured(arguments.consort, kind, arguments.bytes, pathlib.Path(folder),
                          arguments.rounds) for kind in KINDS]
    document = found[0][0]
    words = [os.path.basename(word.rstrip("/")) for word in sys.argv[2:]]  # names no folders
    document.update(suite="files", command=["files.py", *words],
                    results=[sort["results"][0] for sort, _ in found],
                    files=[row for _, row in found], targets=[target_of(row) for _, row in found])
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
    return 0 if all(row["ratio"] <= MOST for _, row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
