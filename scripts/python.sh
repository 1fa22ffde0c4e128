#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints a Python interpreter that has NumPy: the first python3 of the path may be a user's own.
set -euo pipefail

for python in "${CONSORT_PYTHON:-}" python3 /usr/bin/python3; do
    if [ -n "$python" ] && "$python" -c 'import numpy' 2>/dev/null; then
        command -v "$python"
        exit 0
    fi
done
echo "no Python with NumPy: install python3-numpy" >&2
exit 1
