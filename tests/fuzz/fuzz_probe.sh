#!/bin/bash
# Sidecars and the kernel's text files take any bytes: libFuzzer with the sanitizers, from the seeds in
# corpus/. FUZZ_SECONDS changes how long each is tried; what it finds stays in the build folder.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v clang >/dev/null || skip_all "no clang"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' >try.c
clang -fsanitize=fuzzer,address,undefined try.c -o try 2>/dev/null || skip_all "clang has no libFuzzer"
plan 4
mkdir -p "$PARIO_BUILD/tests/fuzz"
for name in mountinfo sidecar; do
    run clang -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=undefined -I"$PARIO_SOURCE/src" -I"$PARIO_SOURCE" \
        "$PARIO_SOURCE/tests/fuzz/fuzz_$name.c" "$PARIO_SOURCE"/src/probe/*.c \
        "$PARIO_SOURCE"/src/base/*.c "$PARIO_SOURCE/src/model/result.c" \
        "$PARIO_SOURCE"/src/model/sizes.c "$PARIO_SOURCE"/src/model/option*.c -lm -o "fuzz_$name"
    is "$status" 0 "fuzz_$name is built"
    note "$err"
    mkdir "new-$name"
    found=$PARIO_BUILD/tests/fuzz/found-$name-
    run "./fuzz_$name" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=2000 -timeout=10 \
        -rss_limit_mb=1024 -artifact_prefix="$found" -print_final_stats=1 "new-$name" \
        "$PARIO_SOURCE/tests/fuzz/corpus/$name"
    is "$status" 0 "nothing is found (else: $found*)"
    note "$(printf '%s\n' "$err" | tail -n 30)"
done
