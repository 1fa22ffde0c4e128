#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_gpu_bench.py CONSORT PLUGIN SOURCE EMULATOR: consort bench --device gpu, on the emulator."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CONSORT, PLUGIN, SOURCE, EMULATOR = (sys.argv.pop(1), sys.argv.pop(1),
                                     pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1))
SMALL = ["--device", "gpu", "-n", "300", "--repeat", "2", "--min-time", "0"]


def run(*arguments, program=(CONSORT, "bench"), cwd=None, **changes):
    environment = {**os.environ, "CONSORT_BENCH_PEERS": PLUGIN, "CONSORT_CUDA_LIBRARY": EMULATOR,
                   "CONSORT_PYTHON": "",
                   **changes}
    return subprocess.run([*program, *arguments], env=environment, text=True, cwd=cwd,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def document(*arguments, **changes):
    done = run(*arguments, "--json", "-", **changes)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def python_with_matplotlib():
    """As the command looks for one."""
    return next((python for python in ("python3", "/usr/bin/python3")
                 if subprocess.run([python, "-c", "import matplotlib"], check=False,
                                   stderr=subprocess.DEVNULL).returncode == 0), None)


def scores(found):
    return {score["name"]: score for score in found["results"][0]["scores"]}


def verdicts(found):
    return {name: score["verdict"] for name, score in scores(found).items()}


class WithoutGpu(unittest.TestCase):
    def test_is_trouble_and_says_why(self):
        done = run(*SMALL, CONSORT_CUDA_LIBRARY="/nowhere/libcuda.so")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no NVIDIA driver", done.stderr)

    def test_nonsense_is_refused(self):
        for words in (["--device", "tpu"], ["--device", "gpu:x"], ["--memory", "tape"],
                      ["--memory", "device"], ["--memory", "pinned"], ["--form", "round"],
                      ["--device", "gpus:0"], ["--device", "gpus:17"], ["--device", "gpus:x"],
                      ["--device", "gpus:2", "--memory", "host"],
                      ["--device", "gpus", "--memory", "device", "--operation", "argsort"],
                      ["--device", "gpus", "--memory", "device", "--interface", "one-call"],
                      ["--device", "gpu", "--interface", "one-call"],
                      ["--device", "gpu", "--algorithm", "bitonic", "--set", "block=5"],
                      ["--device", "gpu", "--algorithm", "bitonic", "--set", "window=8"],
                      ["--device", "gpu", "--algorithm", "bitonic,lsd", "--set", "block=64"],
                      ["--device", "gpu", "--algorithm", "bitonic", "--set", "block=64,"],
                      ["--device", "gpu", "--algorithm", "all", "--set", "block=64"]):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertTrue(done.stderr.startswith("consort bench: "), done.stderr)


@unittest.skipUnless(EMULATOR, "no emulator in this build")
class Verification(unittest.TestCase):
    def test_wrong_peers_have_no_figures(self):
        found = document(*SMALL)
        self.assertEqual(verdicts(found), {
            "consort": "verified", "device_right": "verified", "device_place": "verified",
            "device_double": "verified", "device_lost": "FAILED", "device_crossed": "verified",
            "device_unstable": "verified", "device_honest": "verified", "device_stale": "FAILED",
            "device_reported": "FAILED"})
        self.assertIn("other items", scores(found)["device_lost"]["problem"])
        for score in scores(found).values():
            self.assertEqual("median_seconds" in score, score["verdict"] == "verified")

    def test_values_must_stay_with_their_keys(self):
        for operation in ("pairs", "argsort"):
            found = document(*SMALL, "--operation", operation, "-d", "few-unique",
                             "--peers", "device_right,device_place,device_double,device_crossed,"
                             "device_unstable,device_honest,device_stale,device_reported")
            self.assertEqual(verdicts(found), {
                "consort": "verified", "device_right": "verified", "device_place": "verified",
                "device_double": "verified", "device_crossed": "FAILED",
                "device_unstable": "FAILED", "device_honest": "verified",
                "device_stale": "FAILED", "device_reported": "FAILED"}, operation)
            self.assertIn("not stable", scores(found)["device_unstable"]["problem"])

    def test_an_unstable_result_is_no_measure_for_stable_ones(self):
        found = document(*SMALL, "--operation", "pairs", "-d", "few-unique", "--peers",
                         "device_honest,device_unstable", "--algorithm", "nobody")
        self.assertEqual(verdicts(found)["device_honest"], "verified")
        self.assertEqual(verdicts(found)["device_unstable"], "FAILED")

    def test_every_operation(self):
        for operation in ("segmented", "merge", "top-k"):
            found = document(*SMALL, "--operation", operation, "--segment", "30", "--k", "7",
                             "--peers", "device_right,device_lost,device_stale")
            self.assertEqual(verdicts(found)["device_right"], "verified", operation)
            self.assertEqual(verdicts(found)["device_stale"], "FAILED", operation)
            self.assertIn(verdicts(found)["consort"], ("verified", "skipped"), operation)
            if verdicts(found)["consort"] == "skipped":
                self.assertIn("not available", scores(found)["consort"]["problem"])

    def test_forms(self):
        found = document(*SMALL, "--form", "copy,in-place,double-buffer", "-t", "u64",
                         "--operation", "pairs", "--peers", "none")
        self.assertEqual(verdicts(found), {"consort": "verified", "consort/in-place": "verified",
                                           "consort/double-buffer": "verified"})

    def test_parameters(self):
        found = document(*SMALL, "--algorithm", "bitonic", "--set", "block=64,128", "--set",
                         "fused=0,1", "--peers", "none")
        self.assertEqual(verdicts(found), {
            f"consort:bitonic/block={block}/fused={fused}": "verified"
            for block in (64, 128) for fused in (0, 1)})
        self.assertEqual(found["results"][0]["scores"][2]["parameters"], {"block": 128, "fused": 0})

    def test_counters(self):
        for memory in ("device", "host"):
            found = document(*SMALL, "-n", "5000", "--algorithm", "shell", "--set", "rounds=9",
                             "--peers", "none", "--memory", memory)
            counters = found["results"][0]["scores"][0]["counters"]
            self.assertEqual(set(counters), {"passes", "rounds", "network"})
            self.assertGreaterEqual(counters["passes"], 1)

    def test_other_keys(self):
        found = document(*SMALL, "-t", "all", "-d", "uniform", "--peers", "none")
        for result in found["results"]:
            self.assertEqual([score["verdict"] for score in result["scores"]], ["verified"])

    def test_floats_that_peers_do_not_order(self):
        for distribution in ("zeros", "nans"):
            found = document(*SMALL, "-t", "f32", "-d", distribution)
            self.assertEqual(verdicts(found), {"consort": "verified"}, distribution)


@unittest.skipUnless(EMULATOR, "no emulator in this build")
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

    def test_does_without_what_is_not_there(self):
        found = document("--study", "bitonic", *self.TINY)
        self.assertEqual({result["device"] for result in found["results"]}, {"cpu", "gpu"})
        for result in found["results"]:
            for score in result["scores"]:
                self.assertIn(score["verdict"], ("verified", "skipped"))


@unittest.skipUnless(EMULATOR, "no emulator in this build")
class SeveralGpus(unittest.TestCase):
    TWO = {"CONSORT_EMU_DEVICES": "2"}

    def script(self, name, *words, python=sys.executable):
        done = run(*map(str, words), program=(python, str(SOURCE / "bench" / name)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_study(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "study.json"
            done = run("--study", "multi-gpu", "-n", "300,1000,3000", "--repeat", "1", "--json",
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


@unittest.skipUnless(EMULATOR, "no emulator in this build")
class Spread(unittest.TestCase):
    """Lists in the memory of several GPUs."""
    THREE = {"CONSORT_EMU_DEVICES": "3", "CONSORT_EMU_MEMORY": "64M"}
    WORDS = ["--memory", "device", "--repeat", "2", "--min-time", "0", "--operation", "sort,pairs",
             "--values", "4", "-d", "uniform,zipf"]

    def test_is_verified_and_tells_phases(self):
        for device, gpus in (("gpus", 3), ("gpus:2", 2), ("gpus:1", 1)):
            found = document("--device", device, "-n", "20001", *self.WORDS, **self.THREE)
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
                         "--record", "32", **self.THREE)
        self.assertEqual([score["verdict"] for score in found["results"][0]["scores"]], ["verified"])

    def test_timeline(self):
        done = run("--device", "gpus", "--memory", "device", "-n", "20000", "--repeat", "1",
                   "--min-time", "0", CONSORT_LOG="trace", **self.THREE)
        self.assertEqual(done.returncode, 0, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            log.write_text(done.stderr)
            described = run(program=[sys.executable, SOURCE / "bench" / "timeline.py", log]).stdout
            self.assertEqual(described.count("20000 items: select "), 3)
            for gpu in range(3):
                self.assertRegex(described, rf"GPU {gpu}, ranges: copies in \d+ %, sorts \d+ %")

    def test_too_few_gpus_leave_a_case_out(self):
        done = run("--device", "gpus:4", "-n", "3000", *self.WORDS, **self.THREE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out: there are fewer GPUs", done.stdout)

    def test_suite_of_what_is_asked_beyond_the_best_peer(self):
        found = document("--suite", "gpu-fastest", "-n", "3000", "--repeat", "1", **self.THREE)
        labels = [target["target"] for target in found["targets"]]
        self.assertEqual(len(labels), len(set(labels)))

    def test_suite_asks_every_case_of_segments(self):
        found = document("--suite", "gpu-segments", "-n", "2", "--repeat", "1", **self.THREE)
        labels = {target["target"] for target in found["targets"]}
        self.assertEqual(len(labels), len(found["results"]))
        self.assertIn("segmented u32+4*2 uniform, n = 2, GPU, against the best peer", labels)
        self.assertIn("segmented u64*2 lengths by zipf uniform, n = 2, GPU, against the best peer", labels)

    def test_suite_asks_every_width(self):
        found = document("--suite", "gpu-widths", "-n", "3000", "--repeat", "1", **self.THREE)
        labels = {target["target"] for target in found["targets"]}
        self.assertEqual(len(labels), len(found["results"]))
        self.assertIn("pairs u128+16 uniform, n = 3000, GPU, against the best peer", labels)
        self.assertIn("argsort u64+4 zipf, n = 3000, GPU, against the best peer", labels)

    def test_suite_compares_with_one_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "spread.json"
            self.assertEqual(run("--suite", "gpu-spread", "-n", "3000", "--repeat", "1", "--json",
                                 str(path), **self.THREE).returncode, 0)
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


@unittest.skipUnless(EMULATOR, "no emulator in this build")
class Document(unittest.TestCase):
    def test_says_where(self):
        found = document(*SMALL, "--peers", "device_right")
        self.assertEqual(found["gpu"]["number"], 0)
        self.assertGreater(found["gpu"]["memory_bytes"], 0)
        result = found["results"][0]
        self.assertEqual((result["device"], result["memory"]), ("gpu", "device"))
        self.assertGreater(result["ceiling_bytes_per_second"], 0)
        self.assertEqual(scores(found)["device_right"]["workspace_bytes"], 300)
        self.assertGreaterEqual(scores(found)["device_right"]["ratio_to_best_peer"], 1)

    def test_arrays_of_the_host(self):
        found = document(*SMALL, "--memory", "host", "--peers", "right,device_right")
        self.assertEqual(found["results"][0]["memory"], "host")
        self.assertEqual(scores(found)["consort"]["engine"], "cuda")
        self.assertEqual(verdicts(found), {"consort": "verified", "right": "verified",
                                           "device_right": "skipped"})

    def test_ceiling_of_host_arrays_is_the_bus(self):
        """Copies in and out, each alone, of just as many bytes; within the device a power of two."""
        for place in ("host", "pinned", "device"):
            result = document("--device", "gpu", "-n", "3000", "--repeat", "1", "--min-time", "0",
                              "--peers", "none", "--memory", place)["results"][0]
            self.assertEqual(result["ceiling_bytes"], 8192 if place == "device" else 12000)
            self.assertGreater(result["ceiling_bytes_per_second"], 0)
            self.assertGreater(result["scores"][0]["ceiling_share"], 0)

    def test_nine_rounds_unless_told(self):
        found = document("--device", "gpu", "-n", "10", "--min-time", "0", "--peers", "none")
        self.assertEqual(len(scores(found)["consort"]["samples_seconds"]), 9)

    def test_too_little_memory_leaves_the_case_out(self):
        done = run("--device", "gpu", "-n", "2^20", "--repeat", "1", "--min-time", "0",
                   CONSORT_EMU_MEMORY="4M")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out: not enough device memory", done.stdout)

    def test_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            done = run("--device", "gpu", "-t", "u8,u32,u64", "-n", "10,100", "--repeat", "1",
                       "--min-time", "0", "--json", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            for kind in ("machine", "gpu", "sizes", "types"):
                done = run("table.py", str(path), kind,
                           program=(sys.executable, "-c", SCRIPT, str(SOURCE / "bench")))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout)


SCRIPT = """
import runpy, sys
folder = sys.argv[1]
sys.path.insert(0, folder)
sys.argv = sys.argv[2:]
runpy.run_path(folder + "/" + sys.argv[0], run_name="__main__")
"""

if __name__ == "__main__":
    unittest.main()
