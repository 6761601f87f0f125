#!/bin/sh
# Solves an instance as the parallel track of the SAT Competition asks: with a solver for
# each processor, and a model but no proof.
#
#	run-parallel.sh INSTANCE [FOLDER [SOLVERS]]
#
# With a folder the proof is written to FOLDER/proof.out all the same, in binary DRAT, since
# the solvers make one proof together. An empty FOLDER is none.
set -eu
here=$(dirname "$0")
. "$here/program.sh"
solvers=${3:-$(getconf _NPROCESSORS_ONLN)}
if test -n "${2:-}"; then
	exec "$sator" solve --threads "$solvers" --proof "$2/proof.out" -- "$1"
fi
exec "$sator" solve --threads "$solvers" -- "$1"
