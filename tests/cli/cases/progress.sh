# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Progress: on standard error, by force here, at most six lines a second and one a phase.
consort gen -t u32 -n 1M -o in
consort sort -t u32 in -o out --progress 2>log
cut -d ' ' -f 1 log | sort -u | paste -sd ' '
consort sort -t u32 in -o out 2>&1 | wc -c
consort sort -t u32 in -o out --no-progress 2>&1 | wc -c
consort sort -t u32 in -o out --progress --no-progress 2>&1 | wc -c
