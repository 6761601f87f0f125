package record_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

func ExampleRead() {
	text := `{"t":"run","version":1,"sator":"1.0","command":["solve","f.cnf"],"solvers":["default"]}
{"t":"sample","s":0,"time":0.5,"cpu":0.5,"conflicts":3000,"mode":"focused"}
{"t":"sample","s":0,"time":1.0,"cpu":1.0,"conflicts":7000,"mode":"stable"}
`
	all, err := record.Read("run.jsonl", strings.NewReader(text))
	for _, l := range all.Lines {
		if s, is := l.(*record.Sample); is {
			fmt.Println(s.Time, s.Conflicts, s.Mode)
		}
	}
	fmt.Println(err)
	// Output:
	// 0.5 3000 focused
	// 1 7000 stable
	// run.jsonl: the recording is truncated after line 3: it has no line of the type end
}

func ExampleRecorder() {
	f := dimacs.NewFormula(2)
	f.AddInts(1, 2)
	f.AddInts(-1, 2)

	var text strings.Builder
	begin := time.Now()
	r := record.NewRecorder(&text, record.Meter{Now: func() time.Duration { return time.Since(begin) }})
	r.Run(&record.Run{Engine: "cdcl", Solvers: []string{"default"}})
	r.Formula(record.Describe(f))
	o := cdcl.Options{}
	r.Attach(&o, 0)
	s := cdcl.New(o)
	s.AddFormula(f)
	status := s.Solve(context.Background())
	st := s.Stats()
	r.End(&record.End{Status: status.String(), Stats: []map[string]any{record.Stats(&st)}})

	all, err := record.Read("run.jsonl", strings.NewReader(text.String()))
	for _, l := range all.Lines {
		fmt.Println(l.Type())
	}
	fmt.Println(all.End.Status, err)
	// Output:
	// run
	// formula
	// event
	// sample
	// sample
	// event
	// end
	// SATISFIABLE <nil>
}

func ExampleWriter() {
	w := record.NewWriter(os.Stdout)
	w.Write(&record.Exchange{Solver: 1, Time: 0.25, Conflicts: 1200, Exported: 7, Imported: 5, Rejected: 2})
	// Output:
	// {"t":"exchange","s":1,"time":0.25,"conflicts":1200,"exported":7,"imported":5,"rejected":2,"units":0,"used":0}
}
