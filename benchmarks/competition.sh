#!/bin/sh
# Solves a formula as the SAT competitions call a solver:
#
#	competition.sh FORMULA [OUTPUT]
#
# OUTPUT is the file of the proof, or the folder where the competitions expect the proof
# under the name proof.out. "sator FORMULA proof.out" would take proof.out for a
# second formula; the flag --proof writes the proof to a file of any name. The proof is
# in binary DRAT. Without OUTPUT there is no proof.
#
# The program is sator beside this script, else in PATH.
set -eu
sator=$(dirname "$0")/sator
test -x "$sator" || sator=sator
if test $# -lt 2; then
	exec "$sator" solve -- "$1"
fi
proof=$2
if test -d "$proof"; then
	proof=$proof/proof.out
fi
exec "$sator" solve --proof "$proof" -- "$1"
