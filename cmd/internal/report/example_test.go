package report_test

import (
	"fmt"
	"strings"

	"sator/cmd/internal/record"
	"sator/cmd/internal/report"
	"sator/dimacs"
)

// The module is served as a file, or set into a page.
func ExampleCharts() {
	fmt.Println(strings.Contains(report.Charts, "export class RunCharts"))
	// Output: true
}

// recorded is a short recording.
const recorded = `{"t":"run","version":1,"sator":"devel","command":["solve","f.cnf"],"files":["f.cnf"],"engine":"cdcl","solvers":["default"]}
{"t":"formula","vars":40,"clauses":90,"literals":270,"sizes":[0,0,0,90,0,0,0,0,0,0,0]}
{"t":"sample","s":0,"time":1.5,"conflicts":2100,"mode":"stable","vars":31,"fixed":2,"removed":7,"stable":{"glue":5.25}}
{"t":"end","status":"SATISFIABLE","time":1.6,"stats":[{"conflicts":2250}],"phases":{"read":0.1,"search-stable":1.5}}
`

func ExampleNarrate() {
	r, err := record.Read("run.jsonl", strings.NewReader(recorded))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range report.Narrate(report.Of("run.jsonl", r)) {
		fmt.Println(s)
	}
	// Output:
	// The formula of 40 variables and 90 clauses is satisfiable; a model was found after 1.60 s and 2,250 conflicts.
	// Search took 94 % of the time.
	// Stable mode found the model.
	// At the last sample 31 of 40 variables were left, 2 were fixed at the root, and 7 were eliminated or substituted.
	// At the last sample the average glue of learned clauses was 5.25.
}

func ExampleWrite() {
	r, err := record.Read("run.jsonl", strings.NewReader(recorded))
	if err != nil {
		fmt.Println(err)
		return
	}
	var page strings.Builder
	if err := report.Write(&page, []report.Source{{Name: "run.jsonl", Recording: r}}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(page.String(), "<title>Run of f.cnf</title>"))
	// Output: true
}

// Two triangles with one edge between them are two communities.
func ExampleCommunities() {
	f := dimacs.NewFormula(6)
	for _, c := range [][]int{{1, 2}, {2, 3}, {1, 3}, {4, 5}, {5, -6}, {4, 6}, {-3, 4}} {
		f.AddInts(c...)
	}
	p, err := report.Communities(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v %.2f\n", p.Community, p.Modularity)
	// Output: [0 0 0 1 1 1] 0.36
}
