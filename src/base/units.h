/* Numbers with units, as people write and read them. Parsing is strict: what is not understood
 * whole is refused. */
#ifndef PARIO_BASE_UNITS_H
#define PARIO_BASE_UNITS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Sizes: "4k" "1.5m" "4MiB" "4 MiB" (powers of two), "4MB" (power of ten), "47008", "512B", in any
 * case; up to just below 16 EiB. Result in bytes; a fraction must come out as whole bytes. 0 or -1
 * with STATUS_USAGE; the message names the text and what would be right, not the option. *decimal
 * (may be NULL) tells that a power of ten was meant. */
int units_parse_size(const char *text, uint64_t *bytes, int *decimal, struct error *e);

/* Times: "30s" "5m" "1.5" (seconds) "50us" "10ms" "2h" "1d" "100ns". Result in ns, never negative.
 */
int units_parse_time(const char *text, int64_t *ns, struct error *e);

/* Whole numbers: "12", "-3", "10k" (powers of 1000 are not meant: k = 1024 as IOR reads counts). */
int units_parse_count(const char *text, int64_t *count, struct error *e);

/* Shares: "80%" or "80": 0 to 100. */
int units_parse_percent(const char *text, double *percent, struct error *e);

/* Any finite number: "0.25", "-3", "1e6". */
int units_parse_number(const char *text, double *number, struct error *e);

/* Formatting for people, the same in every locale; buf of UNITS_TEXT bytes is always enough. Each
 * returns buf. NAN gives "-".
 * size: "4 MiB", "1.5 GiB", "47008 B"; from 1 MiB on two decimals where it is not exact.
 * rate: "1234.56 MiB/s", "12.34 GiB/s". time: three digits, "12.3 us", "1.50 s", "2.50 h".
 * number: "1234", "12.3k", "4.56M" (powers of ten). */
#define UNITS_TEXT 48
char *units_size(char *buf, double bytes);
char *units_rate(char *buf, double bytes_per_s);
char *units_time(char *buf, double ns);
char *units_number(char *buf, double value);

#endif
