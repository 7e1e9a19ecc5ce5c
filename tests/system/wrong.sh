#!/bin/bash
# Wrong command lines, one after another: each ends at once with the right status and with one message that
# names what is wrong, prints no result, and makes and loses nothing.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"
export RUN_SECONDS=20

echo mine >foreign
echo mine >other.00000001
ln -s foreign link
ln -s /nowhere/at/all dangling
mkdir folder
mkfifo pipe
long=$(printf 'x%.0s' $(seq 5000))
name=$(printf 'y%.0s' $(seq 300))
before=$(find . -printf '%p %s %y\n' | sort)

# wrong STATUS MESSAGE ARGUMENTS...: the message is an extended regular expression, after "pario: ".
wrong()
{
    local expected=$1 message=$2
    shift 2
    run alone "$pario" "$@"
    local seen
    seen="$status, $(printf '%s\n' "$err" | wc -l) lines"
    printf "%s\n" "$err" | grep -Eq -e "^pario: $message" || seen="$seen, which say: $err"
    [ -z "$out" ] || seen="$seen; and a result: $out"
    [ "$(find . -printf '%p %s %y\n' | sort)" = "$before" ] || seen="$seen; and something was made: $(ls)"
    is "$seen" "$expected, 1 lines" "$(printf '%.80s' "pario $*" | tr '[:cntrl:]' '?')"
}

# Options
wrong 2 'unknown option --blok, did you mean --block\?' --blok 4m
wrong 2 'option -b needs a SIZE, and nothing follows it' -b
wrong 2 'option -b needs a SIZE, got an empty value' -b ''
wrong 2 'option -b needs a SIZE, got an empty value' -b=
wrong 2 'option --block needs a SIZE' --block
wrong 2 "option -k: " -k=maybe
wrong 2 'option -q .* is not taken' -q
wrong 2 'option -q .* is not taken' -wq
wrong 2 ".*\(en dash" –w
wrong 2 ".*\(em dash" —block 4m
wrong 2 "'extra' belongs to no option" bulk extra
wrong 2 "unknown workload 'bulky', did you mean 'bulk'\?" bulky
wrong 2 "'write' belongs to no option" write
wrong 2 "'--' belongs to no option" -- -b
wrong 2 "there is no help on 'nonsense'" --help nonsense
wrong 2 'unknown option --posix.nosuch' --posix.nosuch 1
wrong 2 'unknown option --nosuch.option' --nosuch.option 1

# Values
wrong 2 "option -b: '4x' is not a size" -b 4x
wrong 2 "option -b: '4kk' is not a size" -b 4kk
wrong 2 "option -b: '1e3' is not a size" -b 1e3
wrong 2 "option -b: '0x10' is not a size" -b 0x10
wrong 2 "option -b: '-4k' is negative" -b -4k
wrong 2 "option -b: '0' is too small" -b 0
wrong 2 "option -b: '9{20}' is more than fits" -b 99999999999999999999
wrong 2 "option -t: '0' is too small" -t 0
wrong 2 "option -t needs a SIZE, got '4k,128k': one value is expected" -t 4k,128k
wrong 2 "option -s: '0' is too small" -s 0
wrong 2 "option -s: '-3' is negative" -s -3
wrong 2 "option -s: '1.5'" -s 1.5
wrong 2 "option -s: 'many' is not a whole number" -s many
wrong 2 "option -s: '9223372036854775808' is more than fits" -s 9223372036854775808
wrong 2 "option -i: '0' is too small" -i 0
wrong 2 "option -i: 'x' is not a whole number" -i x
wrong 2 "option -d: '-1' is negative" -d -1
wrong 2 "option -d: '5q' is not a time" -d 5q
wrong 2 "option -D: '1y' is not a time" -D 1y
wrong 2 "option -G: '-1' is negative" -G -1
wrong 2 "option --depth: '0' is too small" --depth 0
wrong 2 "option --depth: '100000' is too large" -a uring --depth 100000
wrong 2 "option --threads: '-1' is negative" --threads -1
wrong 2 "option --threads: '100000' is too large" --threads 100000
wrong 2 "option --reserve: '200' is outside" --reserve 200
wrong 2 "option --reserve: '5x' is not a share" --reserve 5x
wrong 2 "option --clock: 'sundial' is not one of its values" --clock sundial
wrong 2 "option --sim.rate: 'fast' is not a size" -a sim --sim.rate fast
wrong 2 "option --sim.distribution: 'normal' is not one of its values" -a sim --sim.distribution normal
wrong 2 "option -M: '200%' is outside" -M 200%
wrong 2 "option -l: 'nosuch' is not one of its values" -l nosuch
wrong 2 "-O: unknown directive nosuch" -O nosuch=1
wrong 2 "-O: 'blockSize' is not of the form" -O blockSize
wrong 2 "-O: option blockSize: '4x' is not a size" -O blockSize=4x

