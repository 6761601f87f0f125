package dplltest

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Recorder is a naive proof checker: a [dimacs.Proof] that checks every step at once
// by scanning all clauses. A learned clause must have the RUP property: reverse unit
// propagation over the live clauses refutes its negation. If the recorder requests
// hints, the hints must prove the clause as in LRAT: under its negation each hint is a
// live clause that is unit, and the last one is falsified.
//
// RAT steps are rejected unless [NewRATRecorder] made the recorder, see
// recorder_rat.go. Checking a learned clause takes time linear in all live clauses for
// each propagated literal.
type Recorder struct {
	hints     bool
	rat       bool           // RAT steps are accepted
	pivots    int            // number of RAT steps
	requests  int            // number of calls of Hints
	originals [][]dimacs.Lit // the original clauses, in order
	live      []recorded     // all clauses; ids are indices plus 1
	vars      int            // number of variables of the clauses
	refuted   bool           // there is an empty clause
	learned   int            // number of learned clauses
	work      int            // number of clause visits
	err       error          // the first error
}

// A recorded clause is an original or learned clause.
type recorded struct {
	lits    []dimacs.Lit
	deleted bool
}

// NewRecorder returns a recorder of an empty proof. It requests hints if hints is true.
func NewRecorder(hints bool) *Recorder { return &Recorder{hints: hints} }

// NewRATRecorder returns a recorder like [NewRecorder] that also accepts RAT steps.
func NewRATRecorder(hints bool) *Recorder { return &Recorder{hints: hints, rat: true} }

// Err returns the error of the first wrong step, or nil.
func (p *Recorder) Err() error { return p.err }

// Refuted reports whether the proof has an empty clause, original or learned.
func (p *Recorder) Refuted() bool { return p.refuted }

// Learned returns the number of learned clauses, including wrong ones.
func (p *Recorder) Learned() int { return p.learned }

// Alive returns the number of live clauses, original or learned, with at least that many
// literals.
func (p *Recorder) Alive(size int) int {
	n := 0
	for _, c := range p.live {
		if !c.deleted && len(c.lits) >= size {
			n++
		}
	}
	return n
}

// Originals returns the original clauses in order.
func (p *Recorder) Originals() [][]dimacs.Lit { return p.originals }

// Verify returns an error if a step of the proof is wrong, or if the proof does not
// prove the answer. A refutation needs the empty clause. In a refutation under
// assumptions, the clause of the complements of the failed assumptions must have the RUP
// property. Failed is nil unless the answer is Unsatisfiable.
func (p *Recorder) Verify(status dimacs.Status, failed []dimacs.Lit) error {
	switch {
	case p.err != nil:
		return p.err
	case status != dimacs.Unsatisfiable || p.refuted:
		return nil
	case len(failed) == 0:
		return errors.New("proof: unsatisfiable, but the empty clause was not learned")
	case p.pivots > 0:
		return errors.New("proof: RAT steps prove nothing under assumptions")
	}
	core := mapLits(failed, dimacs.Lit.Not)
	if !p.implied(core) {
		return fmt.Errorf("proof: the clause %v of the failed assumptions is not implied by unit propagation", core)
	}
	return nil
}

// Hints implements [dimacs.Proof].
func (p *Recorder) Hints() bool {
	p.requests++
	if p.requests > 1 {
		p.fail("Hints was called twice")
	}
	if len(p.live) > 0 {
		p.fail("Hints was called after the first step")
	}
	return p.hints
}

// Original implements [dimacs.Proof].
func (p *Recorder) Original(lits []dimacs.Lit) (id int64) {
	p.originals = append(p.originals, slices.Clone(lits))
	if p.pivots > 0 {
		p.fail("the original clause %v comes after a RAT step", lits)
	}
	return p.record(lits)
}

// Learn implements [dimacs.Proof].
func (p *Recorder) Learn(lits []dimacs.Lit, hints []int64) (id int64) {
	p.learned++
	switch {
	case repeated(lits):
		p.fail("learned %v has a literal twice", lits)
	case !p.hints && len(hints) > 0:
		p.fail("learned %v with hints that were not requested", lits)
	case p.hints:
		if err := p.checkHints(lits, hints); err != nil {
			p.fail("learned %v along %v: %w", lits, hints, err)
		}
	case p.implied(lits):
	case !p.rat:
		p.fail("learned %v is not implied by unit propagation", lits)
	case !p.hasRAT(lits):
		p.fail("learned %v has neither the RUP nor the RAT property", lits)
	default:
		p.pivots++
	}
	return p.record(lits)
}

