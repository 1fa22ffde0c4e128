#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs golden tests: run.sh [--update] CONSORT [NAME...]; without names all of them.
# A case is cases/NAME.sh, run by bash in an empty folder with `consort` on the path. Beside it
# stand NAME.out, NAME.err and NAME.exit; a missing .out or .err means nothing may be printed, a
# missing .exit means 0. A case that exits 77 is skipped: what it needs is not there.
set -uo pipefail
update=no
if [[ ${1:-} == --update ]]; then
    update=yes
    shift
fi
[[ $# -ge 1 && -x $1 ]] || { echo "usage: run.sh [--update] CONSORT [NAME...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
command=$(realpath "$1")
shift
names=("$@")
if ((${#names[@]} == 0)); then
    for case in "$here"/cases/*.sh; do
        names+=("$(basename "$case" .sh)")
    done
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$command" "$work/bin/consort"

# Debian's own Python has NumPy; another one first on the path may not.
python=python3
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import numpy' 2>/dev/null; then
        python=$candidate
        break
    fi
done

# No GPU driver is found there, so that a machine with a GPU prints the same.
run_case() { # NAME: leaves out, err, exit in the case's folder
    mkdir "$work/$1" "$work/$1/run"
    (
        cd "$work/$1/run" || exit 2
        PATH=$work/bin:$PATH FIXTURES=$here/fixtures PYTHON=$python LC_ALL=C \
            CONSORT_LOG='' CONSORT_CUDA_LIBRARY=/nonexistent/libcuda.so bash "$here/cases/$1.sh" >../out 2>../err
    )
    local code=$?
    [[ $code == 0 ]] || echo "$code" >"$work/$1/exit"
}

save_case() { # NAME
    for kind in out err exit; do
        rm -f "$here/cases/$1.$kind"
        if [[ -s $work/$1/$kind ]]; then
            cp "$work/$1/$kind" "$here/cases/$1.$kind"
        fi
    done
}

compare_case() { # NAME
    local result=0
    for kind in out err exit; do
        local expected=$here/cases/$1.$kind
        local actual=$work/$1/$kind
        [[ -e $expected ]] || expected=/dev/null
        [[ -e $actual ]] || actual=/dev/null
        diff -u --label "expected $1.$kind" --label "actual $1.$kind" "$expected" "$actual" ||
            result=1
    done
    return $result
}

failed=0
skipped=0
for name in "${names[@]}"; do
    [[ -e $here/cases/$name.sh ]] || { echo "no such case: $name" >&2; exit 2; }
    run_case "$name"
    if [[ -e $work/$name/exit && $(<"$work/$name/exit") == 77 ]]; then
        echo "skip $name: $(tail -n 1 "$work/$name/out")"
        skipped=$((skipped + 1))
    elif [[ $update == yes ]]; then
        save_case "$name"
        echo "saved $name"
    elif compare_case "$name"; then
        echo "pass $name"
    else
        echo "FAIL $name"
        failed=$((failed + 1))
    fi
done
((failed == 0)) || exit 1
((skipped < ${#names[@]})) || exit 77
