#!/bin/bash
# 4 KiB transfers through io_uring, against a minimal loop with the same flags, registrations and batches: on a
# page-cached file and with O_DIRECT, at 1 and 2 ranks; and against fio at its best setting where it is on
# PATH. Data: reads without check; writes stamped by pario, constant in the loop.
#
#     PAIRS=20 BENCH_DIRECTORY=/path/on/ext4 tests/bench/uring.sh [WORD]...     only rows that contain a WORD
. "${BASH_SOURCE%/*}/pairs.sh"
directory=${BENCH_DIRECTORY:-$BENCH_SCRATCH}
file=$directory/pario-bench-uring
words="$*"

# pattern: order or random. -z takes every block once in disorder, as the loop does.
disorder() { [ "$pattern" = random ] && echo -z; }
letter() { [ "$direction" = write ] && echo "-w -E" || echo -r; }

ours()
{
    # shellcheck disable=SC2046 # lists of options
    phase_figures "$direction" -a uring --threads "$ranks" --depth "$depth" -t 4k -b $((bytes / ranks)) \
        $(letter) -k $(disorder) $([ "$manner" = direct ] && echo --direct) -o "$file"
}
loop() { "$tools/loop_uring" "$file" "$bytes" $((bytes / 4096)) "$depth" 16 "$direction" "$manner" "$pattern" "$ranks"; }

fio_best()
{
    fio --name=x --thread --filename="$file" --ioengine=io_uring --rw="$([ "$pattern" = random ] && echo rand)$direction" \
        --bs=4k --size=$((bytes / ranks)) --offset_increment=$((bytes / ranks)) --numjobs="$ranks" \
        --iodepth="$depth" --iodepth_batch=16 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=16 \
        --direct="$([ "$manner" = direct ] && echo 1 || echo 0)" --fixedbufs --registerfiles --iomem_align=4k \
        --norandommap --invalidate=0 --group_reporting --output-format=json >"$BENCH_SCRATCH/fio" || return 1
    jq -r --arg d "$direction" '.jobs[0] | .[$d] as $r |
        "\($r.iops) \((.usr_cpu + .sys_cpu) / 100 * .job_runtime * 1e6 / $r.total_ios)"' "$BENCH_SCRATCH/fio"
}

# row RATE_LEAST CPU_MOST: with the settings as they stand.
row()
{
    local name="$manner $pattern $direction, depth $depth, $ranks rank" word
    [ "$ranks" = 1 ] || name+=s
    for word in $words; do
        [[ "$name against ${3:-loop}" == *"$word"* ]] || return 0
    done
    if [ "${3:-loop}" = fio ]; then
        theirs() { fio_best; }
        pairs "$name, fio" "$1" "$2"
    else
        theirs() { loop; }
        pairs "$name" "$1" "$2"
    fi
}

have_fio=$(command -v fio)
"$pario" -a posix -b 512m -t 1m -w -k -e -o "$file" >/dev/null 2>&1 || exit 1
pairs_title "io_uring, 4 KiB, on $(stat -f -c %T "$directory")"
pattern=${BENCH_PATTERN:-random}
for ranks in 1 2; do
    for depth in 32 128; do
        for direction in read write; do
            manner=cached bytes=$((512 << 20))
            row 0.95 1.05
            [ -z "$have_fio" ] || row 1 1 fio
            manner=direct bytes=$((64 << 20))
            row 0.95 1.05
            [ -z "$have_fio" ] || row 1 1 fio
        done
    done
done
rm -f "$file" "$file.pario"
exit $((BENCH_FAILED > 0))
