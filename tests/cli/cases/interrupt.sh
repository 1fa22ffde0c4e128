# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Killed at any moment: the old output stays, nothing lies beside it. The input is large enough to be
# sorted while it is read and written.
consort gen -t u64 -n 9M -o in
printf old >target
for signal in INT TERM KILL HUP; do
    for delay in 0.01 0.05 0.2; do
        # In a subshell, for bash to tell of "Killed" there.
        (timeout --preserve-status --signal=$signal $delay consort sort -t u64 in -o target
            exit $?) 2>/dev/null
        code=$?
        content=$(head -c 3 target | tr -d '\0')
        size=$(wc -c <target)
        if [[ $code != 0 && $size == 3 && $content == old ]]; then
            echo "$signal: old" >>outcomes
        elif [[ $size == 72000000 ]] && consort check -t u64 target; then
            printf old >target
        else
            echo "$signal after $delay: exit $code, $size bytes: $content"
        fi
    done
done
mkfifo pipe
sleep 100 >pipe &
sleeper=$!
timeout --preserve-status --signal=INT 0.2 consort sort -t u8 pipe -o target
echo "exit $?"
kill $sleeper
rm -f pipe outcomes
ls -A
