# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What can be wrong with records and keys.
printf abcdef >in
try() { consort sort --record "$@"; echo "exit $?"; }
try 4 --key 0:1 in
try 3 --key 1:3 in
try 3 --key 0:u32 in
try 3 --key 99999999999999999999:1 in
try 3 --key 0:0 in
try 3 --key 0 in
try 3 --key 0:u33 in
try 3 --key name in
try 3 in
try 0 --key 0:1 in
try x --key 0:1 in
try 3 --key 0:1 -t u8 in
try 3 --key 0:1 --axis 0 in
try 3 --key 0:1 --format npy in
consort sort --format record in
echo "exit $?"
consort sort -t u8 --key 0:1 in
echo "exit $?"