// Delete implements [dimacs.Proof].
func (p *Recorder) Delete(id int64, lits []dimacs.Lit) {
	c, err := p.clause(id)
	switch {
	case err != nil:
		p.fail("delete: %w", err)
	case !slices.Equal(sorted(c), sorted(lits)):
		p.fail("deleted clause %d as %v, but it is %v", id, lits, c)
	default:
		p.live[id-1].deleted = true
	}
}

// fail stores the first error. It counts steps by the number of clauses.
func (p *Recorder) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("proof: after %d clauses: %w", len(p.live), fmt.Errorf(format, args...))
	}
}

// record adds a clause and returns its id.
func (p *Recorder) record(lits []dimacs.Lit) (id int64) {
	p.live = append(p.live, recorded{lits: slices.Clone(lits)})
	for _, l := range lits {
		p.vars = max(p.vars, int(l.Var())+1)
	}
	p.refuted = p.refuted || len(lits) == 0
	return int64(len(p.live))
}

// clause returns the live clause with that id.
func (p *Recorder) clause(id int64) ([]dimacs.Lit, error) {
	switch {
	case id <= 0 || id > int64(len(p.live)):
		return nil, fmt.Errorf("there is no clause %d", id)
	case p.live[id-1].deleted:
		return nil, fmt.Errorf("clause %d was deleted", id)
	}
	return p.live[id-1].lits, nil
}

// implied reports whether unit propagation over all live clauses refutes the
// negation of c.
func (p *Recorder) implied(c []dimacs.Lit) bool {
	m := negation(c, p.vars)
	if m == nil {
		return true
	}
	for progress := true; progress; {
		progress = false
		p.work += len(p.live)
		for _, d := range p.live {
			if d.deleted {
				continue
			}
			switch unit, count := open(m, d.lits); count {
			case 0:
				return true
			case 1:
				m.Set(unit)
				progress = true
			}
		}
	}
	return false
}

// checkHints checks that the hints prove c.
func (p *Recorder) checkHints(c []dimacs.Lit, hints []int64) error {
	m := negation(c, p.vars)
	if m == nil {
		return nil
	}
	positive := groupEnd(hints)
	falsified, err := p.propagateHints(m, hints[:positive])
	switch {
	case err != nil:
		return err
	case falsified && positive < len(hints):
		return errors.New("groups of hints follow a falsified clause")
	case falsified:
		return nil
	case p.rat && len(c) > 0:
		p.pivots++
		return p.checkGroups(c, m, hints[positive:])
	}
	return errors.New("the last hint is not falsified")
}

// propagateHints propagates the hints in m, one after the other. Each must be a unit clause,
// except that the last one may be falsified. It reports whether the last one is.
func (p *Recorder) propagateHints(m dimacs.Model, hints []int64) (falsified bool, err error) {
	for i, id := range hints {
		d, err := p.clause(id)
		if err != nil {
			return false, err
		}
		unit, count := open(m, d)
		switch last := i == len(hints)-1; {
		case count == 0 && last:
			return true, nil
		case count == 0:
			return false, fmt.Errorf("hint %d, %v, is falsified before the last", id, d)
		case count == 1:
			m.Set(unit)
		default:
			return false, fmt.Errorf("hint %d, %v, is not unit", id, d)
		}
	}
	return false, nil
}

// negation returns the assignment over at least that many variables in which all
// literals of c are false, or nil if c is a tautology.
func negation(c []dimacs.Lit, vars int) dimacs.Model {
	for _, l := range c {
		vars = max(vars, int(l.Var())+1)
	}
	m := make(dimacs.Model, vars)
	for _, l := range c {
		if m.Lit(l) == dimacs.True {
			return nil
		}
		m.Set(l.Not())
	}
	return m
}

// sorted returns a sorted copy.
func sorted(ls []dimacs.Lit) []dimacs.Lit {
	ls = slices.Clone(ls)
	slices.Sort(ls)
	return ls
}

// repeated reports whether a literal occurs twice.
func repeated(ls []dimacs.Lit) bool {
	return len(slices.Compact(sorted(ls))) < len(ls)
}
