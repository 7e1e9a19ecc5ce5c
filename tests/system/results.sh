#!/bin/bash
# Where results go: what cannot be written is told with its reason and a status, no result overwrites another
# or the data, links and standard streams stay what they are, and the rows of ranks have all digits.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
export RUN_SECONDS=20
small='-b 4k -t 4k'

# Texts that were asked for
if [ -c /dev/full ]; then
    for option in --help --list --version --help-man --help-metrics --help-completion; do
        code=0
        alone "$pario" $option >/dev/full 2>err || code=$?
        is "$code, $(cat err)" "1, pario: writing to standard output: No space left on device" \
            "$option to a full device"
    done
    for option in --json --csv --histogram-csv --per-rank; do
        run alone "$pario" $small $option /dev/full
        is "$status" 1 "$option to a full device: status 1"
        like "$err" '^pario: writing .*/dev/full: No space left on device$' "$option to a full device: says why"
    done
else
    skip 14 "no /dev/full"
fi
alone "$pario" --help >&- 2>err && code=0 || code=$?
is "$code" 1 "--help without a standard output is no success"
{ alone "$pario" --help-man; echo $? >code; } 2>err | head -1 >/dev/null
is "$(cat code), $(cat err)" "0, " "a reader of --help-man that has seen enough goes away without a word"

# One file for two things
refused()
{
    local name=$1
    shift
    run alone "$pario" $small "$@"
    is "$status, $(printf '%s\n' "$err" | wc -l) lines, $(ls)" "2, 1 lines, $before" "refused: $name"
}
rm -f err code
mkdir folder
touch folder/own.json
ln -s folder/own.json link.json
before=$(ls)
refused "two results in one file" --json x --csv x
refused "the same, spelled in two ways" --json x --per-rank ./x
refused "the same through a link" --json link.json --histogram-csv folder/own.json
refused "a result where the data goes" -o x --json "$PWD/x"
refused "a result in the record of the data" -o x --json x.pario
refused "a result where a rank's file goes" -F -o folder/x --json folder/x.00000000
refused "the same in the second target" -F -o "a@@b@c" --json c.00000001
refused "the same in a target with an @ in its name" -m -o "a@@b" --json a@b.0
run alone "$pario" $small -o x --json x.json --csv x.0 --per-rank /dev/null --histogram-csv /dev/null
is "$status, $err" "0, " "names beside the data that are none of its own are taken"
is "$(ls)" "$(printf 'folder\nlink.json\nx.0\nx.json')" "and made"
rm x.0 x.json

# Links and standard streams
rm folder/own.json
run alone "$pario" $small --json link.json
is "$status, $(readlink link.json), $(head -c 1 folder/own.json)" "0, folder/own.json, {" \
    "a result through a link to what is not there yet"
echo old >folder/own.json
run alone "$pario" $small --json link.json
[ -L link.json ] && [ "$(head -c 1 folder/own.json)" = "{" ]
ok $? "and the file behind it is replaced"
is "$(ls -A folder)" own.json "nothing is left beside it"
ln -s /dev/stderr errors
alone "$pario" $small --json errors >out 2>err
is "$?, $(head -c 1 err), $(readlink errors)" "0, {, /dev/stderr" "a link to standard error is written to"
alone "$pario" $small --json /dev/stdout >out 2>err
is "$?, $(head -c 1 out)$(tail -c 2 out)" "0, {}" "--json /dev/stdout is --json -"

# Rows of ranks against the document
if command -v jq >/dev/null; then
    run alone "$pario" -a sim --clock virtual --threads 3 -b 1m -t 64k -w --per-rank rows.csv --json x.json
    is "$(jq '.tests[0].phases[0].spread | [.min_per_s, .max_per_s] | map(. * 1000 | round)' -c x.json)" \
        "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bytes_per_s") at = i }
                    NR > 1 { v = $at; if (NR == 2 || v < least) least = v; if (v > most) most = v }
                    END { printf "[%.0f,%.0f]", least * 1000, most * 1000 }' rows.csv)" \
        "rates of ranks have the digits of the document"
else
    skip 1 "no jq"
fi
done_testing
