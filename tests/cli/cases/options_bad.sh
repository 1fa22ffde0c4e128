# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Options that do not exist or are not supported: refused, never ignored.
printf cba >in
try() { consort "$@"; echo "exit $?"; }
try
try --nonsense
try nonsense
try sort --nonsense in
try sort -Z in
try sort -t
try sort --type
try sort --reverse=yes -t u8 in
try sort -t u8 --device gpu in
try sort -t u8 --device gpu:7 in
try sort -t u8 --device gpu:x in
try sort -t u8 --device gpus in
try sort -t u8 --device tpu in
try sort -t u8 --temp /tmp in
try sort -t u8 --algorithm nonsense in
try sort -t u8 --set block=128 in
try sort -t u8 --algorithm merge --set nonsense=1 in
try sort -t u8 --algorithm merge --set nonsense in
try sort -t u8 --algorithm merge --set block=x in
try sort -t u8 --memory lots in
try sort -t u8 --memory 99999999999999T in
try sort -t u8 --threads 0 in
try sort -t u8 --float-order up in
try sort -t u8 --float-order nan-last in
try check -t u8 --float-order total in
try sort -t u8 --format text --float-order numpy in
try sort --record 3 --key 0:u8 --key 1:2 --float-order numpy in
try sort -t u8 --format csv in
try sort -t u8 --endian middle in
try sort -t be:u16 --endian little in
try sort -t u8 --axis 0 in
try sort -t u8 -o a -o b in
try sort -t u8 -o '' in
try sort in a.npy
try check -t u8 -o out in
try check -t u8 --algorithm lsd in
try gen
try gen -t u8
try gen -n 10
try gen -t u8 -n many
try gen -t u8 -n 10 -d nonsense
try gen -t u8 -n 10 -d nans
try gen -t u8 -n 10 --seed -1
try gen -t bytes:4 -n 10 --format text
try gen -t u128 -n 10 --format npy
try gen -t u8 -n 10 --format record
try gen -t be:u16 -n 10 --endian little
try gen -t u8 -n 10 out
try info nonsense
try completion ksh
try help-markdown nonsense
ls
