/* Plans for tests: pario's defaults, and what a command line would set. */
#ifndef PARIO_TESTS_UNIT_MODEL_PLANS_H
#define PARIO_TESTS_UNIT_MODEL_PLANS_H

#include "model/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

/* settings_free is due. */
static inline struct settings plans_settings(void)
{
    struct settings s;
    struct error e = error_none();
    memset(&s, 0, sizeof s);
    assert_int_equal(option_defaults(settings_table, &s, &e), 0);
    s.workload = WORKLOAD_BULK;
    return s;
}

static inline void plans_set(struct settings *s, const char *name, const char *value)
{
    struct error e = error_none();
    const struct option *o = option_find(settings_table, name);
    assert_non_null(o);
    if (option_set(o, s, name, value, &e))
        fail_msg("--%s %s: %s", name, value, e.text);
}

static inline struct plan plans_make(const struct settings *s, uint64_t ranks)
{
    struct plan p;
    struct error e = error_none();
    if (plan_make(&p, s, ranks, &e))
        fail_msg("%s", e.text);
    if (p.order_seed == 0)
        p.order_seed = 4711;
    return p;
}

static inline void plans_refused(const struct settings *s, uint64_t ranks, const char *says)
{
    struct plan p;
    struct error e = error_none();
    assert_int_equal(plan_make(&p, s, ranks, &e), -1);
    assert_int_equal(e.status, STATUS_USAGE);
    if (!strstr(e.text, says))
        fail_msg("'%s' is not in: %s", says, e.text);
}

#endif
