#!/bin/sh
# Solves an instance as the main track of the SAT Competition calls a solver:
#
#	run.sh INSTANCE [FOLDER|FILE]
#
# The proof of unsatisfiability is written to FOLDER/proof.out, in binary DRAT; run-lrat.sh
# writes LRAT as text, which cake_lpr reads. If the second operand is not a folder, it is the
# file of the proof; without it there is no proof. Models are printed.
#
# "sator INSTANCE proof.out" would take proof.out for a second formula; the flag --proof
# writes the proof to a file of any name.
#
# The track is sequential: the garbage collector has the one processor of the solver.
set -eu
here=$(dirname "$0")
. "$here/program.sh"
export GOMAXPROCS=1
format='--proof-format drat'
case $(basename "$0") in
*lrat*) format='--proof-format lrat --proof-text' ;;
esac
if test $# -lt 2; then
	exec "$sator" solve -- "$1"
fi
proof=$2
if test -d "$proof"; then
	proof=$proof/proof.out
fi
# shellcheck disable=SC2086 # several words
exec "$sator" solve --proof "$proof" $format -- "$1"
