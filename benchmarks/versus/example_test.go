package versus_test

import (
	"os"
	"time"

	"sator/benchmarks/versus"
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
	// 2 files, 1 run per file, limit 10 s of CPU time
	//
	//   solver  solved  sat  unsat  wrong  time  memory  unknown  failed  unchecked  PAR-2  common         time ratio       memory ratio
	//   ours         2    1      1      0     0       0        0       0          0   2.00       2  1.00 [1.00, 1.00]  1.00 [1.00, 1.00]
	//   theirs       1    0      1      1     0       0        0       0          1  13.03       1  2.00 [2.00, 2.00]  0.50 [0.50, 0.50]
	//
	// PAR-2 is the mean time in seconds; an unsolved file counts twice the limit.
	// Ratios are relative to ours, on the files that both solve (common): geometric
	// means with 95 % bootstrap intervals, of time + 0.05 s and memory + 4 MB; less
	// than 1 is better. Unchecked are solved files without checked evidence.
}
