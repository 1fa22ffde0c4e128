# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Input that cannot be: lengths, types, files.
try() { consort sort "$@"; echo "exit $?"; }
printf abcde >five
try -t u32 five
printf abcd | try -t f64
try -t u8 <&-
try five
try -t u7 five
try -t bytes:0 five
try -t bytes:256 five
try -t be:bytes:4 five
try -t u8 missing
try -t u8 .
try -t u8 ''
try -t u8 five five/deeper
# Names and text do not reach the terminal as they are.
try -t u8 $'no\e[31m\nname'
try -t u8 $'\xc2\x9b31m caf\xc3\xa9'
printf '\e]0;title\a\n' | try -t u8 --format text
consort check -t u16 five
echo "exit $?"
consort check -t u8 missing
echo "exit $?"
consort check -t u8 five five
echo "exit $?"
# Unreadable: root may read everything, so it gives that right up.
chmod 0 five
if [[ $(id -u) == 0 ]]; then
    setpriv --bounding-set=-dac_override,-dac_read_search consort sort -t u8 five
else
    consort sort -t u8 five
fi
echo "exit $?"

# A file that the system makes as it is read, and says to be empty.
consort sort -t u8 /proc/version | cmp - <(consort sort -t u8 <(cat /proc/version)) && echo made up
