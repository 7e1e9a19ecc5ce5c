# Documents, and the manual page once the program prints it from its tables.
EXTRA_DIST += doc/metrics.md
