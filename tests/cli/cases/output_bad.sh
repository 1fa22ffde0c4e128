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
# A pipe that its reader closed kills, as it kills others in a pipeline, without a word; where it
# must not it is an error like any other.
mkfifo pipe
exec 3<>pipe
exec 4>pipe 3<&-
for kind in default ignore; do
    for command in 'sort -t u32 in' 'gen -t u32 -n 300k' info 'sort --help'; do
        # shellcheck disable=SC2086 # words
        env --$kind-signal=PIPE consort $command >&4
        echo "$kind $command: exit $?"
    done
done
exec 4>&-
rm pipe
consort sort -t u32 in | head -c 1 | wc -c
ls -A
