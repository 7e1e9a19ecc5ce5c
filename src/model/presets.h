/* Named workloads: a name for a line of options. */
#ifndef PARIO_MODEL_PRESETS_H
#define PARIO_MODEL_PRESETS_H

struct preset {
    const char *name;    /* NULL ends the table */
    unsigned workload;   /* WORKLOAD_... */
    const char *options; /* "name=value name ..." */
    const char *sentence;
};

extern const struct preset preset_table[];
/* NULL if there is none. */
const struct preset *preset_find(const char *name, unsigned workload);

#endif
