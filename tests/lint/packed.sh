#!/bin/bash
# A release holds every file of the repository but those that serve the repository itself.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
[ -e "$PARIO_SOURCE/.git" ] || skip_all "not a repository"
command -v git >/dev/null || skip_all "no git"
plan 1
make -s -C "$PARIO_BUILD" print-packed | tr ' ' '\n' | sed "s#^$PARIO_SOURCE/##; s#^\.\./##" >"$scratch/packed"
missing=$(git -C "$PARIO_SOURCE" ls-files |
    grep -vE '^\.(ci/|github/|gitignore|gitattributes|editorconfig)' |
    awk -v list="$scratch/packed" '
        BEGIN { while ((getline line < list) > 0) packed[line] }
        {
            for (path = $0; !(path in packed); )
                if (!sub("/[^/]*$", "", path)) {
                    print
                    break
                }
        }')
is "$missing" "" "every file is in a local.mk (sources, headers, tests) or in EXTRA_DIST"
