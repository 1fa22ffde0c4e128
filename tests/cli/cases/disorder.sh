# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# check tells where and what; exit 0 sorted, 1 not sorted, 2 trouble.
try() { consort check "$@"; echo "exit $?"; }
printf 'aabc' | try -t u8
printf 'aacb' | try -t u8
printf 'cbaa' | try -t u8 -r
printf 'aab' | try -t u8 -r
printf '\x01\x00\x00\x00' | try -t be:u16
printf '\x00\x00\xc0\x7f\x00\x00\x80\x3f' | try -t f32
printf '\x00\x00\xc0\x7f\x00\x00\x80\x3f' | try -t f32 --float-order nan-first
printf 'b\x01"\\a\x00' | try -t bytes:3
printf '1\n2\n 1.5\n' | try -t f64 --format text
printf '10000000000000000000000000000000000000\n-1\n' | try -t i128 --format text
printf 'a1b0' | try --record 2 --key 1:1
printf '' | try -t u8
printf 'abc' | try -t u16
cp "$FIXTURES"/*.npy .
try matrix-c.npy
try matrix-c.npy --axis 0
try matrix-f.npy
try cube.npy --axis 1
try f2.npy
try s5.npy
try people.npy --key age
