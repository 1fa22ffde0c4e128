# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Every type, both directions and byte orders: sorted, and nothing lost.
for type in i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 f16 bf16 f32 f64 be:u32 le:f64 be:i16; do
    consort gen -t $type -n 5000 -d uniform -o in.bin
    consort sort -t $type in.bin -o up.bin && consort check -t $type up.bin &&
        consort sort -t $type -r in.bin | consort check -t $type -r && echo "$type sorted"
    cmp <(consort sort -t $type -r in.bin | consort sort -t $type) up.bin
done
for type in bytes:1 bytes:7 bytes:16 bytes:255; do
    consort gen -t $type -n 500 -o in.bin
    consort sort -t $type in.bin | consort check -t $type && echo "$type sorted"
done
