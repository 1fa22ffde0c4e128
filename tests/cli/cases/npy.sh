# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# .npy files written by NumPy: the header stays, the items are sorted.
cp "$FIXTURES"/*.npy .
sorted() { # FORMAT FILE [OPTION...]: sorts it, checks it, prints the items as od does
    read -ra format <<<"$1"
    file=$2
    shift 2
    consort sort "$file" "$@" -o out.npy && consort check out.npy "$@" || return
    bytes=$(($(wc -c <"$file") > 128 ? 128 : 0))
    cmp -n $bytes "$file" out.npy
    tail -c +129 out.npy | od -An -v "${format[@]}"
}
sorted -tf4 f4.npy
sorted -tf4 f4.npy --float-order numpy -r
sorted -tx1 f8-big.npy
sorted -tx2 f2.npy
sorted -tu1 bool.npy -r
sorted -tc s5.npy
sorted '-td4 -w20' matrix-c.npy
sorted '-td4 -w20' matrix-c.npy --axis 0
sorted '-td4 -w20' matrix-c.npy --axis -2 -r
sorted '-tx1 -w6' matrix-f.npy
sorted '-tx1 -w6' matrix-f.npy --axis 0
for axis in 0 1 2; do
    sorted '-tu1 -w12' cube.npy --axis $axis
done
sorted -tu8 version2.npy
sorted -tu8 version3.npy
for name in empty s0; do
    consort sort $name.npy | cmp - $name.npy && echo "$name unchanged"
done
consort sort --format npy <version2.npy | tail -c 24 | od -An -tu8
consort sort version2.npy version2.npy | od -An -c | head -n 8
