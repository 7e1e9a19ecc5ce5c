#!/bin/bash
# Situations that were reported of other programs, under the numbers that they have in the collection: documents that do
# not parse, names and sizes that are misread, amounts that are not what was asked for.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

job() { rm -f doc.json && run alone "$pario" "$@" --json doc.json; }
of() { jq -c "$1" doc.json; }
first() { of ".tests[0].phases[0] | $1"; }

# --- A070, A074: whole documents for every combination
bad=
for layout in "" -F; do
    for backend in posix mmap null sim; do
        for more in "" "-i 2" "-i 2 -m" "-D 5" "-z -e" "-i 2 -r -w -C"; do
            [ "$backend" != null ] || [ "$more" != "-z -e" ] || continue
            # shellcheck disable=SC2086 # several options
            "$pario" -a $backend --threads 2 $layout $more -b 128k -t 32k --csv doc.csv --json doc.json >text 2>err ||
                bad+=" [$backend $layout $more: $(head -n 1 err)]"
            jq -e '.schema and (.tests | length == 1) and .exit_status == 0' doc.json >parsed 2>&1 ||
                bad+=" [json $backend $layout $more]"
            awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' doc.csv || bad+=" [csv $backend $layout $more]"
        done
    done
done
is "$bad" "" "A070 A074: JSON that parses and CSV with as many values as names, whatever was asked for"

# --- A071: an error in the middle
mkdir full
if mount -t tmpfs -o size=1m none full 2>mount.err; then
    run alone "$pario" --threads 1 -b 64m -t 64k -w -D 30 -o full/file --reserve 0% --json -
    umount full
    is "$status" 1 "A071: a full disk fails"
    is "$(jq -r '.exit_status, .tests[0].phases[0].errors[0].kind' <<<"$out" | xargs)" "1 ENOSPC" \
        "A071: standard output is a document that says so"
    like "$err" 'full/file, offset [0-9]+: .*No space left on device' "A071: the message is on standard error"
else
    skip 3 "no mount"
fi

# --- A079, A080: what is there already
mkdir there
run alone "$pario" --threads 2 -b 64k -t 64k -o there
is "$status:$(wc -l <<<"$err")" "2:1" "A079: a directory as file is refused, once"
like "$err" 'there.*directory' "A079: and called one"
is "$(ls -A there)" "" "A079: it is as it was"
job --threads 4 -F -b 64k -t 64k -w -k -o kept
inodes=$(stat -c '%i %s' kept.0*)
job --threads 4 -F -b 64k -t 64k -w -E -k -o kept
is "$status:$(stat -c '%i %s' kept.0*)" "0:$inodes" "A080: existing files are written again, the same ones"

# --- A088, A091, A112, A113: sizes
run alone "$pario" --threads 1 -F -b 30k -t 4k
is "$status" 2 "A088: a block that is no multiple of the transfer is refused"
like "$err" '30.*4' "A088: with both sizes"
job --threads 4 -b 256k -t 64k -w
is "$(first '[.operations, .bytes]')" "[16,1048576]" "A091: four ranks divide a file, each byte is written once"
run alone "$pario" plan --ranks 240 -b 1m -t 1m -s 4096
like "$out" '960 GiB.*\(1030792151040 bytes\)|1030792151040' "A112: exact bytes, in units of powers of two"
like "$out" '960 GiB' "A112: and readable"
run alone "$pario" plan --ranks 30720 -b 8m -t 8m -s 51
like "$out" "$((51 * 30720 * 8 << 20)) bytes" "A113: what is really used"

# --- A092: an operation of 20 s in each ten, in virtual time
job -a sim --clock virtual --threads 1 -b 400k -t 4k -w --sim.service 1ms --sim.stall 20s --sim.stall-at 10
is "$(first '.latency_ns.write | .max >= 2e10 and .p99 <= .max and .p50 <= .p99')" true "A092: what is slow is not cut off at a limit"

# --- A094: a ramp that is longer than the run
job random -a sim --clock virtual --threads 2 -b 4m -t 4k -w --sim.service 1ms -D 2 --ramp 5
is "$status:$(of '[.tests[0].phases[].phase] | unique')" '0:["write"]' "A094: a ramp longer than the run: no other I/O"
is "$(first '.elapsed_s >= 2 and .elapsed_s < 2.1 and .operations >= 3990 and .operations <= 4010')" true \
    "A094: and the window that is measured comes after it, in full"

# --- A095: totals are those of the ranks
run alone "$pario" random --threads 4 -b 1m -t 4k -r --json doc.json --per-rank rows.csv
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bytes") b = i } NR > 1 { s += $b } END { print s }' rows.csv)" \
    "$(first .bytes)" "A095: the sum over ranks is the total"

# --- A097: deep queues with a log
for depth in 1024 2048 4097; do
    "$pario" --list | grep -q '^  uring .*cannot be used' && break
    job random -a uring --threads 1 -b 32m -t 4k -r --depth $depth --interval 100ms
    is "$((status == 0 || status == 2))" 1 "A097: a queue of $depth with an interval log works or is refused (status $status)"
done

# --- A101: passes over a small file
job random --threads 2 -b 64k -t 4k -r -D 0.3
is "$(first '.operations > 32 and .bytes == .operations * 4096')" true "A101: a time limit goes over a small file again and again"
is "$(first '[.warnings[].code] | index("short-phase") != null')" true "A101: and a short phase is told"

# --- A125: items and items per directory
run alone "$pario" metadata --threads 3 -n 10 -I 3 -F
is "$((status == 0 || status == 2))" 1 "A125: items that no directory divides: done or refused"
[ "$status" = 0 ] || like "$err" '\-I|-n' "A125: with the options"

# --- A128: a limit of the file system on names
mkdir few
if mount -t tmpfs -o nr_inodes=200 none few 2>mount.err; then
    run alone "$pario" metadata --threads 2 -F -C -n 500 -W 30 -d few/out --json doc.json
    rest=$(find few -type f | wc -l)
    umount few
    is "$status" 1 "A128: no room for more names fails"
    like "$err" 'few/out.*No space left on device' "A128: with a path and the reason"
    is "$(of '[.tests[0].phases[] | select(.phase == "create")][0] | .operations > 0 and .operations < 1000')" true \
        "A128: what was made until then is told"
    is "$((rest < 200))" 1 "A128: and can be cleaned up ($rest left)"
else
    skip 4 "no mount"
fi
done_testing
