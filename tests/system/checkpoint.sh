#!/bin/bash
# Checkpoints with the built program: the order of calls, what a restart makes of torn ones, whose a
# directory is, and that a run killed at any moment leaves a whole checkpoint or says there is none.
# PARIO_KILLS: how many are killed (5); PARIO_RANK_KILLS: of how many a rank is (2).
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
small=(--threads 2 -b 256k -t 64k -o ck)
write() { run "$pario" checkpoint "${small[@]}" --steps 3 -k; }
restart() { run "$pario" checkpoint --restart --threads 2 -t 64k -o ck; }

write
is "$status" 0 "checkpoints are written"
is "$(ls ck)" "$(printf 'latest\nstep-00000002\nstep-00000003')" "two are retained, and a marker"
restart
is "$status $err" "0 " "and the latest is read back"
write
is "$status" 0 "pario's own are replaced"
for readers in same shifted all; do
    run "$pario" checkpoint --restart --readers $readers --threads 5 -t 10000 -o ck
    is "$status" 0 "more ranks than wrote read it, readers $readers"
done

label() { printf '%s\n' "$out" | sed -n 's/.*"cache": {"label": "\([a-z]*\)".*/\1/p'; }
run "$pario" checkpoint --restart --threads 2 -t 64k -o ck --json -
is "$status $(label)" "0 warm" "what was just read is read again from a warm cache"
run "$pario" checkpoint --restart --threads 2 -t 64k -o ck --json - --cold
case $(stat -f -c %T .) in
ext* | xfs | btrfs) is "$status $(label)" "0 cold" "--cold makes it cold, which is looked for" ;;
*) like "$status $(label)" '0 (cold|warm|mixed|unknown)' "--cold: a label tells what came of it" ;;
esac
between() { run "$pario" checkpoint --restart --threads 2 -t 64k -o ck --cold --between "$1"; }
between "mkdir 'a b'"
is "$status $(rmdir 'a b' && echo made)" "0 made" "--between runs a program once, without a shell"
between 'sh -c "exit 3"'
is "$status" 1 "it fails, and the run does"
like "$err" 'rank 0 .*--between: sh ended with status 3$' "and its status is said"
unlike "$err" torn "and nothing was read"
between "nowhere-to-be-found x"
is "$status" 1 "it cannot be started"
like "$err" 'nowhere-to-be-found: it cannot be started: No such file' "and that is said"
between "'x"
is "$status" 2 "a quote that is not closed is wrong use"
run "$pario" checkpoint --cold -o ck
is "$status" 2 "as is --cold without a restart"
run "$pario" checkpoint -a sim -w --restart --cold
is "$status" 2 "or without files"

printf 'X' | dd of=ck/step-00000003/rank-00000001 bs=1 seek=70000 conv=notrunc 2>/dev/null
restart
is "$status" 0 "a flipped byte: the one before is read"
like "$err" 'checkpoint 3 is torn: .*rank-00000001.*trying the one before' "and that is said"
rm ck/step-00000003/rank-00000001
restart
is "$status" 0 "a missing file: the one before is read"
truncate -s 1000 ck/step-00000002/rank-00000000
restart
is "$status" 1 "a short file, too: none is left"
like "$err" 'checkpoint 2 is torn: .*rank-00000000.*ends here' "and that is said"

