# Files of src/clock, a line each, headers too.
libpario_a_SOURCES += src/clock/clock.h
libpario_a_SOURCES += src/clock/clock.c
libpario_a_SOURCES += src/clock/monotonic.c
libpario_a_SOURCES += src/clock/tsc.c
libpario_a_SOURCES += src/clock/virtual.c
libpario_a_SOURCES += src/clock/sleep.h
