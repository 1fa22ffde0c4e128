# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Structured dtypes: keys are fields, padding and everything else goes with the item.
cp "$FIXTURES"/*.npy .
names() { consort sort people.npy "$@" | tail -c 96 | od -An -v -w16 -c | cut -c 1-16 | tr -d ' \\0' | paste -sd ' '; }
names --key age
names --key age:desc --key name=1st
names --key name=1st:desc
names --key name -r
names
consort sort people.npy --key age -o sorted.npy
consort check sorted.npy --key age && echo sorted
consort check sorted.npy --key age --key name=1st
consort sort nested.npy --key at.x | tail -c 48 | od -An -tu4 -w16
consort sort nested.npy
consort sort nested.npy --key v
# Names are Latin-1 before version 3.0, and what a user writes is UTF-8.
consort sort latin.npy --key größe | tail -c 12 | od -An -tu2
consort sort latin.npy --key é:desc | tail -c 12 | od -An -tu2
consort sort latin.npy --key e
consort sort people.npy --key nobody
consort sort people.npy --key 1st
consort sort people.npy nested.npy --key age
consort sort f4.npy --key age
# Names that NumPy writes with escapes, and names that look like a part of --key.
by() { consort sort "$@" | tail -c "$bytes" | od -An -v -tu1 -w$((bytes / 3)); }
bytes=21
by names.npy --key "it's \"x\""
by names.npy --key 'back\slash:desc'
by names.npy --key $'two\nlines\t'
by names.npy --key $'\xc2\x80:desc'
by names.npy --key x:desc:asc
by names.npy --key x:desc:desc
by names.npy --key name=x:desc:asc
by names.npy --key name=name=q
by names.npy --key t:desc
consort sort names.npy --key x:desc
consort sort names.npy --key name=x:desc
consort sort names.npy --key nobody
bytes=9
by names3.npy --key 日本
by names3.npy --key $'line\xe2\x80\xa8:desc'
by names3.npy --key $'tag\xf3\xa0\x80\x81'
consort sort names.npy names.npy --key t | head -c 10 | od -An -tx1
