#!/bin/bash
# Calls that have no place here: unbounded copies, parsers that cannot say no, and ends of the process
# outside of main.c (and of the last words in session.c, when the main thread is stuck).
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
plan 2
cd "$PARIO_SOURCE" || exit 99
# Prints FILE:LINE: text without comments and strings.
code()
{
    awk '
        FNR == 1 { inside = 0 }
        {
            line = $0
            gsub(/\\./, "", line)
            gsub(/"[^"]*"/, "\"\"", line)
            plain = ""
            while (line != "") {
                if (inside) {
                    end = index(line, "*/")
                    if (!end) break
                    line = substr(line, end + 2)
                    inside = 0
                } else if ((begin = index(line, "/*")) > 0) {
                    plain = plain substr(line, 1, begin - 1)
                    line = substr(line, begin + 2)
                    inside = 1
                } else {
                    sub(/\/\/.*/, "", line)
                    plain = plain line
                    line = ""
                }
            }
            print FILENAME ":" FNR ": " plain
        }' "$@"
}
sources=$(find src backends -name '*.[ch]' | sort)
# shellcheck disable=SC2086 # a list of files without blanks
stripped=$(code $sources)
bad=$(printf '%s\n' "$stripped" |
    grep -E '\b(v?sprintf|strcpy|strcat|strncpy|strncat|gets|atoi|atol|atoll|atof|strtok|system|popen) *\(')
is "$bad" "" "no unbounded copy, no silent parser, no shell"
bad=$(printf '%s\n' "$stripped" | grep -vE '^src/(main|session)\.c:' |
    grep -E '\b(_?exit|_Exit|quick_exit|abort) *\(')
is "$bad" "" "only main ends the process"
