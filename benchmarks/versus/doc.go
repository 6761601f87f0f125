// Package versus measures solvers side by side: Sator and any others that can be called by a
// command line, on files in DIMACS CNF.
//
// A [Bench] runs each solver on each file, one process at a time, and writes down a [Run] of
// every run: the answer, the time, the memory, and whether the evidence for the answer holds. A
// [Report] is what the records say: what was solved, how fast, and before anything else which
// answers are wrong.
//
// # What is measured
//
// The time of a run is the CPU time, user and system, of the process and of all the processes it
// has waited for, as the operating system counts it. The limit is one on CPU time too, so that a
// busy machine makes a run longer and not worse. The wall clock is measured beside it, and can be
// what counts instead, which is right for solvers that use several cores.
//
// Memory is the largest resident set of any one of these processes. What the system counts has a
// floor: Linux hands the peak of the process that starts another on to that one, and a bench that
// has just checked a proof was large. Up to this floor, the peak is therefore what was seen by
// looking at the process now and then.
//
// # How it is measured
//
// Runs are sequential, for two processes at once share caches, memory and the heat of the
// processor. Solvers take turns on a file before the next file comes, in an order that rotates, so
// that what slows the machine for a while slows all of them, and none has always the file in the
// cache that another has read. With repeated runs, all files are run through once before the second
// round. What a solver prints goes to a file and not through a pipe, so that nobody else works
// while it does.
//
// # What is believed
//
// Nothing is. A model is evaluated on the formula. A proof, where the solver can write one and
// proofs are asked for, is checked by the package dimacs/proof. Answers are compared with those of
// other solvers, with those of other rounds, and with known ones. An answer that does not come
// through that is no solved instance but a wrong one, and the first line of the report.
package versus
