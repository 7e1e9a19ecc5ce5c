#!/bin/bash
# clang finds nothing to say either (or gcc, where clang is the compiler of the build).
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
case $PARIO_CC in *clang*) other=gcc ;; *) other=clang ;; esac
command -v "$other" >/dev/null || skip_all "no $other"
plan 1
cd "$PARIO_SOURCE" || exit 99
compile()
{
    # shellcheck disable=SC2086 # the flags of MPI are a list
    "$other" -std=gnu17 -D_GNU_SOURCE -include "$PARIO_BUILD/config.h" -Wall -Wextra -Wshadow -Wconversion \
        -Isrc -I. -I"$PARIO_BUILD/src" $PARIO_MPI_CPPFLAGS -pthread -fsyntax-only "$1" 2>&1 ||
        echo "$1 does not compile"
}
bad=$(find src backends tests -name '*.c' | sort | while read -r file; do compile "$file"; done)
is "$bad" "" "$other compiles every file without a warning"
