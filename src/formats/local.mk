# Formats: a line each makes one. src/formats/<file>.c defines const struct format format_<file>, with -
# as _; the table is generated in this order, which is that of --list.
formats_parts =

libpario_a_SOURCES += src/formats/format.h
libpario_a_SOURCES += $(formats_parts)

nodist_libpario_a_SOURCES += src/formats/table.c
CLEANFILES += src/formats/table.c
src/formats/table.c: Makefile $(srcdir)/build-aux/make-table
	@$(MKDIR_P) src/formats
	$(AM_V_GEN)$(make_table) format formats/format.h strcmp $(formats_parts) >$@.new && mv $@.new $@
