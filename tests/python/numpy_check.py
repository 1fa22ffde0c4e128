#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cross-check with NumPy: the same bytes from consort's NUMPY_ORDER and from numpy.sort,
argsort, lexsort, searchsorted and partition, for all types, byte orders and many sizes.

    numpy_check.py LIBRARY [ROUNDS [SEED]]
"""

import sys

import numpy as np

from consort_ctypes import Consort

TYPES = ["i1", "u1"]
TYPES += [order + name for name in ("i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
          for order in "<>"]
TYPES += ["S%d" % length for length in (1, 2, 3, 5, 8, 16, 17, 40)]
SIZES = (0, 1, 2, 3, 31, 32, 33, 100, 257, 1000, 4097, 30000)


class Check:
    def __init__(self, path, seed):
        self.consort = Consort(path)
        self.random = np.random.default_rng(seed)
        self.done = 0

    def same(self, got, wanted, what):
        self.done += 1
        if got.tobytes() != wanted.tobytes():
            different = [i for i in range(len(got)) if got[i:i + 1].tobytes() !=
                         wanted[i:i + 1].tobytes()]
            raise SystemExit("FAILED %s: first difference at %d: %r, NumPy has %r" %
                             (what, different[0], got[different[0]], wanted[different[0]]))

    def bits(self, dtype, count):
        """Any bits: floats with NaNs, infinities, zeros and subnormals."""
        raw = self.random.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
        return raw.view(dtype) if count else np.empty(0, dtype)

    def array(self, dtype, count):
        shape = self.random.integers(0, 5)
        array = self.bits(dtype, count)
        if shape == 1 and count:
            array = self.bits(dtype, 5)[self.random.integers(0, 5, count)]
        elif shape == 2 and dtype.kind == "f":
            array = np.array([0.0, -0.0, 1.5, np.nan, -np.nan, np.inf, -np.inf, -1.5],
                             dtype)[self.random.integers(0, 8, count)]
        elif shape == 3:
            array = np.sort(array)
        elif shape == 4:
            array = np.sort(array)[::-1]
        return np.ascontiguousarray(array)

    def order(self, array, descending):
        """The stable permutation by NumPy's means."""
        if not descending:
            return np.argsort(array, kind="stable")
        if array.dtype.kind == "f":
            return np.argsort(-array, kind="stable")
        if array.dtype.kind == "S":
            backwards = len(array) - 1 - np.argsort(array[::-1], kind="stable")
            return backwards[::-1]
        return np.argsort(~array, kind="stable")

    def check_sort(self, name, count, descending):
        dtype = np.dtype(name)
        array = self.array(dtype, count)
        options = self.consort.options(descending)
        wanted = self.order(array, descending)
        what = "%s, %d items, descending %d" % (name, count, descending)
        out = np.empty_like(array)
        self.consort.sort(array, out, options)
        self.same(out, array[wanted], "sort " + what)
        if not descending:
            self.same(out, np.sort(array, kind="stable"), "np.sort " + what)
        in_place = array.copy()
        self.consort.sort(in_place, in_place, options)
        self.same(in_place, array[wanted], "sort in place " + what)
        for index in (np.uint32, np.uint64):
            indices = np.empty(count, index)
            self.consort.argsort(array, indices, options)
            self.same(indices, wanted.astype(index), "argsort " + what)
        values = [np.arange(count, dtype=np.uint16), self.bits(np.dtype("S13"), count)]
        moved = [np.empty_like(v) for v in values]
        self.consort.sort_pairs(array, out, values, moved, options)
        for before, after in zip(values, moved):
            self.same(after, before[wanted], "sort_pairs " + what)

    def check_merge(self, name, count):
        array = self.array(np.dtype(name), count)
        half = int(self.random.integers(0, count + 1))
        a, b = (np.sort(part, kind="stable") for part in (array[:half], array[half:]))
        out = np.empty_like(array)
        self.consort.merge(a, b, out, self.consort.options())
        self.same(out, np.sort(np.concatenate([a, b]).astype(array.dtype), kind="stable"), "merge " + name)
        place = np.searchsorted(a, b, side="right") + np.arange(len(b))
        wanted = np.empty_like(array)
        from_b = np.zeros(count, bool)
        from_b[place] = True
        wanted[from_b], wanted[~from_b] = b, a
        self.same(out, wanted, "merge by searchsorted " + name)

    def check_segments(self, name, count):
        array = self.array(np.dtype(name), count)
        cuts = np.sort(self.random.integers(0, count + 1, 12)).astype(np.uint64)
        wanted, out = array.copy(), np.empty_like(array)
        for first, last in zip(cuts[:-1].astype(int), cuts[1:].astype(int)):
            wanted[first:last] = np.sort(array[first:last], kind="stable")
        self.consort.segmented_sort(array, out, cuts, self.consort.options())
        self.same(out, wanted, "segmented sort " + name)

    def check_selection(self, name, count):
        array = self.array(np.dtype(name), count)
        k = int(self.random.integers(0, count + 1))
        keys, indices = np.empty(k, array.dtype), np.empty(k, np.uint64)
        self.consort.top_k(array, k, keys, indices, self.consort.options())
        wanted = np.argsort(array, kind="stable")[:k]
        self.same(keys, array[wanted], "top_k keys " + name)
        self.same(indices, wanted.astype(np.uint64), "top_k indices " + name)
        if 0 < k < count:
            least = np.sort(np.partition(array, k - 1)[:k])
            equal_nan = array.dtype.kind == "f"
            if not np.array_equal(keys, least, equal_nan=equal_nan):
                raise SystemExit("FAILED top_k against np.partition " + name)

    def check_disorder(self, name, count):
        array = np.sort(self.array(np.dtype(name), count))
        if count > 3 and self.random.integers(0, 2):
            i = int(self.random.integers(0, count - 1))
            array[i], array[i + 1] = array[i + 1].copy(), array[i].copy()
        greater = array[:-1] > array[1:]
        if array.dtype.kind == "f":
            greater |= np.isnan(array[:-1]) & ~np.isnan(array[1:])
        wanted = int(np.argmax(greater)) + 1 if greater.any() else count
        found = self.consort.first_disorder(array, self.consort.options())
        if found != wanted:
            raise SystemExit("FAILED is_sorted %s: %d, NumPy has %d" % (name, found, wanted))
        self.done += 1

    def check_records(self, count):
        names = list(self.random.choice(TYPES, self.random.integers(1, 5)))
        dtype = np.dtype([("f%d" % i, name) for i, name in enumerate(names)] + [("rest", "S3")],
                         align=False)
        array = np.empty(count, dtype)
        array["rest"] = self.bits(np.dtype("S3"), count)
        keys = list(self.random.permutation(len(names)))[:3]
        for i, name in enumerate(names):
            array["f%d" % i] = self.array(np.dtype(name), count)
        if count:
            few = "f%d" % keys[0]
            array[few] = array[few][self.random.integers(0, min(count, 4), count)]
        chosen = ["f%d" % i for i in keys]
        wanted = np.lexsort([array[name] for name in reversed(chosen)])
        out = np.empty_like(array)
        self.consort.sort_records(array, out, chosen, [False] * len(chosen))
        self.same(out, array[wanted], "records %s by %s" % (names, chosen))
        # NumPy's own order of structures: all fields, so that no other breaks a tie. Inside them it
        # has the NaNs of float16 before everything (1.24, HALF_compare), elsewhere after.
        if any(name.endswith("f2") for name in names):
            return
        every = list(array.dtype.names)
        self.consort.sort_records(array, out, every, [False] * len(every))
        self.same(out, np.sort(array, order=every, kind="stable"), "records by all fields")

    def run(self, rounds):
        for turn in range(rounds):
            for name in TYPES:
                for count in SIZES:
                    if turn or count < 30000 or name[-2:] in ("f8", "S5", "u2"):
                        self.check_sort(name, count, bool(self.random.integers(0, 2)))
                small = int(self.random.integers(0, 3000))
                self.check_merge(name, small)
                self.check_segments(name, small)
                self.check_selection(name, small)
                self.check_disorder(name, small)
            for count in SIZES[:-1] * 3:
                self.check_records(count)


def main():
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    check = Check(sys.argv[1], seed)
    check.run(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print("NumPy %s: %d results are the same, seed %d" % (np.__version__, check.done, seed))


if __name__ == "__main__":
    main()
