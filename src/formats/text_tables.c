/* The rows, and what is said of several of them: over repetitions, and ranks against each other. */
#include "formats/text_parts.h"

#include "formats/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int column_width(const struct metric *m)
{
    switch (m->unit) {
    case METRIC_BYTES_PER_S:
        return 13;
    case METRIC_BYTES:
        return 10;
    default:
        return 8;
    }
}

void text_heading(struct text *out)
{
    text_add(out, "\n%-12s %3s", "phase", "rep");
    for (const struct metric *m = metric_table; m->key; m++)
        if (m->heading)
            text_add(out, " %*s", column_width(m), m->heading);
    text_add(out, "\n");
}

static void one_row(struct text *out, const struct phase_result *p)
{
    char value[TEXT_VALUE];
    text_row_head(out, p);
    for (const struct metric *m = metric_table; m->key; m++)
        if (m->heading)
            text_add(out, " %*s", column_width(m), text_value(value, m->unit, metric_value(m, p)));
    text_add(out, "\n");
}

void text_row(struct text *out, const struct phase_result *p)
{
    struct phase_result part;
    one_row(out, p);
    for (size_t i = 0; phase_result_part(p, i, &part); i++)
        one_row(out, &part);
}

/* "transfer bandwidth" for transfer_bandwidth_bytes_per_s, where a column has no heading. */
static void metric_label(const struct metric *m, char *buf, size_t bytes)
{
    static const char *const units[] = {"_bytes_per_s", "_s", "_per"};
    text_copy(buf, bytes, m->heading ? m->heading : m->key);
    for (size_t i = 0; i < sizeof units / sizeof *units && !m->heading; i++) {
        size_t n = strlen(units[i]);
        size_t length = strlen(buf);
        if (length > n && strcmp(buf + length - n, units[i]) == 0)
            buf[length - n] = '\0';
    }
    for (char *c = buf; *c; c++)
        if (*c == '_')
            *c = ' ';
}

static void summary_row(struct text *out, const char *phase, const struct metric *m,
                        const struct stats *s)
{
    char label[64], value[TEXT_VALUE], high[TEXT_VALUE];
    double columns[] = {s->min, s->median, s->mean, s->max, s->sd};
    metric_label(m, label, sizeof label);
    text_add(out, "%-12s %-18s %3zu", phase, label, s->n);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        text_add(out, " %13s", text_value(value, m->unit, columns[i]));
    text_add(out, " %7s\n", text_value(value, METRIC_SHARE, s->cv));
    if (!isnan(s->ci95_low))
        text_add(out, "%-12s %-18s     median between %s and %s (95 %% confidence)\n", "", "",
                 text_value(value, m->unit, s->ci95_low), text_value(high, m->unit, s->ci95_high));
}

static bool has_repetitions(const struct test_result *t)
{
    for (size_t i = 0; i < t->phases_used; i++)
        if (!words_first_of_name(t, i))
            return true;
    return false;
}

void text_summary(struct text *out, const struct test_result *t, int64_t verbose)
{
    size_t most = 0;
    if (!has_repetitions(t))
        return;
    text_add(out, "\nOver repetitions; the mean of a rate is total / total time\n");
    text_add(out, "%-12s %-18s %3s %13s %13s %13s %13s %13s %7s\n", "phase", "", "n", "min",
             "median", "mean", "max", "sd", "cv");
    for (size_t i = 0; i < t->phases_used; i++) {
        if (!words_first_of_name(t, i))
            continue;
        const char *phase = t->phases[i].phase;
        for (const struct metric *m = metric_table; m->key; m++) {
            if (!m->summary || (!m->heading && verbose == 0))
                continue;
            struct stats s = metric_summary(t, phase, m);
            if (s.n > 0)
                summary_row(out, phase, m, &s);
            most = s.n > most ? s.n : most;
        }
    }
    if (most < 6)
        text_add(out, "A confidence interval of the median exists from 6 repetitions on.\n");
}

