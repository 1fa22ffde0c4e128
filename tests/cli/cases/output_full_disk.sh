# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A full disk and a read-only target: the old file stays, nothing is left behind.
# Who may not mount does so in a user namespace of its own.
apart=(unshare --mount)
"${apart[@]}" true 2>/dev/null || apart=(unshare --mount --map-root-user)
"${apart[@]}" true 2>/dev/null || { echo "may not mount a small file system"; exit 77; }
cat >inside <<'X'
mkdir small && mount -t tmpfs -o size=1m tmpfs small || { echo "cannot mount"; exit 77; }
printf old >small/target
consort gen -t u32 -n 1M -o in
consort sort -t u32 in -o small/target
echo "exit $?"
consort sort -t u32 in -o small/new
echo "exit $?"
consort gen -t u32 -n 1M --format text -o small/new
echo "exit $?"
cat small/target && echo && ls -A small
mount -o remount,bind,ro small || exit 77
consort sort -t u32 in -o small/target
echo "exit $?"
consort sort -t u32 in -o small/new
echo "exit $?"
cat small/target && echo && ls -A small
X
"${apart[@]}" bash inside || exit 77
printf ba >in
printf old >target
chmod 444 target
plainly=()
if [[ $(id -u) == 0 ]]; then plainly=(setpriv '--bounding-set=-dac_override,-dac_read_search'); fi
"${plainly[@]}" consort sort -t u8 in -o target
echo "exit $?"
cat target && echo && ls -A
