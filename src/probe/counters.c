#include "probe/counters.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct counters unknown = {
    .io = {PROBE_UNKNOWN, PROBE_UNKNOWN, PROBE_UNKNOWN, PROBE_UNKNOWN},
    .cpu = {PROBE_UNKNOWN, PROBE_UNKNOWN},
    .usage = {PROBE_UNKNOWN, PROBE_UNKNOWN, PROBE_UNKNOWN},
    .net = {PROBE_UNKNOWN, PROBE_UNKNOWN},
    .disk = {PROBE_UNKNOWN, PROBE_UNKNOWN, PROBE_UNKNOWN, PROBE_UNKNOWN, PROBE_UNKNOWN},
};

void counters_usage_read(enum counters_scope scope, struct counters_usage *usage)
{
    struct rusage r;
    *usage = unknown.usage;
    if (getrusage(scope == COUNTERS_THREAD ? RUSAGE_THREAD : RUSAGE_SELF, &r) != 0)
        return;
    usage->user_ns =
        (uint64_t)r.ru_utime.tv_sec * 1000000000u + (uint64_t)r.ru_utime.tv_usec * 1000u;
    usage->system_ns =
        (uint64_t)r.ru_stime.tv_sec * 1000000000u + (uint64_t)r.ru_stime.tv_usec * 1000u;
    usage->switches = (uint64_t)r.ru_nvcsw + (uint64_t)r.ru_nivcsw;
}

/* A bridge, a bond and a container's veth carry again what a card carries. */
static bool is_card(const char *root, const char *name)
{
    char path[160];
    char full[PROBE_PATH_BYTES];
    snprintf(path, sizeof path, "/sys/class/net/%s/device", name);
    return source_path(root, path, full, sizeof full) && access(full, F_OK) == 0;
}

/* Cards alone; where there are none (inside a container) everything but the loopback. */
static void read_net(const char *root, const char *text, struct counters_net *net)
{
    struct counters_net cards = {0}, all = {0};
    bool any_card = false, any = false;
    struct net_line line;
    while (counters_next_net(&text, &line)) {
        if (strcmp(line.name, "lo") == 0)
            continue;
        any = true;
        all.received_bytes += line.received_bytes;
        all.sent_bytes += line.sent_bytes;
        if (!is_card(root, line.name))
            continue;
        any_card = true;
        cards.received_bytes += line.received_bytes;
        cards.sent_bytes += line.sent_bytes;
    }
    if (any)
        *net = any_card ? cards : all;
}

static void add_known(uint64_t *sum, uint64_t part)
{
    *sum = *sum == PROBE_UNKNOWN ? part : *sum + part;
}

/* InfiniBand counts in words of four bytes, apart from the interfaces. */
static void read_port(const char *root, const char *card, const char *port,
                      struct counters_net *net)
{
    char path[700];
    uint64_t value;
    const char *form = "/sys/class/infiniband/%s/ports/%s/counters/port_%s_data";
    snprintf(path, sizeof path, form, card, port, "rcv");
    if (source_number(root, path, &value))
        add_known(&net->received_bytes, source_product(value, 4));
    snprintf(path, sizeof path, form, card, port, "xmit");
    if (source_number(root, path, &value))
        add_known(&net->sent_bytes, source_product(value, 4));
}

static void read_infiniband(const char *root, struct counters_net *net)
{
    char full[PROBE_PATH_BYTES];
    if (!source_path(root, "/sys/class/infiniband", full, sizeof full))
        return;
    DIR *cards = opendir(full);
    if (cards == NULL)
        return;
    for (struct dirent *card; (card = readdir(cards)) != NULL;) {
        char folder[512];
        snprintf(folder, sizeof folder, "/sys/class/infiniband/%s/ports", card->d_name);
        if (card->d_name[0] == '.' || !source_path(root, folder, full, sizeof full))
            continue;
        DIR *ports = opendir(full);
        if (ports == NULL)
            continue;
        for (struct dirent *port; (port = readdir(ports)) != NULL;)
            if (port->d_name[0] != '.')
                read_port(root, card->d_name, port->d_name, net);
        closedir(ports);
    }
    closedir(cards);
}

void counters_read(const char *root, enum counters_scope scope, uint32_t major, uint32_t minor,
                   struct counters *c)
{
    struct text t = {0};
    const char *io = scope == COUNTERS_THREAD ? "/proc/thread-self/io" : "/proc/self/io";
    *c = unknown;
    if (source_read(root, io, &t, NULL) == 0)
        counters_parse_io(t.data, &c->io);
    if (source_read(root, "/proc/stat", &t, NULL) == 0)
        counters_parse_stat(t.data, &c->cpu);
    if (source_read(root, "/proc/net/dev", &t, NULL) == 0)
        read_net(root, t.data, &c->net);
    read_infiniband(root, &c->net);
    if ((major != 0 || minor != 0) && source_read(root, "/proc/diskstats", &t, NULL) == 0)
        counters_parse_disk(t.data, major, minor, &c->disk);
    text_free(&t);
    counters_usage_read(scope, &c->usage);
}

struct counters counters_diff(const struct counters *before, const struct counters *after)
{
#define DIFFERENCE(member) .member = source_difference(after->member, before->member)
    return (struct counters){
        DIFFERENCE(io.rchar),           DIFFERENCE(io.wchar),        DIFFERENCE(io.read_bytes),
        DIFFERENCE(io.write_bytes),     DIFFERENCE(cpu.busy),        DIFFERENCE(cpu.total),
        DIFFERENCE(usage.user_ns),      DIFFERENCE(usage.system_ns), DIFFERENCE(usage.switches),
        DIFFERENCE(net.received_bytes), DIFFERENCE(net.sent_bytes),  DIFFERENCE(disk.read_bytes),
        DIFFERENCE(disk.written_bytes), DIFFERENCE(disk.reads),      DIFFERENCE(disk.writes),
        DIFFERENCE(disk.busy_ns),
    };
#undef DIFFERENCE
}

double counters_node_cpu(const struct counters *difference)
{
    const struct counters_cpu *cpu = &difference->cpu;
    if (cpu->busy == PROBE_UNKNOWN || cpu->total == PROBE_UNKNOWN || cpu->total == 0)
        return NAN;
    double share = (double)cpu->busy / (double)cpu->total;
    return share > 1 ? 1 : share;
}
