package versus_test

import (
	"os"
	"time"

	"sator/cmd/internal/versus"
)

// A report is computed from runs alone.
func ExampleNewReport() {
	limits := versus.Limits{CPU: 10 * time.Second}
	second := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	runs := []versus.Run{
		{Solver: "ours", File: "a.cnf", Round: 1, Outcome: versus.Satisfiable, CPU: second(1), Memory: 12 << 20, Check: versus.Checked, Limits: limits},
		{Solver: "ours", File: "b.cnf", Round: 1, Outcome: versus.Unsatisfiable, CPU: second(3), Memory: 12 << 20, Check: versus.Checked, Limits: limits},
		{Solver: "theirs", File: "a.cnf", Round: 1, Outcome: versus.Unsatisfiable, CPU: second(0.1), Memory: 4 << 20, Check: versus.NoEvidence, Limits: limits},
		{Solver: "theirs", File: "b.cnf", Round: 1, Outcome: versus.Unsatisfiable, CPU: second(6.05), Memory: 4 << 20, Check: versus.NoEvidence, Limits: limits},
	}
	report := versus.NewReport(runs, nil, "ours", versus.CPU)
	report.WriteText(os.Stdout)
	// Output:
	// WRONG: theirs answered UNSATISFIABLE for a.cnf, but the file has a model (found by ours)
	// Of 2 files, ours solves 2 and theirs 1 within 10 s of CPU time; the virtual best
	// solver, the fastest of all on each file, solves 2.
	// Relative to the time of ours on the files that both solve, the time is, as a
	// geometric mean with a 95 % interval, theirs 2.00 [2.00, 2.00]; the signed-rank
	// tests find no significant difference of times.
	// There are wrong answers (1 message): the models of 1 of 1 answers SATISFIABLE
	// were checked, and none of 2 answers UNSATISFIABLE has a checked proof, because
	// proofs were not requested (--proofs).
	//
	// 2 files, 1 run per file, limit 10 s of CPU time
	//
	// Answers
	//
	//   solver  solved  sat  unsat proven  unsat unproven  wrong  time out
	//   ours         2    1             1               0      0         0
	//   theirs       1    0             0               1      1         0
	//
	// Number of files by outcome, n = 2. Solved = sat + unsat. Unsat proven are
	// answers UNSATISFIABLE with a checked proof; no model are answers SATISFIABLE
	// without a checked model; time out, memory out, gave up (UNKNOWN) and failed have
	// no answer. Columns of zeros are left out.
	//
	// Time and memory
	//
	//   solver                  PAR-2 (s)  common         time ratio       memory ratio
	//   ours            2.00 [1.00, 3.00]       2  1.00 [1.00, 1.00]  1.00 [1.00, 1.00]
	//   theirs        13.03 [6.05, 20.00]       1  2.00 [2.00, 2.00]  0.50 [0.50, 0.50]
	//   virtual best    2.00 [1.00, 3.00]       -                  -                  -
	//
	// PAR-2 is the mean time in seconds over n = 2 files; an unsolved file counts
	// twice the limit. Ratios are relative to ours, on the files that both solve
	// (common): geometric means of time + 0.05 s and memory + 4 MB; less than 1 is
	// better. In brackets: 95 % percentile bootstrap intervals over the files.
	//
	// Contributions to the virtual best solver
	//
	//   without  only it solves  fastest on  PAR-2 of the rest (s)  loss (s)
	//   ours                  1           2                  13.03     11.03
	//   theirs                0           0                   2.00      0.00
	//
	// The virtual best solver has the result of the fastest solver on each of n = 2
	// files. Loss is the increase of its PAR-2 without the solver: its marginal
	// contribution.
	//
	// Paired tests
	//
	//   A-B          n  A faster  B faster    time A / time B      p   Holm  only A  only B  p solved  Holm solved
	//   ours-theirs  2         2         0  0.50 [0.50, 0.50]  0.500  0.500       1       0     1.000        1.000
	//
	// p is of the Wilcoxon signed-rank test of the logarithms of the times, on the n
	// files that at least one of both solves; a run without an answer counts with the
	// limit. p solved is of McNemar's exact test of the files that only A or only B
	// solves. All tests are two-sided, and Holm's correction is over the 1 pair, for
	// each test apart. The ratio is as above.
}
