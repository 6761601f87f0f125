// Package dplltest is the conformance test of SAT engines: it tests the answers,
// models, failed assumptions and proofs of an engine on random formulas, and
// shrinks failures.
//
//	func TestConformance(t *testing.T) {
//		newEngine := func(s dplltest.Setup) dplltest.Engine {
//			o := classic.DefaultOptions() // of the engine under test
//			o.Seed, o.Proof = s.Seed, s.Proof
//			return classic.New(o)
//		}
//		dplltest.Run(t, newEngine, dplltest.Config{Proves: dplltest.PlainProofs})
//	}
//
// [Run] draws formulas of many families by seed and solves each in several ways:
// under assumptions, with clauses added between calls, with canceled calls. It
// compares the answers with an oracle that shares no code with any engine:
// [Brute], which tries all assignments, and [Search], a plain recursive DPLL for
// larger formulas. It evaluates models on the formula and refutes failed
// assumptions again. [RunTraces] also draws the order of the calls: a [Trace] is a
// sequence of API calls, and failing traces are kept as regression tests.
//
// Both check every refutation. The engine logs its proof. Each step is checked by a
// [Recorder], a naive checker that scans all clauses, and by proof.Checker if the proof
// has hints. At each refutation the proof may also be written as a file in one of four
// formats and checked by proof.Check. [ProofSupport] describes the proofs of an engine.
//
// A [Fuzzer] runs rounds of both kinds outside of a test, and compares the answers
// of engines with one another. A failure contains its seed, the smallest formula or
// trace that [Shrink] or [ShrinkTrace] found, and the relevant settings. [Check]
// and [Replay] return errors instead of failing a test. The tests of this package
// run them against mutants, engines with wrong answers or proofs, and require that
// each mutant is found.
//
// The code is meant to be simple rather than fast.
//
// The files:
//
//   - conform.go: Run, Check, failures and how they are shrunk
//   - properties.go: the properties that every engine must have
//   - families.go, constraints.go, case.go: random formulas and assumptions
//   - symmetric.go: random formulas with symmetries
//   - growth.go: the memory of engines that grow by one variable at a time
//   - metamorphic.go: transformations that keep the answer
//   - brute.go, search.go: the oracle
//   - simplified.go: the check of a simplification
//   - audit.go, recorder.go, recorder_rat.go: proofs checked by all checkers; the
//     naive checker
//   - trace.go, randomtrace.go, replay.go, traces.go: traces as text, drawn at
//     random, replayed, and kept
//   - calls.go: the further calls of incremental engines in traces
//   - settings.go: random options
//   - shrink.go, shrinktrace.go: smaller formulas and traces
//   - incremental.go: an adapter for engines that take a formula as a whole
//   - fuzz.go: rounds for the command fuzz
package dplltest
