#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu_info.py CONSORT EMULATOR: consort info, of machines with GPUs."""
import json
import os
import subprocess
import sys
import unittest

CONSORT, EMULATOR = sys.argv.pop(1), sys.argv.pop(1)


def run(*arguments, **changes):
    environment = {**os.environ, "CONSORT_CUDA_LIBRARY": EMULATOR, **changes}
    return subprocess.run([CONSORT, "info", *arguments], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class Information(unittest.TestCase):
    def devices(self, **changes):
        done = run("--json", **changes)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {device["name"]: device for device in json.loads(done.stdout)["devices"]}

    def test_lists_every_gpu(self):
        found = self.devices(CONSORT_EMU_DEVICES="3", CONSORT_EMU_MEMORY="64M")
        self.assertEqual(list(found), ["cpu", "gpu", "gpu:0", "gpu:1", "gpu:2", "gpus"])
        self.assertEqual(found["gpu:1"]["memory"], 64 << 20)
        self.assertEqual(found["gpu:1"]["reaches"], ["gpu:0", "gpu:2"])
        self.assertEqual(found["gpus"]["members"], ["gpu:0", "gpu:1", "gpu:2"])
        text = run(CONSORT_EMU_DEVICES="3").stdout
        self.assertRegex(text, r"gpu:2 .+ GiB, compute capability 9\.0, \d+ multiprocessors, usable, "
                               r"reaches gpu:0 gpu:1\n")
        self.assertIn("  gpus  gpu:0 gpu:1 gpu:2\n", text)

    def test_says_of_each_why_not(self):
        found = self.devices(CONSORT_EMU_DEVICES="1", CONSORT_EMU_CAPABILITY="75")
        self.assertIn("CUDA_ERROR_NO_BINARY_FOR_GPU", found["gpu:0"]["reason"])
        self.assertEqual((found["gpus"]["usable"], found["gpus"]["members"]), (False, []))
        text = run(CONSORT_EMU_CAPABILITY="75").stdout
        self.assertIn("  gpus  none usable\n", text)


if __name__ == "__main__":
    unittest.main()
