/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the library at run time and facts about its build. */
#include "consort.h"

#define VERSION_TEXT_(x) #x
#define VERSION_TEXT(x)  VERSION_TEXT_(x)
#define VERSION_STRING                                                                             \
    VERSION_TEXT(CONSORT_VERSION_MAJOR)                                                            \
    "." VERSION_TEXT(CONSORT_VERSION_MINOR) "." VERSION_TEXT(CONSORT_VERSION_PATCH)

#ifndef CONSORT_BUILD_TYPE
#define CONSORT_BUILD_TYPE "unknown"
#endif
#ifndef CONSORT_BUILD_KERNELS
#define CONSORT_BUILD_KERNELS "none"
#endif

uint32_t consort_version(void)
{
    return CONSORT_VERSION_MAJOR * 1000000u + CONSORT_VERSION_MINOR * 1000u + CONSORT_VERSION_PATCH;
}

const char *consort_version_string(void)
{
    return VERSION_STRING;
}

const char *consort_build_info(void)
{
    return "version: " VERSION_STRING "\n"
#ifdef __clang__
           "compiler: clang " __clang_version__ "\n"
#else
           "compiler: gcc " __VERSION__ "\n"
#endif
           "build type: " CONSORT_BUILD_TYPE "\n"
           "gpu kernels: " CONSORT_BUILD_KERNELS "\n";
}
