#!/bin/bash
# A real distributed file system, GlusterFS, with its three servers on the hosts that measure it: a volume that
# distributes files and one that disperses each over all servers with one to spare.
. "${PARIO_SOURCE:-.}/tests/cluster/filesystem.sh"
need_hosts
export PATH=$PATH:/usr/sbin
for command in glusterd gluster glusterfs jq; do
    command -v "$command" >/dev/null || skip_all "no $command"
done
[ -e /dev/fuse ] || skip_all "no FUSE"
export RUN_SECONDS=240
G=$scratch/gluster
mkdir -p "$G"/{spread,parity} "$G"/bricks/node{1,2,3}
[ -d /var/lib/glusterd ] || skip_all "no /var/lib/glusterd"
mkdir -p /var/log/glusterfs
export VHOSTS_PRIVATE="/run /var/lib/glusterd /var/log/glusterfs"
hosts_up 3
for n in 1 2 3; do
    on node$n sh -c 'mkdir -p /run/gluster; exec glusterd' >"$G/glusterd$n.out" 2>&1 &
done
wait
gl() { on node1 timeout 60 gluster --mode=script "$@" 2>&1; }
until_says() # PATTERN COMMAND...: within 30 s
{
    local pattern=$1 i
    shift
    for i in $(seq 150); do
        "$@" | grep -Eq "$pattern" && return 0
        sleep 0.2
    done
    note "$("$@")"
    return 1
}
peers() { gl peer status | grep -c 'Peer in Cluster (Connected)'; }
until_says 'Number of Peers' gl peer status
ok $? "glusterd answers"
gl peer probe node2 >/dev/null
gl peer probe node3 >/dev/null
until_says '^2$' peers
ok $? "three servers are one pool"
bricks() { for n in 1 2 3; do echo "node$n:$G/bricks/node$n/$1"; done; }
# shellcheck disable=SC2046 # a list
{
    gl volume create spread $(bricks spread) force
    gl volume create parity disperse 3 redundancy 1 $(bricks parity) force
    gl volume start spread
    gl volume start parity
} >"$G/volumes.out"
mounts=0
for n in 1 2 3; do
    for volume in spread parity; do
        on node$n mount -t glusterfs "node$n:/$volume" "$G/$volume" 2>"$G/mount.out" && mounts=$((mounts + 1))
    done
done
is "$mounts" 6 "both volumes are mounted on all hosts" || note "$(cat "$G/volumes.out" "$G/mount.out")"

measured "$G/spread" 'fuse.glusterfs'
measured "$G/parity" 'fuse.glusterfs'

crash_server() # VOLUME
{
    local pid
    pid=$(on node3 pgrep -f "glusterfsd .*$1" | head -n 1)
    on node3 kill -9 "$pid"
}
crashed "a server of the dispersed volume crashed" "$G/parity" crash_server parity
is "$status" 0 "of which any one can be spared"
crashed "a server of the distributed volume crashed" "$G/spread" crash_server spread
for n in 1 2 3; do
    on node$n umount -l "$G/spread" "$G/parity" 2>/dev/null
done
done_testing
