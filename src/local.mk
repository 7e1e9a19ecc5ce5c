# The program is main.c on top of libpario.a.
BUILT_SOURCES += src/version.h
CLEANFILES += src/version.h
src/version.h: version-again
	@$(MKDIR_P) src
	@$(SHELL) $(srcdir)/build-aux/version-header $(srcdir) '$(PACKAGE_VERSION)' '$(CFLAGS)' >$@.new
	@cmp -s $@.new $@ && rm -f $@.new || mv -f $@.new $@
.PHONY: version-again
