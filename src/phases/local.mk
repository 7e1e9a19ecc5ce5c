# Phases: a line each makes one. src/phases/<file>.c defines const struct phase phase_<file>, with - as
# _; the table is generated in this order, which is that of --list.
phases_parts =
phases_parts += src/phases/prepare.c
phases_parts += src/phases/write.c
phases_parts += src/phases/write-check.c
phases_parts += src/phases/read.c
phases_parts += src/phases/mixed.c
phases_parts += src/phases/layout.c
phases_parts += src/phases/remove.c
phases_parts += src/phases/home-make.c
phases_parts += src/phases/tree-create.c
phases_parts += src/phases/mkdir.c
phases_parts += src/phases/dir-stat.c
phases_parts += src/phases/dir-rename.c
phases_parts += src/phases/dir-rename-back.c
phases_parts += src/phases/rmdir.c
phases_parts += src/phases/create.c
phases_parts += src/phases/write-files.c
phases_parts += src/phases/stat.c
phases_parts += src/phases/read-files.c
phases_parts += src/phases/list.c
phases_parts += src/phases/rename.c
phases_parts += src/phases/rename-back.c
phases_parts += src/phases/link.c
phases_parts += src/phases/link-back.c
phases_parts += src/phases/chmod.c
phases_parts += src/phases/xattr.c
phases_parts += src/phases/mix-files.c
phases_parts += src/phases/unlink.c
phases_parts += src/phases/tree-remove.c
phases_parts += src/phases/clear-tree.c
phases_parts += src/phases/home-remove.c
phases_parts += src/phases/checkpoint.c
phases_parts += src/phases/restart.c

libpario_a_SOURCES += src/phases/home.c
libpario_a_SOURCES += src/phases/home.h
libpario_a_SOURCES += src/phases/phase.h
libpario_a_SOURCES += src/phases/transfers.h
libpario_a_SOURCES += src/phases/transfers.c
libpario_a_SOURCES += src/phases/items.h
libpario_a_SOURCES += src/phases/items.c
libpario_a_SOURCES += src/phases/nodes.h
libpario_a_SOURCES += src/phases/nodes.c
libpario_a_SOURCES += src/phases/groups.c
libpario_a_SOURCES += src/phases/groups.h
libpario_a_SOURCES += $(phases_parts)

nodist_libpario_a_SOURCES += src/phases/table.c
CLEANFILES += src/phases/table.c
src/phases/table.c: Makefile $(srcdir)/build-aux/make-table
	@$(MKDIR_P) src/phases
	$(AM_V_GEN)$(make_table) phase phases/phase.h strcmp $(phases_parts) >$@.new && mv $@.new $@
