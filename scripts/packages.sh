#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of the groups given (build, check, bench), if any is missing.
# CONSORT_PACKAGES=skip leaves the machine alone.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

wanted() {
    local group
    for group in "$@"; do
        awk -v group="$group" '$1 == group { print $2 }' scripts/packages.txt
    done | sort -u
}

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing() {
    local package
    for package in $(wanted "$@"); do
        installed "$package" || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "not root and no sudo; as root run: apt-get install ${packages[*]}"
    fi
}

# Lists that were never fetched, or are too old, make apt-get install fail: then fetch and try again.
install_packages() {
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends)
    as_root "${install[@]}" "${packages[@]}" </dev/null >"$log" 2>&1 && return
    as_root apt-get update -qq </dev/null >"$log" 2>&1 || return
    as_root "${install[@]}" "${packages[@]}" </dev/null >"$log" 2>&1
}

[ $# -gt 0 ] || die "usage: scripts/packages.sh build|check|bench ..."
[ "${CONSORT_PACKAGES:-}" != skip ] || exit 0
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "This is no Debian or Ubuntu. Please install what these packages hold, by your system's names:"
    wanted "$@" | paste -sd ' '
    exit 0
fi

mapfile -t packages < <(missing "$@")
[ ${#packages[@]} -gt 0 ] || exit 0
say "Installing ${packages[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_packages || {
    tail -20 "$log" >&2
    die "apt-get could not install the packages above"
}
