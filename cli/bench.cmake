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

add_library(consort_bench STATIC ${bench_sources} ${CMAKE_CURRENT_BINARY_DIR}/generated/bench_commit.c)
add_dependencies(consort_bench consort_bench_commit)
target_compile_definitions(consort_bench PRIVATE _GNU_SOURCE)
target_include_directories(consort_bench PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(consort_bench
  PUBLIC consort::consort
  PRIVATE consort_distributions PkgConfig::jansson consort_warnings Threads::Threads m
    ${CMAKE_DL_LIBS})

if(CONSORT_BUILD_TESTS)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/bench ${PROJECT_BINARY_DIR}/tests/bench)
endif()
