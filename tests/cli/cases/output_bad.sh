# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Targets that cannot be written: the old file stays whole, and nothing lies beside it.
consort gen -t u32 -n 300k -o in
try() { consort sort -t u32 in -o "$1"; echo "exit $?"; }
try /dev/full
consort sort -t u32 in >/dev/full
echo "exit $?"
consort gen -t u32 -n 1M >/dev/full
echo "exit $?"
consort info >/dev/full
echo "exit $?"
consort sort --help >/dev/full
echo "exit $?"
try .
try missing/out
try in/out
ln -s loop loop
try loop
try "$(printf 'x%.0s' {1..300})" 2>&1 | tail -n 1
consort sort -t u32 in >&-
echo "exit $?"
(
    ulimit -f 100
    try out
)
ls -A
# A closed pipe: an error like any other, also where it would kill.
consort sort -t u32 in | head -c 1 | wc -c
echo "${PIPESTATUS[0]}"
consort gen -t u32 -n 10000000 | head -c 1 >/dev/null
echo "${PIPESTATUS[0]}"
ls -A
