#!/bin/bash
# Whose files are these? What a killed run left, names as long as names can be, several targets.
. "${PARIO_SOURCE:-.}/tests/support/tap.sh"

# killed OPTIONS...: a writer that is killed once its files have data.
killed()
{
    local i
    "$pario" -w -b 256m -t 64k --think 1ms --reserve 0% -o file "$@" >/dev/null 2>&1 &
    for ((i = 0; i < 1000; i++)); do
        [ -n "$(find . -name 'file*' ! -name '*.pario' -size +64k)" ] && break
        sleep 0.01
    done
    kill -KILL $!
    wait $! 2>/dev/null
}
for options in "" "-F" "-z" "-F -u" "--data zero"; do
    read -ra words <<<"$options"
    killed --threads 2 "${words[@]}"
    is "$(ls file.pario):$(grep -c '^file' file.pario)" "file.pario:1" "killed $options: what was begun is told"
    run alone "$pario" --threads 2 -w -b 128k -t 64k -o file "${words[@]}"
    is "$status:$err:$(find . -type f)" "0::" "the next run knows the files for pario's, and removes them"
    rm -rf ./*
done
killed --threads 2
head -c 131072 /dev/urandom >file
run alone "$pario" --threads 2 -w -b 64k -t 64k -o file
is "$status:$(stat -c %s file)" "2:131072" "but not what somebody put in their place"
rm -f file*
killed --threads 1
run alone "$pario" --threads 1 -r -R -b 64k -t 64k -k -o file
is "$status" 0 "what was begun can be read and compared"
rm -f file*

long=$(printf 'n%.0s' {1..245})
run alone "$pario" -w -k -b 64k -t 64k -o "$long"
is "$status:$(ls)" "0:$long
$long.pario" "a name as long as possible with -k"
run alone "$pario" -r -b 64k -t 64k -o "$long"
is "$status:$(ls)" "0:" "is known again"
run alone "$pario" -w -k -b 64k -t 64k -o "${long}12345"
is "$status:$(ls)" "2:" "a longer one is refused before anything is made"
like "$err" 'option -o: with -k .* of 256 bytes is longer than the file system takes \(255\)' "and why"
run alone "$pario" -w -b 64k -t 64k -o "${long}1234567890"
is "$status:$(ls)" "0:" "without -k it is good enough"

# Each target is looked at: the second one is small.
mkdir small
if mount -t tmpfs -o size=32m none small 2>/dev/null; then
    run alone "$pario" --threads 2 -F -w -b 48m -t 1m -o file@small/file
    is "$status:$(ls)" "1:small" "no room on the second target: nothing is begun"
    like "$err" 'small' "which is named"
    run alone "$pario" --threads 2 -F -w -k -b 10g -t 64k --think 5ms -D 30 --reserve 50% -o file@small/file
    left=$(df --output=avail -k small | tail -1)
    umount small
    is "$status" 4 "the reserve of the second target is kept"
    is "$((left > 8 << 10))" 1 "well before it is full"
else
    skip 4 "no right to mount a file system"
fi
done_testing
