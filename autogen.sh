#!/bin/sh
# Makes configure and the Makefile templates; needed in a clone, not in a release tarball.
set -eu
cd "$(dirname "$0")"
exec autoreconf --install --force --warnings=all
