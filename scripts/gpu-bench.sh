#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the GPU engine on a GPU, beside CUB and Thrust, from a build made elsewhere.
#
#   scripts/gpu-bench.sh pack BUILD FOLDER       where it was built: copies the command of BUILD, its
#                                                peers (made now if they are not there, by nvcc) and
#                                                the libraries they need to FOLDER, with this script
#   FOLDER/gpu-bench.sh run [quick|full|fastest|segments|widths|skew|adversarial|replay|host|spread] [JSON]
#                                                where the GPU is: no packages, no compiler needed.
#                                                quick: a minute, every promise; full: eight, the sweeps;
#                                                fastest: four, what is asked for beyond the best peer;
#                                                segments: two, every length of segments beside the best peer;
#                                                widths: four, large lists of every width beside CUB;
#                                                skew: five, every distribution beside CUB;
#                                                adversarial: three, keys made against our own sorts;
#                                                replay: half a minute, how much runs differ;
#                                                host: a minute, arrays in host memory; spread: two, lists
#                                                in the memory of two and four GPUs
#   FOLDER/gpu-bench.sh study NAME [JSON]        a paper's experiment: consort bench --list names them
#
# The run ends with the table of targets or claims. A missed target is no failure; a wrong result is one, and
# makes the exit status 1. The JSON goes to the file named, by default results-quick.json beside
# the script; results_file.py names such files for bench/results/. A study's figures go beside its JSON if
# that machine has Python with Matplotlib; if not, plot.py draws them of the JSON anywhere.
set -euo pipefail

copy_libraries() {
    local program=$1 folder=$2 library
    ldd "$program" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
        case $library in
        */libc.so.* | */libm.so.* | */libpthread.so.* | */libdl.so.* | */librt.so.* | */ld-linux*) ;;
        *) cp -L "$library" "$folder/lib/" ;;
        esac
    done
}

pack() {
    local build=$1 folder=$2 plugin=$1/bench/libconsort_bench_cuda_peers.so
    local other
    mkdir -p "$folder/lib"
    cp "$0" "$folder/gpu-bench.sh"
    cp "$build/cli/consort" "$build/bench/plot.py" "$build/bench/results_file.py" "$folder/"
    copy_libraries "$build/cli/consort" "$folder"
    if cmake --build "$build" --target consort_bench_cuda_peers && [ -e "$plugin" ]; then
        cp "$plugin" "$folder/"
        copy_libraries "$plugin" "$folder"
    else
        echo "no peers: CUB and Thrust come with nvcc, which this build did not find" >&2
    fi
    # Studies set sorts of the CPU beside those of the GPU; a CCCL of one's own is there if it was asked for.
    for other in libconsort_bench_peers.so libconsort_bench_cccl_peers.so libconsort_bench_libcusort_peers.so; do
        if [ -e "$build/bench/$other" ]; then
            cp "$build/bench/$other" "$folder/"
            copy_libraries "$build/bench/$other" "$folder"
        fi
    done
    du -sh "$folder" | cut -f1 | sed "s|.*|packed & into $folder|"
}

run() {
    local kind=$1 name=$2 json=$3
    cd "$(dirname "$0")"
    unset CONSORT_CUDA_LIBRARY CONSORT_BENCH_PEERS
    export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm --format=csv,noheader || true
    ./consort bench "--$kind" "$name" --json "$json"
}

case ${1:-} in
pack)
    pack "${2:?usage: gpu-bench.sh pack BUILD FOLDER}" "${3:?usage: gpu-bench.sh pack BUILD FOLDER}"
    ;;
run)
    case ${2:-quick} in
    quick | full | fastest | segments | widths | skew | adversarial | replay | host | spread) run suite "gpu-${2:-quick}" "$(realpath -m "${3:-$(dirname "$0")/results-${2:-quick}.json}")" ;;
    *)
        echo "gpu-bench.sh: run quick, full, fastest, segments, widths, skew, adversarial, replay, host or spread, not $2" >&2
        exit 2
        ;;
    esac
    ;;
study)
    : "${2:?usage: gpu-bench.sh study NAME [JSON]}"
    run study "$2" "$(realpath -m "${3:-$(dirname "$0")/results-study-$2.json}")"
    ;;
*)
    sed -n '3,24s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
