#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the command and its peers (build/bench), runs a suite and files what comes out:
# bench/measure.sh [SUITE]. JSON and figures go to bench/results/, named by device, date and suite;
# the table goes to standard output. Nothing else should run on the machine meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${1:-cpu-foundation}
build=build/bench
consort=$build/cli/consort
results=bench/results
load=$(cut -d ' ' -f 1 /proc/loadavg)
# Kernels take a quarter of an hour to compile.
case $suite in cpu-*) kernels=OFF ;; *) kernels=ON ;; esac

mkdir -p build
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DCONSORT_BUILD_BENCH=ON \
    -DCONSORT_BUILD_TESTS=OFF -DCONSORT_BUILD_EXAMPLES=OFF -DCONSORT_BUILD_EMU=OFF \
    -DCONSORT_BUILD_DOCS=OFF -DCONSORT_BUILD_KERNELS=$kernels >"$build.log"
cmake --build "$build" --parallel "$(nproc)" >>"$build.log" || {
    tail "$build.log" >&2
    exit 2
}

python=
for candidate in "${CONSORT_PYTHON:-}" python3 /usr/bin/python3; do
    if [ -n "$candidate" ] && "$candidate" -c 'import matplotlib' 2>/dev/null; then
        python=$candidate
        break
    fi
done

mkdir -p "$results"
temporary=$(mktemp "$results/measuring-XXXXXX")
trap 'rm -f "$temporary"' EXIT
echo "load before the build: $load"
"$consort" bench --suite "$suite" --json "$temporary"

name=$("${python:-python3}" bench/results_file.py name "$temporary")
chmod 644 "$temporary"
mv "$temporary" "$results/$name"
trap - EXIT
echo "$results/$name"
if [ -n "$python" ]; then
    "$python" bench/plot.py "$results/$name"
else
    echo "no Python with Matplotlib (python3-matplotlib): no figures" >&2
fi