static bool wider(const struct phase_result *a, const struct phase_result *b)
{
    return !isnan(a->spread.cv) && (isnan(b->spread.cv) || a->spread.cv > b->spread.cv);
}

/* The repetition of the phase of row i whose ranks differ most. */
static const struct phase_result *widest(const struct test_result *t, size_t i)
{
    const struct phase_result *found = &t->phases[i];
    for (size_t j = i + 1; j < t->phases_used; j++)
        if (strcmp(t->phases[j].phase, found->phase) == 0 && wider(&t->phases[j], found))
            found = &t->phases[j];
    return found;
}

static void ranks_row(struct text *out, const struct phase_result *p)
{
    const struct spread *s = &p->spread;
    enum metric_unit unit = s->bytes ? METRIC_BYTES_PER_S : METRIC_PER_S;
    const char *keys[] = {"stonewall_operations_per_s", "operations_per_s"};
    const char *byte_keys[] = {"stonewall_bandwidth_bytes_per_s", "bandwidth_bytes_per_s"};
    double times[] = {metric_value(metric_find("stonewall_s"), p),
                      metric_value(metric_find("elapsed_s"), p)};
    double rates[] = {s->min_per_s, s->median_per_s, s->max_per_s};
    char value[TEXT_VALUE];
    text_row_head(out, p);
    for (size_t i = 0; i < 2; i++) {
        const struct metric *m = metric_find(s->bytes ? byte_keys[i] : keys[i]);
        text_add(out, " %8s", text_value(value, METRIC_SECONDS, times[i]));
        text_add(out, " %13s", text_value(value, unit, metric_value(m, p)));
    }
    for (size_t i = 0; i < 3; i++)
        text_add(out, " %13s", text_value(value, unit, rates[i]));
    text_add(out, " %7s\n", text_value(value, METRIC_SHARE, s->cv));
}

static void ranks_heading(struct text *out, const char *note)
{
    text_add(out, "\n%-16s %22s %22s   single ranks%s\n", "", "at first rank done", "at last",
             note);
    text_add(out, "%-12s %3s %8s %13s %8s %13s %13s %13s %13s %7s\n", "phase", "rep", "after",
             "rate", "after", "rate", "slowest", "median", "fastest", "cv");
}

/* How far apart ranks were when the deadline struck, and what it cost to make up for it. */
static void at_deadline(struct text *out, const struct phase_result *p)
{
    const uint64_t *n = p->counters;
    char bytes[UNITS_TEXT];
    if (!n[COUNTER_STOPPED] || p->ranks < 2 || !p->stonewall_operations)
        return;
    text_add(out,
             "%s %" PRIu64 ": at the deadline ranks had done %" PRIu64 " to %" PRIu64
             " operations (mean %.1f)",
             p->phase, p->repetition, n[COUNTER_DEADLINE_MIN], n[COUNTER_DEADLINE_MAX],
             (double)p->stonewall_operations / (double)p->ranks);
    if (n[COUNTER_OPERATIONS_MIN] == n[COUNTER_OPERATIONS_MAX] &&
        n[COUNTER_BYTES] > p->stonewall_bytes)
        text_add(out, "; all went on to %" PRIu64 ", %s more", n[COUNTER_OPERATIONS_MAX],
                 units_size(bytes, (double)(n[COUNTER_BYTES] - p->stonewall_bytes)));
    text_add(out, ".\n");
}

void text_ranks(struct text *out, const struct test_result *t, int64_t verbose)
{
    bool all = verbose > 0 || !has_repetitions(t);
    bool headed = false;
    for (size_t i = 0; i < t->phases_used; i++) {
        if (t->phases[i].spread.ranks < 2 || (!all && !words_first_of_name(t, i)))
            continue;
        if (!headed)
            ranks_heading(out, all ? "" : ": repetition of widest spread");
        headed = true;
        ranks_row(out, all ? &t->phases[i] : widest(t, i));
    }
    for (size_t i = 0; i < t->phases_used; i++)
        if (all || words_first_of_name(t, i))
            at_deadline(out, all ? &t->phases[i] : widest(t, i));
}
