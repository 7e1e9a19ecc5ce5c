# Files of src/judge, a line each, headers too.
libpario_a_SOURCES += src/judge/modes.c
libpario_a_SOURCES += src/judge/modes.h
libpario_a_SOURCES += src/judge/rules.h
libpario_a_SOURCES += src/judge/rules_clock.c
libpario_a_SOURCES += src/judge/rules_load.c
libpario_a_SOURCES += src/judge/rules_memory.c
libpario_a_SOURCES += src/judge/rules_ranks.c
libpario_a_SOURCES += src/judge/spread.c
libpario_a_SOURCES += src/judge/spread.h
libpario_a_SOURCES += src/judge/verdicts.c
libpario_a_SOURCES += src/judge/verdicts.h
libpario_a_SOURCES += src/judge/steady.c
libpario_a_SOURCES += src/judge/steady.h
