#!/bin/bash
# No object file has writable data of its own: what would hinder ranks as threads is not there.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v readelf >/dev/null || skip_all "no readelf"
case " $(sed -n 's/^CFLAGS = //p' "$PARIO_BUILD/Makefile") " in
*-fsanitize* | *--coverage*) skip_all "instrumented objects have data of the tool's own" ;;
esac
cd "$PARIO_BUILD" || exit 99
objects=$(find src backends -name '*.o' | sort)
plan 2
[ -n "$objects" ]
ok $? "there are objects to look at"
# Sections that are written to while the program runs, and the objects inside them: OBJECT-FILE SYMBOL.
# shellcheck disable=SC2086 # a list of files without blanks
bad=$(readelf -SsW $objects | awk '
    /^File: / { file = $2; sub(/libpario_mpi_a-/, "", file); delete writable; writable["COM"]; next }
    match($0, /^ *\[ *[0-9]+\] /) {
        number = $0
        gsub(/^ *\[ *|\].*/, "", number)
        name = substr($0, RLENGTH + 1)
        sub(/ .*/, "", name)
        if (name ~ /^\.(data|bss|tdata|tbss)/ && name !~ /^\.data\.rel\.ro/)
            writable[number]
        next
    }
    ($4 == "OBJECT" || $4 == "TLS") && ($7 in writable) { print file, $8 }' |
    while read -r object symbol; do
        grep -q "^$object $symbol\b" "$PARIO_SOURCE/tests/lint/globals.list" || echo "$object $symbol"
    done)
is "$bad" "" "no writable globals but those of tests/lint/globals.list"
