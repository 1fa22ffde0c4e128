#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the GPU engine on a GPU, from a build made elsewhere.
#
#   scripts/gpu-check.sh pack BUILD FOLDER   where it was built: copies the test programs of BUILD and
#                                            the libraries they need to FOLDER, with this script
#   FOLDER/gpu-check.sh run [WHAT…]          where the GPU is: no packages, no compiler needed. WHAT: plain
#                                            (with large sizes), memcheck, racecheck, synccheck, initcheck;
#                                            all of it unless said
#
# The run ends with a table. A tool that the host lacks or refuses (profilers and sanitizers sometimes
# are), or that says itself that it lost track of what threads launched at once, is reported as refused;
# everything else that fails makes the exit status 1.
set -euo pipefail

die() {
    echo "gpu-check.sh: $*" >&2
    exit 2
}

pack() {
    local build=$1 folder=$2 program library
    mkdir -p "$folder/lib"
    cp "$0" "$folder/gpu-check.sh"
    for program in "$build"/tests/cuda/cuda_* "$build"/tests/operations/test_operations; do
        case $program in *_absent | *_failures | *_speed) continue ;; esac # the emulator's; times
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

# report VERDICT NAME SECONDS: a line of the table
report() {
    printf '%-8s %-44s %6s s\n' "$@"
}

# What a tool says that may not, or cannot, look.
refusals='Device not supported|not permitted|LibraryNotLoaded|track a kernel launch'

# attempt NAME COMMAND...: leaves its line in results/NAME, and its output beside it unless it passed
attempt() {
    local name=$1 began=$SECONDS status=0 verdict log
    log="results/${1//[ \/]/-}.log"
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    case $status in
    0) verdict=ok ;;
    77) verdict=skipped ;;
    *)
        verdict=FAILED
        if grep -qE "$refusals" "$log"; then
            verdict=refused
        fi
        ;;
    esac
    report "$verdict" "$name" $((SECONDS - began)) >"${log%.log}.line"
    case $verdict in ok | skipped) rm "$log" ;; esac
}

# in_background COMMAND...: waits while as many as there are processors run
in_background() {
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    "$@" &
}

# under_tool TOOL: every program, in shares (tests/cuda/trial_share.h) that run side by side. Racecheck
# makes the whole take an hour: it gets four shares of 29, a prime, so that no cycle of the trials is missed.
# It and initcheck lose track of what several threads launch at once: there launches take turns
# (tests/cuda/serial_launches.c). Initcheck finds nothing in memory that the tests have filled: they do not.
under_tool() {
    local tool=$1 program name run share of=4
    local -a with=()
    case $tool in
    racecheck) of=29 with=(CONSORT_TEST_SERIAL=1) ;;
    initcheck) with=(CONSORT_TEST_SERIAL=1 CONSORT_TEST_UNSET=1) ;;
    esac
    for program in ./cuda_*; do
        name=${program#./cuda_}
        case $name in
        device_huge*) continue ;; # too large
        host_arrays | multi_runs) run=1 ;;
        *) run=4 ;;
        esac
        for ((share = 0; share < run; share++)); do
            in_background attempt "$name $share/$of under $tool" \
                env CONSORT_TEST_SHARE=$share/$of "${with[@]}" \
                compute-sanitizer --tool "$tool" --error-exitcode 1 "$program"
        done
    done
}

# Side by side what shares the GPU, every operation on host arrays among it; then alone, one after the
# other, what fills the GPU's memory.
plainly() {
    local program operation
    for program in ./cuda_device_*; do
        case $program in *_huge*) continue ;; esac
        in_background attempt "${program#./cuda_}" env CONSORT_TEST_LARGE=1 "$program"
    done
    for operation in sort argsort merge segmented-sort top-k is-sorted; do
        in_background attempt "operations $operation" \
            env CONSORT_TEST_ENGINE=cuda ./test_operations pairwise "$operation"
    done
    wait
    for program in ./cuda_*; do
        case $program in
        ./cuda_device_huge*) ;;
        ./cuda_device_*) continue ;;
        esac
        attempt "${program#./cuda_}" env CONSORT_TEST_LARGE=1 "$program"
    done
}

run() {
    local what log failures
    [ $# -gt 0 ] || set -- plain memcheck racecheck synccheck initcheck
    cd "$(dirname "$0")"
    unset CONSORT_CUDA_LIBRARY CONSORT_TEST_SHARE
    export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    rm -rf results
    mkdir results
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
    for what in "$@"; do
        case $what in
        plain) plainly ;;
        memcheck | racecheck | synccheck | initcheck)
            if command -v compute-sanitizer >/dev/null; then
                under_tool "$what"
            else
                report refused "$what (not on this machine)" 0 >"results/$what.line"
            fi
            ;;
        *) die "run $what: not known" ;;
        esac
    done
    wait
    cat results/*.line
    for log in results/*.log; do
        if [ -e "$log" ]; then printf '%s:\n' "$log" && tail -30 "$log"; fi
    done
    failures=$(cat results/*.line | grep -c ^FAILED || true)
    echo "$(cat results/*.line | wc -l) run, $failures failed"
    [ "$failures" -eq 0 ]
}

case ${1:-} in
pack) pack "${2:?usage: gpu-check.sh pack BUILD FOLDER}" "${3:?usage: gpu-check.sh pack BUILD FOLDER}" ;;
run) run "${@:2}" ;;
*)
    sed -n '3,13s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
