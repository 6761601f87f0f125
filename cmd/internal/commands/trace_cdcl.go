package commands

import (
	"encoding/json"
	"fmt"
	"io"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/trace"
	"sator/internal/diagram"
)

// mostTraceSteps is the default of --limit with the engine cdcl.
const mostTraceSteps = 100_000

// learningOptions are the flags of trace for the engine cdcl.
type learningOptions struct {
	conflict int // to be drawn; 0 for the proof
	decide   []dimacs.Lit
	seed     uint64
}

func learningOptionsOf(c *cli.Context, o *traceOptions) (*learningOptions, error) {
	for _, f := range append(cli.ClassicFlags(), &cli.StringFlag{Name: "heuristics"}) {
		if n := f.Names()[0]; c.IsSet(n) {
			return nil, &cli.UsageError{Msg: fmt.Sprintf("the engine cdcl has no option --%s", n), Hint: "It is an option of --engine dpll."}
		}
	}
	l := &learningOptions{conflict: c.Int("conflict"), seed: c.Uint64("seed")}
	switch {
	case c.IsSet("conflict") && l.conflict < 1:
		return nil, cli.Invalid("conflict", l.conflict, "a positive number")
	case c.IsSet("conflict") && o.format != "dot" && o.format != "svg":
		return nil, cli.Useless("conflict", "format svg or dot")
	case o.limit == 0:
		o.limit = mostTraceSteps
	}
	var err error
	l.decide, err = formula.LiteralsOf("decide", c.StringSlice("decide"))
	return l, err
}

// showLearning records a search of the engine cdcl, and returns a function that writes it.
func showLearning(r *cli.Run, in *formula.Input, o *traceOptions) (func(io.Writer) error, error) {
	if err := in.CheckLiterals("decide", o.cdcl.decide); err != nil {
		return nil, err
	}
	if err := engines.CheckMemory(r, in.Occurring(o.assume), in.Formula, &engines.CDCLSetup{}); err != nil {
		return nil, err
	}
	t, err := trace.Record(r.Ctx, in.Formula, trace.Options{Seed: o.cdcl.seed, Assumptions: o.assume, Decisions: o.cdcl.decide, Limit: o.limit})
	if err != nil {
		return nil, err
	}
	if t.Status == dimacs.Satisfiable {
		if err := answer.CheckModel(t.Model, in.Formula); err != nil {
			return nil, err
		}
	}
	if len(t.Untaken) > 0 {
		r.Say("warning: the search ended before the decision %v of --decide", t.Untaken[0])
	}
	why := ending(r, t.Status, t.Full, cli.Count(o.limit, "step"))
	if len(t.Failed) > 0 {
		why += " under the assumptions " + cli.Spaced(t.Failed)
	}
	switch o.format {
	case "json":
		return func(w io.Writer) error { return writeSteps(w, t, why) }, nil
	case "text":
		return func(w io.Writer) error { return t.Text(w, why) }, nil
	}
	var d *diagram.Diagram
	if o.cdcl.conflict > 0 {
		d, err = t.ConflictGraph(o.cdcl.conflict)
	} else {
		d, err = trace.ProofGraph(t.Steps, "derivation of the last learned clause; "+why)
	}
	if err != nil {
		return nil, err
	}
	if o.format == "dot" {
		return d.DOT, nil
	}
	return d.SVG, nil
}

// writeSteps writes each step as a line of JSON, and at last the answer.
func writeSteps(w io.Writer, t *trace.Trace, why string) error {
	e := json.NewEncoder(w)
	for _, s := range t.Steps {
		if err := e.Encode(s); err != nil {
			return err
		}
	}
	end := struct {
		Event  string `json:"event"`
		Answer string `json:"answer"`
		Model  []int  `json:"model,omitempty"`
	}{"answer", why, dimacs.Ints(t.Model.Lits())}
	return e.Encode(end)
}
