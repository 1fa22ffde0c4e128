# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The build trees the checks use: which compiler, which options, how its tests run. Sourced.

# Looked up when needed: the packages may have been installed a moment ago.
tree_use_clang() {
    printf '%s\n' "-DCMAKE_C_COMPILER=$(command -v clang-14 || echo clang)" \
        "-DCMAKE_CXX_COMPILER=$(command -v clang++-14 || echo clang++)"
}

# Kernels that nobody runs are compiled in a quarter of the time, and not packed, which takes as long
# again. An older nvcc knows no fast compilation. (Its help is read to the end: a pipe whose reader leaves
# at the first match fails now and then.)
tree_kernels() {
    local nvcc options
    nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
    options=$("$nvcc" --help 2>/dev/null || true)
    if [ -n "${CONSORT_CHECK_OPTIMISATION:-}" ]; then
        echo "-DCONSORT_NVCC_OPTIMISATION=$CONSORT_CHECK_OPTIMISATION"
    elif [[ $options == *--Ofast-compile* ]]; then
        printf '%s\n' "-DCONSORT_NVCC_OPTIMISATION=--Ofast-compile;max" -DCONSORT_NVCC_COMPRESSION=default
    else
        echo "-DCONSORT_NVCC_OPTIMISATION=-Xcicc;-O1;-Xptxas;-O0"
    fi
}

# Options of a tree, one a line. The peers of the benchmark and the GPU kernels take most of a
# build's time. The peers are built where they are tested, at -O1, as nobody measures them there; the
# kernels, which the emulator compiles anyway, in one tree: quickly, as nobody runs them, and optimised
# for every architecture in the slow checks only.
tree_options() {
    case $1 in
    gcc)
        printf '%s\n' -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release \
            "-DCONSORT_CUDA_ARCHS=${CONSORT_CHECK_ARCHS:-90}" "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"
        tree_kernels
        ;;
    clang)
        tree_use_clang
        printf '%s\n' -DCMAKE_BUILD_TYPE=Release "-DCONSORT_BUILD_BENCH=${CONSORT_CLANG_BENCH:-OFF}" \
            -DCONSORT_BUILD_KERNELS=OFF
        ;;
    asan)
        tree_use_clang
        printf '%s\n' -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCONSORT_SANITIZE=address,undefined \
            -DCONSORT_BUILD_BENCH=OFF -DCONSORT_BUILD_KERNELS=OFF
        ;;
    tsan)
        tree_use_clang
        printf '%s\n' -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCONSORT_SANITIZE=thread \
            -DCONSORT_BUILD_BENCH=OFF -DCONSORT_BUILD_KERNELS=OFF -DCONSORT_BUILD_CLI=OFF
        ;;
    # -O1: without it the tests take several times as long, with more the lines no longer match.
    coverage)
        printf '%s\n' -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Debug \
            -DCMAKE_C_FLAGS=-O1 -DCONSORT_COVERAGE=ON -DCONSORT_BUILD_BENCH=OFF \
            -DCONSORT_BUILD_KERNELS=OFF -DCONSORT_EMU_RACES=OFF
        ;;
    esac
}

tree_build() {
    local options
    mapfile -t options < <(tree_options "$1")
    cmake -S . -B "build/$1" -G Ninja -DCONSORT_WERROR=ON "-DCONSORT_PYTHON=${CONSORT_PYTHON:-}" \
        "${options[@]}" && cmake --build "build/$1" --parallel "$(jobs_limit)"
}

# The sanitizers of these compilers do not know how far newer kernels spread addresses at random
# (seen as "unexpected memory mapping"): run without, where the system allows it.
without_random_addresses() {
    if setarch -R true 2>/dev/null; then
        setarch -R "$@"
    else
        "$@"
    fi
}

# tree_test TREE CTEST-ARGUMENTS...: under a sanitizer or counted, which makes them five to fifteen
# times slower, randomised unit tests run a tenth of their trials; the sweeps of operations run whole.
tree_test() {
    local tree=$1 trials=
    shift
    case $tree in asan | tsan | coverage) trials=200 ;; esac
    if [ -n "$trials" ]; then export CONSORT_TEST_TRIALS=$trials; else unset CONSORT_TEST_TRIALS; fi
    ASAN_OPTIONS=allocator_may_return_null=1:strict_string_checks=1 \
        UBSAN_OPTIONS=print_stacktrace=1 \
        TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 \
        without_random_addresses ctest --test-dir "build/$tree" --output-on-failure \
        --no-tests=error --parallel "$(jobs_limit)" "$@"
}
