/* Parts of the JSON document; the caller owns what is returned. NULL or out->failed: memory ran
 * out. */
#ifndef PARIO_FORMATS_JSON_PARTS_H
#define PARIO_FORMATS_JSON_PARTS_H

#include "formats/json_value.h"
#include "model/result.h"

json_t *json_phase(struct text *out, const struct phase_result *p);
json_t *json_warnings(struct text *out, const struct warning *warnings, size_t n);
/* {name: {value, origin}}: bytes, seconds, numbers, true or false, names and texts. */
json_t *json_settings(struct text *out, const struct report *r);
json_t *json_findings(struct text *out, const struct test_result *t);
json_t *json_facts(struct text *out, const struct fact_text *facts, size_t n);

#endif
