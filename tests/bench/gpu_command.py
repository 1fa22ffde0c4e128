# SPDX-License-Identifier: Apache-2.0
"""consort bench as the tests beside this run it. Arguments: CONSORT PLUGIN SOURCE EMULATOR; no emulator: ""."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

CONSORT, PLUGIN, SOURCE, EMULATOR = (sys.argv.pop(1), sys.argv.pop(1),
                                     pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1))
needs_emulator = unittest.skipUnless(EMULATOR, "no emulator in this build")
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


# Runs a script of a folder given first, where its modules are found.
SCRIPT = """
import runpy, sys
folder = sys.argv[1]
sys.path.insert(0, folder)
sys.argv = sys.argv[2:]
runpy.run_path(folder + "/" + sys.argv[0], run_name="__main__")
"""
