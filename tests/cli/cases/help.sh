# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Help for all; what the build makes of the same tables: completions that their shells accept.
consort --help
for command in sort check gen info; do
    consort $command --help | sed 's/choice: .*/choice: …/'
done >all
grep -cE '^ +(-., )?--' all
awk 'length > 80 && /^ / && !/consort/' all
consort sort --help | head -n 6
consort sort -h | cmp - <(consort sort --help)
consort check --help | tail -n 3
consort help-markdown check | head -n 2
for shell in bash zsh fish; do
    consort completion $shell >"completion.$shell"
    if command -v $shell >/dev/null; then
        $shell -n "completion.$shell" || echo "$shell refuses its completions"
    fi
done
complete_line() { # LINE: what bash offers at its end
    bash -c '
        source completion.bash
        COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
        COMP_WORDBREAKS=$2
        _consort
        printf "%s\n" "${COMPREPLY[@]}" | sort | paste -sd " "' - "$1" $' \t\n"'"'"'><=;|&(:'
}
touch data.f32 'data of two.f32'
complete_line 'consort s'
complete_line 'consort check --f'
complete_line 'consort sort --format '
complete_line 'consort sort -t u1'
complete_line 'consort sort -t bytes:'
complete_line 'consort sort --type=u1'
complete_line 'consort gen -d few'
complete_line 'consort sort dat'
complete_line 'consort sort --output=dat'
