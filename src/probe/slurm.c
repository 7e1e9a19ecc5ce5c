#include "probe/slurm.h"

#include <stdio.h>
#include <string.h>

/* Fields of one to ten digits, separated by ':'; how many, or 0 where the text is anything else. */
static int split(const char *text, uint64_t *fields, int most)
{
    char digits[16];
    for (int n = 0; n < most; n++) {
        size_t length = strcspn(text, ":");
        if (length == 0 || length > 10)
            return 0;
        memcpy(digits, text, length);
        digits[length] = '\0';
        if (!source_digits(digits, &fields[n]))
            return 0;
        if (text[length] == '\0')
            return n + 1;
        text += length + 1;
    }
    return 0;
}

bool slurm_parse_limit(const char *text, int64_t *seconds)
{
    /* What the first field means, by how many there are: minutes; minutes and seconds; hours ... */
    static const uint64_t plain[][3] = {{60, 0, 0}, {60, 1, 0}, {3600, 60, 1}};
    static const uint64_t after_days[3] = {3600, 60, 1};
    uint64_t fields[3] = {0}, total = 0;
    const char *dash = strchr(text, '-');
    if (dash != NULL) {
        char days[12];
        if (dash == text || (size_t)(dash - text) >= sizeof days)
            return false;
        snprintf(days, sizeof days, "%.*s", (int)(dash - text), text);
        if (!source_digits(days, &total))
            return false;
        total *= 86400;
    }
    int n = split(dash ? dash + 1 : text, fields, 3);
    if (n == 0)
        return false;
    const uint64_t *units = dash ? after_days : plain[n - 1];
    for (int i = 0; i < n; i++)
        total += fields[i] * units[i];
    *seconds = (int64_t)total;
    return true;
}

static bool get_time(char *(*get)(const char *name), const char *name, int64_t *value)
{
    const char *text = get(name);
    uint64_t number;
    if (text == NULL || !source_digits(text, &number) || number == 0 || number > INT32_MAX * 100ull)
        return false;
    *value = (int64_t)number;
    return true;
}

struct slurm_time slurm_left(char *(*get)(const char *name), int64_t now_s)
{
    static const char *const limits[] = {"SLURM_TIMELIMIT", "SBATCH_TIMELIMIT"};
    struct slurm_time t = {0};
    int64_t at, limit;
    if (get_time(get, "SLURM_JOB_END_TIME", &at)) {
        t = (struct slurm_time){.known = true, .seconds_left = at - now_s};
        snprintf(t.from, sizeof t.from, "SLURM_JOB_END_TIME");
        return t;
    }
    if (!get_time(get, "SLURM_JOB_START_TIME", &at))
        return t;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const char *text = get(limits[i]);
        if (text == NULL || !slurm_parse_limit(text, &limit))
            continue;
        t = (struct slurm_time){.known = true, .seconds_left = at + limit - now_s};
        snprintf(t.from, sizeof t.from, "%s", limits[i]);
        return t;
    }
    return t;
}