write
mkdir ck/step-00000004
restart
is "$status" 0 "a checkpoint without marker is passed over"
like "$err" 'checkpoint 4 was not finished' "and that is said"
# Each digit of the seed becomes another one, whatever the seed is.
sed -i '/^seed /y/0123456789/1234567890/' ck/latest
restart
is "$status" 2 "a marker that was changed is none"
like "$err" 'latest: its last line does not prove the others|latest: line 2 is not' "and that is said"
rm ck/latest
write
is "$status" 2 "and without a marker the directory is foreign"
like "$err" 'was not made by pario' "and that is said"
rm -rf ck
run "$pario" checkpoint "${small[@]}" --steps 3 -w --restart --compute 50ms --background --staging 100k
is "$status" 0 "checkpoints are written beside the program's work, copied into memory in parts"
like "$out" '^checkpoint +drain +[0-9.]+ .?s +[0-9.]+ .?s +[0-9.]+ .?s +[0-2]$' "the drain has a line over steps"
like "$out" '^checkpoint +sync +.* [01]  [^ ]+$' "a stage names its slowest rank and host"
like "$out" '^Blocked: until it is copied' "what blocked means is said"
like "$out" '^The restart of repetition 0 was (cold|mixed|warm|unknown): ' "and what the restart found cached"
run "$pario" checkpoint "${small[@]}" -w --restart --steps 2 --compute 10ms --background
like "$status $out" 'Blocked: until it is written and marked: nothing is copied' "or without a copy"
run "$pario" checkpoint "${small[@]}" -a uring --depth 4 --steps 2 -w --restart --background --staging 192k
case $err in
*uring*) note "no uring here: $err" ;;
*) is "$status" 0 "and through a queue" ;;
esac
mkdir ck && echo precious >ck/notes
write
is "$status" 2 "a foreign directory is refused"
is "$(cat ck/notes)" precious "and left alone"
rm -rf ck
restart
is "$status" 2 "where nothing is, there is nothing to restart from"
run "$pario" checkpoint --steps 9 --retain 5 -b 900t -o ck
is "$status" 1 "no room for what is retained"
like "$err" '6 checkpoints .*retain 5' "is said before the first byte"
is "$(ls)" "" "and nothing is left"

# Tensors as they are listed.
printf '# a model\nembed 100k\nnorm 17\nhead 64k # last\n300000\n' >list
run "$pario" checkpoint --threads 3 -t 64k --tensor-list list --steps 2 -w --restart -k -o listed --json -
is "$status $(stat -c %s listed/step-00000002/rank-00000002)" "0 467953" "tensors have the sizes of a list"
like "$out" '"phase": "checkpoint".*"operations": 27,' "and are written one by one"
run "$pario" checkpoint --restart --threads 2 -t 10000 -o listed
is "$status" 0 "which a restart need not know"
run "$pario" plan checkpoint --ranks 4 --tensor-list list
like "$out" 'checkpoint .*\(1871812 bytes\) in 4 files' "plan: of the list"
echo 'head 12q' >list
run "$pario" checkpoint --threads 3 --tensor-list list -o other
is "$status $(ls -d other 2>&1 | head -c 2)" "2 ls" "a list that is none is refused before anything is made"
like "$err" "list, line 1: '12q' is not a size" "with its line"
rm -rf list listed

# A file for the ranks of a group, which one of them collects.
run "$pario" checkpoint --threads 5 -b 100k -t 30k --shape groups --group 2 --steps 2 -w --restart -k -o groups
is "$status $err" "0 " "ranks hand over what they save, and it is read back"
is "$(stat -c '%n %s' groups/step-00000002/*)" "$(printf 'groups/step-00000002/group-0000000%s\n' \
    '0 204800' '1 204800' '2 102400')" "in a file for each group"
for readers in 1 3 9; do
    run "$pario" checkpoint --restart --threads $readers -t 10000 -o groups
    is "$status" 0 "$readers ranks read it"
done
if [ "$PARIO_MPI" != none ] && command -v "$PARIO_MPIRUN" >/dev/null; then
    run mpi 4 "$pario" checkpoint -b 300k -t 64k --shape groups --steps 2 -w --restart -o node
    is "$status" 0 "over MPI, too, all ranks of a node"
    # shellcheck disable=SC2016 # the inner shell's
    run mpi 3 bash -c 'ulimit -f 16384; exec "$@"' - "$pario" checkpoint -b 8m -t 64k --shape groups -o short
    is "$status" 1 "a leader that cannot write ends the run, and does not leave the others waiting"
    like "$err" 'rank 0 .*group-00000000' "which is said"
else
    skip 3 "no MPI"
fi
rm -rf groups node short

