package dplltest

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Recorder is a [dimacs.Proof] that checks every step as it comes, by
// scanning: a learned clause must follow by reverse unit propagation from the
// clauses that are alive, where each round of propagation looks at all of
// them. If it asks for hints, the clause must follow along its hints in the
// strict manner of LRAT: with the negation of the clause assumed, each hint is
// a live clause that has become unit, and the last one is falsified.
//
// Steps with a pivot (RAT) are rejected unless the recorder was made to accept
// them, see recorder_rat.go. Checking a learned clause takes time linear in all
// live clauses for each literal that propagates.
type Recorder struct {
	hints     bool
	rat       bool // steps with a pivot are accepted
	pivots    int  // how many there were
	asked     int  // how often Hints was called
	originals [][]dimacs.Lit
	live      []recorded // by id, from 1 on
	vars      int        // that occur in them
	refuted   bool
	learned   int
	work      int // clauses looked at
	err       error
}

// A recorded clause is what id it had: its place in the list, plus one.
type recorded struct {
	lits    []dimacs.Lit
	deleted bool
}

// NewRecorder returns a recorder of an empty proof that asks for hints or does
// without.
func NewRecorder(hints bool) *Recorder { return &Recorder{hints: hints} }

// NewRATRecorder returns one that accepts steps with a pivot (RAT) too.
func NewRATRecorder(hints bool) *Recorder { return &Recorder{hints: hints, rat: true} }

// Err returns the first fault in the proof so far, or nil.
func (p *Recorder) Err() error { return p.err }

// Refuted reports whether the empty clause was given or learned.
func (p *Recorder) Refuted() bool { return p.refuted }

// Learned returns the number of clauses learned, right or not.
func (p *Recorder) Learned() int { return p.learned }

// Alive returns how many clauses of at least so many literals, given or learned,
// were not deleted.
func (p *Recorder) Alive(size int) int {
	n := 0
	for _, c := range p.live {
		if !c.deleted && len(c.lits) >= size {
			n++
		}
	}
	return n
}

// Originals returns the clauses that were logged as given, in order.
func (p *Recorder) Originals() [][]dimacs.Lit { return p.originals }

// Verify returns an error if the proof so far has a fault or does not bear out
// an answer: an unsatisfiable formula needs the empty clause, and where
// assumptions failed, the clause that says so must follow by unit propagation.
// Failed is nil unless the answer is Unsatisfiable.
func (p *Recorder) Verify(status dimacs.Status, failed []dimacs.Lit) error {
	switch {
	case p.err != nil:
		return p.err
	case status != dimacs.Unsatisfiable || p.refuted:
		return nil
	case len(failed) == 0:
		return errors.New("proof: unsatisfiable, but the empty clause was not learned")
	case p.pivots > 0:
		return errors.New("proof: RAT steps say nothing of what is assumed")
	}
	core := mapLits(failed, dimacs.Lit.Not)
	if !p.implied(core) {
		return fmt.Errorf("proof: the clause %v of the failed assumptions is not implied by unit propagation", core)
	}
	return nil
}

// Hints implements [dimacs.Proof].
func (p *Recorder) Hints() bool {
	p.asked++
	if p.asked > 1 {
		p.fault("Hints was called twice")
	}
	if len(p.live) > 0 {
		p.fault("Hints was called after the first step")
	}
	return p.hints
}

// Original implements [dimacs.Proof].
func (p *Recorder) Original(lits []dimacs.Lit) (id int64) {
	p.originals = append(p.originals, slices.Clone(lits))
	if p.pivots > 0 {
		p.fault("%v is given after a RAT step", lits)
	}
	return p.record(lits)
}

// Learn implements [dimacs.Proof].
func (p *Recorder) Learn(lits []dimacs.Lit, hints []int64) (id int64) {
	p.learned++
	switch {
	case repeated(lits):
		p.fault("learned %v has a literal twice", lits)
	case !p.hints && len(hints) > 0:
		p.fault("learned %v with hints that nobody asked for", lits)
	case p.hints:
		if err := p.follow(lits, hints); err != nil {
			p.fault("learned %v along %v: %w", lits, hints, err)
		}
	case p.implied(lits):
	case !p.rat:
		p.fault("learned %v is not implied by unit propagation", lits)
	case !p.redundant(lits):
		p.fault("learned %v is not implied by unit propagation, nor has it the RAT property", lits)
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
		p.fault("delete: %w", err)
	case !slices.Equal(sorted(c), sorted(lits)):
		p.fault("deleted clause %d as %v, but it is %v", id, lits, c)
	default:
		p.live[id-1].deleted = true
	}
}

// fault keeps the first error. It counts steps by the ids given so far.
func (p *Recorder) fault(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("proof: after %d clauses: %w", len(p.live), fmt.Errorf(format, args...))
	}
}

func (p *Recorder) record(lits []dimacs.Lit) (id int64) {
	p.live = append(p.live, recorded{lits: slices.Clone(lits)})
	for _, l := range lits {
		p.vars = max(p.vars, int(l.Var())+1)
	}
	p.refuted = p.refuted || len(lits) == 0
	return int64(len(p.live))
}

// clause returns the live clause of an id.
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

// follow checks the hints of a clause.
func (p *Recorder) follow(c []dimacs.Lit, hints []int64) error {
	m := negation(c, p.vars)
	if m == nil {
		return nil
	}
	positive := groupEnd(hints)
	falsified, err := p.lead(m, hints[:positive])
	switch {
	case err != nil:
		return err
	case falsified && positive < len(hints):
		return errors.New("there are groups of hints behind a clause that is falsified")
	case falsified:
		return nil
	case p.rat && len(c) > 0:
		p.pivots++
		return p.followGroups(c, m, hints[positive:])
	}
	return errors.New("the last hint is not falsified")
}

// lead makes true in m what the hints make unit. It reports whether the last one is
// falsified. None before it may be.
func (p *Recorder) lead(m dimacs.Model, hints []int64) (falsified bool, err error) {
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

// negation returns the assignment over at least so many variables in which
// every literal of c is false, or nil if there is none, c being a tautology.
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

func sorted(ls []dimacs.Lit) []dimacs.Lit {
	ls = slices.Clone(ls)
	slices.Sort(ls)
	return ls
}

func repeated(ls []dimacs.Lit) bool {
	return len(slices.Compact(sorted(ls))) < len(ls)
}
