#!/bin/bash
# Wrong data in kept files, of every kind, is found by a later read with -R: which file, which offset, what
# was expected, what was found, where that belongs; and whatever is right passes, whoever reads it and how.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

sizes="-b 64k -t 16k -s 2"
# shellcheck disable=SC2086 # options are words
writes() { run alone "$pario" --threads 3 -w -k $sizes "$@"; }
# shellcheck disable=SC2086
reads() { run alone "$pario" --threads 3 -r -R -k --json doc.json $sizes "$@"; }
# put FILE OFFSET: standard input goes there.
put() { dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
# piece FILE OFFSET BYTES
piece() { tail -c "+$(($2 + 1))" "$1" | head -c "$3"; }
# found REGEX NAME: the read failed, and said so in one line; then the file is as it was.
found()
{
    is "$status" 1 "$2: status 1"
    like "$err" "^pario: rank [0-9]+ \([^)]+\): $1" "$2: says where and what"
    is "$(printf '%s\n' "$err" | wc -l)" 1 "$2: in one message"
    cat good >file
}
bad() { jq "[.tests[0].phases[].bad_transfers] | add" doc.json; }
hex='[0-9a-f]{16}'

writes -o file -G 77
is "$status" 0 "three ranks write"
cp file good
reads -o file
is "$status:$err" "0:" "and read it again"
is "$(jq -c '.tests[0].phases[0] | [.bytes == .verified_bytes, .bad_transfers]' doc.json)" "[true,0]" "all of it compared"

byte=$(piece file 100007 1 | od -An -tu1)
printf '%b' "$(printf '\\x%02x' $((byte ^ 4)))" | put file 100007
reads -o file
found "file, offset 100007: expected $hex, found $hex: the right data with bytes changed; 1 byte in 1 sector is wrong" "a flipped bit"
is "$(bad)" 1 "a flipped bit: one transfer is bad"
like "$(jq -r '.tests[0].phases[0].errors[0] | [.kind, .first.path, .first.offset] | join(" ")' doc.json)" \
    "verify file 100007" "a flipped bit: the document says the same"

{ piece good 131072 65536 && piece good 65536 65536; } | put file 65536
reads -o file
found "file, offset (65536: .*: data that belongs to file 0, offset 131072|131072: .* offset 65536);" "two blocks exchanged"
is "$(bad)" 8 "two blocks exchanged: all of their transfers are bad"

{ piece good 512 512 && piece good 0 512; } | put file 0
reads -o file
found "file, offset 0: .*: data that belongs to file 0, offset 512; [0-9]+ bytes in 2 sectors are wrong" "two sectors exchanged"

writes -o other -G 78
piece other 131072 16384 | put file 131072
reads -o file
found "file, offset 131072: .*: data of another run \(seed 78, file 0, offset 131072\)" "what an earlier run wrote"

truncate -s 300000 file
reads -o file
found 'file, offset (300000|327680): read of [0-9]+ bytes: the file ends here: it is shorter than this test needs' "a short file"

head -c 16384 /dev/zero | put file 65536
reads -o file
found "file, offset 65536: .*found 0000000000000000: zeros: a hole, or never written" "a hole"

head -c 512 /dev/urandom | put file 1536
reads -o file
found "file, offset 1536: .*: not recognised; 5[01][0-9] bytes in 1 sector are wrong" "anybody's data"

# A050: the number of bad transfers is no exit status.
piece other 0 393216 | put file 0
reads -o file -t 4k
is "$status:$(bad)" "1:96" "every transfer is bad: status 1"
cat good >file
reads -o file -t 1k -G 99
is "$status:$(bad)" "1:384" "another seed than the writer's is told to expect: status 1"
reads -o file -t 1k -G 77
is "$status:$(bad)" "0:0" "its own seed"

# Without the sidecar, the data itself tells its seed.
rm file.pario
reads -o file
is "$status:$err" "0:" "the seed is found in the data"
dd if=/dev/zero of=nothing bs=64k count=6 status=none
reads -o nothing
is "$status" 2 "what pario never wrote cannot be compared"
like "$err" 'nothing does not begin with data that pario wrote' "and that is said"

# Other ranks, other sizes, other backends, other orders than those that wrote.
for how in "1 -b 384k -t 64k" "4 -b 48k -t 8k" "6 -b 1k -t 512 -s 64" "2 -b 3k -t 1k -s 64 -z" "8 -b 48k -t 48k"; do
    for api in posix uring aio mmap; do
        # shellcheck disable=SC2086
        run alone "$pario" -a $api --threads $how -s 1 -r -R -k -o file
        [ "$status" = 2 ] && printf '%s\n' "$err" | grep -q "backend $api: " && skip 1 "no $api" && continue
        is "$status:$err" "0:" "read by $api, $how"
    done
done

writes -F -o own -G 77
cp own.00000000 x
cat own.00000001 >own.00000000
cat x >own.00000001
reads -F -o own
is "$status" 1 "files of two ranks exchanged: status 1"
like "$err" 'own.00000000, offset 0: .*: data that belongs to file 1, offset 0;.*and 1 other rank failed' \
    "files of two ranks exchanged: whose data it is"
is "$(bad)" 16 "files of two ranks exchanged: all of both"

# shellcheck disable=SC2086
run alone "$pario" --threads 3 -F -r -R -K -o own $sizes
is "$status:$(echo own.0*)" "1:own.00000000 own.00000001 own.00000002" "-K keeps files with wrong data"
# shellcheck disable=SC2086
run alone "$pario" --threads 3 -F -r -R -o own $sizes
is "$status:$(echo own.*)" "1:own.*" "without it they are removed"
writes -F -o own
# shellcheck disable=SC2086
run alone "$pario" --threads 3 -F -r -R -K -o own $sizes
is "$status:$(echo own.*)" "0:own.*" "-K removes what is right"

# What a deadline left: each rank has another amount, in random order.
for layout in "" -F; do
    # shellcheck disable=SC2086
    run alone "$pario" --threads 3 $layout -w -k -z -D 0.1 -b 64m -t 4k -o cut --json doc.json
    wrote=$(jq '.tests[0].phases[0].bytes' doc.json)
    # shellcheck disable=SC2086
    run alone "$pario" --threads 3 $layout -r -R -k -z -b 64m -t 4k -o cut --json doc.json
    is "$status:$err:$(jq '.tests[0].phases[0].verified_bytes' doc.json)" "0::$wrote" "what a deadline left, ${layout:-shared}"
    # shellcheck disable=SC2086
    run alone "$pario" --threads 2 $layout -r -R -k -z -b 64m -t 4k -o cut
    is "$status" 2 "what a deadline left, ${layout:-shared}: by other ranks it is not read"
    like "$err" 'read it as that: 3 ranks, -b 67108864 -s 1' "but told how"
    # shellcheck disable=SC2086
    run alone "$pario" --threads 3 $layout -wr -W -R -z -D 0.1 -b 64m -t 4k -o cut
    is "$status:$err" "0:" "checked in the same run, ${layout:-shared}"
    # shellcheck disable=SC2086
    run alone "$pario" --threads 3 $layout -wr -W -R -D 0.1 --wear-out -b 64m -t 4k -o cut
    is "$status:$err" "0:" "with wear-out, ${layout:-shared}"
done

# A rank that wrote all of its share beside one that did not stays in its own places, too.
run alone "$pario" --threads 3 -w -k -z -b 64k -t 4k -o part -G 5
sed -i 's/^written .*/written 0 1 16\nwritten 1 1 3\nwritten 2 1 16/; s/^end .*/end 15/' part.pario
cp part whole
run alone "$pario" --threads 3 -r -R -k -z -b 64k -t 4k -o part --json doc.json
is "$status:$(jq '.tests[0].phases[0].verified_bytes' doc.json)" "0:$((35 * 4096))" "only what the sidecar says is read"

# A043: whoever reads, the data is the writer's; on three nodes or one.
if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
    skip 1 "no MPI"
else
    for how in "-C" "-C -Q 2" "-Z" "-F -C" "-F -Z -X -1 -i 3" "-F -z -C" "-z" "-a mpiio -C" "-a mpiio -c -C"; do
        # shellcheck disable=SC2086 # A044: 47008 bytes
        run mpi 3 "$pario" $how -wr -W -R -b 47008 -t 47008 -s 24 -o again
        is "$status:$err" "0:" "47008 bytes, $how"
    done
    run mpi 3 "$pario" -w -k -F -b 64k -t 16k -o shift -G 77
    printf x | put shift.00000001 70
    run mpi 3 "$pario" -r -R -F -C -b 64k -t 16k -o shift
    is "$status" 1 "-C finds what another wrote wrong"
    like "$err" 'rank 0 \([^)]+\): shift.00000001, offset 70: ' "by the rank that reads it"
fi
done_testing
