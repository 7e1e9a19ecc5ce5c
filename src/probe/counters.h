/* What the kernel counts, read before and after a phase: bytes of this process, its CPU time, the
 * CPU of the node, its network cards, the disk. A counter that is not there is PROBE_UNKNOWN, and
 * so is its difference. */
#ifndef PARIO_PROBE_COUNTERS_H
#define PARIO_PROBE_COUNTERS_H

#include "probe/source.h"

enum counters_scope {
    COUNTERS_PROCESS,
    COUNTERS_THREAD /* the calling thread alone: ranks as threads */
};

struct counters_io {                  /* /proc/self/io, in bytes */
    uint64_t rchar, wchar;            /* moved by read and write calls, from wherever */
    uint64_t read_bytes, write_bytes; /* fetched from, caused to be sent to block devices; network
                                         file systems mostly leave them alone */
};

struct counters_cpu {     /* of the node, in ticks of 1/100 s */
    uint64_t busy, total; /* stolen time counts as busy: nobody here can use it */
};

struct counters_usage { /* of the process or thread */
    uint64_t user_ns, system_ns;
    uint64_t switches; /* context switches, voluntary or not */
};

struct counters_net { /* all physical interfaces and InfiniBand ports of the node, in bytes */
    uint64_t received_bytes, sent_bytes;
};

struct counters_disk { /* one block device */
    uint64_t read_bytes, written_bytes;
    uint64_t reads, writes; /* requests */
    uint64_t busy_ns;       /* time with something in flight */
};

struct counters {
    struct counters_io io;
    struct counters_cpu cpu;
    struct counters_usage usage;
    struct counters_net net;
    struct counters_disk disk;
};

/* Reads all; major:minor 0:0: no disk. Some ten small files: not for the path around one I/O. */
void counters_read(const char *root, enum counters_scope scope, uint32_t major, uint32_t minor,
                   struct counters *c);

/* The usage alone: one system call. */
void counters_usage_read(enum counters_scope scope, struct counters_usage *usage);

/* after - before, member by member. */
struct counters counters_diff(const struct counters *before, const struct counters *after);

/* Share of the node's cores in use between two readings, 0 to 1; NAN where not known. */
double counters_node_cpu(const struct counters *difference);

/* The parsers, pure. Each sets what it finds and leaves the rest. False where the text has nothing.
 */
bool counters_parse_io(const char *text, struct counters_io *io);
bool counters_parse_stat(const char *text, struct counters_cpu *cpu);
bool counters_parse_disk(const char *text, uint32_t major, uint32_t minor,
                         struct counters_disk *disk);
/* One interface a line of /proc/net/dev: name, and its bytes. */
struct net_line {
    char name[64];
    uint64_t received_bytes, sent_bytes;
};
/* The next interface at *cursor, which moves behind it; false at the end. */
bool counters_next_net(const char **cursor, struct net_line *line);

#endif
