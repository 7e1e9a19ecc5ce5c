/* Parts of the text that people read. Lines stay within TEXT_WIDTH columns; every rate carries its
 * unit. */
#ifndef PARIO_FORMATS_TEXT_PARTS_H
#define PARIO_FORMATS_TEXT_PARTS_H

#include "base/text.h"
#include "base/units.h"
#include "model/metrics.h"

#define TEXT_WIDTH 110
#define TEXT_VALUE (UNITS_TEXT + 4)
#define TEXT_LABEL 16 /* columns of a label in front of a value, set-up and warnings alike */

/* A value in the unit that reads best; "-" for NAN. Returns buf of TEXT_VALUE bytes. */
char *text_value(char *buf, enum metric_unit unit, double value);
/* "  label      words", the words wrapped, control characters replaced. */
void text_line(struct text *out, const char *label, const char *words);
/* The same with the words from another column on. */
void text_pair(struct text *out, size_t columns, const char *label, const char *words);
/* "write        0 " as every table begins; a phase that was cut short carries a star. */
void text_row_head(struct text *out, const struct phase_result *p);

/* What is run: before the first row of a test. */
void text_set_up(struct text *out, const struct report *r, const struct test_result *t);
/* The part of it that follows from the settings and the number of ranks alone. */
void text_plan(struct text *out, const struct report *r, const struct test_result *t);
struct plan;
void text_items(struct text *out, const struct plan *p);
void text_steps(struct text *out, const struct plan *p);
/* The table of rows. */
void text_heading(struct text *out);
void text_row(struct text *out, const struct phase_result *p);
/* Beneath it: over repetitions; ranks against each other; -v and -v -v; errors and warnings. */
void text_summary(struct text *out, const struct test_result *t, int64_t verbose);
void text_ranks(struct text *out, const struct test_result *t, int64_t verbose);
void text_histograms(struct text *out, const struct test_result *t);
/* Checkpoints: what each stage took, over steps and ranks; what a restart found cached. */
void text_checkpoint(struct text *out, const struct report *r, const struct test_result *t);
/* Numbers over several phases. */
void text_findings(struct text *out, const struct test_result *t);
void text_details(struct text *out, const struct test_result *t);
void text_record(struct text *out, const struct report *r);
void text_errors(struct text *out, const struct test_result *t);
void text_warnings(struct text *out, const struct test_result *t);
void text_run_warnings(struct text *out, const struct report *r);

#endif
