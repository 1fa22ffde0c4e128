#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the GPU engine on a GPU, from a build made elsewhere.
#
#   scripts/gpu-check.sh pack BUILD FOLDER   where it was built: copies the test programs of BUILD and
#                                            the libraries they need to FOLDER, with this script
#   FOLDER/gpu-check.sh run                  where the GPU is: no packages, no compiler needed
#
# The run ends with a table. A tool that the host refuses (profilers and sanitizers sometimes are)
# is reported as refused; everything else that fails makes the exit status 1.
set -euo pipefail

pack() {
    local build=$1 folder=$2 program library
    mkdir -p "$folder/lib"
    cp "$0" "$folder/gpu-check.sh"
    for program in "$build"/tests/cuda/cuda_*; do
        if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
        cp "$program" "$folder/"
        ldd "$program" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
            case $library in
            */libc.so.* | */libm.so.* | */libpthread.so.* | */libdl.so.* | */ld-linux*) ;;
            *) cp -L "$library" "$folder/lib/" ;;
            esac
        done
    done
    du -sh "$folder" | cut -f1 | sed "s|.*|packed & into $folder|"
}

results=()
failures=0

# record VERDICT NAME SECONDS
record() {
    results+=("$(printf '%-8s %-44s %6s s' "$1" "$2" "$3")")
    [ "$1" != FAILED ] || failures=$((failures + 1))
}

# attempt NAME COMMAND...: its output goes to a log whose end is shown if it fails
attempt() {
    local name=$1 began=$SECONDS status=0 log
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    case $status in
    0) record ok "$name" $((SECONDS - began)) ;;
    77) record skipped "$name" $((SECONDS - began)) ;;
    *)
        if grep -qE 'Device not supported|not permitted|LibraryNotLoaded' "$log"; then
            record refused "$name" $((SECONDS - began))
        else
            tail -30 "$log"
            record FAILED "$name" $((SECONDS - began))
        fi
        ;;
    esac
    rm -f "$log"
}

run() {
    local program tool name
    cd "$(dirname "$0")"
    unset CONSORT_CUDA_LIBRARY
    export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
    for program in ./cuda_*; do
        name=${program#./cuda_}
        attempt "$name" env CONSORT_TEST_LARGE=1 "$program"
        for tool in memcheck racecheck synccheck initcheck; do
            if command -v compute-sanitizer >/dev/null; then
                attempt "$name under $tool" compute-sanitizer --tool "$tool" --error-exitcode 1 \
                    "$program"
            else
                record skipped "$name under $tool" 0
            fi
        done
    done
    printf '%s\n' "${results[@]}"
    echo "$((${#results[@]} - failures)) passed, $failures failed"
    [ $failures -eq 0 ]
}

case ${1:-} in
pack) pack "${2:?usage: gpu-check.sh pack BUILD FOLDER}" "${3:?usage: gpu-check.sh pack BUILD FOLDER}" ;;
run) run ;;
*)
    sed -n '3,11s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
