# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The same seed makes the same keys, in any format and however many threads.
consort gen --list
for distribution in $(consort gen --list | cut -d ' ' -f 1); do
    for type in u32 f64 bytes:5; do
        consort gen -t $type -n 1000 -d "$distribution" --seed 3 2>/dev/null | cksum
    done
done | paste -sd ' ' | fold -w 96
consort gen -t u32 -n 3000000 --seed 9 --threads 1 -o one
consort gen -t u32 -n 3000000 --seed 9 --threads 7 -o seven && cmp one seven
consort gen -t u32 -n 3000000 --seed 9 | cmp - one
consort gen -t u32 -n 3000000 --seed 9 -o three.npy && tail -c +129 three.npy | cmp - one
head -c 128 three.npy | od -An -c | head -n 6
consort gen -t bytes:7 -n 2^21 -o odd --threads 2
consort gen -t bytes:7 -n 2^21 --threads 1 | cmp - odd && wc -c <odd
consort gen -t be:u32 -n 2 --seed 9 | od -An -tx1
consort gen -t u32 -n 2 --seed 9 --endian little | od -An -tx1
consort gen -t u32 -n 2 --seed 9 --format text
consort gen -t i32 -n 70000 -d sorted --format text | consort check -t i32 --format text && echo sorted
consort gen -t u8 -n 0 | wc -c
consort gen -t u8 -n 0 -o zero.npy && wc -c <zero.npy
consort gen -t u8 -n 2k | wc -c
consort gen -t u8 -n 2e3 | wc -c
