#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_gpu_bench.py CONSORT PLUGIN SOURCE EMULATOR: consort bench --device gpu, on the emulator."""
import pathlib
import sys
import tempfile
import unittest

from gpu_command import SCRIPT, SMALL, SOURCE, document, needs_emulator, run, scores, verdicts


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


@needs_emulator
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
        found = document(*SMALL, "--form", "copy,in-place,double-buffer,launches", "-t",
                         "u64", "--operation", "pairs", "--peers", "none")
        self.assertEqual(set(verdicts(found).values()), {"verified"})
        self.assertEqual(len(verdicts(found)), 4)
        found = document(*SMALL, "--form", "in-place,launches", "--operation", "argsort", "--peers", "none")
        self.assertEqual(verdicts(found), {"consort": "verified", "consort/launches": "verified"})

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


@needs_emulator
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


if __name__ == "__main__":
    unittest.main()
