# Documents, and the manual page once the program prints it from its tables.
EXTRA_DIST += doc/metrics.md
EXTRA_DIST += doc/architecture.md
EXTRA_DIST += doc/testing.md
EXTRA_DIST += doc/adr
EXTRA_DIST += doc/metadata.md
EXTRA_DIST += doc/cluster.md
