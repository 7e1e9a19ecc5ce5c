# Files of src/base, a line each, headers too.
libpario_a_SOURCES += src/base/error.h
libpario_a_SOURCES += src/base/op.def
libpario_a_SOURCES += src/base/op.h
libpario_a_SOURCES += src/base/rng.h
libpario_a_SOURCES += src/base/text.h
libpario_a_SOURCES += src/base/units.h
