# SPDX-License-Identifier: Apache-2.0
# The subcommand `bench`, as a library of its own. It needs the table and the options of the command
# around it, which the final link brings.
file(GLOB bench_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/bench*.c)

# Results name the commit they were measured at: looked up at every build, written when it changed.
add_custom_target(consort_bench_commit
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}
    -D OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/generated/bench_commit.c
    -P ${CMAKE_CURRENT_LIST_DIR}/bench_commit.cmake
  BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/generated/bench_commit.c)

# The one kernel of the benchmark itself, embedded as the library embeds its own.
set(bench_image ${PROJECT_BINARY_DIR}/kernels/bench_compare.fatbin)
consort_compile_kernels(${bench_image} ${PROJECT_SOURCE_DIR}/bench/bench_compare.cu)
set(bench_kernels ${CMAKE_CURRENT_BINARY_DIR}/generated/bench_kernels.c)
file(CONFIGURE OUTPUT ${bench_kernels} CONTENT [[
/* Written by cli/bench.cmake: the embedded GPU kernel of the benchmark. */
#include "bench_gpu.h"

__asm__(".pushsection .rodata\n.balign 64\n.globl bench_gpu_image\nbench_gpu_image:\n"
        ".incbin \"@bench_image@\"\n.byte 0\n.popsection\n");
]] @ONLY)
set_source_files_properties(${bench_kernels} PROPERTIES OBJECT_DEPENDS ${bench_image})

add_library(consort_bench STATIC ${bench_sources} ${bench_kernels}
  ${CMAKE_CURRENT_BINARY_DIR}/generated/bench_commit.c)
add_dependencies(consort_bench consort_bench_commit)
target_compile_definitions(consort_bench PRIVATE _GNU_SOURCE)
target_include_directories(consort_bench PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(consort_bench
  PUBLIC consort::consort
  PRIVATE consort_distributions PkgConfig::jansson consort_warnings Threads::Threads m
    ${CMAKE_DL_LIBS})

# What `consort bench --plot` runs, where it looks for it: in the build, and installed.
foreach(script plot.py results_file.py)
  configure_file(${PROJECT_SOURCE_DIR}/bench/${script} ${PROJECT_BINARY_DIR}/bench/${script} COPYONLY)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/bench/${script}
    DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/consort)
endforeach()

if(CONSORT_BUILD_TESTS)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/bench ${PROJECT_BINARY_DIR}/tests/bench)
endif()
