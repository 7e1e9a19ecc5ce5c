#!/bin/bash
# Lines of at most 100 columns. Long files and functions are only said: good taste knows exceptions.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
plan 1
cd "$PARIO_SOURCE" || exit 99
sources=$(find src backends tests -name '*.[ch]' -o -name '*.def' | sort)
# In characters: a byte that continues a UTF-8 character has no width.
bad=$(printf '%s\n' "$sources" | LC_ALL=C xargs awk '
    { line = $0; gsub(/[\200-\277]/, "", line) }
    length(line) > 100 { print FILENAME ":" FNR ": " length(line) " columns" }')
is "$bad" "" "no line is longer than 100 columns"
note "$(printf '%s\n' "$sources" | xargs wc -l | awk '$2 != "total" && $1 > 400 { print "long file: " $2 ", " $1 " lines" }')"
note "$(printf '%s\n' "$sources" | grep '\.c$' | xargs awk '
    /^\{/ { start = FNR; name = previous }
    /^\}/ { if (start && FNR - start > 51)
                print "long function: " FILENAME ":" start ", " FNR - start - 1 " lines: " name
            start = 0 }
    { if ($0 !~ /^[ \t]/) previous = $0 }')"
