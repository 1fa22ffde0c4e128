# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Large files are sorted while they are read and written: the same bytes as when sorted whole, which
# a forced algorithm still means.
same() {
    consort sort "$@" --algorithm msd -o whole && consort sort "$@" -o pieces && cmp whole pieces &&
        echo "same: $*"
}
consort gen -t f32 -d nans -n 17M --seed 3 -o nans.f32
consort gen -t u64 -d zipf -n 9M --seed 4 -o zipf.u64
consort gen -t i64 -n 9M --seed 5 -o in.npy
consort gen -t u16 -n 34M --seed 6 -o in.u16
same -t f32 nans.f32
same -t f32 -r --float-order total nans.f32
same -t u64 zipf.u64
same -t be:u64 --threads 1 zipf.u64
same in.npy
same -t u16 in.u16
same -t be:f16 -r in.u16
same -t i8 in.u16

# What was chosen shows in the log.
chosen() { CONSORT_LOG=info consort sort "$@" 2>&1 >/dev/null | grep -c "by pieces on cpu"; }
chosen -t u64 zipf.u64 -o out
chosen -t u64 --algorithm pieces --set piece=64 --set buckets=16 zipf.u64 -o out
cmp out <(consort sort -t u64 --algorithm msd zipf.u64)
chosen -t u64 zipf.u64
chosen -t u64 zipf.u64 zipf.u64 -o out
chosen -t u64 --algorithm msd zipf.u64 -o out
chosen -t u64 --memory 80M zipf.u64 -o out
chosen -t u16 in.u16 -o out.u16

# Keys of 8 and 16 bits take no memory as long as the file.
consort sort -t u16 --threads 2 --memory 20M in.u16 -o small.u16 && cmp small.u16 out.u16

consort sort -t u64 zipf.u64 -o out --progress 2>&1 | cut -d ' ' -f 1 | sort -u

# Onto the input, by a name of it; and what is no whole number of items.
cp zipf.u64 copy.u64
ln -s copy.u64 link
consort sort -t u64 link -o copy.u64 && cmp copy.u64 out && echo in place
printf x >>nans.f32
consort sort -t f32 nans.f32 -o pieces
echo "exit $?"
cmp -s pieces out || echo kept

# Strings of no bytes, and bytes behind them.
printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '|S0', 'fortran_order': False, 'shape': (3,)}" >empty.npy
truncate -s 65M empty.npy
consort sort empty.npy -o out.npy
echo "exit $?"
