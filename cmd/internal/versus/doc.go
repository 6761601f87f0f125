// Package versus compares SAT solvers on a set of DIMACS CNF files: CPU time, memory, PAR-2 scores,
// and whether each answer is right. It runs Sator and any other solver that has a command line.
//
//	cadical, err := versus.Parse("cadical")
//	if err != nil {
//		return err
//	}
//	if err := cadical.Find(""); err != nil {
//		return err
//	}
//	in, err := versus.NewInstance("php-8.cnf")
//	if err != nil {
//		return err
//	}
//	b := &versus.Bench{
//		Solvers: []*versus.Solver{cadical}, Instances: []versus.Instance{in},
//		Rounds: 1, Limits: versus.Limits{CPU: time.Minute}, Core: -1, Proofs: true,
//	}
//	runs, err := b.Run(ctx)
//	if err != nil {
//		return err
//	}
//	versus.NewReport(runs, nil, "cadical", versus.CPU).WriteText(os.Stdout)
//
// A [Bench] runs each solver on each file, one process at a time. Each [Run] holds the answer, the
// time, the memory, and the result of checking the evidence (model or proof). A [Report] summarizes
// the runs: wrong answers, which are its first lines, three sentences, tables with intervals and
// tests, and figures.
//
// # Measurements
//
// The time of a run is the CPU time (user and system) of the process and of all descendants that it
// waited for, as counted by the operating system. The limit is a CPU time limit too, so a busy
// machine lengthens a run but does not change its result. Wall-clock time is recorded as well and
// can be used for limits and scores instead; that is right for solvers that use several cores.
//
// The load by other processes is recorded too, because it lengthens both times. A report warns if it
// was high.
//
// Memory is the peak resident set size (RSS) of the largest single process. On
// Linux this figure has a floor: a child process inherits the peak RSS of its
// parent, and a bench that has just checked a proof was large. If the figure is
// not above this floor, the maximum of samples taken while the process runs
// replaces it.
//
// # Order of the runs
//
// Runs are sequential, because concurrent processes share caches, memory
// bandwidth and the thermal budget of the processor. All solvers run on one
// file before the next file starts, in an order that rotates from file to file.
// A temporary slowdown of the machine therefore affects all solvers, and no
// solver always benefits from a file that another solver has read into the page
// cache. The second of several rounds starts when all solvers have run on all
// files. The output of a solver is redirected to a file, not to a pipe, so no
// other process works during a run.
//
// # Checking answers
//
// A model is evaluated on the formula. A proof, if proofs are requested and the solver can write
// them, is checked by the package dimacs/proof. Answers are compared with those of other solvers,
// with those of other rounds, and with known answers. An answer that fails one of these checks
// counts as wrong, not as solved.
//
// # Files
//
//   - bench.go: the order of the runs, and which runs the log already has.
//   - solver.go: the table of known solvers, and command lines.
//   - list.go: lists of instances.
//   - execute.go: one run of one solver, and the checks of models and proofs.
//   - process.go, process_*.go, inspect_*.go, attributes_*.go: processes, their limits, CPU time
//     and memory.
//   - workdir*.go: the temporary work directory.
//   - run.go, log.go: the results of a run, and the CSV file that holds them.
//   - judge.go: wrong answers.
//   - report.go: the results of each solver.
//   - best.go, pairs.go, families.go: the virtual best solver, paired tests, and families of files.
//   - summary.go, table.go, json.go, figures.go: the report as text, Markdown and JSON, and its figures.
//   - rows.go: the report as rows of a table of experiments.
//   - load.go: the load of the machine.
//   - machine.go: the description of the machine and of the solver versions.
package versus
