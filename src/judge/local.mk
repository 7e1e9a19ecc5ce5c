# Files of src/judge, a line each, headers too.
libpario_a_SOURCES += src/judge/verdicts.h
