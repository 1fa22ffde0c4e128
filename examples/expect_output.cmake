# SPDX-License-Identifier: Apache-2.0
# cmake -DEXPECTED=FILE -P expect_output.cmake -- COMMAND...: runs the command; fails unless it
# succeeds and prints exactly what the file holds.
set(command)
foreach(i RANGE 1 ${CMAKE_ARGC})
  if(started)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(started TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}; printed:\n${printed}")
elseif(NOT printed STREQUAL expected)
  message(FATAL_ERROR "printed:\n${printed}\nexpected:\n${expected}")
endif()
