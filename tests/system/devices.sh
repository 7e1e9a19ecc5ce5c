#!/bin/bash
# Block devices as targets: nothing happens to them unasked, and each rank stays in its region.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

# What is refused without any device.
run alone "$pario" --allow-device -o here
is "$status" 2 "writing wants more than --allow-device"
like "$err" '--allow-device=write' "and the message says what"
run alone "$pario" --allow-device -r -u -F -o here
is "$status" 2 "options about files that are made are refused"
: >here
run alone "$pario" --allow-device -r -o here
is "$status" 2 "a regular file is no device"
like "$err" 'here is a regular file' "which is said"
run alone "$pario" --allow-device=maybe -o here
is "$status" 2 "a third kind of permission there is not"

one='' two=''
if ! truncate -s 8M one two || ! one=$(losetup -f --show one 2>/dev/null) || ! two=$(losetup -f --show two 2>/dev/null); then
    [ -z "$one" ] || losetup -d "$one"
    skip 24 "no loop device can be had"
    done_testing
    exit 0
fi
trap 'losetup -d "$one" "$two"; cd / && rm -rf "$scratch"' EXIT

run alone "$pario" -o "$one" -r
is "$status" 2 "a device is not touched unasked"
like "$err" '--allow-device' "and the message says how"
run alone "$pario" -o "$one" --allow-device -r -b 16m
is "$status" 2 "more than the device holds is refused"
like "$err" 'has 8388608 bytes.* -b 8388608 would fit' "with the size that fits"
run alone "$pario" -o "$one" --allow-device -r -b 1m -t 64k
is "$status" 0 "it is read"
is "$(cmp one <(head -c 8M /dev/zero))" "" "and still as it was"

run alone "$pario" -o "$one" --allow-device=write --threads 2 -b 2m -t 64k -s 2 -w -R -e
is "$status" 0 "it is written, and holds what was written"
run alone "$pario" -o "$one" --allow-device --threads 2 -b 2m -t 64k -s 2 -R -C
is "$status" 0 "which a later run finds again"
sync "$one"
is "$(echo *) $(test -e "$one.pario"; echo $?)" "here one two 1" "no other file is made"

run alone "$pario" -o "$one@$two" --allow-device=write --threads 3 -b 2m -t 4k -z -w -R -e
is "$status" 0 "three ranks share two devices, at random"
sync "$one" "$two"
# stamped FILE FROM: whether the sectors of the 2 MiB from there are all written.
stamped() { cmp -s "$1" <(head -c 8M /dev/zero) && return 1; tail -c +$(($2 + 1)) "$1" | head -c 2M | cmp -s - <(head -c 2M /dev/zero); [ $? = 1 ]; }
stamped two 0
is "$?" 0 "the second rank's region is on the second device"
is "$(tail -c +$((2 * 1024 * 1024 + 1)) two | cmp - <(head -c 6M /dev/zero))" "" "and ends where it should"
run alone "$pario" -o "$one@$two" --allow-device --threads 3 -b 2m -t 4k -R
is "$status" 0 "and all of it is found again in order"
run alone "$pario" -o "$one" --allow-device=write --threads 2 -F -b 3m -t 64k -w -R
is "$status" 0 "with -F each rank has a region of the one device"
[ "$status" = 0 ] || note "$err"
run alone "$pario" -o "$one@$two" --allow-device --threads 5 -b 4m -r
is "$status" 2 "regions that do not fit are refused"
like "$err" '-b 2621440 would fit' "with what would"
head -c 8M /dev/zero >one
blockdev --flushbufs "$one" 2>/dev/null
run alone "$pario" random -o "$one" --allow-device=write --threads 2 -b 2m -t 4k
is "$status" 0 "the random workload runs"
sync "$one"
is "$(tail -c +$((4 * 1024 * 1024 + 1)) one | cmp - <(head -c 4M /dev/zero))" "" "and stays where -b says"
run alone "$pario" random -o "$one" --allow-device -b 2m -t 4k --read-percent 70
is "$status" 2 "mixed reads and writes are writes"
for backend in uring aio; do
    run alone "$pario" -o "$one" --allow-device=write -a $backend --depth 8 --direct -b 4m -t 64k -w -R
    if [ "$status" = 2 ]; then
        skip 1 "backend $backend: $err"
    else
        is "$status" 0 "backend $backend, direct"
    fi
done

if command -v mkfs.ext4 >/dev/null && mkfs.ext4 -q "$two" 2>/dev/null && mkdir m && mount "$two" m 2>/dev/null; then
    run alone "$pario" -o "$two" --allow-device=write -w
    umount m
    is "$status" 2 "a device with a mounted file system is refused"
    like "$err" 'is in use' "which is said"
else
    skip 2 "nothing can be mounted"
fi
ln -s "$one" link
run alone "$pario" -o link --allow-device -r
is "$status" 2 "a symbolic link is not followed"
done_testing
