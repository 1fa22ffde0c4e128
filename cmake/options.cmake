# SPDX-License-Identifier: Apache-2.0
# What to build and how. Everything defaults to what a user wants from a plain `cmake -S . -B build`.
option(CONSORT_BUILD_CLI "Build the command consort" ON)
option(CONSORT_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(CONSORT_BUILD_BENCH "Build the benchmark peers" ${PROJECT_IS_TOP_LEVEL})
option(CONSORT_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(CONSORT_BUILD_DOCS "Build man pages and completions" ${PROJECT_IS_TOP_LEVEL})
option(CONSORT_BUILD_EMU "Build the CUDA emulator for tests" ${PROJECT_IS_TOP_LEVEL})
option(CONSORT_WERROR "Treat warnings as errors" OFF)
option(CONSORT_COVERAGE "Measure line coverage" OFF)
set(CONSORT_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(CONSORT_SANITIZE)
  # -g1: reports need lines, not variables.
  add_compile_options(-fsanitize=${CONSORT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${CONSORT_SANITIZE})
endif()
if(CONSORT_COVERAGE)
  # Threads may lose each other's counts, never a line: with atomic counters the tests take ten times
  # as long.
  add_compile_options(--coverage -fprofile-update=single)
  add_link_options(--coverage)
endif()
