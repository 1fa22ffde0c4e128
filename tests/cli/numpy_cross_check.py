# SPDX-License-Identifier: Apache-2.0
"""Sorts .npy files with consort and compares with numpy.sort; prints what differs."""
import itertools
import subprocess

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


def main():
    count = 0
    for dtype, shape, order in itertools.product(DTYPES, SHAPES, "CF"):
        for axis in range(len(shape)):
            problem = compare(np.dtype(dtype), shape, order, axis)
            count += 1
            if problem:
                print(dtype, shape, order, axis, problem)
    print(count, "arrays")


main()
