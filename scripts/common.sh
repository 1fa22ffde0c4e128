# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the scripts share: colours on a terminal, messages, times. Sourced, never run.

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
else
    bold='' green='' red='' plain=''
fi

say() {
    printf '%s%s%s\n' "$bold" "$*" "$plain"
}

good() {
    printf '%s%s%s\n' "$green" "$*" "$plain"
}

bad() {
    printf '%s%s%s\n' "$red" "$*" "$plain" >&2
}

die() {
    bad "$*"
    exit 1
}

milliseconds() {
    local now=${EPOCHREALTIME/[.,]/}
    echo $((now / 1000))
}

# Milliseconds as "12.3 s" or "4 min 05 s".
duration() {
    if [ "$1" -lt 60000 ]; then
        printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
    else
        printf '%d min %02d s' $(($1 / 60000)) $(($1 / 1000 % 60))
    fi
}

jobs_limit() {
    echo "${CONSORT_JOBS:-$(nproc)}"
}
