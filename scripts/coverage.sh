#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which lines of src/ the fast tests reach: a table, build/coverage/report/index.html, and a failure
# below the share given (default 90 %).
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/trees.sh
source scripts/trees.sh

least=${1:-90}
scripts/packages.sh build check
CONSORT_PYTHON=$(scripts/python.sh)
export CONSORT_PYTHON
tree_build coverage
find build/coverage -name '*.gcda' -delete
# Sweeps and trials of the same code once, and one schedule of the emulator: more take minutes, and
# reach no further lines.
tree_test coverage -LE 'slow|mutants|abi|package' \
    -E '^unit\.radix$|^operations\.(middle|cuda)|^cuda.*\.(random|adversarial|races)$'
mkdir -p build/coverage/report
gcovr --root . --filter src/ --exclude-unreachable-branches --gcov-ignore-parse-errors \
    --html-details build/coverage/report/index.html --print-summary --fail-under-line "$least" build/coverage
