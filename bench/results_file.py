#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the JSON of `consort bench`, for the scripts beside this one.

As a program: results_file.py name FILE prints the name such a file should have in bench/results/:
device, date and suite.
"""
import json
import re
import sys

FORMAT = "consort-bench"
VERSION = 1


def load(path):
    """The document, or SystemExit with a reason."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise SystemExit(f"{path}: {error}")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SystemExit(f"{path}: not written by consort bench --json")
    if document.get("format_version") != VERSION:
        raise SystemExit(f"{path}: format version {document.get('format_version')}, not {VERSION}")
    return document


def keys_name(result):
    """u32, u64+8, u32/100: as the table of consort bench names them."""
    name = result["type"]
    if result["value_bytes"]:
        name += f"+{result['value_bytes']}"
    elif result["record_bytes"]:
        name += f"/{result['record_bytes']}"
    if result["segment"]:
        name += f"*{result['segment']}"
    if result.get("lengths", "equal") != "equal":
        name += f" {result['lengths']}"
    return name


def case(result):
    """What makes two results comparable."""
    return (
        result["operation"],
        keys_name(result),
        result["distribution"],
        result["count"],
        result["threads"],
        result["k"],
        result["segment"],
        where(result),
    )


def where(result):
    """cpu; gpu: arrays in its memory; gpu-host, gpu-pinned: arrays of the host; gpus-…: of all GPUs;
    gpus:4: a list in the memory of four. Older files know CPUs only."""
    device = result.get("device", "cpu")
    if device == "gpus" and result["memory"] == "device":
        return f"gpus:{result['gpus']}"
    if device == "cpu" or result["memory"] == "device":
        return device
    return f"{device}-{result['memory']}"


def workers(result):
    """Who works: for titles."""
    if where(result) == "cpu":
        return f"{result['threads']} thread" + ("s" if result["threads"] != 1 else "")
    if where(result).startswith("gpus:"):
        return f"{result['gpus']} GPUs"
    arrays = {"device": "", "host": ", arrays of the host", "pinned": ", pinned arrays of the host"}
    return {"gpu": "GPU", "gpus": "all GPUs"}[result["device"]] + arrays[result["memory"]]


def workers_short(result):
    """Who works: for file names."""
    return f"{result['threads']}t" if where(result) == "cpu" else where(result).replace(":", "")


def rates(result):
    """Sorter → items a second, in the order of the file, verified ones only."""
    return {
        score["name"]: score["items_per_second"]
        for score in result["scores"]
        if score["verdict"] == "verified" and score.get("items_per_second")
    }


def ratio_of(result):
    """The best peer's time over ours; None without one of them."""
    seconds = {score["name"]: score["median_seconds"] for score in result["scores"]
               if score["verdict"] == "verified" and score.get("median_seconds")}
    if "consort" not in seconds or result["best_peer"] not in seconds:
        return None
    return seconds[result["best_peer"]] / seconds["consort"]


def select(document, **wanted):
    """Results whose members have the wanted values; None or absent: any."""
    wanted = {name: value for name, value in wanted.items() if value is not None}
    return [
        result
        for result in document["results"]
        if all(
            (keys_name(result) if name == "keys" else result[name]) == value
            for name, value in wanted.items()
        )
    ]


def merge(results):
    """One dictionary of rates per case: suites may measure a case in several lines."""
    merged = {}
    for result in results:
        merged.setdefault(case(result), (result, {}))[1].update(rates(result))
    return list(merged.values())


def sorters(merged):
    """Names of sorters, ours first, in order of appearance."""
    names = []
    for _, of_case in merged:
        names += [name for name in of_case if name not in names]
    return sorted(names, key=lambda name: not is_ours(name))


def is_ours(name):
    return name.split(":")[0].split("/")[0] == "consort"


def short_count(count):
    """10⁸ as 1e8, 1048576 as 2^20, others in full."""
    if count >= 1000 and count & (count - 1) == 0:
        return f"2^{count.bit_length() - 1}"
    digits = str(count)
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if zeros >= 3 else digits


def machine_line(document):
    machine = document["machine"]
    gpu = document.get("gpu")
    if gpu:
        peers = sorted({" ".join(peer["description"].split()[:2]) for peer in document["peers"]
                        if peer["available"] and peer["name"].startswith(("cub", "thrust"))})
        several = any(result.get("device") == "gpus" for result in document["results"])
        name = f"{gpu['present']} × {gpu['name']}" if several else gpu["name"]
        return ", ".join(
            [name, f"driver {gpu['driver'] or '?'}",
             f"CUDA {gpu['cuda_version'] // 1000}.{gpu['cuda_version'] % 1000 // 10}", *peers,
             f"consort {document['library']} ({document['commit']})", document["date"][:10]])
    return (
        f"{machine['processor']}, {machine['processors']} processors, "
        f"{machine['memory_bytes'] / 2**30:.0f} GiB, {document['build'].get('compiler', '?')}, "
        f"consort {document['library']} ({document['commit']}), {document['date'][:10]}"
    )


def file_name(document):
    machine = document["machine"]
    study = document.get("study")
    suite = f"study-{study['name']}" if study else document["suite"] or "custom"
    if document.get("gpu"):
        device = "-".join(re.findall(r"[a-z0-9]+", document["gpu"]["name"].lower()))
        return f"{device}-{document['date'][:10]}-{suite}.json"
    words = re.sub(r"\((R|TM)\)|CPU|Processor|family|model|stepping \w+", " ",
                   machine["processor"], flags=re.IGNORECASE)
    device = "-".join(re.findall(r"[a-z0-9]+", words.lower()))
    return f"{device}-{machine['processors']}cpu-{document['date'][:10]}-{suite}.json"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "name":
        raise SystemExit("usage: results_file.py name FILE")
    print(file_name(load(sys.argv[2])))
