/* Decimal digits of a number, for names that are made a million times a second. */
#ifndef PARIO_BASE_DIGITS_H
#define PARIO_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_MOST 20 /* of UINT64_MAX */

static inline unsigned digits_count(uint64_t n)
{
    unsigned count = 1;
    for (; n >= 10000; n /= 10000)
        count += 4;
    return count + (n >= 10) + (n >= 100) + (n >= 1000);
}

/* Writes n at to, which has room for DIGITS_MOST characters, without a NUL. Returns the end. */
static inline char *digits_put(char *to, uint64_t n)
{
    static const char pairs[201] = "00010203040506070809101112131415161718192021222324"
                                   "25262728293031323334353637383940414243444546474849"
                                   "50515253545556575859606162636465666768697071727374"
                                   "75767778798081828384858687888990919293949596979899";
    char *end = to + digits_count(n), *at = end;
    for (; n >= 100; n /= 100)
        memcpy(at -= 2, &pairs[n % 100 * 2], 2);
    if (n >= 10)
        memcpy(at - 2, &pairs[n * 2], 2);
    else
        at[-1] = (char)('0' + n);
    return end;
}

#endif
