#!/bin/bash
# Includes go the allowed ways only (arrows.list), and no part includes another part's header.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
plan 2
list=$PARIO_SOURCE/tests/lint/arrows.list
ports="clock/clock.h comm/comm.h phases/phase.h formats/format.h backends/backend.h"

# "file header" for each #include "..." of the product.
includes=$(cd "$PARIO_SOURCE" && find src/*/ backends -name '*.[ch]' -print0 |
    xargs -0 grep -H '^#include "' | sed 's/^\([^:]*\):#include "\([^"]*\)".*/\1 \2/')

bad=
twins=
while read -r file header; do
    room=${file#src/} room=${room%%/*}
    target=${header%%/*}
    case $header in version.h | config.h) continue ;; esac
    if [ "$target" = "$room" ]; then
        case " $ports " in *" $room/"*) ;; *) continue ;; esac
        base=${header##*/} base=${base%.h}
        own=${file##*/} own=${own%.*}
        if [ "$base" != "$own" ] && [ -f "$PARIO_SOURCE/${file%/*}/$base.c" ] &&
            grep -q "${room%s}_$base = {" "$PARIO_SOURCE/${file%/*}/$base.c" &&
            ! grep -q "^$file -> $header\$" "$list"; then
            twins="$twins$file -> $header
"
        fi
        continue
    fi
    allowed=$(sed -n "s/^$room: *//p" "$list")
    case " $allowed " in
    *" $target "*)
        case " $ports " in
        *" $target/"*) case " $ports " in *" $header "*) continue ;; esac ;;
        *) continue ;;
        esac
        ;;
    esac
    bad="$bad$file -> $header
"
done <<END
$includes
END
is "$bad" "" "includes follow tests/lint/arrows.list"
is "$twins" "" "parts do not include each other"
