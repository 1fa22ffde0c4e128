# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Records by several keys; -r turns those round that do not say.
printf '%s' b2x a1x a2y b1z a1w >in
show() { consort sort --record 3 "$@" in | fold -w 3 | paste -sd ' '; }
show --key 0:1
show --key 0:1 --key 1:1
show --key 0:1:desc --key 1:u8
show --key 0:1:asc --key 1:1 -r
show --key 1:bytes:2
show --key 0:3 -r
consort check --record 3 --key 0:1 in
consort sort --record 3 --key 0:1 --key 1:1:desc in | consort check --record 3 --key 0:1 --key 1:u8:desc &&
    echo sorted
head -c 60000 /dev/zero >zeros
consort sort --record 600 --key 100:500 zeros | cmp - zeros && echo long keys
printf '\x01\x00\x00\x01' | consort sort --record 2 --key 0:u16 --endian big | od -An -tx1
printf '\x01\x00\x00\x01' | consort sort --record 2 --key 0:le:u16 --endian big | od -An -tx1

# More than is written at once; moved in memory (by force, or because it is short) and gathered when written.
consort gen -t bytes:7 -n 1300k -d few-unique -o many
consort sort --record 7 --key 2:3:desc --key 0:1 --algorithm merge many -o moved
consort sort --record 7 --key 2:3:desc --key 0:1 many -o gathered && cmp moved gathered && echo the same
consort sort --record 7 --key 2:3:desc --key 0:1 --memory 11M many | cmp - moved && echo in place
