# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Several inputs are sorted together; the same file may be named twice, and be the output.
printf cab >one
printf fed >two
consort sort -t u8 one two && echo
consort sort -t u8 one one && echo
printf zy | consort sort -t u8 one - two && echo
consort sort -t u8 one two -o one && cat one && echo
consort sort -t u8 - - </dev/null
ls
