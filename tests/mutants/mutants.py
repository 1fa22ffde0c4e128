#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeded mutants: small faults put into the library one by one; the fast tests must find each.

    mutants.py [--quick] [--only NAME]... [--resume] [--jobs N] SOURCE WORK

SOURCE is the repository, WORK a folder for a copy of it and its builds. A mutant that survives, or
whose pattern is not in its file exactly once, is a failure. The list is mutant_list.py. The names
of those that were caught are added to WORK/caught; --resume leaves them out.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mutant_list import EXCHANGE_TESTS, GPU_PROGRAMS, GPU_TESTS, MULTI_TESTS, MUTANTS, TESTS

ROOMS = ["CMakeLists.txt", "cmake", "emu", "include", "src", "cli", "tests", "scripts"]
OFF = ["CLI", "BENCH", "EXAMPLES", "DOCS", "KERNELS"]


def copy_if_new(source, target):
    """Keeps the time of unchanged files, so that a second run builds little."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists() and target.read_bytes() == source.read_bytes():
        return
    shutil.copyfile(source, target)
    shutil.copymode(source, target)


def copy_tree(source, tree):
    for room in ROOMS:
        top = source / room
        files = [top] if top.is_file() else [f for f in top.rglob("*") if f.is_file()]
        for file in files:
            if "__pycache__" not in file.parts:
                copy_if_new(file, tree / file.relative_to(source))


class Bench:
    """A build of the copied repository that is built and tested again for every mutant."""

    def __init__(self, tree, build, jobs, gpu):
        self.tree, self.build, self.jobs, self.sound = tree, build, str(jobs), []
        options = ["-DCONSORT_BUILD_%s=OFF" % room for room in OFF]
        options.append("-DCONSORT_BUILD_EMU=" + ("ON" if gpu else "OFF"))
        self.target = "cuda_tests" if gpu else "all"
        self.call(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCMAKE_C_FLAGS=-O1 -g0", "-DCMAKE_CXX_FLAGS=-O1 -g0",
                   "-DCONSORT_MUTANTS=OFF", "-DCONSORT_TEST_TIMEOUT=300"] + options)
        self.compile(self.target)

    def call(self, command):
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout.decode(errors="replace") + "\nFAILED: " + str(command))

    def compile(self, target):
        self.call(["cmake", "--build", self.build, "--parallel", self.jobs, "--target", target])

    def caught_by(self, stage):
        """The output of the first test that fails, "" if none does."""
        settings = dict(word.split("=") for word in stage if word.startswith("CONSORT_"))
        stage = [word for word in stage if not word.startswith("CONSORT_")]
        command = ["ctest", "--test-dir", str(self.build), "--stop-on-failure", "--parallel",
                   self.jobs, "--no-tests=error", "-LE", "slow"] + stage
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False,
                              env=dict(os.environ, CONSORT_EMU_SECONDS="20", **settings))
        lines = done.stdout.decode(errors="replace").splitlines()
        failed = [line.split()[3] for line in lines if "***" in line and "Skipped" not in line]
        return "" if done.returncode == 0 else failed[0] if failed else "ctest itself"

    def test(self, stages):
        """What failed, and in which stage."""
        for stage in stages:
            killer = self.caught_by(stage)
            if killer:
                return killer, stage
        return "", None

    def prove(self, stage, target):
        """Tests that caught a mutant must pass without one; those that did need not run again."""
        if stage in self.sound:
            return
        self.compile(target)
        killer = self.caught_by(stage)
        if killer:
            sys.exit("FAILED: without a mutant, %s fails" % killer)
        self.sound.append(stage)


def try_mutant(bench, mutant, stages):
    name, file, before, after = mutant
    path = bench.tree / file
    text = path.read_text() if path.exists() else ""
    if text.count(before) != 1:
        return "the pattern is %d times in %s" % (text.count(before), file)
    # Kernels are in the emulator alone: neither the tests nor the one that looks for races is built.
    target = "consort_emu" if path.suffix in (".cu", ".cuh") else bench.target
    start = time.time()
    try:
        path.write_text(text.replace(before, after))
        bench.compile(target)
        killer, stage = bench.test(stages)
    finally:
        path.write_text(text)
    if killer:
        bench.prove(stage, target)
    spent = time.time() - start
    print("%-9s %-28s %5.1f s  %s" % ("caught" if killer else "SURVIVED", name, spent, killer),
          flush=True)
    return "" if killer else "survived"


def kind_of(mutant):
    for folder in ("cuda", "multi"):
        if mutant[1].startswith("src/" + folder + "/"):
            return folder
    return "cpu"


def stages_of(mutant, quick):
    file, kind = mutant[1], kind_of(mutant)
    if "/exchange/" in file:
        return EXCHANGE_TESTS
    if kind == "multi":
        return MULTI_TESTS
    if kind == "cpu":
        return TESTS[:2] if quick else TESTS
    programs = [names for folder, names in GPU_PROGRAMS.items() if file.startswith(folder)]
    if not programs:
        sys.exit("no program tests " + file)
    return [[option % programs[0] if "%s" in option else option for option in stage]
            for stage in GPU_TESTS]


def choose(arguments, caught):
    unknown = set(arguments.only) - {m[0] for m in MUTANTS}
    if unknown:
        sys.exit("no such mutant: " + " ".join(sorted(unknown)))
    return [m for m in MUTANTS if (not arguments.only or m[0] in arguments.only) and
            (not arguments.quick or m[4:]) and m[0] not in caught]


def try_all(chosen, arguments, work):
    """Names and problems of those that were not caught, the CPU's mutants first."""
    problems = []
    for gpu in (False, True):
        mutants = [m[:4] for m in chosen if (kind_of(m) != "cpu") == gpu]
        if not mutants:
            continue
        bench = Bench(work / "tree", work / ("gpu" if gpu else "build"), arguments.jobs, gpu)
        for mutant in mutants:
            problem = try_mutant(bench, mutant, stages_of(mutant, arguments.quick))
            if problem:
                problems.append((mutant[0], problem))
            else:
                with open(work / "caught", "a", encoding="utf-8") as caught:
                    caught.write(mutant[0] + "\n")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="only those marked for every check")
    parser.add_argument("--only", action="append", default=[], help="a mutant by name")
    parser.add_argument("--resume", action="store_true", help="leave out those caught earlier")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("source", type=Path)
    parser.add_argument("work", type=Path)
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    copy_tree(arguments.source.resolve(), work / "tree")
    earlier = work / "caught"
    if not arguments.resume:
        earlier.unlink(missing_ok=True)
    caught = earlier.read_text().split() if earlier.exists() else []
    chosen = choose(arguments, caught)
    problems = try_all(chosen, arguments, work)
    for name, problem in problems:
        print("FAILED: %s: %s" % (name, problem))
    print("%d mutants, %d failures" % (len(chosen), len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
