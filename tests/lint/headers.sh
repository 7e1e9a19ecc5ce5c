#!/bin/bash
# Every header compiles alone, without config.h.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
plan 1
cd "$PARIO_SOURCE" || exit 99
bad=
while read -r header; do
    # shellcheck disable=SC2086 # CC may be a command with options
    ${PARIO_CC:-cc} -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc -I. -I"$PARIO_BUILD/src" \
        -fsyntax-only -x c - <<<"#include \"$header\"" >"$scratch/err" 2>&1 || bad="$bad$header: $(sed -n 1p "$scratch/err")
"
done <<END
$(find src backends tests -name '*.h' | sort)
END
is "$bad" "" "headers compile alone"
