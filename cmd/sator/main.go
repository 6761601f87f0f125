// Sator is the command line of the SAT solver: it decides whether formulas in DIMACS CNF
// have models. Like the solvers of the SAT competitions it prints "s SATISFIABLE" with a
// checked model, "s UNSATISFIABLE", or "s UNKNOWN". "sator help" lists the commands.
//
// Package commands has the commands, so that tests and the fuzzer of sator-lab run them
// in their own process. The tests of the program are in package program.
package main

// The profile default.pgo of solving guides inlining; pgo.sh renews it.
//
//go:generate sh pgo.sh

import "sator/cmd/sator/internal/program"

func main() { program.Main() }
