# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Lines come out as they went in: blanks, signs, CRLF, a missing last newline, stable by value.
printf ' 3\n+1\n-7 \n001\n1\n' | consort sort -t i32 --format text | cat -A
printf '3\r\n\t1\r\n2' | consort sort -t u8 --format text | cat -A
printf '2\n1' >a.txt
printf '4\n3' >b.txt
consort sort -t u8 b.txt a.txt
consort sort -t u8 -r a.txt -o a.txt && cat a.txt
printf '1e3\n-inf\nNaN\n.5\n5.\n-0\n0\n-nan\nInfinity\n1e-400\n' | consort sort -t f64 --format text | paste -sd ' '
printf '170141183460469231731687303715884105727\n-170141183460469231731687303715884105728\n0\n' |
    consort sort -t i128 --format text
printf '340282366920938463463374607431768211455\n18446744073709551616\n' | consort sort -t u128 --format text
printf '' | consort sort -t i32 --format text | wc -c
# 2049 is exactly between two binary16 numbers, and 1.0009765625 + 2^-60 just above the middle.
printf '2050\n2049.0000000000000000000000000000001\n2049\n2048\n' | consort sort -t f16 --format text | paste -sd ' '
seq 200000 -1 1 | consort sort -t u32 --format text | cmp - <(seq 1 200000) && echo many
for type in u8 i64 u128 f16 bf16 f32 f64; do
    consort gen -t $type -n 3000 --seed 5 -o n.txt
    consort gen -t $type -n 3000 --seed 5 -o n.bin
    consort sort -t $type n.bin -o n.bin
    consort sort -t $type n.txt | consort check -t $type --format text && echo "$type $(wc -l <n.txt)"
done
# A file that says it has a page and has a line.
if [ -r /sys/class/net/lo/mtu ]; then
    consort sort -t u32 --format text /sys/class/net/lo/mtu | cmp - /sys/class/net/lo/mtu
fi
