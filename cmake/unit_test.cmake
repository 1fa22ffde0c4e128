# SPDX-License-Identifier: Apache-2.0
# consort_unit_test(NAME file.c… [LINK library…] [ARGUMENTS argument…]): a cmocka test with the labels
# fast and unit, built as unit_NAME and run as unit.NAME. Without cmocka or with tests off, nothing.
if(CONSORT_BUILD_TESTS)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET GLOBAL cmocka)
  endif()
endif()

function(consort_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "LINK;ARGUMENTS")
  if(NOT CONSORT_BUILD_TESTS OR NOT TARGET PkgConfig::CMOCKA)
    return()
  endif()
  list(TRANSFORM test_UNPARSED_ARGUMENTS PREPEND ${PROJECT_SOURCE_DIR}/tests/unit/)
  add_executable(unit_${name} ${test_UNPARSED_ARGUMENTS})
  target_include_directories(unit_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(unit_${name} PRIVATE consort_warnings PkgConfig::CMOCKA ${test_LINK})
  add_test(NAME unit.${name} COMMAND unit_${name} ${test_ARGUMENTS})
  set_tests_properties(unit.${name} PROPERTIES LABELS "fast;unit")
endfunction()
