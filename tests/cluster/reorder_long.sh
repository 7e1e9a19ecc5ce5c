#!/bin/bash
# All forms of reading what others wrote.
PARIO_LONG=1 exec "$BASH" "${PARIO_SOURCE:-.}/tests/cluster/reorder.sh"
