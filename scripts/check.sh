#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the checks, each in the build that suits it, and ends with a table of what ran, how long it
# took and what failed. "fast" is what every change must pass; "all" adds the slow tests and the
# coverage report. Logs stand in build/check/; the trees stay, so a second run is quicker.
#
# Labels of tests: fast or slow; parallel (ThreadSanitizer runs these), unit, example, package, cli,
# fuzz, python, abi, mutants.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/trees.sh
source scripts/trees.sh

tier=${1:-fast}
case $tier in fast | all) ;; *) die "usage: scripts/check.sh fast|all" ;; esac
slow=slow
if [ "$tier" = all ]; then
    slow='^$'
    export CONSORT_CLANG_BENCH=ON CONSORT_CHECK_ARCHS='80;90;100' CONSORT_CHECK_OPTIMISATION=-O3
fi
scripts/packages.sh build check bench
CONSORT_PYTHON=$(scripts/python.sh)
export CONSORT_PYTHON

logs=build/check
rm -rf $logs
mkdir -p $logs
results=()
failed=() # their logs
began=$(milliseconds)

# One line of the table. A failed step shows the end of its log at once.
record() {
    local verdict=$1 name=$2 spent=$3 note=$4 line
    line=$(printf '%-6s %-28s %14s   %s' "$verdict" "$name" "$spent" "$note")
    results+=("$line")
    case $verdict in
    ok) good "$line" ;;
    skip) echo "$line" ;;
    *) bad "$line" ;;
    esac
}

# step NAME COMMAND...: runs it with its output in a log. Returns its status.
step() {
    local name=$1 start status=0 log
    shift
    log=$logs/${name//[ :\/]/-}.log
    start=$(milliseconds)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    local spent
    spent=$(duration $(($(milliseconds) - start)))
    if [ $status -eq 0 ]; then
        record ok "$name" "$spent" "$(test_counts "$log")"
        return 0
    fi
    failed+=("$log")
    tail -60 "$log" >&2
    record FAILED "$name" "$spent" "$log"
    return $status
}

# "212 tests, 3 skipped" from ctest's log; nothing from any other.
test_counts() {
    awk '/tests passed.* out of [0-9]+$/ { total = $NF }
        /\(Skipped\)$/ { skipped++ }
        END { if (total) printf "%d tests", total; if (skipped) printf ", %d skipped", skipped }' "$1"
}

# What each failed test printed, the end of it, from ctest's log.
failed_tests() {
    awk '/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / { print_it = /\*\*\*/ && !/Skipped/ }
        /^ +Start +[0-9]+: |^The following tests FAILED/ { print_it = 0 }
        print_it { print }' "$1" | tail -40
}

# tree_and_tests TREE CTEST-ARGUMENTS...: without a build there are no tests to run.
tree_and_tests() {
    local tree=$1
    shift
    if step "$tree: build" tree_build "$tree"; then
        step "$tree: tests" tree_test "$tree" "$@" || true
    else
        record skip "$tree: tests" - "no build"
    fi
}

say "Checks ($tier) with $(jobs_limit) jobs; logs in $logs"
step "rules of the house" scripts/lint.sh || true
tree_and_tests gcc -LE "$slow|mutants"
tree_and_tests asan -LE "$slow|mutants|abi|package"
# These unit tests take minutes under ThreadSanitizer; operations.parallel runs the same code.
tree_and_tests tsan -L 'parallel|unit|example' -LE "$slow|mutants|abi" -E '^unit\.(radix|streaming)$'
step "mutants" tree_test gcc -L mutants -LE "$slow" || true
# Clang's warnings are errors in the sanitizers' trees already; optimised it has a few more.
if [ "$tier" = all ]; then
    step "clang: build" tree_build clang || true
    step "coverage" scripts/coverage.sh || true
fi

echo
say "Summary after $(duration $(($(milliseconds) - began)))"
printf '%s\n' "${results[@]}"
if [ ${#failed[@]} -gt 0 ]; then
    for log in "${failed[@]}"; do
        failed_tests "$log"
    done
    bad "${#failed[@]} of ${#results[@]} steps failed"
    exit 1
fi
good "all ${#results[@]} steps passed"
