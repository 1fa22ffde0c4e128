# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Against NumPy itself, where it is: all dtypes, orders, shapes and axes.
"$PYTHON" -c 'import numpy' 2>/dev/null || { echo "needs NumPy"; exit 77; }
"$PYTHON" "$(dirname "$0")/../numpy_cross_check.py"
