#!/bin/bash
# As checkpoint.sh, with 50 runs killed at random moments.
PARIO_KILLS=50
export PARIO_KILLS
. "${PARIO_SOURCE:-.}/tests/system/checkpoint.sh"
