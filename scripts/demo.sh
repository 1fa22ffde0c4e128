#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The demonstration: on a fresh machine installs what is missing, builds, then makes a file of
# random numbers, sorts it and checks it, and says how long each took.
# CONSORT_DEMO_COUNT numbers instead of what fits; CONSORT_DEMO_DIR instead of a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

# As many numbers as a quarter of the free memory and of the free disk hold, at most 10^8.
fitting_count() {
    local memory disk least
    memory=$(awk '$1 == "MemAvailable:" { print int($2 * 1024 / 16) }' /proc/meminfo)
    disk=$(df --output=avail -B16 "$1" | tail -1)
    least=$((memory < disk ? memory : disk))
    echo $((least < 100000000 ? least : 100000000))
}

# timed WORDS COMMAND...: shows the command, runs it, says time and rate.
timed() {
    local words=$1 start spent
    shift
    printf '\n%s$ consort %s%s\n' "$bold" "$*" "$plain"
    start=$(milliseconds)
    "$consort" "$@"
    spent=$(($(milliseconds) - start))
    awk -v words="$words" -v bytes="$bytes" -v count="$count" -v ms=$((spent > 0 ? spent : 1)) 'BEGIN {
        printf "%s in %.2f s: %.2f GB/s, %.0f million numbers/s\n",
            words, ms / 1e3, bytes / ms / 1e6, count / ms / 1e3 }'
}

began=$(milliseconds)
say "1. Packages and build"
scripts/packages.sh build
# Compiling GPU kernels takes minutes, which only a machine with a GPU gives back.
if [ -e /dev/nvidiactl ]; then
    CONSORT_BUILD_TREE=build/release scripts/build.sh | tail -1
    consort=$PWD/build/release/cli/consort
else
    CONSORT_BUILD_TREE=build/demo scripts/build.sh -DCONSORT_BUILD_KERNELS=OFF | tail -1
    consort=$PWD/build/demo/cli/consort
fi

folder=$(mktemp -d "${CONSORT_DEMO_DIR:-${TMPDIR:-/tmp}}/consort-demo.XXXXXX")
trap 'rm -rf "$folder"' EXIT
count=${CONSORT_DEMO_COUNT:-$(fitting_count "$folder")}
bytes=$((count * 4))
cd "$folder"

echo
say "2. A file of $count random 32-bit floats ($((bytes / 1000000)) MB)"
timed "made" gen -t f32 -n "$count" -d uniform --seed 1 -o random.f32
echo
say "3. Sort it"
timed "read, sorted and written" sort -t f32 -o sorted.f32 random.f32
echo
say "4. Check it"
timed "checked" check -t f32 sorted.f32

echo
say "5. Text works too"
printf '%s$ printf '\''10\\n-2.5\\n1e3\\n9\\n'\'' | consort sort -t f64 --format text -%s\n' "$bold" "$plain"
printf '10\n-2.5\n1e3\n9\n' | "$consort" sort -t f64 --format text -
echo
good "That was all of it, in $(duration $(($(milliseconds) - began))). Next: README.md, consort --help, examples/."
