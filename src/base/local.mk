# Files of src/base, a line each, headers too.
libpario_a_SOURCES += src/base/errno.def
libpario_a_SOURCES += src/base/error.c
libpario_a_SOURCES += src/base/error.h
libpario_a_SOURCES += src/base/op.c
libpario_a_SOURCES += src/base/op.def
libpario_a_SOURCES += src/base/op.h
libpario_a_SOURCES += src/base/rng.c
libpario_a_SOURCES += src/base/rng.h
libpario_a_SOURCES += src/base/text.c
libpario_a_SOURCES += src/base/text.h
libpario_a_SOURCES += src/base/units.c
libpario_a_SOURCES += src/base/units.h
libpario_a_SOURCES += src/base/units_show.c
libpario_a_SOURCES += src/base/wrap.c
libpario_a_SOURCES += src/base/wrap.h
libpario_a_SOURCES += src/base/digits.h
