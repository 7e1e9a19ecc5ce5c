#include "formats/format.h"

void format_report(const struct format *format, struct text *out, const struct report *report)
{
    format->begin(out, report);
    for (size_t i = 0; i < report->tests_used; i++) {
        const struct test_result *t = &report->tests[i];
        format->test(out, report, t);
        for (size_t j = 0; j < t->phases_used; j++)
            format->row(out, report, t, &t->phases[j]);
    }
    format->end(out, report);
}
