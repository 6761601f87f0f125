// Package commandtest tests the program sator with random command lines (fuzzing). It
// compares every answer with brute force: status, exit code, models, numbers of models,
// unsatisfiable cores, standard output and standard error, and the files that it writes. The
// command check checks proofs, and its verdicts are compared with brute force too.
//
//	z := &commandtest.Fuzzer{Program: commandtest.InProcess(commands.Program)}
//	for seed := range uint64(100) {
//		if r := z.Round(seed); r.Failure != nil {
//			r.Shrink()
//			fmt.Println(r.Failure)
//		}
//	}
//
// A round has a seed. It draws a [Case]: a formula with assumptions and cubes, the
// form of its files ([Look]), a test, and flags. The test runs one or
// several commands in a folder of its own. [Round.Shrink] makes a failing case smaller.
//
// The commands run in this process or as processes; see [Program]. The package has no code
// in common with the packages of the solver: it writes and reads all formats by itself.
//
// # Files
//
//   - formula.go: random formulas; brute.go: all models, by trying all assignments.
//   - look.go: the text of formulas, with comments, white space, compression and mistakes.
//   - case.go: cases and rounds; shrink.go: shrinking; program.go: running the program.
//   - trial.go: a run of a test, with the checks of every command; parse.go: parsing of
//     outputs.
//   - The tests: solve.go, check.go, models.go, simplify.go, conquer.go, twosat.go, convert.go,
//     info.go (info, trace and generate), sudoku.go, mistakes.go.
package commandtest
