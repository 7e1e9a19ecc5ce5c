#include "probe/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

int file_device_size(const char *path, uint64_t *bytes, struct error *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int failed = fd < 0 ? -1 : ioctl(fd, BLKGETSIZE64, bytes);
    int why = errno;
    if (fd >= 0)
        close(fd);
    return failed ? error_errno(e, why, "%.512s: asking the device for its size", path) : 0;
}

int file_check_unused(const char *path, struct error *e)
{
    int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NOFOLLOW);
    int why = errno;
    if (fd >= 0) {
        close(fd);
        return 0;
    }
    if (why != EBUSY)
        return error_errno(e, why, "%.512s: opening the device for this run alone", path);
    return error_set(e, STATUS_USAGE, "usage",
                     "%.512s is in use (a mounted file system, swap, a volume or RAID on it): "
                     "writing to it would destroy that",
                     path);
}