# What does not go together
wrong 2 'block size -b 4194304 is no multiple of transfer size -t 3145728: .* 3145728 and 6291456' -b 4m -t 3m
wrong 2 'block size -b 65536 is smaller than transfer size -t 131072' -b 64k -t 128k
wrong 2 'a file of .* is larger than 8 EiB' -b 4096p -t 1p -s 4
wrong 2 "there is no backend 'nosuch'" -a nosuch
wrong 2 "there is no backend 'POSIXX', did you mean 'posix'\?" -a POSIXX
wrong 2 'option --depth 8: backend posix has no queue' --depth 8
wrong 2 'option -c: backend posix has no collective calls' -c
wrong 2 'option --clock virtual: backend posix takes real time' --clock virtual
wrong 2 'options -C and -Z exclude each other' -C -Z
wrong 2 'option -Q says how far -C goes' -Q 2
wrong 2 'option -X is the seed of -Z' -X 5
wrong 2 'option --multi-file: the workload random lays its file out' random -m -i 2 -t 4k
wrong 2 'option --time-create: the workload random lays its file out' random --time-create -t 4k
wrong 2 'option -N 5: there is only 1 rank$' -N 5
wrong 2 '--json - and --csv - both want standard output' --json - --csv -

# Paths
wrong 2 'option -o needs a PATH, got an empty value' -o ''
wrong 2 'foreign exists and was not made by pario' -o foreign
wrong 2 'foreign exists and was not made by pario' --threads 3 -o foreign
wrong 2 'other.00000001 exists and was not made by pario' --threads 3 -F -o other
wrong 2 'link is a symbolic link' -o link
wrong 2 'link is a symbolic link' -r -o link
wrong 2 'dangling is a symbolic link' -o dangling
wrong 2 'folder is a directory' -o folder
wrong 2 'folder/ names a directory|folder/ is a directory' -o folder/
wrong 2 'folder is a directory' -r -o folder
wrong 2 'pipe is a FIFO' -o pipe
wrong 2 'pipe is a FIFO' -r -o pipe
wrong 2 '/dev/null is a character device' -o /dev/null
wrong 2 'no/such/f: cannot use its directory no/such: No such file' -o no/such/f
wrong 2 'foreign/f: foreign is not a directory' -o foreign/f
wrong 2 'option -o: the path has 5000 bytes' -o "$long"
wrong 2 'y+\.\.\.: a name between slashes is 300 bytes long' -o "$name"
wrong 2 "option -o: 'a\?b' has a control character \(0x0a\)" -o $'a\nb'
wrong 2 "option -o: .* has a control character \(0x1b\)" -o $'\e[31mred'
wrong 2 'testFile does not exist: there is nothing to read' -r
wrong 2 'missing.00000000 does not exist: there is nothing to read' -r -F -o missing
wrong 2 'option --json: writing the result to no/such.json: No such file' --json no/such.json
wrong 2 'option --json: writing the result to folder: Is a directory' --json folder
wrong 2 'option --csv: writing the result to folder: Is a directory' --csv folder
wrong 2 'cannot open the script missing: No such file' -f missing
wrong 2 'the script folder is not a regular file' -f folder
wrong 2 "foreign is not a script: it has no line 'IOR START'" -f foreign

# More than there is
wrong 1 '.*needs 9 PiB, .* available on' -b 9p -t 1p
wrong 2 'option -M: .* of memory are asked for, but only' -M 99999g
[ -n "${ASAN_OPTIONS:-}" ] || # the sanitizer has its own opinion of such an allocation
    wrong 1 '.*transfer buffers: 1 of 1125899906842624 bytes: Cannot allocate memory' -a null -t 1p -b 1p

# As somebody who may not write here.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$scratch" "$scratch/work"
    cp "$pario" "$scratch/pario"
    pario="setpriv --reuid=65534 --regid=65534 --clear-groups $scratch/pario"
    rights()
    {
        local program=$pario
        # shellcheck disable=SC2086
        run alone $program "$@"
    }
    rights -o here
    is "$status:$(printf '%s\n' "$err" | wc -l)" "2:1" "a folder that may not be written is seen early"
    like "$err" '^pario: here: cannot make files in its directory \.: Permission denied' "and named"
    chmod 600 foreign
    rights -r -o foreign
    is "$((status != 0)):$(printf '%s\n' "$err" | wc -l)" "1:1" "a file that may not be read is no success"
    like "$err" '^pario: .*foreign: .*Permission denied' "and named"
    rights --json result.json -a null
    like "$status: $err" '^2: pario: option --json: .*Permission denied' "a document that may not be written is seen early"
else
    skip 5 "only root can become somebody else"
fi
is "$(cat foreign other.00000001)" "mine
mine" "what was there is as it was"
done_testing
