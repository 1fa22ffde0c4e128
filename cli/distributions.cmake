# SPDX-License-Identifier: Apache-2.0
# Key distributions as a library of their own: the command, the tests and the benchmarks share them.
add_library(consort_distributions STATIC
  ${CMAKE_CURRENT_LIST_DIR}/distributions.c ${CMAKE_CURRENT_LIST_DIR}/generator.c
  ${CMAKE_CURRENT_LIST_DIR}/special.c ${CMAKE_CURRENT_LIST_DIR}/adversary.c
  ${CMAKE_CURRENT_LIST_DIR}/level.c
  ${CMAKE_CURRENT_LIST_DIR}/permutation.c)
target_include_directories(consort_distributions PUBLIC
  ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(consort_distributions PRIVATE consort_warnings)

consort_unit_test(distributions test_distributions.c LINK consort_distributions)
consort_unit_test(distribution_shapes test_distribution_shapes.c LINK consort_distributions)
consort_unit_test(adversaries test_adversaries.c LINK consort_distributions)
