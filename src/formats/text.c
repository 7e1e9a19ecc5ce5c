/* The result as one reads it: what is run, a row per phase and repetition, what sums them up, and
 * what speaks against the numbers. */
#include "formats/format.h"

#include "formats/text_parts.h"
#include "formats/words.h"

#include <stdlib.h>
#include <string.h>

static void command(struct text *out, const struct report *r)
{
    struct text words = {0};
    for (int i = 0; i < r->argc; i++)
        text_add(&words, "%s%s", i > 0 ? " " : "", r->argv[i]);
    if (words.used > 0)
        text_line(out, "command", words.data);
    out->failed |= words.failed;
    text_free(&words);
}

static void begin(struct text *out, const struct report *r)
{
    char started[WORDS_TIME];
    text_add(out, "pario");
    if (r->program.version)
        text_add(out, " %s", r->program.version);
    if (r->started_s)
        text_add(out, ", started %s", words_time(started, r->started_s));
    text_add(out, "\n");
    command(out, r);
}

static bool any_cut(const struct test_result *t)
{
    for (size_t i = 0; i < t->phases_used; i++)
        if (t->phases[i].cut)
            return true;
    return false;
}

/* Said once, beneath the first table. */
static void legend(struct text *out)
{
    text_add(out,
             "Bandwidth and IOPS are those of all ranks, over elapsed. Latencies (p50, p99) are of "
             "single operations.\nStages (open to close) are maxima over ranks: those of different "
             "ranks do not sum to elapsed.\n");
}

static void close_test(struct text *out, const struct report *r, const struct test_result *t)
{
    int64_t verbose = r->settings->verbose;
    if (t->phases_used > 0) {
        if (t == r->tests)
            legend(out);
        if (any_cut(t))
            text_add(out, "* cut short: the figures are of the part that was done.\n");
        text_summary(out, t, verbose);
        text_ranks(out, t, verbose);
    }
    text_checkpoint(out, r, t);
    text_findings(out, t);
    if (r->settings->histogram)
        text_histograms(out, t);
    if (verbose > 0)
        text_details(out, t);
    text_errors(out, t);
    text_warnings(out, t);
}

static void test(struct text *out, const struct report *r, const struct test_result *t)
{
    if (t != r->tests) {
        close_test(out, r, t - 1);
        text_add(out, "\n");
    }
    text_set_up(out, r, t);
    text_heading(out);
}

static void row(struct text *out, const struct report *r, const struct test_result *t,
                const struct phase_result *p)
{
    (void)r, (void)t;
    text_row(out, p);
}

static const char *verdict(enum status status)
{
    static const char *const sentences[] = {[STATUS_DONE] = "is done",
                                            [STATUS_FAILED] = "failed",
                                            [STATUS_USAGE] = "was refused",
                                            [STATUS_UNMET] =
                                                "does not meet what was expected of it",
                                            [STATUS_CUT] = "was cut short"};
    return sentences[status];
}

static void end(struct text *out, const struct report *r)
{
    if (r->tests_used > 0)
        close_test(out, r, &r->tests[r->tests_used - 1]);
    if (r->settings->verbose > 1)
        text_record(out, r);
    text_run_warnings(out, r);
    if (r->status != STATUS_DONE)
        text_add(out, "\nThe run %s (exit status %d).\n", verdict(r->status), r->status);
}

const struct format format_text = {
    .name = "text",
    .sentence = "for people: set-up, a row per phase and repetition, summary, warnings",
    .begin = begin,
    .test = test,
    .row = row,
    .end = end,
};
