/* Transfer sizes of a run: one, or several that are mixed by weight ("4k:70,64k:30"). Which size an
 * operation has is a pure function of its number. */
#ifndef PARIO_MODEL_SIZES_H
#define PARIO_MODEL_SIZES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define SIZES_MOST 8
#define SIZES_TEXT 320 /* as many, written out */
#define SIZES_WEIGHTS 10000

struct size_share {
    uint64_t bytes;
    uint64_t weight;
};

struct sizes {
    uint64_t bytes;                     /* the largest */
    uint64_t used;                      /* of each; 0: there is only one size */
    uint64_t together;                  /* sum of the weights */
    uint64_t divisor;                   /* common to the weights */
    struct size_share each[SIZES_MOST]; /* in the order given; sizes differ */
};

/* One size, or SIZE:WEIGHT,SIZE:WEIGHT... with weights of 1 and more. 0, or -1 with STATUS_USAGE.
 */
int sizes_parse(const char *text, struct sizes *s, struct error *e);
/* As a user would write it. Returns buf. */
char *sizes_show(const struct sizes *s, char *buf, size_t bytes);
/* One size so: "4k". Returns buf; 24 bytes are enough. */
char *sizes_show_one(uint64_t size, char *buf, size_t bytes);
/* Of a long row of operations. */
double sizes_mean(const struct sizes *s);
/* Bytes of operation i, in keyed order: of each 10 in a row exactly 7 and 3 with weights of 70 and
 * 30. */
uint64_t sizes_at(const struct sizes *s, uint64_t i, uint64_t key);

#endif
