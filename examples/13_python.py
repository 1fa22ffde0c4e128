# SPDX-License-Identifier: Apache-2.0
"""From Python with ctypes: sorts an array.array, and asks for the order of another.

    python3 13_python.py [libconsort.so]
"""
import array
import ctypes
import sys

U32 = 0x0104
F64 = 0x0308


class Error(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int32),
        ("os_error", ctypes.c_int32),
        ("driver_error", ctypes.c_int32),
        ("input_whole", ctypes.c_int32),
        ("message", ctypes.c_char_p),
    ]


def load(path):
    library = ctypes.CDLL(path)
    pointer, count, code = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int32
    library.consort_sort.argtypes = [pointer, pointer, count, code, pointer]
    library.consort_argsort.argtypes = [pointer, pointer, code, count, code, pointer]
    library.consort_last_error.restype = ctypes.POINTER(Error)
    return library


def check(library, status):
    if status != 0:
        raise RuntimeError(library.consort_last_error().contents.message.decode())


def main():
    library = load(sys.argv[1] if len(sys.argv) > 1 else "libconsort.so.0.1")
    values = array.array("d", [2.5, -1.0, 300.0, 0.0])
    order = array.array("I", [0] * len(values))
    address = values.buffer_info()[0]

    status = library.consort_argsort(
        address, order.buffer_info()[0], U32, len(values), F64, None
    )
    check(library, status)
    print("order: ", list(order))
    check(library, library.consort_sort(address, address, len(values), F64, None))
    print("sorted:", list(values))

    status = library.consort_sort(None, None, 4, F64, None)
    try:
        check(library, status)
    except RuntimeError as error:
        print("refused" if str(error) else "no message")


main()
