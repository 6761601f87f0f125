// Package study runs reproducible experiments on SAT and Sudoku search: the
// number of givens, grid size, encoding, heuristic, formula family or inference
// rule against the cost of DPLL or CDCL search. It writes one CSV row per run
// and a report in Markdown and HTML with tables, statistical tests and figures.
//
//	plan, err := study.NewPlan(ctx, study.Studies[0], study.Options{Count: 20})
//	if err != nil {
//		return err
//	}
//	rows, err := (&study.Runner{Plan: plan, Dir: "out"}).Do(ctx)
//	if err != nil {
//		return err
//	}
//	return study.Write(nil, plan, rows, "out", "command line for the report")
//
// A [Study] is a factorial experiment: factors with their levels, the subjects
// (puzzles or formulas) that they apply to, a function that measures a run, and
// a function that writes the report. A [Plan] lists the runs of a study: every
// combination of levels for every subject, in a fixed order. Each run is one
// row of a CSV file. A [Runner] executes the runs concurrently but writes the
// rows in the order of the plan. A truncated file is therefore a prefix of the
// complete one, and the next call resumes after its last row.
//
// Counts (evaluations, backtracks, conflicts) are deterministic: they do not
// depend on the machine, on the number of workers, or on interruptions. Times
// depend on all three.
//
// # Files
//
//   - study.go, plan.go: the table of studies, and their runs.
//   - rowfile.go, runner.go, puzzlefile.go: the CSV file, the workers, and the stored
//     puzzles.
//   - measure.go: runs of the engines dpll and cdcl.
//   - paperdpll.go, paperheuristics.go: a reimplementation of the DPLL program of the
//     paper that the study of givens replicates.
//   - puzzles.go, formulas.go: subjects.
//   - report.go, tables.go, compare.go: reports.
//   - givens.go, givens_report.go, mechanism.go, mechanism_report.go, size.go, human.go, families.go,
//     encodings.go, twosat.go, threshold.go: one study each.
package study
