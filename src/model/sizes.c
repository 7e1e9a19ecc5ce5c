#include "model/sizes.h"

#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int refuse(struct error *e, const char *part)
{
    char shown[64];
    return error_set(e, STATUS_USAGE, "usage",
                     "'%s' is not SIZE:WEIGHT: several sizes are mixed with weights, as in "
                     "4k:70,64k:30",
                     text_copy(shown, sizeof shown, part));
}

/* "4k:70" */
static int parse_share(const char *part, struct size_share *share, struct error *e)
{
    char size[64];
    int64_t weight;
    const char *colon = strchr(part, ':');
    size_t n = colon ? (size_t)(colon - part) : 0;
    if (n == 0 || n >= sizeof size || !colon[1])
        return refuse(e, part);
    memcpy(size, part, n);
    size[n] = '\0';
    if (units_parse_size(size, &share->bytes, NULL, e) || units_parse_count(colon + 1, &weight, e))
        return -1;
    if (weight < 1 || weight > SIZES_WEIGHTS)
        return error_set(e, STATUS_USAGE, "usage", "'%s': a weight is a whole number from 1 to %d",
                         part, SIZES_WEIGHTS);
    share->weight = (uint64_t)weight;
    return 0;
}

static int add(struct sizes *s, struct size_share share, struct error *e)
{
    char shown[24];
    if (s->used == SIZES_MOST)
        return error_set(e, STATUS_USAGE, "usage", "more than %d sizes cannot be mixed",
                         SIZES_MOST);
    for (uint64_t i = 0; i < s->used; i++)
        if (s->each[i].bytes == share.bytes)
            return error_set(e, STATUS_USAGE, "usage", "the size %s is there twice",
                             sizes_show_one(share.bytes, shown, sizeof shown));
    s->each[s->used++] = share;
    s->together += share.weight;
    s->bytes = share.bytes > s->bytes ? share.bytes : s->bytes;
    return 0;
}

int sizes_parse(const char *text, struct sizes *s, struct error *e)
{
    struct sizes mix = {0};
    struct size_share share;
    if (!strchr(text, ':') && !strchr(text, ',')) {
        if (units_parse_size(text, &mix.bytes, NULL, e))
            return -1;
        *s = mix;
        return 0;
    }
    for (const char *c = text;;) {
        char part[96];
        size_t n = strcspn(c, ",");
        if (n >= sizeof part)
            return refuse(e, c);
        memcpy(part, c, n);
        part[n] = '\0';
        if (parse_share(part, &share, e) || add(&mix, share, e))
            return -1;
        if (!c[n])
            break;
        c += n + 1;
    }
    if (mix.together > SIZES_WEIGHTS)
        return error_set(e, STATUS_USAGE, "usage",
                         "the weights add up to %" PRIu64 ", more than %d", mix.together,
                         SIZES_WEIGHTS);
    for (uint64_t i = 0; i < mix.used; i++)
        mix.divisor = common_divisor(mix.each[i].weight, mix.divisor);
    if (mix.used == 1)
        mix = (struct sizes){.bytes = mix.bytes};
    *s = mix;
    return 0;
}

char *sizes_show_one(uint64_t size, char *buf, size_t bytes)
{
    static const char suffix[] = "\0kmgtp";
    size_t i = 0;
    while (size > 0 && size % 1024 == 0 && i + 2 < sizeof suffix) {
        size /= 1024;
        i++;
    }
    snprintf(buf, bytes, "%" PRIu64 "%.1s", size, suffix + i);
    return buf;
}

char *sizes_show(const struct sizes *s, char *buf, size_t bytes)
{
    char one[24];
    size_t used = 0;
    if (s->used == 0)
        return sizes_show_one(s->bytes, buf, bytes);
    for (uint64_t i = 0; i < s->used && used < bytes; i++)
        used +=
            (size_t)snprintf(buf + used, bytes - used, "%s%s:%" PRIu64, i ? "," : "",
                             sizes_show_one(s->each[i].bytes, one, sizeof one), s->each[i].weight);
    return buf;
}

double sizes_mean(const struct sizes *s)
{
    double sum = 0;
    if (s->used == 0)
        return (double)s->bytes;
    for (uint64_t i = 0; i < s->used; i++)
        sum += (double)s->each[i].bytes * (double)s->each[i].weight;
    return sum / (double)s->together;
}

uint64_t sizes_at(const struct sizes *s, uint64_t i, uint64_t key)
{
    if (s->used == 0)
        return s->bytes;
    uint64_t block = s->together / s->divisor;
    struct permutation order = permutation_make(block, rng_mix(key ^ (i / block)));
    uint64_t place = permutation_at(&order, i % block) * s->divisor;
    size_t share = 0;
    while (place >= s->each[share].weight)
        place -= s->each[share++].weight;
    return s->each[share].bytes;
}
