# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Text that is no number: line, column, what it is.
try() { printf %b "$1" | consort sort -t "$2" --format text; echo "exit $?"; }
try '12\nab\n' u8
try '1\n\n2\n' u8
try '1\n   \n' u8
try '300\n' u8
try '  -1\n' u8
try '128\n' i8
try '1.5\n' i32
try '1 2\n' i32
try '7x\n' i32
try '-\n' i32
try '340282366920938463463374607431768211456\n' u128
try '1e999\n' f64
try '1e39\n' f32
try '65520\n' f16
try '1e\n' f32
try '0x10\n' f32
try 'nan(1)\n' f32
try '1\0\n' u8
try '1,5\n' f64
# What cannot be seen in a message is shown: marks at the beginning, blanks that are none, \r alone.
try '\xef\xbb\xbf1\n2\n' u8
try '1\n\xef\xbb\xbf2\n' u8
try '\xff\xfe1\0\n\0' u8
try '\xfe\xff\x001\0\n' u8
try '1\xc2\xa0\n' u8
try '1\xe2\x88\x922\n' i8
try '1\r2\r' u8
try "$(printf '%060d' 1)x" u8
printf '1\n2\nx' >a.txt
consort sort -t u8 a.txt
consort sort -t bytes:4 a.txt
consort sort a.txt
consort sort -t be:u16 a.txt
consort sort -t u16 --endian big a.txt
consort check -t u8 a.txt
echo "exit $?"