# Through MPI libraries: the file that all share is opened, synced and closed together.
libraries()
{
    for how in "-a mpiio" "-a mpiio -c --shape strided" "-a hdf5 --shape shared -c" \
        "-a hdf5 --preset vpic -c --chunk 64k --compute 0 --hdf5.dataset-per-segment"; do
        if [[ $how == *hdf5* ]] && "$pario" --list | grep -q '^  hdf5 .*cannot be used'; then
            skip 2 "no HDF5"
            continue
        fi
        read -ra words <<<"$how"
        run mpi 2 "$pario" checkpoint "${words[@]}" -b 512k -t 64k --steps 2 -w --restart -k -o library
        is "$status $(printf "%s\n" "$err" | grep "^pario")" "0 " "$how: written and read back"
        run mpi 3 "$pario" checkpoint "${words[1]/#/-a}" --restart -t 4k -o library
        is "$status" 0 "$how: and by more ranks"
        rm -rf library
    done
    # shellcheck disable=SC2016 # the inner shell's
    run mpi 3 bash -c 'ulimit -f 16384; exec "$@"' - "$pario" checkpoint -a mpiio --shape shared -b 8m -t 1m -o library
    is "$status" 1 "a shared file that some ranks cannot write: all end"
    rm -rf library
}
if [ "$PARIO_MPI" != none ] && command -v "$PARIO_MPIRUN" >/dev/null; then
    libraries
else
    skip 9 "no MPI"
fi

mkdir full
if mount -t tmpfs -o size=3m none full 2>/dev/null; then
    for time in first second; do
        run "$pario" checkpoint --threads 2 -b 600k -t 64k --steps 2 -k -o full/ck
        is "$status" 0 "what is replaced makes room, the $time time"
    done
    dd if=/dev/zero of=full/fill bs=4k 2>/dev/null
    run "$pario" checkpoint --threads 2 -b 4k -t 4k --steps 1 -o full/ck --reserve 0
    is "$status $(ls full)" "0 fill" "on a full disk, too, old checkpoints can be removed"
    umount full
else
    skip 3 "no file system can be mounted here"
fi
rmdir full

run "$pario" checkpoint --preset safetensors-load --scale 0.0001 --restart -w --threads 2 -k -o ck
is "$status" 0 "a preset, scaled down"
is "$(find ck -name '*.safetensors' | wc -l)" 163 "has its files"
if type python3 >/dev/null 2>&1; then
    run python3 - <<'END'
import glob, json, struct
names = glob.glob("ck/step-*/*.safetensors")
assert len(names) == 163
for name in names:
    data = open(name, "rb").read()
    n = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + n])
    end = 0
    for tensor in header.values():
        begin, next_end = tensor["data_offsets"]
        assert begin == end and next_end - begin == tensor["shape"][0] and tensor["dtype"] == "U8"
        end = next_end
    assert 8 + n + end == len(data) and len(header) == 564
END
    is "$status$err" 0 "which a reader of safetensors understands"
fi
rm -rf ck

