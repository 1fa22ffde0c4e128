# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, the source of bench_commit.h, with the commit that SOURCE stands at, if it changed:
# run by the build.
find_package(Git QUIET)
set(commit "unknown")
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12
    --exclude=* OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(commit ${described})
  endif()
endif()
set(text "/* Made by the build. */
#include \"bench_commit.h\"
const char *bench_commit(void)
{
    return \"${commit}\";
}
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
