#!/bin/bash
# What the kernel saw: strace counts the calls of every rank on the files, their bytes and offsets, and the
# result has to say the same.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
need_mpi
command -v jq >/dev/null || skip_all "no jq"
command -v strace >/dev/null || skip_all "no strace"
strace -f -o /dev/null true 2>/dev/null || skip_all "strace is not allowed here"

# A rank under strace: one trace a rank, of what concerns the files alone. (Leaks cannot be looked for there.)
cat >traced <<'END'
#!/bin/bash
export ASAN_OPTIONS=detect_leaks=0
exec strace -f -qq -y -o "$TRACES/$$" \
    -e trace=openat,pread64,pwrite64,preadv,pwritev,preadv2,pwritev2,fsync,fdatasync,unlink,unlinkat,ftruncate "$@"
END
chmod +x traced
export TRACES=$scratch/traces

# job OPTIONS...: under strace on 4 ranks; calls of the files in "calls", the document in doc.json.
job()
{
    rm -rf "$TRACES" doc.json
    mkdir "$TRACES"
    RUN_SECONDS=${RUN_SECONDS:-120} run mpi 4 ./traced "$pario" -b 1m -t 256k -o "$PWD/file" --json doc.json "$@"
    is "$status:$err" "0:" "$*: ends well under strace"
    cat "$TRACES"/* | grep -F "$PWD/file" | grep -vF "file.pario" >calls
}

# calls_of NAME: the successful calls of one kind, as "bytes offset", in order of offsets.
calls_of()
{
    sed -nE "s/.* $1\\([0-9]+<.*, ([0-9]+)\\) += ([0-9]+)\$/\\2 \\1/p" calls | sort -n -k2
}

# covers CALLS TOTAL: each byte once, from 0 to the end.
covers()
{
    printf '%s\n' "$1" | awk -v total="$2" '$2 != at { print "a gap or twice at " at; exit } { at += $1 }
        END { if (at != total) print "ends at " at }'
}

phase() { jq "[.tests[0].phases[] | select(.phase == \"$1\") | .$2] | add" doc.json; }

total=$((4 << 20))
job -e -k
writes=$(calls_of pwrite64)
reads=$(calls_of pread64)
is "$(printf '%s\n' "$writes" | wc -l)" "$(phase write operations)" "as many writes as it says"
is "$(printf '%s\n' "$writes" | awk '{ n += $1 } END { print n }')" "$(phase write bytes)" "of as many bytes"
is "$(covers "$writes" $total)" "" "each byte of the file once"
is "$(printf '%s\n' "$reads" | wc -l)" "$(phase read operations)" "as many reads as it says"
is "$(printf '%s\n' "$reads" | awk '{ n += $1 } END { print n }')" "$(phase read bytes)" "of as many bytes"
is "$(covers "$reads" $total)" "" "each byte of the file once"
is "$(grep -c ' fsync(.* = 0$' calls)" 4 "-e: one fsync a rank"
is "$(grep -c 'O_CREAT.* = [0-9]' calls)" 1 "one rank creates the shared file"
is "$(grep -c 'unlink' calls)" 0 "-k: nobody removes it"

job -r
is "$(calls_of pwrite64)" "" "-r: nobody writes"
is "$(calls_of pread64 | wc -l)" "$(phase read operations)" "as many reads as it says"
is "$(grep -c 'unlink.* = 0$' calls)" 1 "and one rank removes the file"

job -F -i 2
is "$(calls_of pwrite64 | awk '{ n += $1 } END { print n }')" "$(phase write bytes)" "-F -i 2: bytes written"
is "$(calls_of pread64 | awk '{ n += $1 } END { print n }')" "$(phase read bytes)" "-F -i 2: bytes read"
is "$(grep -c 'O_CREAT.* = [0-9]' calls)" 8 "-F -i 2: each file is made anew"
is "$(grep -c 'unlink.* = 0$' calls)" 8 "-F -i 2: and removed"
is "$(grep -c ' fsync(' calls)" 0 "without -e nobody syncs"

# Cut off by the deadline: the figures are those of what was really done.
job -D 1 -s 100000 -w -F
is "$(calls_of pwrite64 | awk '{ n += $1 } END { print n }')" "$(phase write bytes)" "-D: bytes written by then"
rm -f traced calls doc.json
is "$(ls)" "" "nothing is left"
done_testing
