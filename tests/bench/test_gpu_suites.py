#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_gpu_suites.py CONSORT PLUGIN SOURCE EMULATOR: suites and studies of one GPU and of several, on
the emulator."""
import json
import pathlib
import sys
import tempfile
import unittest

from gpu_command import SCRIPT, SOURCE, document, needs_emulator, python_with_matplotlib, run, scores

THREE = {"CONSORT_EMU_DEVICES": "3", "CONSORT_EMU_MEMORY": "64M"}


@needs_emulator
class Suites(unittest.TestCase):
    def test_suite_of_what_is_asked_beyond_the_best_peer(self):
        found = document("--suite", "gpu-fastest", "-n", "300", "--repeat", "1", "--min-time", "0", **THREE)
        labels = [target["target"] for target in found["targets"]]
        self.assertEqual(len(labels), len(set(labels)))

    def test_suite_asks_every_case_of_segments(self):
        found = document("--suite", "gpu-segments", "-n", "2", "--repeat", "1", **THREE)
        labels = {target["target"] for target in found["targets"]}
        self.assertEqual(len(labels), len(found["results"]))
        self.assertIn("segmented u32+4*2 uniform, n = 2, GPU, against the best peer", labels)
        self.assertIn("segmented u64*2 lengths by zipf uniform, n = 2, GPU, against the best peer", labels)

    def test_suite_of_replays(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "replay.json"
            self.assertEqual(run("--suite", "gpu-replay", "-n", "300", "--repeat", "2", "--json", str(path),
                                 **THREE).returncode, 0)
            done = run(path, "replays", program=(sys.executable, SOURCE / "bench" / "table.py"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(done.stdout.splitlines()), 2 + 6)
            self.assertRegex(done.stdout, r"\| argsort u64\+4, 300 +\| +[\d,.]+ \| +[\d.]+ % \|")

    def test_suite_asks_every_width(self):
        found = document("--suite", "gpu-widths", "-n", "300", "--repeat", "1", "--min-time", "0", **THREE)
        labels = {target["target"] for target in found["targets"]}
        self.assertEqual(len(labels), len(found["results"]))
        self.assertIn("pairs u128+16 uniform, n = 300, GPU, against the best peer", labels)
        self.assertIn("argsort u64+4 zipf, n = 300, GPU, against the best peer", labels)

    def test_suite_asks_every_distribution(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "skew.json"
            self.assertEqual(run("--suite", "gpu-skew", "-n", "300", "--repeat", "1", "--json", str(path),
                                 **THREE).returncode, 0)
            found = json.loads(path.read_text())
            labels = {target["target"] for target in found["targets"]}
            self.assertEqual(len(labels), len(found["results"]))
            self.assertIn("pairs u64+8 sawtooth, n = 300, GPU, against the best peer", labels)
            self.assertNotIn("sort u32 late-pair, n = 300, GPU, against the best peer", labels)
            for result in found["results"]: # a peer that takes twice as long
                ours = next(score for score in result["scores"] if score["name"] == "consort")
                result["scores"].append({**ours, "name": "peer", "median_seconds": 2 * ours["median_seconds"]})
                result["best_peer"] = "peer"
            path.write_text(json.dumps(found))
            done = run(path, "skew", program=(sys.executable, SOURCE / "bench" / "table.py"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"\| zipf +\|( +2.00 \(300\) \|){10}")
            self.assertRegex(done.stdout, r"\| subnormals +\|( +– \|){5}( +2.00 \(300\) \|){2}( +– \|){3}")
            self.assertRegex(done.stdout, r"\| geometric mean +\|( +2.00 \|){10}")

    def test_suite_asks_every_adversary(self):
        found = document("--suite", "gpu-adversarial", "-n", "300", "--repeat", "1", **THREE)
        labels = {target["target"] for target in found["targets"]}
        self.assertEqual(len(labels), len(found["results"]))
        self.assertIn("sort u128 peeled, n = 300, GPU, against the best peer", labels)
        self.assertIn("argsort u32+4 hidden-crowd, n = 300, GPU, against the best peer", labels)
        self.assertNotIn("sort u32 uniform, n = 300, GPU, against the best peer", labels)


@needs_emulator
class Studies(unittest.TestCase):
    TINY = ["-n", "300", "--repeat", "1", "--min-time", "0"]

    def test_writes_table_results_and_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "study-shell.json"
            done = run("--study", "shell", *self.TINY, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("| claim", done.stdout)
            *_, name, figure = done.stdout.splitlines()
            self.assertEqual(name, "study-shell.json")
            if python_with_matplotlib() is None:
                self.assertIn("no Matplotlib", done.stderr)
            else:
                self.assertEqual(figure, "study-shell-distributions-sort-u32-300-gpu.svg")
                self.assertTrue(path.with_name(figure).read_text().startswith("<?xml"))
            found = json.loads(path.read_text())
            self.assertEqual(found["study"]["name"], "shell")
            self.assertEqual({claim["measured"] for claim in found["study"]["claims"]}, {None})
            self.assertEqual({result["count"] for result in found["results"]}, {300})
            for kind in ("claims", "times", "ranking", "order", "counters", "workspace"):
                done = run("table.py", str(path), kind, "sorters=consort:shell",
                           program=(sys.executable, "-c", SCRIPT, str(SOURCE / "bench")))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout)

    def test_measures_claims_at_their_sizes(self):
        found = document("--study", "heap-bitonic", "-n", "2^12", "--repeat", "1", "--min-time",
                         "0")
        measured = {claim["claim"]: claim["measured"] for claim in found["study"]["claims"]}
        self.assertGreater(measured["32 bits, 2^12, against bitonic"], 0)
        self.assertIsNone(measured["32 bits, 2^28, against bitonic"])

    def test_choices_of_the_planner(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "study.json"
            self.assertEqual(run("--study", "planner", *self.TINY, "--json", str(path)).returncode, 0)
            done = run(path, "choices", program=(sys.executable, SOURCE / "bench" / "table.py"))
            self.assertEqual(done.returncode, 0, done.stderr)
            _, _, found, within = done.stdout.splitlines()
            self.assertRegex(found, r"^\| 300 +\| \w+ \d+\.\d\d ")
            self.assertRegex(within, r"^\| within 5 %: \d+ of 15 \|")

    def test_does_without_what_is_not_there(self):
        found = document("--study", "bitonic", *self.TINY)
        self.assertEqual({result["device"] for result in found["results"]}, {"cpu", "gpu"})
        for result in found["results"]:
            for score in result["scores"]:
                self.assertIn(score["verdict"], ("verified", "skipped"))


@needs_emulator
class SeveralGpus(unittest.TestCase):
    TWO = {"CONSORT_EMU_DEVICES": "2"}

    def script(self, name, *words, python=sys.executable):
        done = run(*map(str, words), program=(python, str(SOURCE / "bench" / name)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_study(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "study.json"
            done = run("--study", "multi-gpu", "-n", "300,1000,3000", "--repeat", "1", "--min-time", "0", "--json",
                       str(path), **self.TWO)
            self.assertEqual(done.returncode, 0, done.stderr)
            if python_with_matplotlib() is not None:
                self.assertIn("crossover-sort-u32.svg", done.stdout)
            found = json.loads(path.read_text())
            places = {(result["device"], result["memory"]) for result in found["results"]}
            self.assertEqual(places, {("gpu", "host"), ("gpu", "pinned"), ("gpus", "host"),
                                      ("gpus", "pinned")})
            for result in found["results"]:
                self.assertEqual((result["form"], bool(result["bus"])), ("separate", "pinned" == result["memory"]))
                self.assertEqual({score["verdict"] for score in result["scores"]}, {"verified"})
            self.assertEqual(found["gpu"]["present"], 2)
            units = {claim["unit"] for claim in found["study"]["claims"]}
            self.assertEqual(units, {"x", "M"})
            self.assertIn("2 × ", self.script("table.py", path, "machine"))
            head, _, *rows = self.script("table.py", path, "places", "operation=sort",
                                         "distribution=uniform").splitlines()
            self.assertEqual(len(rows), 3)
            for column in ("gpu-pinned consort", "gpus-pinned merge-chunks", "gpus-host merge-chunks"):
                self.assertIn(column, head)
            self.assertIn("parts-down", self.script("table.py", path, "phases",
                                                    "sorters=consort:merge-chunks"))

    def test_phases_add_up(self):
        found = document("--device", "gpus", "--memory", "pinned", "-n", "20000", "--repeat", "1",
                         "--min-time", "0", "--algorithm", "merge-chunks", "--peers", "none",
                         **self.TWO)
        counters = scores(found)["consort:merge-chunks"]["counters"]
        self.assertEqual((counters["devices"], counters["failed"]), (2, 0))
        for phase in ("chunks", "parts"):
            for step in ("up", "sort", "down"):
                self.assertGreater(counters[f"{phase}-{step}-ns"], 0)
                self.assertLessEqual(counters[f"{phase}-{step}-ns"], 2 * counters[f"{phase}-ns"])

    def test_timeline(self):
        done = run("--device", "gpus", "-n", "20000", "--repeat", "1", "--min-time", "0",
                   "--algorithm", "merge-chunks", "--set", "chunks=3", "--peers", "none",
                   CONSORT_LOG="trace", **self.TWO)
        self.assertEqual(done.returncode, 0, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            log.write_text(done.stderr)
            described = self.script("timeline.py", log)
            runs = [line for line in described.splitlines() if line.startswith("20000 items")]
            self.assertEqual(len(runs), 3)  # two that warm up, and the one that is timed
            # Whoever is free takes the next chunk: one GPU may get them all.
            self.assertRegex(described, r"GPU [01], chunks: copies in \d+ %, sorts \d+ %, copies out")
            self.assertIn(len(self.script("timeline.py", log, "--run", 2).splitlines()), (3, 5))
            log.with_name("none").write_text("nothing\n")
            bad = run(str(log.with_name("none")),
                      program=(sys.executable, str(SOURCE / "bench" / "timeline.py")))
            self.assertEqual(bad.returncode, 1)
            python = python_with_matplotlib()
            if python is None:
                self.skipTest("no Matplotlib")
            self.script("timeline.py", log, "-o", log.with_suffix(".svg"), python=python)
            self.assertRegex(log.with_suffix(".svg").read_text(), "GPU [01], copies out")


@needs_emulator
class Spread(unittest.TestCase):
    """Lists in the memory of several GPUs."""
    WORDS = ["--memory", "device", "--repeat", "2", "--min-time", "0", "--operation", "sort,pairs",
             "--values", "4", "-d", "uniform,zipf"]

    def test_is_verified_and_tells_phases(self):
        for device, gpus in (("gpus", 3), ("gpus:2", 2), ("gpus:1", 1)):
            found = document("--device", device, "-n", "20001", *self.WORDS, **THREE)
            self.assertEqual(len(found["results"]), 4)
            for result in found["results"]:
                self.assertEqual((result["device"], result["memory"], result["form"],
                                  result["gpus"]), ("gpus", "device", None, gpus))
                self.assertEqual([(score["name"], score["verdict"]) for score in result["scores"]],
                                 [("consort", "verified")])
                self.assertEqual(result["exchange_bytes_per_second"] is not None, gpus > 1)
                counters = result["scores"][0]["counters"]
                self.assertEqual(counters["crossed"] > 0, gpus > 1)
                self.assertLessEqual(counters["stored"], counters["crossed"])
                for phase in ("select", "partition", "ranges", "ranges-arrive", "ranges-sort"):
                    self.assertIn(f"{phase}-ns", counters)
                self.assertLessEqual(counters["ranges-sort-ns"], counters["ranges-ns"])

    def test_records(self):
        found = document("--device", "gpus", "--memory", "device", "-n", "3001", "--operation", "records",
                         "--record", "32", **THREE)
        self.assertEqual([score["verdict"] for score in found["results"][0]["scores"]], ["verified"])

    def test_timeline(self):
        done = run("--device", "gpus", "--memory", "device", "-n", "20000", "--repeat", "1",
                   "--min-time", "0", CONSORT_LOG="trace", **THREE)
        self.assertEqual(done.returncode, 0, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            log.write_text(done.stderr)
            described = run(program=[sys.executable, SOURCE / "bench" / "timeline.py", log]).stdout
            # Two runs warm up, of which the host checks the first, so that the next is done twice.
            self.assertEqual(described.count("20000 items: select "), 4)
            for gpu in range(3):
                self.assertRegex(described, rf"GPU {gpu}, ranges: copies in \d+ %, sorts \d+ %")

    def test_too_few_gpus_leave_a_case_out(self):
        done = run("--device", "gpus:4", "-n", "3000", *self.WORDS, **THREE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out: there are fewer GPUs", done.stdout)

    def test_suite_compares_with_one_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "spread.json"
            self.assertEqual(run("--suite", "gpu-spread", "-n", "3000", "--repeat", "1", "--json",
                                 str(path), **THREE).returncode, 0)
            found = json.loads(path.read_text())
            self.assertEqual({result["gpus"] for result in found["results"]}, {0, 2})
            done = run(path, "spread", program=(sys.executable, SOURCE / "bench" / "table.py"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("| u32 uniform", done.stdout)
            self.assertIn("| u32+4 zipf", done.stdout)
            for place, there in (("gpus:2", True), ("gpus:4", False)):
                done = run(path, "spread", "where=" + place,
                           program=(sys.executable, SOURCE / "bench" / "table.py"))
                self.assertEqual("| u32 uniform" in done.stdout, there, done.stderr)


if __name__ == "__main__":
    unittest.main()
