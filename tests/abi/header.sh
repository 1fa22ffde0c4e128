#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# consort.h alone compiles in every language version it promises, with every compiler there is here,
# pedantically and without a warning. Every function it declares is in exports.txt, and no other.
set -euo pipefail
export LC_ALL=C
include=$1
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/use.c" <<'SOURCE'
#include <consort.h>
#include <consort.h>
int use(void);
int use(void)
{
    consort_options options;
    consort_column column = {0, 0, 0, 4};
    consort_field field = {0, CONSORT_U32, CONSORT_ASCENDING, CONSORT_NAN_LAST, 0};
    consort_options_init(&options);
    return (int)column.element_bytes + (int)field.offset + CONSORT_ERROR_INTERNAL;
}
SOURCE
cp "$scratch/use.c" "$scratch/use.cpp"

failed=0
compile() {
    local compiler=$1 standard=$2 file=$3
    command -v "$compiler" >/dev/null || return 0
    "$compiler" "-std=$standard" -pedantic-errors -Wall -Wextra -Wconversion -Wundef -Werror \
        "-I$include" -fsyntax-only "$file" || {
        echo "FAILED: $compiler -std=$standard"
        failed=1
    }
}
for compiler in gcc clang clang-14; do
    for standard in c99 c11 c17; do
        compile "$compiler" "$standard" "$scratch/use.c"
    done
done
for compiler in g++ clang++ clang++-14; do
    for standard in c++98 c++11 c++17 c++20; do
        compile "$compiler" "$standard" "$scratch/use.cpp"
    done
done

# Declarations of functions: CONSORT_API … consort_name(
declared=$(tr '\n' ' ' <"$include/consort.h" |
    grep -oE 'CONSORT_API [^;(]*consort_[a-z_0-9]+\(' | grep -oE 'consort_[a-z_0-9]+\($' | tr -d '(' | sort)
diff "$here/exports.txt" <(printf '%s\n' "$declared") || {
    echo "FAILED: consort.h declares other functions than exports.txt (< list, > header)"
    failed=1
}
exit $failed
