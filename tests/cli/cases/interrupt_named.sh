# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Where files without a name are not to be had (here for want of /proc), the second signal, which
# kills at once, leaves nothing either.
apart=(unshare --mount)
"${apart[@]}" true 2>/dev/null || apart=(unshare --mount --map-root-user)
"${apart[@]}" true 2>/dev/null || { echo "may not mount"; exit 77; }
cat >inside <<'X'
mount -t tmpfs tmpfs /proc || { echo "cannot mount"; exit 77; }
consort gen -t u64 -n 20M -o in || { echo "a sanitizer wants /proc"; exit 77; }
printf old >target
for round in 1 2 3; do
    consort sort -t u64 in -o target &
    while kill -0 $! 2>/dev/null && ! compgen -G '.consort-*' >found; do sleep 0.005; done
    grep -c '^\.consort-.*\.tmp$' found
    kill -TERM $!
    kill -TERM $! 2>/dev/null
    wait $!
    echo "exit $?"
    cat target && echo && ls -A
done
X
"${apart[@]}" bash inside 2>/dev/null || exit 77
