/* The text of /proc/self/io, /proc/stat, /proc/diskstats and /proc/net/dev as numbers: pure. */
#include "probe/counters.h"

#include <stdio.h>
#include <string.h>

/* Digits at *at, behind blanks; *at moves behind them. False where there are none, or too many. */
static bool take_number(const char **at, uint64_t *value)
{
    const char *p = *at;
    uint64_t n = 0;
    while (*p == ' ' || *p == '\t')
        p++;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(n, UINT64_C(10), &n) ||
            __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
            return false;
    *at = p;
    *value = n;
    return true;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at == '\n' ? at + 1 : at;
}

bool counters_parse_io(const char *text, struct counters_io *io)
{
    const struct {
        const char *name;
        uint64_t *value;
    } rows[] = {{"rchar:", &io->rchar},
                {"wchar:", &io->wchar},
                {"read_bytes:", &io->read_bytes},
                {"write_bytes:", &io->write_bytes}};
    bool any = false;
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            size_t n = strlen(rows[i].name);
            const char *number = at + n;
            if (strncmp(at, rows[i].name, n) == 0 && take_number(&number, rows[i].value))
                any = true;
        }
    }
    return any;
}

/* user nice system idle iowait irq softirq steal; guest time behind them is inside user already. */
bool counters_parse_stat(const char *text, struct counters_cpu *cpu)
{
    enum { IDLE = 3, IOWAIT = 4, COLUMNS = 8 };
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        if (strncmp(at, "cpu ", 4) != 0)
            continue;
        const char *number = at + 4;
        uint64_t busy = 0, total = 0, value;
        int column = 0;
        for (; column < COLUMNS && take_number(&number, &value); column++) {
            total += value;
            busy += column == IDLE || column == IOWAIT ? 0 : value;
        }
        if (column <= IDLE)
            return false;
        cpu->busy = busy;
        cpu->total = total;
        return true;
    }
    return false;
}

/* major minor name, then reads, reads merged, sectors read, ms reading, writes, writes merged,
 * sectors written, ms writing, in flight, ms busy. A sector is 512 bytes here, whatever the device
 * says. */
bool counters_parse_disk(const char *text, uint32_t major, uint32_t minor,
                         struct counters_disk *disk)
{
    enum { COLUMNS = 10 };
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        uint64_t numbers[2], v[COLUMNS];
        const char *p = at;
        if (!take_number(&p, &numbers[0]) || !take_number(&p, &numbers[1]) || numbers[0] != major ||
            numbers[1] != minor)
            continue;
        p += strspn(p, " ");
        p += strcspn(p, " \n");
        int column = 0;
        while (column < COLUMNS && take_number(&p, &v[column]))
            column++;
        if (column < COLUMNS)
            return false;
        *disk = (struct counters_disk){.reads = v[0],
                                       .read_bytes = source_product(v[2], 512),
                                       .writes = v[4],
                                       .written_bytes = source_product(v[6], 512),
                                       .busy_ns = source_product(v[9], 1000000)};
        return true;
    }
    return false;
}

/* "  eth0: bytes packets errs drop fifo frame compressed multicast bytes ...", two head lines
 * before. */
bool counters_next_net(const char **cursor, struct net_line *line)
{
    enum { SENT = 8, COLUMNS = 9 };
    while (**cursor != '\0') {
        const char *at = *cursor + strspn(*cursor, " ");
        size_t n = strcspn(at, ":|\n");
        *cursor = next_line(*cursor);
        if (at[n] != ':' || n == 0 || n >= sizeof line->name)
            continue;
        snprintf(line->name, sizeof line->name, "%.*s", (int)n, at);
        const char *number = at + n + 1;
        uint64_t v[COLUMNS];
        int column = 0;
        while (column < COLUMNS && take_number(&number, &v[column]))
            column++;
        if (column < COLUMNS)
            continue;
        line->received_bytes = v[0];
        line->sent_bytes = v[SENT];
        return true;
    }
    return false;
}
