#!/bin/bash
# Runs by PnetCDF on several ranks: other tools read what was written, any number of ranks verify it, and trouble
# ends all ranks with one message.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
if lacks pnetcdf; then
    run alone "$pario" -a pnetcdf
    is "$status" 2 "without PnetCDF the backend is refused"
    like "$err" '^pario: .*pnetcdf cannot be used: built without' "and says what is missing"
    done_testing
    exit 0
fi
command -v jq >/dev/null || skip_all "no jq"
said() { printf '%s\n' "$err" | grep '^pario: '; }

# The variable is the end of the file: the same bytes as a plain file of the same run would have.
same_bytes() # FILE PLAIN NAME
{
    tail -c "$(stat -c %s "$2")" "$1" | cmp -s - "$2"
    is "$?" 0 "$3"
}

run mpi 4 "$pario" -a posix -b 512k -t 64k -s 2 -w -k -G 77 -o plain
for way in "" "-c" "-z" "-c --time-create" "--pnetcdf.hint nc_var_align_size=65536"; do
    # shellcheck disable=SC2086 # options
    run mpi 4 "$pario" -a pnetcdf -b 512k -t 64k -s 2 -w -W -r -R -k -G 77 --json doc.json $way
    is "$status:$err" "0:" "'$way': a job ends well, and finds its data again"
    same_bytes testFile plain "'$way': the variable holds the bytes of a plain file"
done
is "$(jq -r '.tests[0].backend_facts | ."hint.nc_var_align_size"' doc.json)" 65536 "the hint is read back from the library"
like "$(jq -r .tests[0].backend_facts.pnetcdf_library doc.json)" '^PnetCDF [0-9.]+$' "which the document names"
if command -v ncmpidump >/dev/null; then
    like "$(ncmpidump -h testFile)" 'ubyte data\(byte\)' "ncmpidump reads what the file holds"
else
    skip 1 "no ncmpidump"
fi
run mpi 2 "$pario" -a pnetcdf -b 1m -t 128k -s 2 -r -R -k
is "$status:$err" "0:" "half as many ranks verify it"
run mpi 2 "$pario" -a pnetcdf -b 512k -t 64k -s 5 -r -k
is "$status" 1 "a read beyond the variable fails"
like "$(said)" 'ncmpi_get_vara of 65536 bytes: the variable ends at byte 4194304' "and says where it ends"
cp plain testFile
run mpi 2 "$pario" -a pnetcdf -b 512k -t 64k -r -k
is "$status:$(said | wc -l)" "1:1" "a file that is no netCDF is refused once"
like "$(said)" 'ncmpi_open: .*NetCDF: Unknown file format' "in the library's words"
rm -f testFile*
run mpi 4 "$pario" -a pnetcdf -F -c -b 512k -t 64k -w -W -r -R -C -e
is "$status:$err:$(ls)" "0::$(printf 'doc.json\nplain\nplain.pario')" "a file per process, read by others, is removed"
run mpi 4 "$pario" -a pnetcdf -b 4m -t 64k -s 1000 -w -D 1 -c --json doc.json
is "$status:$err" "0:" "a deadline stops collective transfers"
is "$(jq '.tests[0].phases[0] | .operations_rank_min == .operations_rank_max' doc.json)" true "all ranks at the same one"
run mpi 2 "$pario" random -a pnetcdf -b 1m -t 16k
is "$status:$err" "0:" "in random order"
run mpi 2 "$pario" -a pnetcdf -b 512k -t 64k -Y
is "$status" 2 "a sync of all after each write of one is refused"
rm -f plain* doc.json

# One rank cannot open the file that all share: the others do not wait for it.
cat >only <<'END'
#!/bin/bash
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 2 ] || exec "$@"
exec strace -f -qq -o /dev/null -P testFile -e trace=openat -e inject=openat:error=EACCES "$@"
END
chmod +x only
if command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; then
    run mpi 4 ./only "$pario" -a pnetcdf -b 512k -t 64k
    is "$status" 1 "one rank may not open the shared file"
    like "$(said)" 'testFile: ncmpi_(open|create) by all ranks: it failed on rank 2: Permission denied' \
        "the message says which, and why"
    is "$(find . -name 'testFile*')" "" "and nothing is left behind"
else
    skip 3 "strace may not trace here"
fi

mkdir full
if mount -t tmpfs -o size=8m pario full 2>"$scratch/why"; then
    trap 'cd / && umount "$scratch/work/full"; rm -rf "$scratch"' EXIT
    for way in "" "-c" "-F"; do
        # shellcheck disable=SC2086 # options
        run mpi 4 "$pario" -a pnetcdf -w -b 8m -t 64k -D 30 --reserve 0 -o full/f $way
        is "$status" 1 "'$way' on a full disk fails"
        like "$(said)" '^pario: rank [0-9] .*ncmpi_.*(No space left on device|ENOSPC)' "'$way': and says why"
        is "$(said | wc -l):$(ls full)" "1:" "'$way': once, and leaves nothing behind"
    done
else
    skip 9 "no full disk: $(cat "$scratch/why")"
fi
done_testing
