#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build into a folder, moves it, and uses it as somebody else would.
#     package.sh BUILD install|pkgconfig|static|cmake SHARED-OR-STATIC|subproject|cxx|fortran|python|command
# CC, CXX and FC name the compilers.
set -euo pipefail

build=$1
task=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/package
# Not where it was installed to: nothing may remember that place.
root=$work/moved
examples=$source/examples

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(find "$root" -name pkgconfig -type d 2>/dev/null || true)

# expect NAME COMMAND...: the command prints what examples/expected/NAME.txt holds.
expect() {
    local name=$1
    shift
    "$@" | diff - "$examples/expected/$name.txt"
}

library_folder() {
    pkg-config --variable=libdir consort
}

task_install() {
    rm -rf "$work"
    DESTDIR=$work/stage cmake --install "$build" --prefix /opt/consort >/dev/null
    mv "$work/stage/opt/consort" "$root"
    rmdir "$work/stage/opt" "$work/stage"
    ! grep -rlF -e "$build" -e "$source" "$root" --include='*.cmake' --include='*.pc'
}

compile_and_run() {
    local name=$1
    shift
    "$@" -o "$work/$name"
    LD_LIBRARY_PATH=$(library_folder) expect "$name" "$work/$name"
}

task_pkgconfig() {
    local flags
    read -ra flags <<<"$(pkg-config --cflags --libs consort)"
    compile_and_run 00_smallest "$CC" -std=c99 -pedantic-errors "$examples/00_smallest.c" "${flags[@]}"
}

task_static() {
    local flags
    read -ra flags <<<"$(pkg-config --cflags consort) $(library_folder)/libconsort.a -pthread -ldl"
    "$CC" -o "$work/linked-statically" "$examples/00_smallest.c" "${flags[@]}"
    expect 00_smallest env -i "$work/linked-statically"
}

task_cmake() {
    local component=$1
    cmake -S "$source/tests/package/consumer" -B "$work/$component" -DCMAKE_PREFIX_PATH="$root" \
        -DCONSORT_COMPONENT="$component" -DPROGRAM="$examples/00_smallest.c"
    cmake --build "$work/$component"
    expect 00_smallest "$work/$component/consumer"
}

task_subproject() {
    cmake -S "$source/tests/package/consumer" -B "$work/subproject" -DCONSORT_SOURCE="$source" -DCONSORT_BUILD_KERNELS=OFF \
        -DCMAKE_BUILD_TYPE=Debug \
        -DPROGRAM="$examples/00_smallest.c"
    cmake --build "$work/subproject" --target consumer
    expect 00_smallest "$work/subproject/consumer"
}

task_cxx() {
    local flags
    read -ra flags <<<"$(pkg-config --cflags --libs consort)"
    compile_and_run 11_vector "$CXX" -std=c++17 "$examples/11_vector.cpp" "${flags[@]}"
}

task_fortran() {
    local flags
    read -ra flags <<<"$(pkg-config --libs consort)"
    compile_and_run 12_fortran "$FC" "$examples/12_fortran.f90" "${flags[@]}"
}

task_python() {
    expect 13_python python3 "$examples/13_python.py" "$(library_folder)/libconsort.so"
}

# The installed command finds its library and its script by itself, sorts, and draws what it measures.
task_command() {
    local figures=$work/figures
    [ "$(printf '10\n9\n2.5\n' | env -i "$root/bin/consort" sort -t f64 --format text -)" = $'2.5\n9\n10' ]
    env -i "$root/bin/consort" --version
    rm -rf "$figures"
    if env -i PATH="$PATH" "$root/bin/consort" bench -n 10,20,40 --repeat 1 --min-time 0 --peers none --plot "$figures" \
        2>"$work/figures.log"; then
        [ -s "$figures/bench-sizes-sort-u32-1t.svg" ]
        [ -z "$(find "$root" -name __pycache__)" ]
    else
        grep 'no Python with Matplotlib' "$work/figures.log"
    fi
}

"task_$task" "${@:3}"
