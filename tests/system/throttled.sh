#!/bin/bash
# An outside truth for the headline: the kernel holds a disk to a rate, and the run with direct I/O has to find
# that rate, within 1 %, for writing and for reading, on one rank and on four; and the kernel's count of bytes
# is the run's. Takes a minute and a half, and depends on time: for make check-long.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"
groups=/sys/fs/cgroup/blkio
[ -e $groups/blkio.throttle.write_bps_device ] || skip_all "no blkio control group (version 1) with throttling"
device=$(stat -c '%Hd:%Ld' .)
[ -e "/sys/dev/block/$device" ] || skip_all "the files are on no block device ($device)"
# Limits are those of whole disks.
[ ! -e "/sys/dev/block/$device/partition" ] || device=$(cat "/sys/dev/block/$device/../dev")
group=$groups/pario-test-$$
mkdir "$group" 2>/dev/null || skip_all "no right to make a control group"
trap 'cd / && rmdir "$group"; rm -rf "$scratch"' EXIT
rate=$((20 << 20))
for direction in read write; do
    echo "$device $rate" >"$group/blkio.throttle.${direction}_bps_device" 2>"$scratch/err" ||
        skip_all "the disk $device cannot be held to a rate: $(cat "$scratch/err")"
done
export RUN_SECONDS=300

inside() { (echo $BASHPID >"$group/cgroup.procs" && exec "$@"); }
served() { awk -v device="$device" -v what="$1" '$1 == device && $2 == what { print $3 }' "$group/blkio.throttle.io_service_bytes"; }
value() { jq ".tests[0].phases[] | select(.phase == \"$1\") | .$2" doc.json; }

# held NAME COMMAND...
held()
{
    local name=$1 written read
    shift
    written=$(served Write) read=$(served Read)
    run inside "$@" -b $((320 / ranks))m -t 1m -e --direct --json doc.json
    is "$status:$err" "0:" "$name: ends well"
    for phase in write read; do
        is "$(value $phase "bandwidth_bytes_per_s / $rate * 1000 | round / 10 | . >= 99 and . <= 101")" true \
            "$name: $phase at $(value $phase "bandwidth_bytes_per_s / $rate * 10000 | round / 100") % of the limit"
    done
    # Programs and folders are read as well, and the journal is written.
    read=$(($(served Read) - ${read:-0} - $(value read bytes)))
    written=$(($(served Write) - ${written:-0} - $(value write bytes)))
    is "$((read >= 0 && read < 64 << 20))" 1 "$name: the bytes read are among those the kernel counts, $read more"
    is "$((written >= 0 && written < 4 << 20))" 1 "$name: so are those written, $written more"
}

ranks=1
held "one rank" "$pario"
ranks=4
held "four threads" "$pario" --threads 4
if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
    skip 5 "no MPI"
else
    held "four ranks" "$PARIO_MPIRUN" -n 4 "$pario"
fi
done_testing
