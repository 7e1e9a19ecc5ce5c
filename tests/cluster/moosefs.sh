#!/bin/bash
# A real distributed file system, MooseFS, with its three servers on the hosts that measure it: what is written is
# read and right, from other hosts too; a server that crashes in mid-run ends in a clean error or in nothing.
. "${PARIO_SOURCE:-.}/tests/cluster/filesystem.sh"
need_hosts
for command in mfsmaster mfschunkserver mfsmount mfscli jq; do
    PATH=$PATH:/usr/sbin command -v "$command" >/dev/null || skip_all "no $command"
done
[ -e /dev/fuse ] || skip_all "no FUSE"
[ -e /var/lib/mfs/metadata.mfs.empty ] || skip_all "no metadata for an empty MooseFS"
export PATH=$PATH:/usr/sbin RUN_SECONDS=240
M=$scratch/moosefs
mkdir -p "$M"/{meta,mnt}
cp /var/lib/mfs/metadata.mfs.empty "$M/meta/metadata.mfs"
echo '* / rw,alldirs,admin,maproot=0:0' >"$M/exports.cfg"
own="WORKING_USER = root
WORKING_GROUP = root
NICE_LEVEL = 0"
cat >"$M/master.cfg" <<END
$own
DATA_PATH = $M/meta
EXPORTS_FILENAME = $M/exports.cfg
REPLICATIONS_DELAY_INIT = 5
END
hosts_up 3
on node1 mfsmaster -c "$M/master.cfg" start >"$M/master.out" 2>&1 || skip_all "mfsmaster: $(tail -n 1 "$M/master.out")"
for n in 1 2 3; do
    mkdir -p "$M/cs$n" "$M/hdd$n"
    echo "$M/hdd$n" >"$M/hdd$n.cfg"
    cat >"$M/cs$n.cfg" <<END
$own
DATA_PATH = $M/cs$n
HDD_CONF_FILENAME = $M/hdd$n.cfg
HDD_LEAVE_SPACE_DEFAULT = 64MiB
MASTER_HOST = node1
END
    on node$n mfschunkserver -c "$M/cs$n.cfg" start >"$M/cs$n.out" 2>&1
done
servers() { on node1 mfscli -H node1 -SCS -p 2>/dev/null | grep -c '^chunk servers:'; }
for i in $(seq 150); do
    [ "$(servers)" = 3 ] && break
    sleep 0.2
done
is "$(servers)" 3 "MooseFS is up: three chunk servers"
for n in 1 2 3; do
    on node$n mfsmount "$M/mnt" -H node1 >"$M/mount$n.out" 2>&1 || skip_all "mfsmount: $(tail -n 1 "$M/mount$n.out")"
done

measured "$M/mnt" 'mfs#node1'

# A chunk server is gone; the master and the ranks live.
crash_server() { on node3 sh -c 'kill -9 $(pidof mfschunkserver)'; }
crashed "a chunk server crashed" "$M/mnt" crash_server
for n in 1 2 3; do
    on node$n umount -l "$M/mnt" 2>/dev/null
done
done_testing
