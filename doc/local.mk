# Documents; manual page and completions as the program prints them from its tables. (No look at leaks then,
# where sanitizers are built in: MPI libraries leave some.)
man1_MANS = doc/pario.1
completiondir = $(datadir)/bash-completion/completions
completion_DATA = doc/completions/pario
CLEANFILES += $(man1_MANS) $(completion_DATA)
doc/pario.1: pario$(EXEEXT)
	@$(MKDIR_P) doc
	$(AM_V_GEN)ASAN_OPTIONS=detect_leaks=0 ./pario$(EXEEXT) --help-man >$@.new && mv $@.new $@
doc/completions/pario: pario$(EXEEXT)
	@$(MKDIR_P) doc/completions
	$(AM_V_GEN)ASAN_OPTIONS=detect_leaks=0 ./pario$(EXEEXT) --help-completion >$@.new && mv $@.new $@
EXTRA_DIST += doc/metrics.md
EXTRA_DIST += doc/hdf5-mpiio.md
EXTRA_DIST += doc/architecture.md
EXTRA_DIST += doc/testing.md
EXTRA_DIST += doc/adr
EXTRA_DIST += doc/metadata.md
EXTRA_DIST += doc/cluster.md
EXTRA_DIST += doc/random.md
EXTRA_DIST += doc/recipes.md
EXTRA_DIST += doc/checkpoint.md
