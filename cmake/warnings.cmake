# SPDX-License-Identifier: Apache-2.0
# The warnings every C target of ours is built with: target_link_libraries(… PRIVATE consort_warnings).
add_library(consort_warnings INTERFACE)
target_compile_options(consort_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wundef -Wvla -Wpointer-arith -Wwrite-strings -Wformat=2
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  $<$<BOOL:${CONSORT_WERROR}>:-Werror>)
