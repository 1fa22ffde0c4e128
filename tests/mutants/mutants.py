#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeded mutants: small faults put into the library one by one; the fast tests must find each.

    mutants.py [--quick] [--only NAME]... [--resume] [--jobs N] SOURCE WORK
    mutants.py --patterns SOURCE

SOURCE is the repository, WORK a folder for a copy of it and its builds. A mutant that survives, or
whose pattern is not in its file exactly once, is a failure; --patterns looks for the latter alone.
The list is mutant_list.py. The names of those that were caught are added to WORK/caught; --resume
leaves them out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mutant_list import (COMMAND_TESTS, EXCHANGE_TESTS, GPU_PROGRAMS, GPU_TESTS, HOST_TESTS,
                         MULTI_TESTS, MUTANTS, TESTS)

# The command includes, embeds and installs some files of the benchmark's.
ROOMS = ["CMakeLists.txt", "cmake", "emu", "include", "src", "cli", "tests", "scripts",
         "bench/bench_compare.cu", "bench/peers.h", "bench/plot.py", "bench/results_file.py"]
OFF = ["BENCH", "EXAMPLES", "DOCS", "KERNELS"]

# For each kind of mutant: the rooms of its build, and what ctest must find there to name it.
BUILDS = {
    "cpu": ([], ["all"]),
    "command": (["CLI"], ["consort_command", "fuzz_npy_replay"]),
    "gpu": (["EMU"], ["cuda_tests"]),
}


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

    def __init__(self, tree, build, jobs, kind):
        self.tree, self.build, self.jobs, self.sound = tree, build, str(jobs), []
        options = ["-DCONSORT_BUILD_%s=OFF" % room for room in OFF]
        rooms, targets = BUILDS[kind]
        options += ["-DCONSORT_BUILD_%s=%s" % (room, "ON" if room in rooms else "OFF")
                    for room in ("CLI", "EMU")]
        self.call(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCMAKE_C_FLAGS=-O1 -g0", "-DCMAKE_CXX_FLAGS=-O1 -g0",
                   "-DCONSORT_MUTANTS=OFF", "-DCONSORT_EMU_RACES=OFF",
                   "-DCONSORT_TEST_TIMEOUT=300", "-DCONSORT_TEST_SHARES=1"] + options)
        # ctest tells the program of a test only when it is there.
        self.compile(targets)

    def call(self, command):
        """The output of a command that must succeed."""
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout.decode(errors="replace") + "\nFAILED: " + str(command))
        return done.stdout.decode()

    def ctest(self, stage):
        options = [word for word in stage if not word.startswith("CONSORT_")]
        return ["ctest", "--test-dir", str(self.build), "--no-tests=error", "-LE", "slow"] + options

    def compile(self, targets):
        self.call(["cmake", "--build", self.build, "--parallel", self.jobs, "--target"] + targets)

    def programs_of(self, stage):
        tests = json.loads(self.call(self.ctest(stage) + ["--show-only=json-v1"]))["tests"]
        built = str(self.build) + os.sep
        return sorted({os.path.relpath(word, self.build) for test in tests
                       for word in test["command"] if word.startswith(built)})

    def caught_by(self, stage):
        """Builds and runs a stage: the name of the first test that fails, "" if none does. Long
        programs have fewer schedules among the fast tests: a stage may have none of theirs."""
        programs = self.programs_of(stage)
        if not programs:
            return ""
        self.compile(programs)
        settings = dict(word.split("=") for word in stage if word.startswith("CONSORT_"))
        command = self.ctest(stage) + ["--stop-on-failure", "--parallel", self.jobs]
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

    def prove(self, killer, stage):
        """A test that caught a mutant must pass without one; one that did need not run again."""
        alone = [word for word in stage if word.startswith("CONSORT_")] + ["-R", "^%s$" % killer]
        if alone in self.sound:
            return
        if self.caught_by(alone):
            sys.exit("FAILED: without a mutant, %s fails" % killer)
        self.sound.append(alone)


def pattern_problem(tree, mutant):
    """What is wrong with a mutant that does not fit the source, "" if it does."""
    _, file, before, after = mutant[:4]
    path = tree / file
    times = path.read_text().count(before) if path.exists() else 0
    if before == after:
        return "the mutant changes nothing"
    return "" if times == 1 else "the pattern is %d times in %s" % (times, file)


def try_mutant(bench, mutant, stages):
    name, file, before, after = mutant
    path = bench.tree / file
    problem = pattern_problem(bench.tree, mutant)
    if problem:
        return problem
    text = path.read_text()
    start = time.time()
    try:
        path.write_text(text.replace(before, after))
        killer, stage = bench.test(stages)
    finally:
        path.write_text(text)
    if killer:
        bench.prove(killer, stage)
    spent = time.time() - start
    print("%-9s %-28s %5.1f s  %s" % ("caught" if killer else "SURVIVED", name, spent, killer),
          flush=True)
    return "" if killer else "survived"


def kind_of(mutant):
    if mutant[1].startswith("cli/"):
        return "command"
    return "gpu" if mutant[1].startswith(("src/cuda/", "src/multi/")) else "cpu"


def stages_of(mutant, quick):
    file, kind = mutant[1], kind_of(mutant)
    if "/arrivals/" in file or "/staging/" in file:
        return HOST_TESTS
    if "/exchange/" in file:
        return EXCHANGE_TESTS
    if file.startswith("src/multi/"):
        return MULTI_TESTS
    if kind == "command":
        return COMMAND_TESTS
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
    for kind in BUILDS:
        mutants = [m[:4] for m in chosen if kind_of(m) == kind]
        if not mutants:
            continue
        bench = Bench(work / "tree", work / ("build" if kind == "cpu" else kind), arguments.jobs, kind)
        for mutant in mutants:
            problem = try_mutant(bench, mutant, stages_of(mutant, arguments.quick))
            if problem:
                problems.append((mutant[0], problem))
            else:
                with open(work / "caught", "a", encoding="utf-8") as caught:
                    caught.write(mutant[0] + "\n")
    return problems


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="only those marked for every check")
    parser.add_argument("--only", action="append", default=[], help="a mutant by name")
    parser.add_argument("--resume", action="store_true", help="leave out those caught earlier")
    parser.add_argument("--patterns", action="store_true", help="do they fit the source?")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("source", type=Path)
    parser.add_argument("work", type=Path, nargs="?")
    arguments = parser.parse_args()
    if not arguments.patterns and not arguments.work:
        parser.error("a folder for the builds is missing")
    return arguments


def caught_earlier(work, resume):
    earlier = work / "caught"
    if not resume:
        earlier.unlink(missing_ok=True)
    return earlier.read_text().split() if earlier.exists() else []


def main():
    arguments = parse_arguments()
    if arguments.patterns:
        chosen = choose(arguments, [])
        problems = [(mutant[0], pattern_problem(arguments.source, mutant)) for mutant in chosen]
        problems = [problem for problem in problems if problem[1]]
    else:
        work = arguments.work.resolve()
        copy_tree(arguments.source.resolve(), work / "tree")
        chosen = choose(arguments, caught_earlier(work, arguments.resume))
        problems = try_all(chosen, arguments, work)
    for name, problem in problems:
        print("FAILED: %s: %s" % (name, problem))
    print("%d mutants, %d failures" % (len(chosen), len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