if type strace >/dev/null 2>&1 && strace -o /dev/null true 2>/dev/null; then
    strace -f -o trace -e trace=openat,fsync,rename,renameat,renameat2,unlink,unlinkat \
        "$pario" checkpoint -b 64k -t 64k --steps 2 --retain 1 -k -o ck >/dev/null 2>&1
    # What is renamed without a sync just before it, and what comes after the marker.
    bad=$(awk '/fsync\(/ { synced = 1 }
        /openat.*step-.*\.tmp/ { synced = 0 }
        /rename.*step-/ { if (!synced) print "renamed unsynced: " $0; files++ }
        /rename.*latest/ { if (markers++ && !directory) print "marker too early: " $0; directory = 0 }
        /openat.*step-[0-9]*".*O_DIRECTORY/ { directory = 1 }
        /unlink.*step-00000001/ { if (markers < 3) print "pruned before the marker: " $0; pruned++ }
        END { if (files != 2 || markers != 3 || pruned < 1) print files, markers, pruned }' trace)
    is "$bad" "" "a file is renamed only when synced, the marker comes last, pruning after it"
    rm -r ck
    "$pario" checkpoint --threads 4 -b 64k -t 64k --files-per-rank 5 --steps 3 -k -o ck >/dev/null 2>&1
    : >ck/step-00000002/rank-00000001.9 # as another run's, with more files
    strace -f -o trace -e trace=unlink,unlinkat,rename,renameat2 \
        "$pario" checkpoint --threads 4 -b 64k -t 64k --steps 1 -o ck >/dev/null 2>&1
    is "$(sed -n 's/^\([0-9]*\).*unlink.*step-0000000[23].*/\1/p' trace | sort -u | wc -l)" 4 \
        "old checkpoints are removed by all ranks"
    is "$(grep -E 'rename.*latest|unlink' trace | head -n 1 | grep -c 'latest')" 1 \
        "once the marker says that none is whole"
    is "$(ls)" trace "and nothing is left of them"
fi

# The tables of MLPerf Storage and of the presets.
while read -r preset ranks bytes files; do
    run "$pario" plan checkpoint --preset "$preset" --ranks "$ranks"
    like "$out" "checkpoint .*\\($bytes bytes\\) in $files file" "plan: $preset on $ranks ranks"
done <<'END'
llama3-8b 8 112425623552 16
llama3-70b 64 978406572032 128
llama3-405b 512 5682508791808 1544
llama3-1t 1024 16564174094592 2072
torch-2000m 2 2000000000 1
safetensors-load 16 687000000000 163
vpic 4 536870912 1
nn-restart 4 4294967296 4
END

# A104: 31 ranks, 16777216 particles of 32 bytes, 5 steps: 83214991360 bytes, to the last.
run "$pario" plan checkpoint --ranks 31 -b 512m -t 16m --steps 5
like "$out" 'checkpoint .*\(16642998272 bytes\) in 31 file' "A104: bytes are exact, a fifth in each step"
# B23: bursts of 30 GiB, eight times.
bursts=(-a mpiio -c)
lacks mpiio && bursts=()
run "$pario" plan checkpoint --ranks 1536 -b 20m -t 2m --shape shared "${bursts[@]}" --steps 8
like "$out" 'checkpoint .*\(32212254720 bytes\) in 1 file' "B23: periodic bursts into a shared file"

wrong=
for ((i = 0; i < ${PARIO_KILLS:-5}; i++)); do
    "$pario" checkpoint "${small[@]}" --steps 1000 -k >/dev/null 2>&1 &
    sleep "0.$(printf %03d $((RANDOM % 700)))"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    restart
    case $status in
    0) ;;
    *) printf '%s\n' "$err" | grep -Eq 'no checkpoint' || wrong="$wrong $i: $status $err" ;;
    esac
    printf '%s\n' "$err" | grep -q 'is torn' && wrong="$wrong $i: $err"
done
is "$wrong" "" "killed at any moment, a whole checkpoint is left, or none is said to be there"

# A rank of several processes is killed, and mpirun ends the others, in the middle of what they do.
doomed()
{
    cat >doomed <<'END'
#!/bin/bash
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != "$1" ] || (sleep "$2"; kill -KILL $$) &
shift 2
exec "$@"
END
    chmod +x doomed
    wrong=
    for ((i = 0; i < ${PARIO_RANK_KILLS:-2}; i++)); do
        run mpi 3 ./doomed $((i % 3)) "0.$(printf %03d $((400 + RANDOM % 600)))" \
            "$pario" checkpoint -b 128k -t 64k --steps 100000 -k -o ranks
        [ "$status" != 0 ] && [ "$status" != 124 ] || wrong="$wrong $i: it ended with $status"
        run "$pario" checkpoint --restart --threads 2 -t 64k -o ranks
        [ "$status" = 0 ] || printf '%s\n' "$err" | grep -Eq 'no checkpoint' ||
            wrong="$wrong $i: $status $err"
        printf '%s\n' "$err" | grep -q 'is torn' && wrong="$wrong $i: $err"
    done
    is "$wrong" "" "one rank killed, a whole checkpoint is left, or none is said to be there"
    run "$pario" checkpoint "${small[@]}" -o ranks
    ok "$([ "$status" = 0 ] && [ ! -e ranks ] && echo 0)" "and the next run clears what is left"
}
if [ "$PARIO_MPI" = none ] || ! command -v "$PARIO_MPIRUN" >/dev/null; then
    skip 2 "no MPI"
else
    doomed
fi
done_testing
