#!/bin/bash
# What is written is as compressible as was asked for, by real compressors: a record at a time, as file systems do
# it, and as a whole, as archivers and storages do that look for what is alike anywhere.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v gzip >/dev/null || skip_all "no gzip"

writes() { run alone "$pario" --threads 2 -w -k -b 2m -t 256k -o file -G 3 "$@"; }
percent() { echo $((100 - $1 * 100 / $(stat -c %s file))); }
# Percent that COMMAND saves: of the whole file; of 512 KiB at a time.
whole() { percent "$("$@" <file | wc -c)"; }
records() { local IFS=' '; percent "$(split -b 512k --filter="$*" file | wc -c)"; }
# near PERCENT EXPECTED NAME: within two.
near() { ok $(($1 < $2 - 2 || $1 > $2 + 2)) "$3: $1 % saved, $2 expected"; }

compressors=()
for command in "gzip" "gzip -9" "bzip2" "lz4" "lz4 -9" "xz -1" "xz -6" "zstd -q -1" "zstd -q" "zstd -q -19" \
    "zstd -q --long=27" "brotli -w 24 -c"; do
    command -v "${command%% *}" >/dev/null && compressors+=("$command")
done
writes
for command in "${compressors[@]}"; do
    read -ra words <<<"$command"
    near "$(whole "${words[@]}")" 0 "$command: by default nothing can be saved"
done

quick=(gzip)
command -v zstd >/dev/null && quick=(zstd -q --long=27)
writes --data pool
near "$(records "${quick[@]}")" 0 "${quick[0]}: nor of records of --data pool"
for percent in 30 50 90; do
    writes --compressible $percent%
    near "$(whole "${quick[@]}")" $percent "${quick[0]}: --compressible $percent%"
    writes --compressible $percent% --data pool
    near "$(records "${quick[@]}")" $percent "${quick[0]}: --compressible $percent% --data pool"
done
writes --data zero
ok $(($(whole "${quick[@]}") < 98)) "${quick[0]}: of zeros nothing remains"
if [ "${quick[0]}" = zstd ]; then
    writes -b 16m
    near "$(whole zstd -q --long=27)" 0 "32 MiB: nothing within 128 MiB"
    writes --dedup 40%
    near "$(whole zstd -q --long=27)" 40 "--dedup 40% is saved by who looks at all of it"
else
    skip 2 "no zstd"
fi

# Blocks of 4 KiB that are there more than once.
sums()
{
    mkdir blocks
    split -a 4 -b 4096 file blocks/
    cat blocks/* | cmp -s - file && md5sum blocks/* | cut -d' ' -f1 >sums
    rm -r blocks
}
for data in stamped pool; do
    writes --data $data --dedup 40%
    sums
    all=$(wc -l <sums)
    near $((100 - 100 * $(sort -u sums | wc -l) / all)) 40 "--data $data --dedup 40%"
    writes --data $data
    sums
    is "$(wc -l <sums) $(sort sums | uniq -d | wc -l)" "1024 0" "--data $data: without it no block is there twice"
done
done_testing
