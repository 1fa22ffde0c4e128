/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Versions in descriptions: a figure without the version it belongs to cannot be repeated.
 */
#ifndef CONSORT_BENCH_PEER_VERSION_HPP
#define CONSORT_BENCH_PEER_VERSION_HPP

/* The value of a macro, as text: only the preprocessor can do that. */
#define PEER_TEXT_(x) #x
#define PEER_TEXT(x)  PEER_TEXT_(x)

#if defined(_GLIBCXX_RELEASE)
#define PEER_LIBCXX "libstdc++ " PEER_TEXT(_GLIBCXX_RELEASE)
#elif defined(_LIBCPP_VERSION)
#define PEER_LIBCXX "libc++ " PEER_TEXT(_LIBCPP_VERSION)
#else
#define PEER_LIBCXX "C++ library"
#endif

#if defined(__GLIBC__)
#define PEER_LIBC "glibc " PEER_TEXT(__GLIBC__) "." PEER_TEXT(__GLIBC_MINOR__)
#else
#define PEER_LIBC "C library"
#endif

#endif
