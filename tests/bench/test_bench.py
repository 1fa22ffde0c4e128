#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_bench.py CONSORT PLUGIN SOURCE: consort bench and the scripts that read its results."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CONSORT, PLUGIN, SOURCE = sys.argv.pop(1), sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
SMALL = ["-n", "100", "--repeat", "2", "--min-time", "0"]

NUMBER = (int, float)
RESULT = {"operation": str, "type": str, "key_bytes": int, "value_bytes": int, "distribution": str,
          "form": str, "count": int, "threads": int, "pinned": bool, "batch": int, "traffic_bytes": int,
          "k": int, "segment": int, "lengths": str, "record_bytes": int, "ceiling_bytes": int,
          "ceiling_bytes_per_second": NUMBER, "best_peer": (str, type(None)), "scores": list}
SCORE = {"name": str, "kind": str, "algorithm": str, "engine": str, "stable": bool,
         "parameters": dict, "counters": dict, "workspace_bytes": int, "verdict": str, "problem": (str, type(None))}
FIGURES = {"samples_seconds": list, "median_seconds": NUMBER, "minimum_seconds": NUMBER,
           "maximum_seconds": NUMBER, "deviation_seconds": NUMBER,
           "relative_deviation": NUMBER, "items_per_second": NUMBER, "bytes_per_second": NUMBER,
           "ceiling_share": (int, float, type(None)),
           "ratio_to_best_peer": (int, float, type(None))}
DOCUMENT = {"format": str, "format_version": int, "date": str, "commit": str, "seed": int,
            "command": list, "huge_pages": bool, "machine": dict, "library": str,
            "build": dict, "peers": list, "study": (dict, type(None)),
            "results": list, "targets": list}


