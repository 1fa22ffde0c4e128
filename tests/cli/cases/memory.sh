# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Too little memory, by --memory: an error that names what is needed, nothing lost.
consort gen -t u64 -n 2M -o in.bin
cksum <in.bin >before
consort sort -t u64 --memory 1M in.bin -o in.bin
echo "exit $?"
consort sort -t u64 --memory 64M in.bin | consort check -t u64 && echo enough
# In place: no room for a second copy.
consort sort -t u64 --memory 17M in.bin | consort check -t u64 && echo in place
consort sort -t i64 --memory 40K --format text < <(seq 5000)
echo "exit $?"
consort gen -t bytes:1 -n 1000 | consort sort --record 1 --key 0:1 --memory 1K | wc -c
cksum <in.bin | cmp - before && ls
