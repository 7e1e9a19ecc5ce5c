#!/bin/bash
# The command line and scripts take any bytes: a minute of libFuzzer with the sanitizers, from the seeds in
# corpus/cli. FUZZ_SECONDS changes how long; what it finds stays in the build folder.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v clang >/dev/null || skip_all "no clang"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' >probe.c
clang -fsanitize=fuzzer,address,undefined probe.c -o probe 2>/dev/null || skip_all "clang has no libFuzzer"
plan 2
sources="$PARIO_SOURCE/src/cli/*.c $PARIO_SOURCE/src/model/option*.c $PARIO_SOURCE/src/model/settings.c
    $PARIO_SOURCE/src/model/presets.c $PARIO_SOURCE/src/model/sizes.c
    $PARIO_SOURCE/src/base/*.c"
# shellcheck disable=SC2086 # a list of files without blanks
run clang -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -I"$PARIO_SOURCE/src" -I"$PARIO_SOURCE" -I"$PARIO_BUILD/src" "$PARIO_SOURCE/tests/fuzz/fuzz_cli.c" \
    $sources -lm -o fuzz_cli
is "$status" 0 "the fuzzer is built"
note "$err"
mkdir found
found=$PARIO_BUILD/tests/fuzz/found-cli-
mkdir -p "$PARIO_BUILD/tests/fuzz"
run ./fuzz_cli -max_total_time="${FUZZ_SECONDS:-60}" -max_len=2000 -timeout=10 -rss_limit_mb=1024 \
    -artifact_prefix="$found" -print_final_stats=1 found "$PARIO_SOURCE/tests/fuzz/corpus/cli"
is "$status" 0 "nothing is found (else: $found*)"
note "$(printf '%s\n' "$err" | tail -n 30)"
