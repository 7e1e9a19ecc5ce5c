#include "output_rows.h"

#include "formats/words.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int output_rows_open(struct output_rows *o, struct error *e)
{
    if (!o->path)
        return 0;
    if (strcmp(o->path, "-") == 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --per-rank: standard output is not for it: give it a file");
    o->file = fopen(o->path, "we");
    if (!o->file) {
        struct error why = error_none();
        error_errno(&why, errno, "writing %s", o->path);
        return error_set(e, STATUS_USAGE, why.kind, "option --per-rank: %s", why.text);
    }
    fputs("test,phase,repetition,rank,host,bytes,operations,failed,elapsed_s", o->file);
    for (int stage = 0; stage < STAGES; stage++)
        fprintf(o->file, ",%s_s", stage_name((enum stage)stage));
    fputs(",bytes_per_s,operations_per_s,latency_p50_ns,latency_p99_ns,latency_max_ns\n", o->file);
    return 0;
}

/* Later calls may well succeed: the first failure is what is told in the end. */
static void note(struct output_rows *o, bool failed)
{
    if (failed && !o->failed_errno)
        o->failed_errno = errno ? errno : EIO;
}

/* With all its digits, as in the documents. */
static void rate(FILE *file, uint64_t amount, uint64_t ns)
{
    struct text number = {0};
    if (amount && ns)
        words_csv_number(&number, (double)amount * 1e9 / (double)ns);
    fprintf(file, ",%s", number.data ? number.data : "");
    text_free(&number);
}

static void row(const struct output_rows *o, uint64_t rank, const struct rank_row *r)
{
    const char *host = o->hosts ? o->hosts[topology_node(o->topology, rank)] : NULL;
    fprintf(o->file, ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.9f", rank,
            host ? host : "", r->bytes, r->operations, r->failed, (double)r->elapsed_ns / 1e9);
    for (int stage = 0; stage < STAGES; stage++)
        fprintf(o->file, ",%.9f", (double)r->stage_ns[stage] / 1e9);
    rate(o->file, r->bytes, r->elapsed_ns);
    rate(o->file, r->operations, r->elapsed_ns);
    if (r->latency_max_ns)
        fprintf(o->file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", r->latency_p50_ns,
                r->latency_p99_ns, r->latency_max_ns);
    else
        fputs(",,,\n", o->file);
}

void output_rows_add(struct output_rows *o, const struct test_result *test,
                     const struct phase_result *phase, uint64_t first, uint64_t n,
                     const struct rank_row *rows)
{
    if (!o->file)
        return;
    errno = 0;
    for (uint64_t i = 0; i < n; i++) {
        fprintf(o->file, "%s,%s,%" PRIu64, test->name, phase->phase, phase->repetition);
        row(o, first + i, &rows[i]);
    }
    note(o, fflush(o->file) || ferror(o->file));
}

int output_rows_close(struct output_rows *o, struct error *e)
{
    if (!o->file)
        return 0;
    note(o, fclose(o->file) != 0);
    o->file = NULL;
    return o->failed_errno ? error_errno(e, o->failed_errno, "writing %s", o->path) : 0;
}
