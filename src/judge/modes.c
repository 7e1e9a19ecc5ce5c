/* Two humps are claimed only where three things agree: Sarle's bimodality coefficient exceeds that
 * of a uniform distribution (5/9); the best split in two explains more variance than it would of a
 * uniform (3/4) or normal (2/3) one; and the humps are apart by an amount that matters, with more
 * than a straggler in each. Then groupings of the ranks (by host, file, parity, order) are asked
 * how much better than a guess they tell slow from fast. */
#include "judge/modes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIFORM_COEFFICIENT (5.0 / 9.0)
#define SPLIT_EXPLAINS 0.8
#define HUMP_SHARE 0.05 /* of the ranks, and at least two: one slow rank is a straggler */
#define HUMPS_APART 1.1 /* fast mean / slow mean */
#define BY_EXPLAINS 0.75

static double mean_of(const struct rank_rate *r, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += r[i].per_s;
    return sum / (double)n;
}

static double moment(const struct rank_rate *r, size_t n, double mean, int power)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(r[i].per_s - mean, power);
    return sum / (double)n;
}

/* Sarle's, with skewness and kurtosis corrected for the sample; n > 3. */
static double coefficient(const struct rank_rate *r, size_t n)
{
    double mean = mean_of(r, n);
    double m2 = moment(r, n, mean, 2);
    double k = (double)n;
    if (m2 <= 0)
        return NAN;
    double skew = sqrt(k * (k - 1)) / (k - 2) * moment(r, n, mean, 3) / pow(m2, 1.5);
    double excess = moment(r, n, mean, 4) / (m2 * m2) - 3;
    excess = (k - 1) / ((k - 2) * (k - 3)) * ((k + 1) * excess + 6);
    return (skew * skew + 1) / (excess + 3 * (k - 1) * (k - 1) / ((k - 2) * (k - 3)));
}

/* The best cut of sorted values in two: exact two-means, since in one dimension it is a threshold.
 */
static void split(struct modes *m, const struct rank_rate *r, size_t n)
{
    double mean = mean_of(r, n);
    double all = moment(r, n, mean, 2) * (double)n;
    double left = 0; /* sum of deviations from the mean, of the first i */
    double best = 0;
    for (size_t i = 1; i < n; i++) {
        left += r[i - 1].per_s - mean;
        double between = left * left / (double)i + left * left / (double)(n - i);
        if (between > best) {
            best = between;
            m->slow_ranks = i;
        }
    }
    m->fast_ranks = n - m->slow_ranks;
    m->split_explains = all > 0 ? fmin(1, best / all) : 0;
    m->slow_mean_per_s = m->slow_ranks ? mean_of(r, m->slow_ranks) : NAN;
    m->fast_mean_per_s = mean_of(r + m->slow_ranks, m->fast_ranks);
}

static bool two_humps(const struct modes *m)
{
    double least = fmax(2, HUMP_SHARE * (double)(m->slow_ranks + m->fast_ranks));
    return m->coefficient > UNIFORM_COEFFICIENT && m->split_explains > SPLIT_EXPLAINS &&
           (double)m->slow_ranks >= least && (double)m->fast_ranks >= least &&
           m->fast_mean_per_s > HUMPS_APART * m->slow_mean_per_s;
}

struct member {
    uint64_t rank;
    uint64_t group;
    bool slow;
};

static int by_rank(const void *a, const void *b)
{
    const struct member *x = a;
    const struct member *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int by_group(const void *a, const void *b)
{
    const struct member *x = a;
    const struct member *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return by_rank(a, b);
}

/* End of the group that begins at i, and how many of it are slow. */
static size_t group_end(const struct member *members, size_t n, size_t i, size_t *slow)
{
    size_t end = i;
    for (*slow = 0; end < n && members[end].group == members[i].group; end++)
        *slow += members[end].slow;
    return end;
}

/* Goodman and Kruskal's lambda: how many of the wrong guesses the grouping saves, 0 to 1. Groups of
 * fewer than two members on average explain everything, and so nothing. members are sorted by
 * group. */
static double lambda(const struct member *members, size_t n, size_t slow)
{
    size_t right = 0;
    size_t groups = 0;
    size_t guess = slow > n - slow ? slow : n - slow;
    for (size_t i = 0, end; i < n; i = end, groups++) {
        size_t slow_here;
        end = group_end(members, n, i, &slow_here);
        size_t fast_here = end - i - slow_here;
        right += slow_here > fast_here ? slow_here : fast_here;
    }
    if (groups < 2 || 2 * groups > n)
        return 0;
    return (double)(right - guess) / (double)(n - guess);
}

/* The rank from which on the others are of the other kind, by the fewest exceptions. */
static uint64_t best_threshold(const struct member *members, size_t n, size_t slow)
{
    size_t best = 0;
    size_t slow_before = 0;
    uint64_t threshold = 0;
    for (size_t i = 1; i < n; i++) { /* members by rank; the first i against the rest */
        slow_before += members[i - 1].slow;
        size_t slow_first = slow_before + (n - i - (slow - slow_before));
        size_t right = slow_first > n - slow_first ? slow_first : n - slow_first;
        if (right > best) {
            best = right;
            threshold = members[i].rank;
        }
    }
    return threshold;
}

enum grouping { BY_HOST, BY_FILE, BY_PARITY, BY_ORDER, GROUPINGS };

static const char *const grouping_names[GROUPINGS] = {"host", "file", "parity", "order"};

/* False where the grouping is not known. */
static bool regroup(struct member *members, size_t n, size_t slow, enum grouping by,
                    const struct spread_ranks *ranks)
{
    qsort(members, n, sizeof *members, by_rank);
    if ((by == BY_HOST && !ranks->topology) || (by == BY_FILE && !ranks->files))
        return false;
    uint64_t threshold = by == BY_ORDER ? best_threshold(members, n, slow) : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t rank = members[i].rank;
        switch (by) {
        case BY_HOST:
            members[i].group = topology_node(ranks->topology, rank);
            break;
        case BY_FILE:
            members[i].group = ranks->files[rank];
            break;
        case BY_PARITY:
            members[i].group = rank % 2;
            break;
        default:
            members[i].group = rank >= threshold;
        }
    }
    qsort(members, n, sizeof *members, by_group);
    return true;
}

