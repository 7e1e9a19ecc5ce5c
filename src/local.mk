# The program is main.c on top of libpario.a.
BUILT_SOURCES += src/version.h
CLEANFILES += src/version.h
src/version.h: version-again
	@$(MKDIR_P) src
	@$(SHELL) $(srcdir)/build-aux/version-header $(srcdir) '$(PACKAGE_VERSION)' '$(CFLAGS)' >$@.new
	@cmp -s $@.new $@ && rm -f $@.new || mv -f $@.new $@
.PHONY: version-again

bin_PROGRAMS += pario
pario_SOURCES = src/main.c
pario_SOURCES += src/forecast.c
pario_SOURCES += src/forecast.h
pario_SOURCES += src/forecast_count.c
pario_SOURCES += src/forecast_json.c
pario_SOURCES += src/forecast_parts.h
pario_SOURCES += src/forecast_text.c
pario_SOURCES += src/output.c
pario_SOURCES += src/output.h
pario_SOURCES += src/output_names.c
pario_SOURCES += src/output_names.h
pario_SOURCES += src/output_rows.c
pario_SOURCES += src/output_rows.h
pario_SOURCES += src/session.c
pario_SOURCES += src/session.h
pario_SOURCES += src/session_check.c
pario_SOURCES += src/session_check.h
pario_SOURCES += src/session_hosts.c
pario_SOURCES += src/session_hosts.h
pario_SOURCES += src/session_world.c
pario_SOURCES += src/session_world.h
