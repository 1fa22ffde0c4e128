# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Targets: mode kept, links followed, the input as the output, devices and pipes written directly.
printf dcba >in
printf old >target
chmod 640 target
ln -s target link
ln -s link chain
consort sort -t u8 in -o chain && cat target && echo && stat -c %a target && readlink link chain
mkdir folder
ln -s folder/new dangling
consort sort -t u8 in -o dangling && cat folder/new && echo && readlink dangling
(umask 027 && consort sort -t u8 in -o fresh) && stat -c %a fresh
consort sort -t u8 in -o /dev/stdout && echo
consort sort -t u8 in -o - && echo
consort sort -t u8 in -o /dev/null
mkfifo pipe
cat pipe >copy &
consort sort -t u8 in -o pipe
wait
cat copy && echo
consort sort -t u8 in -o in && cat in && echo
printf ba >>in
# shellcheck disable=SC2094
consort sort -t u8 <in >>in
cat in && echo
# Standard streams that are closed do not get their messages into a file opened in their place.
consort gen -t u32 -n 1000 -o whole
consort gen -t u32 -n 1000 -o apart --progress >&- 2>&- && cmp whole apart
consort gen -t u32 -n 1000 -o apart --progress <&- 2>&- && cmp whole apart
consort sort -t u32 whole -o whole
CONSORT_LOG=trace consort sort -t u32 apart -o apart <&- >&- 2>&- && cmp whole apart && echo apart
rm whole apart
ls -A
