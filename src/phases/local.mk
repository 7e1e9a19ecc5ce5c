# Phases: a line each makes one. src/phases/<file>.c defines const struct phase phase_<file>, with - as
# _; the table is generated in this order, which is that of --list.
phases_parts =
phases_parts += src/phases/prepare.c
phases_parts += src/phases/write.c
phases_parts += src/phases/write-check.c
phases_parts += src/phases/read.c
phases_parts += src/phases/remove.c

libpario_a_SOURCES += src/phases/phase.h
libpario_a_SOURCES += src/phases/transfers.h
libpario_a_SOURCES += src/phases/transfers.c
libpario_a_SOURCES += $(phases_parts)

nodist_libpario_a_SOURCES += src/phases/table.c
CLEANFILES += src/phases/table.c
src/phases/table.c: Makefile $(srcdir)/build-aux/make-table
	@$(MKDIR_P) src/phases
	$(AM_V_GEN)$(make_table) phase phases/phase.h strcmp $(phases_parts) >$@.new && mv $@.new $@
