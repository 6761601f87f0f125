// Package dplltest is what every engine must pass.
//
// [Run] is the conformance test: it draws formulas of many shapes by seed, has
// the engine solve each in several ways, and holds every answer against an
// oracle that shares no code with any engine: [Brute], which tries all
// assignments, and [Search], a plain recursive DPLL for formulas that are too
// large for that. Models are evaluated, failed assumptions are refuted again,
// clauses are added between calls, calls are cancelled. [RunTraces] does the
// same with the order of the calls: it draws whole programs of API calls and
// keeps those that failed as regressions.
//
// Both check every refutation. The engine is told to prove its answers to a
// receiver that has each step checked as it comes, by a [Recorder], which scans
// all clauses, and by the checker for hints of package proof, and that has the
// proof up to each refutation written and checked as a file, in one of the four
// formats. [ProofSupport] says what an engine's proofs are made of.
//
// A [Fuzzer] does rounds of both without a test around them, for the command
// fuzz of the program, and has engines contradict one another.
//
// A failure names its seed and carries the smallest formula or trace that
// [Shrink] or [ShrinkTrace] could find, and the settings that matter. The checks
// are functions that return errors, [Check] and [Replay]; the tests of this
// package run them against engines that answer or prove wrongly on purpose and
// demand that each is found out.
//
// The package prefers being obviously right to being fast.
package dplltest
