#!/bin/bash
# Metadata runs of the built program: what is on the disk during and after them, counted by find and strace,
# and what it says when things are not as they should be. Ids in brackets are those of known defects of
# such benchmarks.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v jq >/dev/null || skip_all "no jq"

# value PHASE KEY: a figure of the result document in out.
value() { printf '%s\n' "$out" | jq ".tests[0].phases[] | select(.phase == \"$1\") | .$2"; }
files() { find out -name 'file.*' -type f | wc -l; }

run alone "$pario" metadata --threads 3 -n 30 -z 2 -b 2 -C -F -w 100 --json -
is "$status" 0 "files are created and kept"
is "$(files)" 90 "all of them, though 30 items do not divide over 7 directories"
is "$(value create operations)$(value create operations_planned)" 9090 "and so says the result"
is "$(find out -name 'file.*' -size -100c -o -name 'file.*' -size +100c | wc -l)" 0 "with 100 bytes each"
is "$(find out -mindepth 2 -type d | wc -l)" 7 "in the directories of the tree"
run alone "$pario" metadata --threads 3 -n 30 -z 2 -b 2 -T -E -X -R -F --json -
is "$status" 0 "another run looks at them, in random order"
is "$(value stat operations)$(value read verified_bytes)" 909000 "and finds what was written"
printf x | dd of=out/pario.0/tree.0/2/6/file.2.29 bs=1 seek=50 conv=notrunc 2>/dev/null
mv out/pario.0/tree.0/file.1.0 swap
mv out/pario.0/tree.0/file.0.0 out/pario.0/tree.0/file.1.0
mv swap out/pario.0/tree.0/file.0.0
run alone "$pario" metadata --threads 3 -n 30 -z 2 -b 2 -E -X -F --json -
is "$status" 1 "a flipped byte and two swapped files are found [A046]"
is "$(value read bad_transfers)" 3 "each of them"
run alone "$pario" metadata --threads 3 -n 20 -z 2 -b 2 -T -F
is "$status" 2 "another layout is refused"
like "$err" 'option -n .*made with 30' "with what was made"
touch out/pario.0/tree.0/precious
run alone "$pario" metadata --threads 3 -n 30 -z 2 -b 2 -r -F
is "$status" 1 "what pario did not make is in the way"
is "$(find out -type f | grep -v '\.pario$')" "out/pario.0/tree.0/precious" "and stays, alone"
rm out/pario.0/tree.0/precious
run alone "$pario" metadata --threads 3 -n 30 -z 2 -b 2 -r -F
is "$(ls)" "" "then the rest goes, with the directory that was made for it"

run alone "$pario" metadata --threads 2 -F -T -n 10
is "$status" 2 "without anything to look at a run is refused [A131]"
mkdir out
run alone "$pario" metadata --threads 2 -F -T -n 10 --json -
is "$status" 1 "in an empty directory all fail [A049]"
is "$(value stat operations_failed) $(value stat operations_per_s)" "20 null" "20 failures, and no rate"
is "$(printf '%s\n' "$err" | wc -l)" 1 "told in one line"
run alone "$pario" metadata --threads 2 -F -r -n 10
is "$status" 2 "nothing is removed there"
mkdir out/pario.0
run alone "$pario" metadata --threads 2 -F -n 10
is "$status" 2 "a directory of that name is not taken over"
is "$(find out)" "out
out/pario.0" "and untouched"
rm -r out

# What a killed run leaves: the record without counts, and items under any of their names.
run alone "$pario" metadata --threads 2 -n 20 -b 2 -z 1 -C
sed -i '/^created/d' out/pario.0/.pario
mv out/pario.0/tree.0/file.0.0 out/pario.0/tree.0/moved.0.0
mv out/pario.0/tree.0/dir.1.3 out/pario.0/tree.0/dmoved.1.3
ln out/pario.0/tree.0/1/file.1.9 out/pario.0/tree.0/1/link.1.9
cp -r out killed
run alone "$pario" metadata --threads 3 -n 5 -F
is "$status$(ls)" 0killed "what a killed run left goes before the next begins"
mv killed out
touch out/pario.0/tree.0/1/file.x
run alone "$pario" metadata --threads 2 -n 20 -b 2 -z 1 -r
is "$status $(find out -type f | grep -v '\.pario$')" "1 out/pario.0/tree.0/1/file.x" \
    "or when it is removed, but for what is not pario's"
rm out/pario.0/tree.0/1/file.x
run alone "$pario" metadata --threads 2 -n 20 -b 2 -z 1 -r
is "$(ls)" "" "and the rest later"

