#!/bin/bash
# cppcheck finds nothing but what cppcheck.list names.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v cppcheck >/dev/null || skip_all "no cppcheck"
plan 1
cd "$PARIO_SOURCE" || exit 99
bad=$(cppcheck -q --enable=warning,performance,portability --std=c11 -D_GNU_SOURCE \
    -DHAVE_MPI -DHAVE_LIBURING -DHAVE_LIBAIO -Isrc -I. -I"$PARIO_BUILD/src" \
    --template='{file}:{line}: {message} [{id}]' --suppress=missingIncludeSystem \
    --suppressions-list=tests/lint/cppcheck.list src backends 2>&1)
is "$bad" "" "cppcheck has nothing to say"
