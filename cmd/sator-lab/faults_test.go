package main

import (
	"errors"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/internal/effort"
)

// writers are the commands of sator-lab that write.
func writers(t *testing.T, whole bool) *clitest.Writers {
	t.Helper()
	alone(t, newHasty) // so that fuzz has failures to save
	const rows = " --untimed -q -j 1 -o dir"
	w := &clitest.Writers{
		Whole:   whole,
		Program: program,
		Files: map[string]string{
			"sat.cnf": "p cnf 6 5\n1 2 3 0\n-1 -2 4 0\n2 -3 5 0\n-4 -5 6 0\n1 -5 -6 0\n",
			"run.jsonl": `{"t":"run","version":1,"files":["in/sat.cnf"],"engine":"cdcl","solvers":["default"]}
{"t":"formula","vars":6,"clauses":5,"literals":15,"sizes":[0,0,0,5,0,0,0,0,0,0,0],"horn":3,"positive":1}
{"t":"end","status":"SATISFIABLE","time":0.1}
`,
			"four.txt":  "# rules 4\n4.3..1........4.\n",
			"cpu.pprof": profileText(t, cpuProfile(phaseLabels)),
		},
		Prepare: []string{"bench in/sat.cnf -s sator --csv in/runs.csv -q"},
		Rows: []clitest.Writer{
			{Code: 0, Line: "bench --show --csv in/runs.csv -o report"},
			{Code: 0, Line: "bench --show --csv in/runs.csv --format json"},
			{Code: 0, Line: "bench --show --csv in/runs.csv --figures dir --format markdown", Resume: true},
			{Code: 0, Line: "bench in/sat.cnf -s sator --csv runs.csv -q", Resume: true, Grows: []string{"runs.csv"}},
			{Code: 0, Line: "study encodings in/four.txt --engine cdcl --encoding minimal" + rows, Resume: true, Grows: []string{"dir/runs.csv"}},
			{Code: 4, Line: "fuzz --seed 28 --rounds 1 --traces 0 --vars 0 --jobs 1 -q --output dir --counts counts.json", Fresh: true},
			{Code: 0, Line: "replay --workload growing --calls 2 --print -o fresh.trace"},
			{Code: 0, Line: "pauses in/sat.cnf"},
			{Code: 0, Line: "phases in/cpu.pprof -o phases.txt"},
			{Code: 0, Line: "phases in/cpu.pprof --json"},
			{Code: 0, Line: "report in/run.jsonl in/run.jsonl -o report.html"},
			{Code: 0, Line: "report in/run.jsonl --formula in/sat.cnf"},
			{Code: 0, Line: "help"},
			{Code: 0, Line: "help bench"},
			{Code: 0, Line: "version"},
			{Code: 0, Line: "completion zsh"},
			{Code: 0, Line: "man"},
			{Code: 0, Line: "man -o dir", Resume: true},
		},
		Inputs: []string{"bench --root", "report --formula"},
		Skip: []string{
			"mutants", // it runs in the source tree only
			"watch",   // it writes nothing but the output of its command
		},
	}
	w.Part, w.Parts = effort.Part()
	if !whole {
		return w
	}
	for _, line := range []string{
		"study size --size 4 --encoding minimal --engine cdcl -n 1",
		"study threshold --vars 10 --ratio 200,800 -n 1",
		"study givens in/four.txt --heuristic mom",
		"study families --heuristic cdcl -n 1",
		"study human in/four.txt --infer 2sat",
		"study mechanism in/four.txt --heuristic mom",
		"study twosat in/four.txt",
	} {
		w.Rows = append(w.Rows, clitest.Writer{Line: line + rows, Resume: true, Grows: []string{"dir/runs.csv"}, Most: 4})
	}
	return w
}

// TestWritersTable checks that the table has all commands and all flags with files.
func TestWritersTable(t *testing.T) {
	writers(t, true).TestFlags(t)
}

func TestWritersUnderFaults(t *testing.T)   { writers(t, effort.Whole()).TestFaults(t) }
func TestWritersWithFileSizes(t *testing.T) { writers(t, effort.Whole()).TestFileSizes(t) }
func TestWritersOnFullDisk(t *testing.T)    { writers(t, effort.Whole()).TestFullDisk(t) }

// A fullWriter returns an error for every write.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// TestMutantsOutput checks that mutants reports a write error on standard output.
func TestMutantsOutput(t *testing.T) {
	effort.Sequential(t)
	code := program.Run(&cli.Env{Stdout: fullWriter{}, Stderr: t.Output()}, []string{"mutants", "--list"})
	if code != cli.CodeInput {
		t.Errorf("exit code %d, want %d", code, cli.CodeInput)
	}
}
