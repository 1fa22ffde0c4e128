# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Which format a file has: by its extension, in capitals too, or by --format. What looks like
# another format than it is taken for is refused, so that no header is sorted with the items.
try() { consort "$@"; echo "exit $?"; }
consort gen -t u16 -n 5 -o in.NPY && head -c 6 in.NPY | od -An -c
consort gen -t u16 -n 5 -o in.TXT && consort sort -t u16 in.TXT | wc -l
consort gen -t u16 -n 5 -o raw.bin
cp in.NPY npy.bin
try sort in.NPY -o out.NPY
try sort -t u16 npy.bin -o out
try sort -t u16 <npy.bin
try check -t u16 - < <(cat npy.bin)
try sort -t u16 raw.bin npy.bin -o out
try sort --record 2 --key 0:2 in.NPY -o out
try sort --format npy npy.bin -o out && cmp out out.NPY && rm out
try sort -t u16 --format raw npy.bin -o out && rm out
try sort --record 2 --key 0:2 --format record in.NPY -o out && rm out
try sort -t u16 raw.bin -o out.npy
try sort -t u16 raw.bin -o out.txt
try sort -t u16 in.TXT -o out.npy
try sort in.NPY -o out.txt
try sort --record 2 --key 0:2 raw.bin -o out.txt
try sort -t u16 -o out.txt < <(seq 3)
try sort -t u16 --format text -o out.txt < <(seq 3 -1 1) && cat out.txt
try sort in.NPY -o out.bin
try sort -t u16 in.TXT -o out
ls
