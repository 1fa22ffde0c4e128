# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# .npy files that are refused: dtypes without an order here, damaged, truncated and lying headers.
cp "$FIXTURES"/*.npy .
for name in scalar unicode complex object datetime; do
    consort sort $name.npy
    echo "exit $?"
done
consort sort zero-in-name.npy
consort sort dotted.npy
consort sort f4.npy matrix-c.npy
consort sort matrix-c.npy matrix-c.npy
consort sort f4.npy f2.npy
consort sort f4.npy --axis 1
consort sort matrix-c.npy --axis -3
consort sort matrix-c.npy --axis x
consort sort matrix-c.npy -t i32
consort sort matrix-c.npy --endian big
header() { # VERSION DICTIONARY: a header with a right length, padded to 128 bytes
    printf %b "\\x93NUMPY\\x0$1\\x00\\x76\\x00"
    printf '%-117s\n' "$2"
}
try() { # then 16 bytes of items
    { header 1 "$1"; printf '0123456789abcdef'; } >x.npy
    consort sort x.npy >/dev/null
    echo "exit $?"
}
try "{'descr': '<u4', 'fortran_order': False, 'shape': (4,), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (4,)}"
try '{"shape": (4L,), "fortran_order": True, "descr": "<u4"}'
try "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (18446744073709551615,), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (-4,), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': 4, }"
try "{'descr': '<u3', 'fortran_order': False, 'shape': (4,), }"
try "{'descr': '<q9', 'fortran_order': False, 'shape': (4,), }"
try "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }"
try "{'descr': '|V4', 'fortran_order': False, 'shape': (4,), }"
try "{'descr': '<u4', 'fortran_order': Maybe, 'shape': (4,), }"
try "{'descr': '<u4', 'shape': (4,), }"
try "{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (4,), }"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (4,), 'more': 1}"
try "{'descr': '<u4', 'fortran_order': False, 'shape': (4,), } x"
try "{'descr': '<u4"
try "{'descr': [('a', '<u4'), ('b', ], 'fortran_order': False, 'shape': (4,), }"
try "{'descr': [('a', '<u4'), ('b', '<u4'), ('a', '<u4')], 'fortran_order': False, 'shape': (4,), }"
for name in 'a\q' "a\\" '\x4' '\xg0' '\u263' '\U00110000'; do
    try "{'descr': [('$name', '<u4')], 'fortran_order': False, 'shape': (4,), }"
done
try "{'descr': [], 'fortran_order': False, 'shape': (4,), }"
try "import os"
for version in 0 4 9; do
    { header $version "{}"; } >x.npy
    consort sort x.npy
done
printf '\x93NUMP' >x.npy
consort sort x.npy
printf 'PK\x03\x04 this is a zip' >x.npy
consort sort x.npy
head -c 100 f4.npy >x.npy
consort sort x.npy
head -c 150 f4.npy >x.npy
consort sort x.npy
head -c 150 f4.npy | consort sort --format npy
printf '\x93NUMPY\x02\x00\xff\xff\xff\xff{}' >x.npy
consort sort x.npy
: >x.npy
consort sort x.npy
echo "exit $?"
printf '\x93NUMPY\x01\x00\xf6\x01%-501s\n' "{'descr': [('$(printf '%0256d' 1)', '<u4')], 'shape': (4,), }" >x.npy
consort sort x.npy
# Of several files the header has more: more than version 1.0 holds goes out in version 2.0.
{
    printf '\x93NUMPY\x01\x00\xf6\xff%-65509s%s' "{'descr': '|u1', 'fortran_order': False," "'shape': (9,), }"
    printf '\n987654321'
} >x.npy
consort sort x.npy x.npy -o y.npy && head -c 12 y.npy | od -An -tx1 && tail -c 18 y.npy && echo
consort check y.npy
echo "exit $?"
