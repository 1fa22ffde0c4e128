#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The names that libconsort.so and libconsort.a show are those of exports.txt, the soname is right,
# and the library asks for nothing but the C library.
#   exports.sh LIBRARY.so LIBRARY.a MAJOR.MINOR [--update]
# --update, or CONSORT_UPDATE=1, writes exports.txt anew.
set -euo pipefail
export LC_ALL=C
list=$(dirname "$0")/exports.txt
shared=$1 static=$2 version=$3
failed=0

names=$(nm -D --defined-only "$shared" | awk '{ print $3 }' | sort)
if [ "${4:-}" = --update ] || [ "${CONSORT_UPDATE:-0}" = 1 ]; then
    printf '%s\n' "$names" >"$list"
fi
diff "$list" <(printf '%s\n' "$names") || {
    echo "FAILED: $shared exports other names than exports.txt (< list, > library)"
    failed=1
}
# A sanitizer's or the coverage runtime's names in the static library are not ours.
diff "$list" <(nm --defined-only --extern-only "$static" 2>/dev/null |
    awk 'NF == 3 && $3 !~ /^(__asan|__ubsan|__odr_asan|__gcov|__llvm)/ { print $3 }' | sort) || {
    echo "FAILED: $static shows other names than exports.txt (< list, > library)"
    failed=1
}
dynamic=$(readelf -d "$shared")
[[ $dynamic == *"Library soname: [libconsort.so.$version]"* ]] || {
    echo "FAILED: the soname is not libconsort.so.$version"
    failed=1
}
others=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic" |
    grep -vE '^(libc\.so\.6|ld-linux.*|libpthread\.so\.0|libdl\.so\.2|libasan.*|libubsan.*|libtsan.*|libgcov.*)$' || true)
[ -z "$others" ] || {
    echo "FAILED: $shared needs $others"
    failed=1
}
if grep -q 'GNU_STACK.*E ' <<<"$(readelf -lW "$shared")"; then
    echo "FAILED: $shared wants an executable stack"
    failed=1
fi
exit $failed
