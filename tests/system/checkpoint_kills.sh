#!/bin/bash
# As checkpoint.sh, with 50 runs killed at random moments, and 12 of which one rank is.
PARIO_KILLS=50 PARIO_RANK_KILLS=12
export PARIO_KILLS PARIO_RANK_KILLS
. "${PARIO_SOURCE:-.}/tests/system/checkpoint.sh"
