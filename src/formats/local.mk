# Formats: a line each makes one. src/formats/<file>.c defines const struct format format_<file>, with -
# as _; the table is generated in this order, which is that of --list.
formats_parts =
formats_parts += src/formats/text.c
formats_parts += src/formats/json.c
formats_parts += src/formats/csv.c
formats_parts += src/formats/histogram.c

libpario_a_SOURCES += src/formats/format.c
libpario_a_SOURCES += src/formats/format.h
libpario_a_SOURCES += src/formats/json_parts.h
libpario_a_SOURCES += src/formats/json_phase.c
libpario_a_SOURCES += src/formats/json_settings.c
libpario_a_SOURCES += src/formats/json_value.c
libpario_a_SOURCES += src/formats/json_value.h
libpario_a_SOURCES += src/formats/text_checkpoint.c
libpario_a_SOURCES += src/formats/text_detail.c
libpario_a_SOURCES += src/formats/text_histogram.c
libpario_a_SOURCES += src/formats/text_parts.h
libpario_a_SOURCES += src/formats/text_setup.c
libpario_a_SOURCES += src/formats/text_workload.c
libpario_a_SOURCES += src/formats/text_tables.c
libpario_a_SOURCES += src/formats/text_value.c
libpario_a_SOURCES += src/formats/text_warnings.c
libpario_a_SOURCES += src/formats/words.c
libpario_a_SOURCES += src/formats/words.h
libpario_a_SOURCES += $(formats_parts)

nodist_libpario_a_SOURCES += src/formats/table.c
CLEANFILES += src/formats/table.c
src/formats/table.c: Makefile $(srcdir)/build-aux/make-table
	@$(MKDIR_P) src/formats
	$(AM_V_GEN)$(make_table) format formats/format.h strcmp $(formats_parts) >$@.new && mv $@.new $@
