#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library and the command in build/release. Arguments go to cmake: -DNAME=VALUE.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

command -v cmake >/dev/null || die "cmake is missing: run scripts/packages.sh build"

configure() {
    mkdir -p build
    # A tree keeps the generator it was made with.
    if [ ! -f build/release/CMakeCache.txt ] && command -v ninja >/dev/null; then
        export CMAKE_GENERATOR=Ninja
    fi
    cmake -S . -B build/release -DCMAKE_BUILD_TYPE=Release -DCONSORT_BUILD_TESTS=OFF \
        -DCONSORT_BUILD_BENCH=OFF -DCONSORT_BUILD_EXAMPLES=OFF -DCONSORT_BUILD_EMU=OFF "$@" \
        >build/release.log 2>&1 || {
        cat build/release.log >&2
        die "cmake could not configure build/release"
    }
}

# Once configured the tree looks after itself: `sudo make install` after `make` then changes nothing
# that the user could not change again.
if [ ! -f build/release/CMakeCache.txt ] || [ $# -gt 0 ]; then
    configure "$@"
fi
cmake --build build/release --parallel "$(jobs_limit)"
