#include "model/access.h"

#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "5000", "5000/s", "100MiB/s" (that many transfers): operations per second. transfer_bytes 0:
 * operations have no size, and bytes are no rate. */
static int parse_rate(const char *option, const char *text, double transfer_bytes, double *per_s,
                      struct error *e)
{
    char buf[64];
    struct error ignored = error_none();
    uint64_t bytes;
    size_t n = strlen(text);
    if (n > 2 && strcmp(text + n - 2, "/s") == 0)
        n -= 2;
    if (n < sizeof buf) {
        memcpy(buf, text, n);
        buf[n] = '\0';
        if (units_parse_number(buf, per_s, &ignored) == 0 && *per_s > 0)
            return 0;
        if (transfer_bytes > 0 && units_parse_size(buf, &bytes, NULL, &ignored) == 0 && bytes > 0) {
            *per_s = (double)bytes / transfer_bytes;
            return 0;
        }
    }
    return error_set(e, STATUS_USAGE, "usage",
                     "option %s: '%.40s' is no rate: write operations per second, as 5000/s%s",
                     option, text, transfer_bytes > 0 ? ", or bytes, as 100MiB/s" : "");
}

/* "20/80": 20 %% of the places get 80 %% of the draws. */
static int parse_hot(const char *text, struct access_plan *a, struct error *e)
{
    char places[32], draws[32];
    double p, d;
    struct error ignored = error_none();
    if (sscanf(text, "%31[^/]/%31s", places, draws) != 2 ||
        units_parse_percent(places, &p, &ignored) || units_parse_percent(draws, &d, &ignored) ||
        p <= 0 || p >= 100 || d <= 0 || d > 100)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --hot: '%.40s' is not PLACES/DRAWS in percent, as 20/80", text);
    a->hot_places = p / 100;
    a->hot_draws = d / 100;
    return 0;
}

static int check(const struct access_plan *a, const struct settings *s, struct error *e)
{
    const char *skew = s->zipf > 0 ? "--zipf" : "--hot";
    bool drawn = s->random >= 2 || s->workload == WORKLOAD_RANDOM;
    if (s->zipf > 0 && s->hot)
        return error_set(e, STATUS_USAGE, "usage", "options --zipf and --hot exclude each other");
    if ((s->zipf > 0 || s->hot) && !drawn)
        return error_set(e, STATUS_USAGE, "usage",
                         "option %s is about draws: add -z -z, or use the workload random", skew);
    if (a->think_ns && s->depth > 1)
        return error_set(
            e, STATUS_USAGE, "usage",
            "option --think pauses the whole rank: it cannot be used with --depth %" PRId64
            " (--rate paces a queue)",
            s->depth);
    if (a->ramp_ns && !s->deadline_ns)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --ramp is left out of a run of a given time: give that with -D");
    if (s->loop && !s->deadline_ns)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --loop goes on until a deadline: give one with -D");
    if (a->mixed && (s->check_write || s->check_read))
        return error_set(e, STATUS_USAGE, "usage",
                         "option --read-percent: reads that race with writes cannot be compared: "
                         "leave out %s",
                         s->check_write ? "-W" : "-R");
    if (a->varied && s->collective)
        return error_set(e, STATUS_USAGE, "usage",
                         "option -c: collective calls cannot be mixed, paced or paused");
    return 0;
}