run alone "$pario" metadata -n -5 -F
is "$status" 2 "a negative count is wrong use [A061]"
run alone "$pario" metadata --threads 2 -n 10 -S -C --json -
is "$(find out -name 'file.*' | wc -l)" 10 "shared files are as many as asked for [A124]"
is "$(value create operations)" 20 "and opened by every rank"
run alone "$pario" metadata --threads 2 -n 10 -S -r
is "$status$(ls)" 0 "one rank removes them"
run alone "$pario" metadata --threads 4 -n 5 -i 3 -C -F -u -d 'a@b'
is "$(find a -name 'file.*' | wc -l) $(find b -name 'file.*' | wc -l)" "30 30" \
    "two directories share the ranks, and each repetition has its own [B43, B49]"
is "$(find a b -name 'tree.*' | sort | tr '\n' ' ')" \
    "a/pario.0/tree.0.0 a/pario.0/tree.0.2 a/pario.1/tree.0.0 a/pario.1/tree.0.2 a/pario.2/tree.0.0 \
a/pario.2/tree.0.2 b/pario.0/tree.0.1 b/pario.0/tree.0.3 b/pario.1/tree.0.1 b/pario.1/tree.0.3 \
b/pario.2/tree.0.1 b/pario.2/tree.0.3 " "with a tree for each rank"
run alone "$pario" metadata --threads 4 -n 5 -i 3 -r -F -u -d 'a@b'
is "$status$(ls)" 0 "all of which goes again"
run alone "$pario" metadata --threads 2 -n 20 -c -F -C --json -
is "$(value create operations_rank_max) $(files)" "40 40" "one rank creates the items of all"
run alone "$pario" metadata --threads 2 -n 20 -F -C
is "$status $(files)" "0 40" "a second run replaces what the first left"
run alone "$pario" metadata --threads 2 -n 20 -F -r
run alone "$pario" metadata -b 6 -I 8 -z 4 -C --json -
is "$(value tree-create operations) $(value create operations) $(value mkdir operations)" \
    "1555 12440 12440" "the deep tree of one process [B46]"
is "$(files)" 12440 "is there"
run alone "$pario" metadata -b 6 -I 8 -z 4 -r
is "$status$(ls)" 0 "and goes"

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    run alone strace -f -o "$scratch/trace" "$pario" metadata --threads 2 -n 50 -F -w 10 -e 10 -y
    calls=$(grep -E '"(file\.|[^"]*/file\.)|fsync|pwrite' "$scratch/trace" | grep -v resumed |
        sed -E 's/^[0-9]+ +//; s/\(.*//' | sort | uniq -c | awk '{print $2 "=" $1}' | tr '\n' ' ')
    is "$calls" "fsync=100 newfstatat=100 openat=200 pwrite64=100 unlinkat=100 " \
        "each item is created, written, synced, looked at, read and removed by one call each"
    is "$(grep -E '"(file\.|[^"]*/file\.)' "$scratch/trace" | grep openat | grep -c O_RDWR)" 0 \
        "and no file is opened for more than it is used for"
else
    skip 2 "no strace"
fi

if [ "$PARIO_MPI" != none ] && command -v "$PARIO_MPIRUN" >/dev/null; then
    run mpi 3 "$pario" metadata -n 100 -N 1 -w 10 -X -e 10 --json -
    is "$status" 0 "ranks of MPI do the same, each with the items of its neighbours"
    is "$(value read verified_bytes)$(ls)" 3000 "and leave nothing"
else
    skip 2 "no MPI"
fi

run alone "$pario" metadata --threads 4 -F -I 10 -d few --json doc.json
is "$status:$(jq '[.tests[0].phases[] | select(.phase == "create") | .operations] | add' doc.json)" "0:40" \
    "items per directory alone say how many items [A011]"
run alone "$pario" metadata -F -b 1 -z 2 -n 31 -C -T -d few --json doc.json
is "$status:$(jq -c '[.tests[0].phases[] | [.phase, .operations, .operations_failed]]' doc.json)" \
    '0:[["tree-create",3,0],["create",31,0],["stat",31,0]]' "all phases work on the same items [A013]"
run alone "$pario" metadata -F -n 10 --rate 100/s
is "$status" 2 "a rate without a mixture is refused"
run alone "$pario" metadata -n 100 --mix create:1,stat:8,unlink:1 --rate 1MiB/s
is "$status" 2 "and so is one in bytes"
run alone "$pario" metadata --threads 2 -n 100 --mix create:1,stat:8,unlink:1 --rate-total 2000/s -d few --json doc.json
is "$status:$(jq -c '.tests[0].phases[] | select(.phase == "mixed") | [.operations, .intended_latency_ns.count]' doc.json)" \
    "0:[200,200]" "a mixture at a rate has latencies from the time due, of every operation"
done_testing
