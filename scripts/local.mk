# Set-up, job templates, plots.
EXTRA_DIST += scripts/setup
