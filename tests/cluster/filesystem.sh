# filesystem.sh: what every distributed file system has to stand, with 6 ranks on hosts node1 to node3 that all have
# it mounted. Source it in place of hosts.sh.
. "${PARIO_SOURCE:-.}/tests/cluster/hosts.sh"

result() { jq -r "$1" result.json 2>&1; }

# written FORM: 6 ranks write by these options, check, and read on other nodes what the document then tells.
written()
{
    read -r -a options <<<"$2"
    run across 6 "$pario" "${options[@]}" -C -e -w -W -r -R -o "$1/data" --json result.json
    is "$status" 0 "6 ranks on 3 hosts, $2: done"
    [ "$status" = 0 ] || note "$err"
    is "$(result '[.tests[0].phases[] | select(.phase != "write") | .verified_bytes == .bytes] | unique | join(" ")')" true \
        "all that was read is what was written"
}

# measured MOUNT SIGN: bulk, random, by MPI-IO and HDF5, and names; SIGN is found in what the document says of the world.
measured()
{
    slots node1:2 node2:2 node3:2
    for form in "-a posix -b 1m -t 64k" "-a posix -b 1m -t 64k -F" "-a posix -b 1m -t 64k -F -z" \
        "-a posix -F -t 47008 -b 470080 -s 3" "-a mpiio -b 512k -t 64k -c"; do
        written "$1" "$form"
    done
    like "$(result '.environment | tostring')" "$2" "the file system is known by its name"
    is "$(result '[.tests[0].phases[] | .warnings[] | select(.code == "same-node-read")] | length')" 0 "and nobody read its own"
    if lacks hdf5; then
        skip 4 "no parallel HDF5"
    else
        written "$1" "-a hdf5 -b 512k -t 64k -c"
        written "$1" "-a hdf5 -b 512k -t 64k -F"
    fi
    run across 6 "$pario" random -a posix -b 1m -t 16k -F -o "$1/random" --json result.json
    is "$status" 0 "6 ranks write and read in random order"
    run across 6 "$pario" metadata -n 50 -d "$1/tree" --json result.json
    is "$status" 0 "6 ranks make, look at and remove 300 files"
    # What a host has cached of a folder may be of some seconds ago.
    for i in $(seq 50); do
        [ -z "$(on node2 ls -A "$1")" ] && break
        sleep 0.2
    done
    is "$(on node2 ls -A "$1")" "" "nothing is left"
}

# crashed NAME MOUNT COMMAND...: the command makes a server crash in mid-run; the ranks live. Either the run goes on,
# or it ends in an error that names the file.
crashed()
{
    local name=$1 mount=$2 job i
    shift 2
    rm -f result.json
    across 6 "$pario" -a posix -b 2m -t 64k -e -i 10 -d 500ms -o "$mount/data" --json result.json >"$scratch/out" 2>"$scratch/err" &
    job=$!
    for i in $(seq 300); do
        jq -e '.tests[0].phases | length >= 2' result.json >/dev/null 2>&1 && break
        sleep 0.1
    done
    "$@"
    status=0
    wait $job || status=$?
    err=$(cat "$scratch/err")
    case $status in
    0) is "$(result .status)" ok "$name: the run went on" ;;
    1) like "$err" '^pario: .*data' "$name: an error that names the file" ;;
    *) is "$status" "0 or 1" "$name: a clean end" ;;
    esac
    note "$status $(result .status) $err"
}
