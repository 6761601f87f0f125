// Package mutants tests the tests: it applies deliberate faults to the source code, one
// at a time, and reports the faults that no test detects (mutation testing: DeMillo, Lipton
// and Sayward, "Hints on test data selection", Computer 1978).
//
//	all, err := mutants.Load(".") // every testdata/mutants/*.patch below the folder
//	if err != nil {
//		return err
//	}
//	for _, m := range all {
//		r := m.Run(ctx, ".")
//		fmt.Println(m.Name, r.Verdict, r.CPU)
//	}
//
// A mutant is a file testdata/mutants/NAME.patch of the package that it
// changes. It has a description of the fault, the tests that must detect it,
// and the change in the form of a unified diff without line numbers, so edits
// elsewhere in the file do not break it:
//
//	The last literal of a clause is not propagated.
//
//	Test: ./dpll/cdcl TestConformance
//
//	--- dpll/cdcl/propagate.go
//	+++ dpll/cdcl/propagate.go
//	@@
//	 	for i < len(c) {
//	-		visit(c[i])
//	+		_ = c[i]
//	 	}
//
// The lines of a hunk that begin with a blank or a minus must occur in the file exactly
// once, in this order. The change is made in a copy that replaces the file in the build
// (go test -overlay); the source tree is not touched. Long tests run whole, as with
// SATOR_TESTS=whole, unless the mutant has the flag -short for them.
//
// A run of 88 mutants takes about three minutes of CPU time: 184 s on a machine with 2
// cores, Intel Xeon, under other load.
//
// # Files
//
//   - patch.go: reading and applying patches.
//   - run.go: running tests on a mutant.
//   - choose.go: selecting mutants when there is no time for all.
package mutants
