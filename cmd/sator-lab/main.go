// Sator-lab runs experiments on SAT solvers: it compares solvers on files (bench),
// runs the studies of package study, tests the engines and the commands of Sator with
// random formulas (fuzz), tests the tests with deliberate faults (mutants), replays traces
// of incremental solving (replay), measures how long the engine cdcl takes to notice
// that it is canceled (pauses), lists the functions of a CPU profile by phase (phases), draws
// recorded runs as a page (report), and shows a run while it goes on (watch). The solver
// itself is the program sator.
//
//	sator-lab bench @list.txt --timeout 100 --csv runs.csv --figures figures
//	sator-lab study threshold --vars 50
//	sator-lab fuzz --time 10m
//	sator-lab fuzz --commands --time 10m
//	sator-lab mutants dpll/cdcl
//	sator-lab replay bmc.trace
//	sator-lab pauses --time 60 big.cnf
//	sator-lab phases cpu.pprof
//	sator-lab report run.jsonl -o report.html
//	sator-lab watch -- sator solve f.cnf
//	sator-lab help bench
//
// # Files
//
// Each command has a file. The command fuzz has more:
//
//   - fuzz.go: its flags
//   - fuzz_run.go: rounds on several workers
//   - fuzz_report.go: reports of failures
//   - fuzz_counts.go: the file of counts
//   - fuzz_commands.go: rounds of commands, with --commands
//   - fuzz_subjects.go, fuzz_race.go, fuzz_twosat.go: the engines under test
//   - fuzz_techniques.go: the counted techniques
//
// The command pauses has pauses_clock_*.go for its clock, and watch has watch_unix.go and
// watch_other.go for process groups.
package main

import (
	"os"

	"sator/cmd/internal/cli"
)

func main() {
	os.Exit(program.Run(cli.NewEnv(), os.Args[1:]))
}

// program is the command line of sator-lab.
var program = &cli.Program{
	Name:         "sator-lab",
	Usage:        "experiments on SAT solvers, and tests of Sator's engines",
	UsageText:    "sator-lab COMMAND [flags] [FILE]...",
	Description:  programText,
	Commands:     []func(*cli.Env) *cli.Command{benchCommand, studyCommand, pausesCommand, phasesCommand, fuzzCommand, mutantsCommand, replayCommand, reportCommand, watchCommand},
	HelpExamples: [2]string{"bench", "study givens"},
	Synonyms: map[string]string{
		"compare": "bench", "benchmark": "bench", "race": "bench", "live": "watch", "monitor": "watch",
		"plot": "report", "profile": "phases", "test": "fuzz", "experiment": "study", "threshold": "study threshold",
	},
}

const programText = `Compares SAT solvers, runs experiments and tests the engines of Sator with
random formulas. Exit codes: 0 success; 1 an input that cannot be read or an
output that cannot be written, 2 a bad command line, 3 an error of Sator itself,
4 a wrong answer of a solver.

Flags stand before or after operands; "--" ends them.

Examples:
  sator-lab bench *.cnf
  sator-lab study givens
  sator-lab fuzz --time 10m`
