# SPDX-License-Identifier: Apache-2.0
"""Sorts .npy files with consort and compares with numpy.sort; prints what differs."""
import itertools
import os
import subprocess
import warnings

import numpy as np

random = np.random.default_rng(1)
DTYPES = "u1 i1 <u2 >i2 <i4 >u4 <u8 >i8 <f2 >f2 <f4 >f4 <f8 >f8 ? S0 S1 S5 S255 S300".split()
SHAPES = [(0,), (1,), (1000,), (7, 13), (5, 0), (4, 5, 6), (2, 1, 3, 2)]


def items(dtype, count):
    if dtype.kind == "f":
        values = random.standard_normal(count).astype(dtype)
        values[random.random(count) < 0.1] = np.nan
        values[random.random(count) < 0.1] = -0.0
        return values
    if dtype.kind == "S":
        lengths = random.integers(0, dtype.itemsize + 1, count)
        return np.array([random.integers(65, 68, n, "u1").tobytes() for n in lengths], dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, count).astype(dtype)
    return random.integers(0, 256, count * dtype.itemsize).astype("u1").view(dtype)


def consort(*arguments):
    return subprocess.run(["consort", *arguments], capture_output=True, text=True)


def compare(dtype, shape, order, axis):
    array = np.array(items(dtype, int(np.prod(shape))).reshape(shape), order=order)
    np.save("in.npy", array)
    options = ["--axis", str(axis), "--float-order", "numpy"]
    result = consort("sort", "in.npy", "-o", "out.npy", *options)
    if result.returncode != 0:
        return result.stderr
    out = np.load("out.npy")
    expected = np.sort(array, axis=axis, kind="stable")
    if out.dtype != array.dtype or out.flags.f_contiguous != array.flags.f_contiguous:
        return "the header changed"
    if out.tobytes() != expected.tobytes():
        return "the items differ"
    if consort("check", "out.npy", *options).returncode != 0:
        return "check finds it unsorted"
    unsorted = array.tobytes() != expected.tobytes()
    if consort("check", "in.npy", *options).returncode != unsorted:
        return "check is wrong about the input"
    return None


NAMES = ["'", '"', "'\"", "\\", "\\\\n", "\n\r\t", "\a\x1b\x7f", "\x80\xff\xad", "é\\'\"", "日本", "\u2028\u200b",
         "😀", "\U000e0001", "é日\\", "x:desc", "name=x", "0:1", "a b", "'descr': [(", "{}()[],", "\\x41"]


def compare_name(name):
    """Each name beside another, under a title, and in a nested dtype."""
    values = random.integers(0, 256, (2, 50)).astype("u1")
    plain = np.zeros(50, [("first", "u1"), (name, "u1")])
    titled = np.zeros(50, [("first", "u1"), (("the " + name, name), "u1")])
    nested = np.zeros(50, [("first", "u1"), (name, [(name, "u1")])])
    for array in plain, titled, nested:
        array["first"] = values[0]
        key = array[name] if array is not nested else array[name][name]
        key[:] = values[1]
        np.save("in.npy", array)
        field = name if array is not nested else name + "." + name
        result = consort("sort", "in.npy", "--key", "name=" + field + ":asc", "-o", "out.npy")
        if result.returncode != 0:
            return result.stderr
        if np.load("out.npy").tobytes() != array[np.argsort(key, kind="stable")].tobytes():
            return "the items differ"
    return None


def main():
    warnings.simplefilter("ignore")
    arrays = [(dtype, shape, order, axis) for dtype, shape, order in itertools.product(DTYPES, SHAPES, "CF")
              for axis in range(len(shape))]
    # Under a sanitizer a command takes many times as long to start: of three arrays it sorts one, of all kinds.
    share = 3 if "CONSORT_TEST_TRIALS" in os.environ else 1
    for dtype, shape, order, axis in arrays[::share]:
        problem = compare(np.dtype(dtype), shape, order, axis)
        if problem:
            print(dtype, shape, order, axis, problem)
    for name in NAMES:
        problem = compare_name(name)
        if problem:
            print(repr(name), problem)
    print(len(arrays), "arrays", len(NAMES), "names")


main()