def run(*arguments, plugin=PLUGIN, program=(CONSORT, "bench"), **changes):
    environment = {**os.environ, "CONSORT_BENCH_PEERS": plugin, "CONSORT_PYTHON": "", **changes}
    return subprocess.run([*program, *arguments], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def document(*arguments, plugin=PLUGIN):
    done = run(*arguments, "--json", "-", plugin=plugin)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def verdicts(found):
    return {score["name"]: score["verdict"] for score in found["results"][0]["scores"]}


def problem(found, name):
    return next(score["problem"] for score in found["results"][0]["scores"]
                if score["name"] == name)


class Verification(unittest.TestCase):
    def test_wrong_peers_have_no_figures(self):
        found = document(*SMALL, "--peers", "right,unsorted,lost,reported")
        self.assertEqual(verdicts(found), {"consort": "verified", "right": "verified",
                                           "unsorted": "FAILED", "lost": "FAILED",
                                           "reported": "FAILED"})
        self.assertIn("not sorted", problem(found, "unsorted"))
        self.assertIn("other items", problem(found, "lost"))
        for score in found["results"][0]["scores"]:
            self.assertEqual("median_seconds" in score, score["verdict"] == "verified")

    def test_values_must_stay_with_their_keys(self):
        found = document("--operation", "pairs", "-d", "few-unique", *SMALL, "--peers",
                         "right,crossed,unstable")
        self.assertEqual(verdicts(found), {"consort": "verified", "right": "verified",
                                           "crossed": "FAILED", "unstable": "FAILED"})
        self.assertIn("not stable", problem(found, "unstable"))

    def test_values_of_distinct_keys(self):
        found = document("--operation", "pairs", *SMALL, "--peers", "crossed")
        self.assertIn("other items", problem(found, "crossed"))

    def test_segments_are_arrays_of_their_own(self):
        found = document("--operation", "segmented", "--segment", "10,3", *SMALL, "--peers", "right,lost")
        self.assertEqual([result["segment"] for result in found["results"]], [10, 3])
        self.assertEqual(verdicts(found)["right"], "verified")
        self.assertEqual(verdicts(found)["lost"], "FAILED")

    def test_segments_of_mixed_lengths(self):
        mixes = ["equal", "uniform", "zipf", "power", "one-large"]
        found = document("--operation", "segmented", "--segment", "10", "--lengths",
                         ",".join(mixes), *SMALL, "--peers", "right,lost")
        self.assertEqual([result["lengths"] for result in found["results"]], mixes)
        for result in found["results"]:
            scores = {score["name"]: score["verdict"] for score in result["scores"]}
            self.assertEqual(scores, {"consort": "verified", "right": "verified",
                                      "lost": "FAILED"}, result["lengths"])

    def test_a_name_is_every_version(self):
        self.assertEqual(set(verdicts(document(*SMALL, "--peers", "versions"))),
                         {"consort", "versions@1", "versions@2.0"})
        self.assertEqual(set(verdicts(document(*SMALL, "--peers", "versions@2.0"))),
                         {"consort", "versions@2.0"})
        for nobody in ("version", "versions@2", "versions@"):
            self.assertIn("no peer", run(*SMALL, "--peers", nobody).stderr)

    def test_peers_that_cannot_are_told_only_if_asked_for(self):
        self.assertEqual(verdicts(document("-t", "u64", *SMALL)), {"consort": "verified"})
        found = document("-t", "u64", *SMALL, "--peers", "right,missing")
        self.assertEqual(verdicts(found)["right"], "skipped")
        self.assertEqual(problem(found, "missing"), "left out on purpose")

    def test_floats_that_peers_do_not_order(self):
        for distribution in ("zeros", "nans", "infinities", "subnormals"):
            found = document("-t", "f32", "-d", distribution, *SMALL)
            self.assertEqual(verdicts(found), {"consort": "verified"}, distribution)


class Document(unittest.TestCase):
    def check(self, thing, members):
        for name, kind in members.items():
            self.assertIn(name, thing)
            self.assertIsInstance(thing[name], kind, name)

    def test_quick_suite(self):
        found = document("--suite", "quick", "--min-time", "0")
        self.check(found, DOCUMENT)
        self.assertEqual((found["format"], found["format_version"]), ("consort-bench", 1))
        self.assertEqual(found["suite"], "quick")
        self.assertEqual(len(found["targets"]), 1)
        self.assertEqual({result["operation"] for result in found["results"]},
                         {"sort", "pairs", "argsort", "segmented", "top-k", "merge", "records"})
        for result in found["results"]:
            self.check(result, RESULT)
            for score in result["scores"]:
                self.check(score, SCORE)
                if score["verdict"] == "verified":
                    self.check_figures(result, score)

    def check_figures(self, result, score):
        self.check(score, FIGURES)
        self.assertLessEqual(score["minimum_seconds"], score["median_seconds"])
        self.assertLessEqual(score["median_seconds"], score["maximum_seconds"])
        self.assertAlmostEqual(score["items_per_second"] * score["median_seconds"],
                               result["count"], delta=1e-3 * result["count"])

    def test_peers_are_listed_with_the_missing(self):
        peers = {peer["name"]: peer for peer in document(*SMALL)["peers"]}
        self.assertTrue(peers["right"]["available"])
        self.assertEqual(peers["missing"]["reason"], "left out on purpose")

    def test_seed_makes_the_input(self):
        for seed in ("1", "2"):
            self.assertEqual(run(*SMALL, "--seed", seed, "-d", "few-unique").returncode, 0)

    def test_names_no_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "out.json"
            for words in (["--json", str(path)], [f"--json={path}"]):
                self.assertEqual(run(*SMALL, *words).returncode, 0)
                command = json.loads(path.read_text())["command"]
                self.assertEqual([word for word in command if "json" in word][-1],
                                 words[-1].replace(folder + "/", ""))

    def test_parameters_and_counters(self):
        found = document(*SMALL, "--algorithm", "bitonic-serial,lsd", "--peers", "none")
        for score in found["results"][0]["scores"]:
            self.assertEqual(score["parameters"], {})


class Command(unittest.TestCase):
    def test_no_plugin_is_no_error(self):
        for plugin in ("", "/nowhere/plugin.so"):
            done = run(*SMALL, plugin=plugin)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("verified", done.stdout)
        self.assertIn("plugin.so", done.stderr)

    def test_table_is_aligned(self):
        lines = run(*SMALL, "--peers", "right").stdout.splitlines()
        places = [[i for i, c in enumerate(line) if c == "|"] for line in lines]
        self.assertGreaterEqual(len(lines), 4)
        self.assertTrue(all(place == places[0] for place in places), lines)

    def test_list(self):
        text = run("--list").stdout
        for word in ("few-unique", "segmented", "right", "missing", "cpu-foundation",
                     "heap-bitonic", "long-leaf"):
            self.assertIn(word, text)

    def test_nonsense_is_refused(self):
        for words in (["-n", "0"], ["-n", "x"], ["-t", "u33"], ["-d", "flat"], ["--repeat", "0"],
                      ["--operation", "shuffle"], ["--values", "3"], ["--peers", "nobody"],
                      ["--suite", "none"], ["--study", "none"], ["--min-time", "-1"], ["-t", "be:u32"], ["-n", "1,,2"],
                      ["--interface", "fax"], ["a-file"], ["--json", "/nowhere/x.json", *SMALL],
                      ["--operation", "argsort", "--values", "16"], ["-n", "1e99"],
                      ["--set", "block=64"], ["--algorithm", "lsd", "--set", "nonsense=1"],
                      ["--algorithm", "lsd", "--set", "block"],
                      ["--algorithm", "lsd", "--set", "block=x"],
                      ["--algorithm", "nobody", "--set", "block=1"]):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertTrue(done.stderr.startswith("consort bench: "), done.stderr)

    def test_more_than_there_is_memory_for_is_left_out(self):
        done = run("-n", "1e15")
        self.assertEqual(done.returncode, 0)
        self.assertIn("left out", done.stdout)

    def test_forms_and_interfaces(self):
        found = document(*SMALL, "--separate", "--interface", "plan,one-call", "--peers", "none")
        self.assertEqual(verdicts(found), {"consort": "verified", "consort/one-call": "verified"})
        self.assertEqual(found["results"][0]["form"], "separate")


class Turns(unittest.TestCase):
    """Numbers of threads are cases of their own, measured together."""

    def test_each_has_its_figures(self):
        found = document(*SMALL, "--threads", "2,1", "-t", "u32,u64", "--peers", "none")
        self.assertEqual([(result["type"], result["threads"]) for result in found["results"]],
                         [("u32", 2), ("u32", 1), ("u64", 2), ("u64", 1)])
        for result in found["results"]:
            self.assertEqual(result["pinned"], result["threads"] == 1)
            self.assertEqual(len(result["scores"][0]["samples_seconds"]), 2)

    def test_serial_peers_take_part_once(self):
        found = document(*SMALL, "--threads", "1,2,3", "--peers", "right,unsorted")
        names = [[score["name"] for score in result["scores"]] for result in found["results"]]
        self.assertEqual(names, [["consort", "right", "unsorted"], ["consort"], ["consort"]])
        self.assertEqual(verdicts(found), {"consort": "verified", "right": "verified",
                                           "unsorted": "FAILED"})


def has_matplotlib(python):
    return subprocess.run([python, "-c", "import matplotlib"], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


PYTHON = next(filter(has_matplotlib, ("python3", "/usr/bin/python3")), None)
# A heat map needs four distributions.
FIGURE = [*SMALL, "-d", "uniform,sorted,equal,zipf", "--peers", "none"]


class Figures(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def names(self, folder="figures"):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    @unittest.skipIf(PYTHON is None, "no Matplotlib")
    def test_beside_the_results(self):
        figures = self.folder / "figures"
        done = run(*FIGURE, "--plot", str(figures), "--plot-format", "svg,png")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        expected = ["bench-distributions-sort-u32-100-1t.png",
                    "bench-distributions-sort-u32-100-1t.svg", "bench.json"]
        self.assertEqual(self.names(), expected)
        self.assertEqual(sorted(done.stdout.splitlines()[-3:]),
                         [str(figures / name) for name in expected])
        self.assertEqual(json.loads((figures / "bench.json").read_text())["command"][-3:],
                         ["figures", "--plot-format", "svg,png"])

    @unittest.skipIf(PYTHON is None, "no Matplotlib")
    def test_of_results_that_are_kept_or_piped(self):
        kept = self.folder / "kept.json"
        done = run(*FIGURE, "--plot", str(self.folder), "--json", str(kept))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.names("."), ["kept-distributions-sort-u32-100-1t.svg", "kept.json"])
        piped = document(*FIGURE, "--plot", str(self.folder / "figures"))
        self.assertEqual(piped["results"], json.loads((self.folder / "figures" / "bench.json")
                                                      .read_text())["results"])

    def test_without_python_nothing_is_measured(self):
        done = run(*FIGURE, "--plot", str(self.folder / "figures"), CONSORT_PYTHON="/nowhere/python3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--plot: no Python with Matplotlib: install python3-matplotlib", done.stderr)
        self.assertEqual((done.stdout, self.names(".")), ("", []))

    def test_without_the_script(self):
        alone = self.folder / "consort"
        shutil.copy2(CONSORT, alone)
        done = run(*FIGURE, "--plot", str(self.folder), program=(str(alone), "bench"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("plot.py, which draws them, is not installed", done.stderr)

    def test_that_fail_leave_the_results(self):
        python = self.folder / "python"
        python.write_text("#!/bin/sh\n[ \"$1\" = -c ]\n")
        python.chmod(0o755)
        done = run(*FIGURE, "--plot", str(self.folder), CONSORT_PYTHON=str(python))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no figures: ", done.stderr)
        self.assertIn(f"figures later: {python} ", done.stderr)
        self.assertEqual(json.loads((self.folder / "bench.json").read_text())["format"],
                         "consort-bench")

    def test_nonsense_is_refused(self):
        for words in (["--plot", ""], ["--plot-format", "pdf"], ["--plot", "/nowhere/at/all"],
                      ["--json", "/nowhere/x.json"]):
            done = run(*FIGURE, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)


class Scripts(unittest.TestCase):
    """Each has a copy of results that are measured once."""
    @classmethod
    def setUpClass(cls):
        cls.measured = document("-t", "u8,u32,u64", "-n", "10,100,1000", "-d", "uniform,sorted,equal,zipf",
                                "--repeat", "2", "--min-time", "0")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "results.json"
        self.path.write_text(json.dumps(self.measured))

    def script(self, name, *arguments, good=0):
        done = run(*map(str, arguments), program=(sys.executable, str(SOURCE / "bench" / name)))
        self.assertEqual(done.returncode, good, done.stdout + done.stderr)
        return done.stdout

    def test_tables(self):
        for kind in ("machine", "types", "sizes", "distributions", "targets"):
            self.assertTrue(self.script("table.py", self.path, kind))
        text = self.script("table.py", self.path, "distributions", "keys=u32", "count=100")
        self.assertEqual([line.split("|")[1].strip() for line in text.splitlines()[2:]],
                         ["uniform", "sorted", "equal", "zipf"])

    def test_tables_in_documents(self):
        page = pathlib.Path(self.folder.name) / "page.md"
        page.write_text("a\n<!-- bench: results.json types -->\nold\n<!-- end bench -->\nz\n")
        self.script("table.py", "--check", page, good=1)
        self.script("table.py", "--update", page)
        self.script("table.py", "--check", page)
        text = page.read_text()
        self.assertIn("| u32", text)
        self.assertNotIn("old", text)
        self.assertTrue(text.startswith("a\n") and text.endswith("z\n"))

    def test_files(self):
        path = pathlib.Path(self.folder.name) / "files.json"
        done = run(CONSORT, "--bytes", "400000", "--rounds", "2", "--folder", self.folder.name,
                   "--json", str(path), program=(sys.executable, str(SOURCE / "bench/files.py")))
        self.assertEqual(done.stderr, "")
        found = json.loads(path.read_text())
        self.assertEqual(len(found["files"]), 5)
        for row, target in zip(found["files"], found["targets"], strict=True):
            parts = row["read_seconds"] + row["sort_seconds"] + row["write_seconds"]
            self.assertAlmostEqual(row["ratio"], row["file_seconds"] / parts)
            self.assertEqual(target["verdict"], "pass" if row["ratio"] <= 1.25 else "MISS")
            self.assertEqual([len(row["samples_seconds"][part]) for part in
                              ("read", "write", "file")], [2, 2, 2])
        self.assertEqual(done.returncode, int('"MISS"' in path.read_text()))
        self.assertNotIn(self.folder.name, path.read_text())
        self.assertIn("records of 100 bytes", self.script("table.py", path, "files"))
        self.assertEqual({path, self.path}, set(path.parent.iterdir()))

    def test_compare(self):
        self.assertIn(" same", self.script("compare.py", "--fail", self.path, self.path))
        slow = json.loads(self.path.read_text())
        for result in slow["results"]:
            for score in result["scores"]:
                if score["verdict"] == "verified":
                    score["median_seconds"] *= 100
        other = self.path.with_name("slow.json")
        other.write_text(json.dumps(slow))
        self.assertIn("slower", self.script("compare.py", "--fail", self.path, other, good=1))
        self.assertIn("faster", self.script("compare.py", "--fail", other, self.path))

    def test_name(self):
        self.assertRegex(self.script("results_file.py", "name", self.path).strip(),
                         r"^[a-z0-9-]+-\d+cpu-\d{4}-\d\d-\d\d-custom\.json$")

    def test_what_is_not_ours_is_refused(self):
        other = self.path.with_name("other.json")
        other.write_text("{}")
        self.script("table.py", other, "machine", good=1)
        self.script("compare.py", other, other, good=1)

    @unittest.skipIf(PYTHON is None, "no Matplotlib")
    def test_plots(self):
        done = run(str(self.path), "-o", self.folder.name, "--format", "svg,png",
                   program=(PYTHON, str(SOURCE / "bench" / "plot.py")))
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [pathlib.Path(line).name for line in done.stdout.splitlines()]
        for name in ("results-sizes-sort-u32-1t.svg", "results-types-1e3-1t.png",
                     "results-distributions-sort-u32-1e3-1t.svg"):
            self.assertIn(name, names)

    @unittest.skipIf(PYTHON is None, "no Matplotlib")
    def test_plots_of_a_study(self):
        kept = min((SOURCE / "bench" / "results").glob("*-study-textbook.json"))
        done = run(str(kept), "-o", self.folder.name,
                   program=(PYTHON, str(SOURCE / "bench" / "plot.py")))
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = {pathlib.Path(line).name.removeprefix(kept.stem + "-").split("-")[0].split(".")[0]
                 for line in done.stdout.splitlines()}
        self.assertEqual(drawn, {"times", "ranking"})


if __name__ == "__main__":
    unittest.main()
