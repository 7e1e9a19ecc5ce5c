#!/bin/bash
# What is written is as compressible as was asked for, by real compressors.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v gzip >/dev/null || skip_all "no gzip"

# saved COMMAND...: percent of 4 MiB that it saves, 512 KiB at a time: file systems compress records, and the
# data of --data stamped repeats, but for its stamps, after 1 MiB.
saved() { local IFS=' '; echo $((100 - $(split -b 512k --filter="$*" file | wc -c) * 100 / (4 << 20))); }
writes() { run alone "$pario" --threads 2 -w -k -b 2m -t 256k -o file -G 3 "$@"; }
# near PERCENT EXPECTED NAME: within two.
near() { ok $(($1 < $2 - 2 || $1 > $2 + 2)) "$3: $1 % saved, $2 expected"; }

compressors="gzip"
for more in "zstd -q" lz4; do
    command -v "${more%% *}" >/dev/null && compressors="$compressors:$more"
done
IFS=:
for compressor in $compressors; do
    IFS=' ' read -ra words <<<"$compressor"
    writes
    near "$(saved "${words[@]}")" 0 "$compressor: by default nothing can be saved"
    writes --data words
    near "$(saved "${words[@]}")" 0 "$compressor: nor of words"
    for percent in 30 50 90; do
        writes --compressible $percent%
        near "$(saved "${words[@]}")" $percent "$compressor: --compressible $percent%"
    done
    writes --data zero
    ok $(($(saved "${words[@]}") < 98)) "$compressor: of zeros nothing remains"
done
unset IFS
if command -v zstd >/dev/null; then
    writes --data words
    near $((100 - $(zstd -q --long=27 -c file | wc -c) * 100 / (4 << 20))) 0 "--data words repeats nowhere"
else
    skip 1 "no zstd"
fi

# Blocks of 4 KiB that are there more than once.
writes --dedup 40%
split -b 4096 --filter='md5sum' file >sums
all=$(wc -l <sums)
near $((100 - 100 * $(sort -u sums | wc -l) / all)) 40 "--dedup 40%"
writes
split -b 4096 --filter='md5sum' file >sums
is "$(sort sums | uniq -d | wc -l)" 0 "without it no block is there twice"
done_testing
