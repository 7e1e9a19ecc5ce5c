#!/bin/bash
# A release holds every file of the repository but those that serve the repository itself.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
[ -e "$PARIO_SOURCE/.git" ] || skip_all "not a repository"
command -v git >/dev/null || skip_all "no git"
plan 1
packed=$(make -s -C "$PARIO_BUILD" print-packed | tr ' ' '\n' | sed "s#^$PARIO_SOURCE/##; s#^\.\./##")
missing=$(git -C "$PARIO_SOURCE" ls-files |
    grep -vE '^\.(ci/|github/|gitignore|gitattributes|editorconfig)' |
    while read -r file; do
        folder=$file
        while :; do
            printf '%s\n' "$packed" | grep -qxF "$folder" && break
            case $folder in */*) folder=${folder%/*} ;; *) echo "$file" && break ;; esac
        done
    done)
is "$missing" "" "every file is in a local.mk (sources, headers, tests) or in EXTRA_DIST"
