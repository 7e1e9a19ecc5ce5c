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
bad=
for object in $objects; do
    # Sections that are written to while the program runs, then the objects inside them.
    sections=$(readelf -SW "$object" | sed -n 's/^ *\[ *\([0-9]*\)\] \(\.[^ ]*\) .*/\1 \2/p' |
        awk '$2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ { printf " %s ", $1 }')
    found=$(readelf -sW "$object" |
        awk -v s=" $sections COM " '($4 == "OBJECT" || $4 == "TLS") && index(s, " " $7 " ") { print $8 }')
    for symbol in $found; do
        plain=${object/libpario_mpi_a-/}
        grep -q "^$plain $symbol\b" "$PARIO_SOURCE/tests/lint/globals.list" ||
            bad="$bad$plain $symbol
"
    done
done
is "$bad" "" "no writable globals but those of tests/lint/globals.list"
