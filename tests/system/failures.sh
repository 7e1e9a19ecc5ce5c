#!/bin/bash
# One rank fails, under mpirun: all end, within seconds, with one message and the right status, and what
# was made is removed.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
export RUN_SECONDS=${RUN_SECONDS:-40}

# only RANK COMMAND...: a script that gives one rank a hard time.
cat >only <<'END'
#!/bin/bash
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
if [ "$rank" = "$1" ]; then
    case $2 in
    small) ulimit -f 16384 ;; # the shared memory of MPI libraries has to fit
    killed) (sleep 1; kill -KILL $$) & ;;
    traced) shift 2; export ASAN_OPTIONS=detect_leaks=0; exec strace -f -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:$TROUBLE" "$@" ;;
    esac
fi
shift 2
exec "$@"
END
chmod +x only

# said: pario's own lines on standard error; mpirun adds its own when a job fails.
said() { printf '%s\n' "$err" | grep '^pario: '; }
# fails STATUS MESSAGE NAME: one message of that form, that status, nothing left.
fails()
{
    is "$status" "$1" "$3: status $1"
    like "$(said)" "^pario: $2" "$3: says what, where and why"
    is "$(said | wc -l)" 1 "$3: in one message"
    is "$(find . -type f ! -name only ! -name doc.json)" "" "$3: nothing is left behind"
}

run mpi 4 ./only 2 small "$pario" -F -b 20m -t 1m --json doc.json
fails 1 'rank 2 \([^)]+\): testFile.00000002, offset 16777216: write [0-9]+ bytes .*File too large' "a file over the limit"
is "$(jq -c '[.status, .exit_status, (.tests[0].phases | length),
    (.tests[0].phases[0].errors[] | [.kind, .count, .first.rank, .first.offset])]' doc.json)" \
    '["failed",1,1,["EFBIG",1,2,16777216]]' "a file over the limit: the document says the same"
is "$(jq '.tests[0].phases[0].operations_failed' doc.json)" 1 "and counts it"
like "$out" '^The run failed \(exit status 1\)' "the text ends with the status"
run mpi 4 ./only 2 small "$pario" -F -b 20m -t 1m -i 5 --depth 4 -a uring
if [ "$status" = 2 ]; then
    skip 4 "$(said)"
else
    fails 1 'rank 2 .*testFile.00000002, offset 16777216: .*File too large' "the same with a queue"
fi
run mpi 4 ./only 2 small "$pario" -F -a mpiio -b 20m -t 1m
fails 1 'rank 2 .*testFile.00000002' "the same by MPI-IO"

if command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; then
    TROUBLE=error=EIO:when=5 run mpi 4 ./only 1 traced "$pario" -b 1m -t 128k
    fails 1 'rank 1 \([^)]+\): testFile, offset 1572864: write 131072 bytes: Input/output error' "an I/O error"
    TROUBLE=error=EINTR:when=5 run mpi 4 ./only 1 traced "$pario" -b 1m -t 128k --json doc.json
    is "$status:$err" "0:" "EINTR is no failure"
    is "$(jq '.tests[0].phases[0].retries' doc.json)" 1 "but counted"
    TROUBLE=retval=4096:when=5 run mpi 4 ./only 1 traced "$pario" -b 1m -t 128k -w --json doc.json
    is "$status:$err" "0:" "a short write is continued"
    is "$(jq '.tests[0].phases[0].short_transfers' doc.json)" 1 "and counted"
else
    skip 8 "strace is not allowed here"
fi

# A file that is shorter than it was: the reader says where it ends.
run mpi 4 "$pario" -w -k -b 1m -t 128k
truncate -s 2500000 testFile
run mpi 4 "$pario" -r -b 1m -t 128k --json doc.json
fails 1 'rank [23] .*testFile, offset [0-9]+: read of [0-9]+ bytes: the file ends here' "a file cut off"
is "$(jq '.tests[0].phases[0].bytes <= 2500000' doc.json)" true "a file cut off: no more bytes than there were"

# A rank that is no more: the launcher ends the others; nobody waits for it.
begun=$SECONDS
run mpi 4 ./only 3 killed "$pario" -a sim --sim.service 100ms -b 64m -t 128k
is "$((status != 0 && status != 124))" 1 "a rank killed: the job ends, not well"
is "$((SECONDS - begun < 20))" 1 "a rank killed: within seconds"

# Foreign files are refused before the first byte.
echo "a thesis" >testFile
run mpi 3 "$pario" -b 1m -t 128k
is "$status:$(cat testFile)" "2:a thesis" "a foreign file is left alone"
like "$(said)" '^pario: testFile exists and was not made by pario' "and the message says why"
is "$(said | wc -l)" 1 "once"
rm testFile
echo "another" >testFile.00000001
run mpi 3 "$pario" -F -b 1m -t 128k
is "$status:$(ls -d testFile*):$(cat testFile.00000001)" "2:testFile.00000001:another" \
    "one foreign file of three: nothing is made, nothing lost"
is "$(said | wc -l)" 1 "and that is said once"
rm testFile*

# What cannot be written is found before the first byte; what fails at the end is told.
run mpi 2 "$pario" -b 1m -t 128k --json no/such/folder.json
fails 2 'option --json: writing the result to no/such/folder.json: No such file or directory' "no folder for the document"
run mpi 2 "$pario" -b 1m -t 128k --json /dev/full
fails 1 'writing the result to /dev/full: No space left on device' "a full disk for the document"

run mpi 4 "$pario" -b 1x
fails 2 "option -b: '1x' is not a size" "wrong use of four ranks"
is "$out" "" "with nothing on standard output"

full=$scratch/full
mkdir "$full"
if mount -t tmpfs -o size=6m pario "$full" 2>"$scratch/err"; then
    trap 'cd / && umount "$full"; rm -rf "$scratch"' EXIT
    run mpi 4 "$pario" -b 4m -t 128k -o "$full/f"
    fails 1 '.*needs 16 MiB, 6 MiB available' "too little room is seen before the first byte"
    for manner in "" -F "-a mpiio" "-a mpiio -c" "-a mmap"; do
        # With a deadline nobody knows how much it will be.
        # shellcheck disable=SC2086
        run mpi 4 "$pario" -b 4m -t 128k -o "$full/f" -D 30 --reserve 0 $manner --json doc.json
        fails 1 'rank [0-9] .*full/f.*[Nn]o space left' "a full disk, ${manner:-posix}"
        is "$(ls "$full")" "" "a full disk, ${manner:-posix}: and it is empty again"
        is "$(jq -c '[.tests[0].phases[0].warnings[].code] | index("cut-short") != null' doc.json)" true \
            "a full disk, ${manner:-posix}: the figures are marked"
    done
else
    skip 29 "no file system can be mounted: $(cat "$scratch/err")"
fi
done_testing