/* "node3" of BY_HOST, "file 3", "odd ranks", "ranks 8 to 15". */
static void name_group(char *buf, size_t bytes, enum grouping by, const struct member *first,
                       const struct member *last, const struct spread_ranks *ranks)
{
    if (by == BY_HOST && ranks->hosts)
        snprintf(buf, bytes, "%s", ranks->hosts[first->group]);
    else if (by == BY_HOST)
        snprintf(buf, bytes, "node %" PRIu64, first->group);
    else if (by == BY_FILE)
        snprintf(buf, bytes, "file %" PRIu64, first->group);
    else if (by == BY_PARITY)
        snprintf(buf, bytes, "%s ranks", first->group ? "odd" : "even");
    else
        snprintf(buf, bytes, "ranks %" PRIu64 " to %" PRIu64, first->rank, last->rank);
}

static void tell_slow_groups(struct modes *m, const struct member *members, size_t n,
                             enum grouping by, const struct spread_ranks *ranks)
{
    enum { SHOWN = 3 };
    size_t used = 0;
    size_t found = 0;
    char name[40];
    for (size_t i = 0, end; i < n; i = end) {
        size_t slow;
        end = group_end(members, n, i, &slow);
        if (2 * slow <= end - i || ++found > SHOWN)
            continue;
        name_group(name, sizeof name, by, &members[i], &members[end - 1], ranks);
        int more = snprintf(m->detail + used, sizeof m->detail - used, "%s%s",
                            used ? ", " : "slow: ", name);
        used += more > 0 ? (size_t)more : 0;
    }
    if (found > SHOWN)
        snprintf(m->detail + used, sizeof m->detail - used, " and %zu more", found - SHOWN);
}

static int explain(struct modes *m, const struct rank_rate *sorted, size_t n,
                   const struct spread_ranks *ranks, struct error *e)
{
    enum grouping best = GROUPINGS;
    struct member *members = calloc(n, sizeof *members);
    if (!members)
        return error_set(e, STATUS_FAILED, "ENOMEM",
                         "out of memory for grouping %zu ranks by their rates", n);
    for (size_t i = 0; i < n; i++)
        members[i] = (struct member){.rank = sorted[i].rank, .slow = i < m->slow_ranks};
    for (enum grouping by = 0; by < GROUPINGS; by++) {
        double share =
            regroup(members, n, m->slow_ranks, by, ranks) ? lambda(members, n, m->slow_ranks) : 0;
        if (share > m->by_explains) {
            m->by_explains = share;
            best = by;
        }
    }
    if (best < GROUPINGS && m->by_explains >= BY_EXPLAINS) {
        snprintf(m->by, sizeof m->by, "%s", grouping_names[best]);
        regroup(members, n, m->slow_ranks, best, ranks);
        tell_slow_groups(m, members, n, best, ranks);
    }
    free(members);
    return 0;
}

int modes_of(struct modes *m, const struct rank_rate *sorted, size_t n,
             const struct spread_ranks *ranks, struct error *e)
{
    *m = (struct modes){.coefficient = NAN};
    if (n < SPREAD_MODES_FROM)
        return 0;
    m->coefficient = coefficient(sorted, n);
    if (isnan(m->coefficient))
        return 0;
    split(m, sorted, n);
    m->bimodal = two_humps(m);
    return m->bimodal ? explain(m, sorted, n, ranks, e) : 0;
}
