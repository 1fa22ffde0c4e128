#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library and the command in build/release, or in the tree that CONSORT_BUILD_TREE names.
# Arguments go to cmake: -DNAME=VALUE.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

tree=${CONSORT_BUILD_TREE:-build/release}
command -v cmake >/dev/null || die "cmake is missing: run scripts/packages.sh build"

configure() {
    mkdir -p build
    # A tree keeps the generator it was made with.
    if [ ! -f "$tree/CMakeCache.txt" ] && command -v ninja >/dev/null; then
        export CMAKE_GENERATOR=Ninja
    fi
    cmake -S . -B "$tree" -DCMAKE_BUILD_TYPE=Release -DCONSORT_BUILD_TESTS=OFF \
        -DCONSORT_BUILD_BENCH=OFF -DCONSORT_BUILD_EXAMPLES=OFF -DCONSORT_BUILD_EMU=OFF "$@" \
        >"$tree.log" 2>&1 || {
        cat "$tree.log" >&2
        die "cmake could not configure $tree"
    }
}

# Once configured the tree looks after itself: `sudo make install` after `make` then changes nothing
# that the user could not change again.
if [ ! -f "$tree/CMakeCache.txt" ] || [ $# -gt 0 ]; then
    configure "$@"
fi
cmake --build "$tree" --parallel "$(jobs_limit)"
