# SPDX-License-Identifier: Apache-2.0
"""What the NumPy cross-check needs of consort.h, called through ctypes on NumPy arrays."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

NATIVE, LITTLE, BIG = 0, 1, 2
U32, U64, RECORD = 0x0104, 0x0108, 0x0600
NUMPY_ORDER = 3


class Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("context", c_void_p),
        ("direction", c_int32),
        ("float_order", c_int32),
        ("stable", c_int32),
        ("engine", c_int32),
        ("device", c_int32),
        ("threads", c_uint32),
        ("algorithm", c_char_p),
        ("parameters", c_void_p),
        ("parameter_count", c_uint64),
        ("workspace_limit", c_uint64),
    ]


class Column(Structure):
    _fields_ = [
        ("into", c_void_p),
        ("out", c_void_p),
        ("in_b", c_void_p),
        ("element_bytes", c_uint64),
    ]


class Field(Structure):
    _fields_ = [
        ("offset", c_uint64),
        ("type", c_int32),
        ("direction", c_int32),
        ("float_order", c_int32),
        ("reserved", c_int32),
    ]


class Error(Structure):
    _fields_ = [
        ("status", c_int32),
        ("os_error", c_int32),
        ("driver_error", c_int32),
        ("input_whole", c_int32),
        ("message", c_char_p),
    ]


def type_of(dtype):
    """The consort_type of a NumPy scalar type."""
    kind = {"u": 1, "i": 2, "f": 3, "S": 5}[dtype.kind]
    order = 0
    if dtype.kind != "S":
        order = {"<": LITTLE, ">": BIG}.get(dtype.byteorder, NATIVE)
    return kind << 8 | dtype.itemsize | order << 16


def address(array):
    return array.ctypes.data


class Consort:
    """The library; every method raises if the call fails."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.consort_last_error.restype = POINTER(Error)

    def options(self, descending=False, **members):
        options = Options()
        self.library.consort_options_init(ctypes.byref(options))
        options.direction = int(descending)
        options.float_order = NUMPY_ORDER
        for name, value in members.items():
            setattr(options, name, value)
        return options

    def call(self, name, *arguments):
        wide = [c_uint64(a) if isinstance(a, int) else a for a in arguments]
        if getattr(self.library, name)(*wide) != 0:
            raise RuntimeError(name + ": " + self.library.consort_last_error()[0].message.decode())

    def sort(self, array, out, options):
        self.call("consort_sort", address(array), address(out), len(array), type_of(array.dtype),
                  ctypes.byref(options))

    def sort_pairs(self, array, out, values, values_out, options):
        columns = (Column * len(values))()
        for column, before, after in zip(columns, values, values_out):
            column.into, column.out = address(before), address(after)
            column.element_bytes = before.dtype.itemsize
        self.call("consort_sort_pairs", address(array), address(out), columns, len(values),
                  len(array), type_of(array.dtype), ctypes.byref(options))

    def argsort(self, array, indices, options):
        index_type = U32 if indices.dtype.itemsize == 4 else U64
        self.call("consort_argsort", address(array), address(indices), index_type, len(array),
                  type_of(array.dtype), ctypes.byref(options))

    def sort_records(self, array, out, names, descending):
        fields = (Field * len(names))()
        for field, name, down in zip(fields, names, descending):
            dtype, field.offset = array.dtype.fields[name][:2]
            field.type, field.direction, field.float_order = type_of(dtype), int(down), NUMPY_ORDER
        self.call("consort_sort_records", address(array), address(out), len(array),
                  array.dtype.itemsize, fields, len(names), None)

    def merge(self, a, b, out, options):
        self.call("consort_merge", address(a), len(a), address(b), len(b), address(out), None, 0,
                  type_of(a.dtype), ctypes.byref(options))

    def segmented_sort(self, array, out, offsets, options):
        offset_type = U32 if offsets.dtype.itemsize == 4 else U64
        self.call("consort_segmented_sort", address(array), address(out), len(array),
                  address(offsets), offset_type, len(offsets) - 1, None, 0, type_of(array.dtype),
                  ctypes.byref(options))

    def top_k(self, array, k, keys, indices, options):
        self.call("consort_top_k", address(array), len(array), k, address(keys), address(indices),
                  U64, type_of(array.dtype), ctypes.byref(options))

    def first_disorder(self, array, options):
        found = c_uint64()
        self.call("consort_is_sorted", address(array), len(array), type_of(array.dtype),
                  ctypes.byref(options), ctypes.byref(found))
        return found.value
