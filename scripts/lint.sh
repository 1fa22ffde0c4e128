#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formatting, shell scripts and the rules of the house; with --format, reformats the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

clang_format=$(command -v clang-format-14 || command -v clang-format) ||
    die "clang-format is missing: run scripts/packages.sh check"
mapfile -t sources < <(git ls-files --cached --others --exclude-standard -- \
    '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh')
mapfile -t shell < <(git ls-files --cached --others --exclude-standard -- '*.sh' .ci/run)

if [ "${1:-}" = --format ]; then
    "$clang_format" -i "${sources[@]}"
    exit 0
fi

failed=0
echo "formatting"
"$clang_format" --dry-run -Werror "${sources[@]}" || failed=1
echo "shell scripts"
shellcheck --external-sources "${shell[@]}" || failed=1
echo "rules of the house"
scripts/rules.sh || failed=1
echo "patterns of mutants"
python3 -B tests/mutants/mutants.py --patterns . || failed=1
echo "tables of measurements"
python3 bench/table.py --check README.md docs/*.md docs/*/*.md || failed=1
exit $failed