int access_make(struct access_plan *a, const struct settings *s, uint64_t ranks, struct error *e)
{
    *a = (struct access_plan){
        .mixed = s->read_percent >= 0,
        .read_percent = s->read_percent >= 0 ? (unsigned)s->read_percent : 100,
        .loops = (s->workload == WORKLOAD_RANDOM || s->loop) && s->deadline_ns > 0,
        .zipf = s->zipf,
        .think_ns = s->think_ns,
        .ramp_ns = s->ramp_ns,
    };
    if (s->rate && s->rate_total)
        return error_set(e, STATUS_USAGE, "usage",
                         "options --rate and --rate-total exclude each other");
    if (s->hot && parse_hot(s->hot, a, e))
        return -1;
    bool items = s->workload == WORKLOAD_METADATA;
    if (items && (s->rate || s->rate_total) && !s->mix)
        return error_set(e, STATUS_USAGE, "usage",
                         "option --%s paces the operations of --mix: give that as well",
                         s->rate ? "rate" : "rate-total");
    double bytes = items ? 0 : sizes_mean(&s->transfer);
    if (s->rate && parse_rate("--rate", s->rate, bytes, &a->rate_per_s, e))
        return -1;
    if (s->rate_total && parse_rate("--rate-total", s->rate_total, bytes, &a->rate_per_s, e))
        return -1;
    if (s->rate_total)
        a->rate_per_s /= (double)ranks;
    a->varied = a->mixed || a->think_ns || a->rate_per_s > 0 || s->transfer.used > 0;
    return check(a, s, e);
}

/* Integral of x^-s and its inverse; both in a form that stays exact near s = 1. */
static double log1p_over(double x)
{
    return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x * (0.5 - x * (1.0 / 3 - 0.25 * x));
}

static double expm1_over(double x)
{
    return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x * 0.5 * (1 + x / 3 * (1 + 0.25 * x));
}

static double integral(double s, double x)
{
    double log_x = log(x);
    return expm1_over((1 - s) * log_x) * log_x;
}

static double inverse(double s, double x)
{
    double t = x * (1 - s);
    if (t < -1)
        t = -1;
    return exp(log1p_over(t) * x);
}

struct skew skew_make(const struct access_plan *a, uint64_t n, uint64_t key)
{
    struct skew s = {.places = permutation_make(n, key), .hot_draws = a->hot_draws};
    s.hot = (uint64_t)(a->hot_places * (double)n + 0.5);
    s.hot = s.hot < 1 ? 1 : s.hot >= n ? n : s.hot;
    if (a->zipf > 0) {
        s.exponent = a->zipf;
        s.first = integral(a->zipf, 1.5) - 1;
        s.range = integral(a->zipf, (double)n + 0.5) - s.first;
        s.shortcut = 2 - inverse(a->zipf, integral(a->zipf, 2.5) - pow(2, -a->zipf));
    }
    return s;
}

static uint64_t draw_zipf(const struct skew *s, struct rng *r)
{
    for (;;) {
        double u = s->first + rng_unit(r) * s->range;
        double x = inverse(s->exponent, u);
        double k = floor(x + 0.5);
        if (k < 1)
            k = 1;
        if (k > (double)s->places.n)
            k = (double)s->places.n;
        if (k - x <= s->shortcut || u >= integral(s->exponent, k + 0.5) - pow(k, -s->exponent))
            return (uint64_t)k - 1;
    }
}

uint64_t skew_draw(const struct skew *s, struct rng *r)
{
    uint64_t n = s->places.n, index;
    if (s->exponent > 0)
        index = draw_zipf(s, r);
    else if (s->hot_draws <= 0)
        return rng_below(r, n);
    else if (s->hot == n || rng_unit(r) < s->hot_draws)
        index = rng_below(r, s->hot);
    else
        index = s->hot + rng_below(r, n - s->hot);
    return permutation_at(&s->places, index);
}

bool access_is_read(const struct access_plan *a, uint64_t i, uint64_t key)
{
    struct permutation order = permutation_make(100, rng_mix(key ^ (i / 100)));
    return permutation_at(&order, i % 100) < a->read_percent;
}

int64_t access_due(const struct access_plan *a, uint64_t i, uint64_t rank, uint64_t ranks)
{
    double turn = (double)i + (double)rank / (double)ranks;
    double due_ns = turn * 1e9 / a->rate_per_s;
    return due_ns < 1 ? 1 : due_ns > 9e18 ? INT64_MAX : (int64_t)due_ns;
}
