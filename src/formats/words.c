#include "formats/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *words_time(char *buf, int64_t unix_s)
{
    time_t t = (time_t)unix_s;
    struct tm tm;
    if (!gmtime_r(&t, &tm) || strftime(buf, WORDS_TIME, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        snprintf(buf, WORDS_TIME, "?");
    return buf;
}

const char *words_origin(enum origin origin)
{
    static const char *const names[] = {[ORIGIN_DEFAULT] = "default",
                                        [ORIGIN_PRESET] = "preset",
                                        [ORIGIN_FILE] = "file",
                                        [ORIGIN_COMMAND_LINE] = "command-line"};
    return names[origin];
}

const char *words_status(enum status status)
{
    static const char *const names[] = {[STATUS_DONE] = "ok",
                                        [STATUS_FAILED] = "failed",
                                        [STATUS_USAGE] = "usage",
                                        [STATUS_UNMET] = "expectations-not-met",
                                        [STATUS_CUT] = "cut-short"};
    return names[status];
}

bool words_first_of_name(const struct test_result *t, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(t->phases[j].phase, t->phases[i].phase) == 0)
            return false;
    return true;
}

/* Quoted as RFC 4180 says, where needed. */
void words_csv(struct text *out, const char *text)
{
    char clean[RESULT_WARNINGS * 32];
    text_copy(clean, sizeof clean, text);
    bool quoted = strpbrk(clean, ",\"") != NULL;
    text_append(out, "\"", quoted);
    for (const char *c = clean; *c; c++) {
        text_append(out, "\"", *c == '"');
        text_append(out, c, 1);
    }
    text_append(out, "\"", quoted);
}

/* Digits enough to read the same double back, with a point in any locale. */
void words_csv_number(struct text *out, double value)
{
    char buf[40];
    if (!isfinite(value))
        return;
    snprintf(buf, sizeof buf, "%.15g", value);
    if (strtod(buf, NULL) < value || strtod(buf, NULL) > value)
        snprintf(buf, sizeof buf, "%.17g", value);
    char *comma = strchr(buf, ',');
    if (comma)
        *comma = '.';
    text_add(out, "%s", buf);
}
