#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rules of the house that a program can check (HACKING.md says why each is there). Every breach
# is one line "file:line: what"; any breach fails.
set -euo pipefail
cd "$(dirname "$0")/.."

maximum_file=400
maximum_function=60
breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT

files() {
    git ls-files --cached --others --exclude-standard -- "$@"
}

breach() {
    echo "$*" >>"$breaches"
}

# grep over tracked files: prints file:line: and the rule's words for every match.
forbid() {
    local words=$1 pattern=$2
    shift 2
    { files "$@" | xargs -r grep -nHE -e "$pattern" || true; } |
        sed "s|^\([^:]*:[0-9]*\):.*|\1: $words|" >>"$breaches"
}

sources=('*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh')
text=("${sources[@]}" '*.sh' '*.py' '*.cmake' '*.txt' '*.md' '*.f90' Makefile .ci/run)

file_lengths() {
    local file lines
    while read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le $maximum_file ] || breach "$file:1: $lines lines, at most $maximum_file"
    done < <(files "${sources[@]}" '*.sh' '*.py' '*.cmake' '*CMakeLists.txt' ':!include/consort.h')
}

# ctags knows the first and last line of every function.
function_lengths() {
    files "${sources[@]}" |
        ctags -L - -f - --langmap=C++:+.cu.cuh.hpp --kinds-C=f --kinds-C++=f --fields=+ne 2>/dev/null |
        awk -F '\t' -v maximum=$maximum_function '{
            first = last = 0
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^line:/) first = substr($i, 6)
                if ($i ~ /^end:/) last = substr($i, 5)
            }
            if (last - first + 1 > maximum)
                printf "%s:%d: %s has %d lines, at most %d\n", $2, first, $1, last - first + 1, maximum
        }' >>"$breaches"
}

unique_names() {
    files | grep -vE '(^|/)(CMakeLists\.txt|README\.md|\.gitignore)$|^tests/.*(cases|fixtures|corpus)/' |
        awk -F / '{ if ($NF in seen) print $0 ":1: the file name is taken by " seen[$NF]; seen[$NF] = $0 }' \
            >>"$breaches"
}

licence_lines() {
    local file
    while read -r file; do
        head -2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
            breach "$file:1: no SPDX-License-Identifier line"
    done < <(files "${sources[@]}" '*.sh' '*.py' '*.cmake' '*.f90' '*CMakeLists.txt' Makefile .ci/run)
}

# The command is a user of the library like any other: of our headers it sees consort.h only.
cli_includes() {
    local file line name inner
    inner=$(files 'src/*.h' | sed 's|^src/||; p; s|.*/||')
    while IFS=: read -r file line name; do
        if grep -qxF "${name#../src/}" <<<"$inner"; then
            breach "$file:$line: cli/ may not include $name"
        fi
    done < <(files 'cli/*.[ch]' | xargs -r grep -nHE '^ *# *include *["<]' |
        sed 's|^\([^:]*:[0-9]*\):[^"<]*["<]\([^">]*\)[">].*|\1:\2|')
}

# Every `make target` and every script that a document names is there.
document_commands() {
    local file line name
    while IFS=: read -r file line name; do
        grep -q "^${name#make }:" Makefile || breach "$file:$line: there is no $name"
    done < <(files '*.md' | xargs -r grep -noHE '(^|`|\$ )make [a-z][a-z-]*' | sed 's/:[`$ ]*make/:make/')
    while IFS=: read -r file line name; do
        [ -e "$name" ] || breach "$file:$line: there is no $name"
    done < <(files '*.md' | xargs -r grep -noHP '(?<![/\w.-])(scripts|docs|examples|cmake|tests|cli)/[\w./-]*\w')
}

document_links() {
    local file line target
    while IFS=: read -r file line target; do
        target=${target#*](}
        target=${target%%[)#]*}
        case $target in '' | http*) continue ;; esac
        [ -e "$(dirname "$file")/$target" ] || breach "$file:$line: the link $target leads nowhere"
    done < <(files '*.md' | xargs -r grep -noHE '\]\([^)]+\)')
}

# Lines of C in a document are lines of an example, so that they compile and stay true.
document_snippets() {
    local snippets
    # shellcheck disable=SC2016
    snippets='{ sub(/^ +/, ""); sub(/ +$/, "") }
        FILENAME ~ /^examples/ { known[$0]; next }
        /^```/ { inside = $0 == "```c"; next }
        inside && $0 != "" && !($0 in known) { print FILENAME ":" FNR ": no line of an example" }'
    files README.md 'docs/*.md' | xargs -r awk "$snippets" examples/*.c >>"$breaches"
}

file_lengths
function_lengths
unique_names
licence_lines
cli_includes
document_commands
document_links
document_snippets
forbid 'unfinished work belongs in the issue tracker' '\b(TO''DO|FIX''ME|XX''X)\b' "${text[@]}"
forbid 'dead code' '^ *# *if +0\b' "${sources[@]}"
# A barrier for the compiler, "", has no instruction in it.
forbid 'inline assembly belongs in src/cuda/device/ptx.cuh' \
    '\b(__asm__|__asm|asm) *(volatile|__volatile__|goto)? *\( *("[^"]|$)' \
    "${sources[@]}" ':!src/cuda/device/ptx.cuh'
forbid 'a path of one machine' '/(home|root|Users)/[a-z]' "${text[@]}"
forbid 'white space at the end of the line' '[[:blank:]]+$' "${text[@]}"
forbid 'a tab' $'\t' "${sources[@]}" '*.sh' '*.py' '*.cmake' '*.md'

if [ -s "$breaches" ]; then
    sort -u "$breaches" | sort -s -t : -k 1,1 -k 2,2n >&2
    exit 1
fi
