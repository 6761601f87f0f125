#!/bin/sh
# Solves an instance as run.sh does, with a proof in LRAT, for the checker cake_lpr.
. "$(dirname "$0")/run.sh"
