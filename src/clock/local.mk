# Files of src/clock, a line each, headers too.
libpario_a_SOURCES += src/clock/clock.h
