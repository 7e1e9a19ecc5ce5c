#include "probe/fstype.h"

#include <string.h>

#define YES ANSWER_YES
#define NO ANSWER_NO
#define UNSURE ANSWER_UNKNOWN

struct row {
    const char *type;
    struct fstype facts;
};

/* FUSE file systems may run with direct_io or with caches of their own process: nothing is sure. */
static const struct row rows[] = {
    /*             network memory page_cache */
    {"ext2", {NO, NO, YES}},
    {"ext3", {NO, NO, YES}},
    {"ext4", {NO, NO, YES}},
    {"xfs", {NO, NO, YES}},
    {"btrfs", {NO, NO, YES}},
    {"f2fs", {NO, NO, YES}},
    {"jfs", {NO, NO, YES}},
    {"reiserfs", {NO, NO, YES}},
    {"nilfs2", {NO, NO, YES}},
    {"bcachefs", {NO, NO, YES}},
    {"vfat", {NO, NO, YES}},
    {"exfat", {NO, NO, YES}},
    {"ntfs3", {NO, NO, YES}},
    {"iso9660", {NO, NO, YES}},
    {"squashfs", {NO, NO, YES}},
    {"erofs", {NO, NO, YES}},
    {"overlay", {UNSURE, NO, YES}},
    {"zfs", {NO, NO, NO}},
    {"fuseblk", {NO, NO, YES}},
    {"tmpfs", {NO, YES, YES}},
    {"ramfs", {NO, YES, YES}},
    {"devtmpfs", {NO, YES, YES}},
    {"hugetlbfs", {NO, YES, UNSURE}},
    {"rootfs", {NO, YES, YES}},
    {"nfs", {YES, NO, YES}},
    {"nfs4", {YES, NO, YES}},
    {"cifs", {YES, NO, YES}},
    {"smb3", {YES, NO, YES}},
    {"smbfs", {YES, NO, YES}},
    {"lustre", {YES, NO, YES}},
    {"ceph", {YES, NO, YES}},
    {"beegfs", {YES, NO, UNSURE}},
    {"gpfs", {YES, NO, NO}},
    {"panfs", {YES, NO, UNSURE}},
    {"wekafs", {YES, NO, UNSURE}},
    {"dvs", {YES, NO, UNSURE}},
    {"orangefs", {YES, NO, UNSURE}},
    {"pvfs2", {YES, NO, UNSURE}},
    {"ocfs2", {YES, NO, YES}},
    {"gfs2", {YES, NO, YES}},
    {"afs", {YES, NO, UNSURE}},
    {"coda", {YES, NO, UNSURE}},
    {"9p", {YES, NO, UNSURE}},
    {"virtiofs", {YES, NO, UNSURE}},
    {"glusterfs", {YES, NO, UNSURE}},
    {"fuse.glusterfs", {YES, NO, UNSURE}},
    {"fuse.mfs", {YES, NO, UNSURE}},
    {"fuse.lizardfs", {YES, NO, UNSURE}},
    {"fuse.saunafs", {YES, NO, UNSURE}},
    {"fuse.ceph", {YES, NO, UNSURE}},
    {"fuse.ceph-fuse", {YES, NO, UNSURE}},
    {"fuse.beegfs", {YES, NO, UNSURE}},
    {"fuse.dfuse", {YES, NO, UNSURE}},
    {"fuse.daos", {YES, NO, UNSURE}},
    {"fuse.juicefs", {YES, NO, UNSURE}},
    {"fuse.JuiceFS", {YES, NO, UNSURE}},
    {"fuse.sshfs", {YES, NO, UNSURE}},
    {"fuse.s3fs", {YES, NO, UNSURE}},
    {"fuse.gcsfuse", {YES, NO, UNSURE}},
    {"fuse.goofys", {YES, NO, UNSURE}},
    {"fuse.rclone", {YES, NO, UNSURE}},
    {"fuse.seaweedfs", {YES, NO, UNSURE}},
    {"fuse.bindfs", {UNSURE, UNSURE, UNSURE}},
};

struct fstype fstype_find(const char *type)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].type, type) == 0)
            return rows[i].facts;
    return (struct fstype){UNSURE, UNSURE, UNSURE};
}
