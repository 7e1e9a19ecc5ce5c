#!/bin/bash
# Scripts pass shellcheck.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
command -v shellcheck >/dev/null || skip_all "no shellcheck"
plan 1
cd "$PARIO_SOURCE" || exit 99
scripts=$(find .ci scripts build-aux tests autogen.sh -type f ! -name '*.mk' -print0 2>/dev/null |
    xargs -0 grep -lE '^#!/bin/(ba)?sh' | grep -vE '^build-aux/(ar-lib|compile|config|depcomp|install|missing|tap|test)')
# shellcheck disable=SC2086 # a list of files without blanks
run shellcheck -S warning -e SC1090,SC1091,SC2034,SC2154 $scripts
is "$out" "" "shellcheck has nothing to say"
