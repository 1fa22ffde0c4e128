# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Float orders, stability of -0 and 0 under numpy's, big-endian input, 0 bytes.
floats() { printf '\x00\x00\xc0\x7f\x00\x00\x80\xbf\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\xc0\xff\x00\x00\x80\x7f'; }
for order in nan-last nan-first total numpy; do
    echo "$order: $(floats | consort sort -t f32 --float-order $order | od -An -tx4 -w24)"
    echo "$order -r: $(floats | consort sort -t f32 -r --float-order $order | od -An -tx4 -w24)"
done
printf '\x00\x02\x01\x00\x00\x01' | consort sort -t u16 --endian big | od -An -tx1
printf '\x00\x02\x01\x00\x00\x01' | consort sort -t u16 --endian little | od -An -tx1
printf '\x00\x02\x01\x00\x00\x01' | consort sort -t be:u16 | od -An -tx1
: >empty
consort sort -t u64 empty -o out && wc -c <out
consort check -t u64 empty && echo empty is sorted
consort sort -t u64 </dev/null | wc -c
# One key of several is enough.
printf '1\x00\x00\x00\x001\x00\x00\x00\x800\x00\x00\x80\x3f' |
    consort sort --record 5 --key 0:u8 --key 1:f32 --float-order numpy | od -An -tx1
