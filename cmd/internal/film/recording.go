package film

import (
	"context"
	"fmt"
	"strings"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/sudoku"
)

// A Recording is the list of events of a search.
type Recording struct {
	Puzzle  *sudoku.Grid
	Status  dimacs.Status // the answer; Unknown if the search was stopped
	Caption string        // a line with the heuristic and the encoding

	// Truncated reports whether the search was stopped at [MaxEvents].
	Truncated bool

	formula    *dimacs.Formula
	candidates []int32 // by variable: its candidate, -1 for auxiliary variables
	decided    []bool  // by candidate: it has no variable, since the givens decide it
	solved     bool    // the model is a solution
	events     []event

	// found has the digits that follow from the givens, by cell, if the encoding
	// propagates the givens and the cell has no variables.
	found []int
}

// An event is a compact [classic.Event].
type event struct {
	lit      dimacs.Lit
	clause   int32
	level    int32
	assigned int32
	kind     classic.Kind
}

// MaxEvents is the largest number of events of a recording, at which the search
// ends. They take 40 MB.
const MaxEvents = 1 << 21

// MinFrames is the least number of frames of a recording.
const MinFrames = 10

// A ModelError reports that a model of the engine is no solution of the puzzle,
// because of an error in the engine or the encoding.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return "the model found is no solution: " + e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// Record solves a puzzle with the engine dpll and returns a recording of the
// search. It ignores the fields Trace and Proof of the options. If ctx is done
// before the search ends, the recording has the events up to then. The error
// reports an invalid coding or invalid options, or is a [*ModelError].
func Record(ctx context.Context, g *sudoku.Grid, c sudoku.Coding, o classic.Options) (*Recording, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	cnf, err := g.Encode(c)
	if err != nil {
		return nil, err
	}
	f := &Recording{Puzzle: g.Clone(), formula: cnf.Formula, found: make([]int, g.Rules.Cells())}
	f.Caption = fmt.Sprintf("heuristic %s, encoding %s, pure literals %v", o.Heuristic, cnf.Map.Coding.Encoding, o.Pure)
	f.mapVariables(cnf.Map)
	model := f.search(ctx, o)
	if f.Status != dimacs.Satisfiable {
		return f, nil
	}
	if _, err = cnf.Map.Decode(model); err != nil && !strings.HasPrefix(cnf.Map.Coding.Encoding, "2sat") {
		return nil, &ModelError{err}
	}
	f.solved = err == nil
	return f, nil
}

// mapVariables sets candidates, decided and found.
func (f *Recording) mapVariables(m *sudoku.Map) {
	r := f.Puzzle.Rules
	f.candidates = make([]int32, max(f.formula.Vars(), m.Vars()))
	for v := range f.candidates {
		f.candidates[v] = -1
	}
	f.decided = make([]bool, r.Cells()*r.Size())
	propagated := sudoku.NewCandidates(r)
	consistent := propagated.Load(f.Puzzle) && propagated.Singles()
	for cell := range r.Cells() {
		open := false
		for digit := 1; digit <= r.Size(); digit++ {
			candidate := r.Candidate(cell, digit)
			l, ok := m.Lit(candidate)
			if f.decided[candidate] = !ok; ok {
				f.candidates[l.Var()] = int32(candidate)
				open = true
			}
		}
		if !open && consistent && f.Puzzle.Cells[cell] == 0 {
			f.found[cell] = propagated.Digit(cell)
		}
	}
}

// search runs the engine, records its events, and returns the model.
func (f *Recording) search(ctx context.Context, o classic.Options) dimacs.Model {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	o.Proof = nil
	o.Trace = func(e classic.Event) {
		if len(f.events) == MaxEvents {
			f.Truncated = true
			stop()
			return
		}
		f.events = append(f.events, event{e.Lit, int32(e.Clause), int32(e.Level), int32(e.Assigned), e.Kind})
	}
	s := classic.New(o)
	s.AddFormula(f.formula)
	if f.Status = s.Solve(searching); f.Truncated {
		f.Status = dimacs.Unknown // the engine may have answered after the last event
	}
	if f.Status != dimacs.Satisfiable {
		return nil
	}
	return s.Model()
}

// Events returns the number of events.
func (f *Recording) Events() int { return len(f.events) }

// Found returns the digits that follow from the givens, by cell, if the encoding
// propagates the givens and the cell has no variables; else 0. The caller must not
// change them.
func (f *Recording) Found() []int { return f.found }
