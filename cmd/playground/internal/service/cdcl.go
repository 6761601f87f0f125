package service

import (
	"bytes"
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/trace"
	"sator/internal/diagram"
)

// The page of clause learning: plain search of the engine cdcl with all of its steps, the
// derivations of its clauses, and drawings.

// cdclHandlers returns the operations of the page of clause learning.
func cdclHandlers() Handlers {
	return Handlers{"cdcl.search": handle(searchCDCL), "cdcl.draw": handle(drawCDCL)}
}

// A CDCLRequest has a formula and the options of a trace.
type CDCLRequest struct {
	Source
	Negative  bool  `json:"negative"`  // the first phase of a variable is false
	Decisions []int `json:"decisions"` // the first decisions
	Conflict  int   `json:"conflict"`  // of cdcl.draw: its number, or 0 for the proof
}

// A CDCLReply is a search as a list of steps.
type CDCLReply struct {
	Status      string                   `json:"status"`
	Full        bool                     `json:"full"` // the search is longer than the steps
	Vars        int                      `json:"vars"`
	Steps       []trace.Step             `json:"steps"`
	Derivations map[int][]CDCLResolution `json:"derivations"` // by index of a step that learns a clause after a conflict
}

// A CDCLResolution is a step of a derivation: a trace.Resolution.
type CDCLResolution struct {
	Clause int   `json:"clause"`
	Pivot  int   `json:"pivot,omitempty"`
	Lits   []int `json:"lits"` // of the resolvent
	UIP    bool  `json:"uip,omitempty"`
}

// mostTracedVars and mostTracedClauses bound the formulas of the page: each step takes time linear in them.
const (
	mostTracedVars    = 500
	mostTracedClauses = 3000
)

// record records the search of a request.
func (in *CDCLRequest) record(c *Call) (*dimacs.Formula, *trace.Trace, error) {
	l, err := in.load(c)
	if err != nil {
		return nil, nil, err
	}
	f := l.formula
	if f.Vars() > mostTracedVars || f.Len() > mostTracedClauses {
		return nil, nil, fmt.Errorf("steps are shown of up to %d variables and %d clauses; the formula has %d and %d", mostTracedVars, mostTracedClauses, f.Vars(), f.Len())
	}
	o := trace.Options{Seed: in.Seed, Limit: mostSteps}
	if in.Negative {
		o.Phase = cdcl.PhaseFalse
	}
	for _, n := range in.Decisions {
		if n == 0 || max(n, -n) > f.Vars() {
			return nil, nil, fmt.Errorf("%d is no literal of the formula", n)
		}
		o.Decisions = append(o.Decisions, dimacs.FromInt(n))
	}
	t, err := trace.Record(c.Context(), f, o)
	switch {
	case c.Ctx.Err() != nil:
		err = c.Ctx.Err()
	case err == nil && len(t.Untaken) > 0:
		err = fmt.Errorf("the search ends before the decision %v", t.Untaken[0])
	}
	return f, t, err
}

// searchCDCL solves the formula and returns the steps.
func searchCDCL(c *Call, in CDCLRequest) (*CDCLReply, error) {
	f, t, err := in.record(c)
	if err != nil {
		return nil, err
	}
	r := &CDCLReply{Status: t.Status.String(), Full: t.Full, Vars: f.Vars(), Steps: t.Steps, Derivations: map[int][]CDCLResolution{}}
	var s trace.State
	for i, step := range t.Steps {
		if step.Kind == trace.Learn && s.Conflict != 0 {
			if r.Derivations[i], err = derivationOf(&s, step); err != nil {
				return nil, err
			}
		}
		if err := s.Apply(step); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func derivationOf(s *trace.State, learn trace.Step) ([]CDCLResolution, error) {
	resolutions, err := s.Derive(learn)
	var rows []CDCLResolution
	for i, r := range resolutions {
		row := CDCLResolution{Clause: r.Clause, Lits: dimacs.Ints(r.Resolvent), UIP: r.UIP}
		if i > 0 {
			row.Pivot = r.Pivot.Int()
		}
		rows = append(rows, row)
	}
	return rows, err
}

// drawCDCL solves the formula again and returns the implication graph of a conflict, or the proof,
// as SVG.
func drawCDCL(c *Call, in CDCLRequest) (string, error) {
	_, t, err := in.record(c)
	if err != nil {
		return "", err
	}
	var d *diagram.Diagram
	if in.Conflict > 0 {
		d, err = t.ConflictGraph(in.Conflict)
	} else {
		d, err = trace.ProofGraph(t.Steps, "the resolution proof of the last learned clause")
	}
	if err != nil {
		return "", err
	}
	var svg bytes.Buffer
	err = d.SVG(&svg)
	return svg.String(), err
}
