#!/bin/bash
# Sources look as .clang-format says. Only version 14 is asked: others lay out some lines differently.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
for tool in clang-format-14 clang-format; do
    "$tool" --version 2>/dev/null | grep -q 'version 14\.' && break
    tool=
done
[ -n "$tool" ] || skip_all "no clang-format 14"
plan 1
cd "$PARIO_SOURCE" || exit 99
bad=$(find src backends tests -name '*.[ch]' -print0 | xargs -0 "$tool" --dry-run 2>&1 |
    sed -n 's/: warning: .*//p')
is "$bad" "" "clang-format has nothing to change"
