/* Reports made by hand, with numbers that can be checked by head: what formats are tested on. */
#ifndef PARIO_TESTS_GOLDEN_FIXTURES_H
#define PARIO_TESTS_GOLDEN_FIXTURES_H

#include "model/result.h"

struct fixture {
    const char *name; /* of its folder */
    int64_t verbose;
    void (*fill)(struct report *r, struct settings *s);
};

/* Ends with name NULL. */
extern const struct fixture fixture_table[];

struct fixture_report {
    struct settings settings;
    struct report report;
};

/* Ends the program when memory runs out. Free with fixture_free. */
struct fixture_report *fixture_make(const struct fixture *f);
void fixture_free(struct fixture_report *r);

#endif
