# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Too little address space (ulimit -v): an error that names what is needed, nothing lost.
(ulimit -v 24000 && consort --version >/dev/null 2>&1) || { echo "a sanitizer needs more"; exit 77; }
consort gen -t u64 -n 2M -o in.bin
cksum <in.bin >before
# The library's kernels take address space too.
library=$(ldd "$(command -v consort)" | awk '/libconsort/ { print $3 }')
kernels=$(($(stat -Lc %s "$library") / 1024))
for limit in $((21000 + kernels)) $((12000 + kernels)); do
    (ulimit -v $limit && consort sort -t u64 in.bin -o in.bin 2>message)
    echo "exit $?"
    sed -E 's/memory of [0-9]+ bytes \([^)]*\)/memory of N bytes/' message
done
cksum <in.bin | cmp - before && ls
# Short of memory for a write buffer of each thread, fewer do.
(ulimit -v $((42000 + kernels)) && consort sort --threads 1 -t u64 in.bin -o out.bin)
consort check -t u64 out.bin && echo fewer
# Text takes its lines, the numbers and where the lines begin; the stacks of threads take little.
seq 150000 -1 1 >in.txt
(ulimit -v $((20000 + kernels)) && consort sort --threads 1 -t u32 in.txt -o out.txt) && consort check -t u32 out.txt && echo text
(ulimit -v $((20000 + kernels)) && consort sort --threads 1 -t u32 --format text <in.txt | cmp - out.txt) && echo file
mkfifo pipe
cat in.txt >pipe &
(ulimit -v $((20000 + kernels)) && consort sort --threads 1 -t u32 --format text pipe -o out.txt) && consort check -t u32 out.txt &&
    echo pipe
consort gen -t u32 -n 6M -o in.bin
(ulimit -v $((42000 + kernels)) && consort sort --threads 1 -t u32 in.bin -o out.bin) && consort check -t u32 out.bin && echo stacks
