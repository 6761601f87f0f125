package proof

import (
	"context"
	"fmt"
	"io"

	"sator/dimacs"
)

// An LRAT proof names for each lemma the clauses from which it follows, in the
// order in which they become unit when all literals of the lemma are false, the
// last one being falsified (Cruz-Filipe, Heule, Hunt, Kaufmann and
// Schneider-Kamp, "Efficient certified RAT verification", CADE 2017). So there
// is nothing to search: the check visits the clauses that the hints name, once
// each, and takes time linear in what it visits.
//
// What such a check then waits for is memory, and what the reader gives it. A
// hint is a jump into all clauses that are alive, which misses the cache, and
// then a walk through the literals of one, which does not: the clause is one
// piece with its size in front. Clauses lie in one slice without pointers, ids
// are indices into another one, and the only thing known of a literal is
// whether it is false, a byte. That a literal is true need not be known to see
// a clause become unit. No step allocates anything. A check takes 2 to 8 percent
// of the time that the solver took (BenchmarkLRAT has the time of a hint).
//
// To touch the clause of the next hint before this one is walked through would
// save a sixth of that, which is too little of the whole to make the loop less
// plain. References of 64 bits take the same time as those of 32, and twice the
// memory for each lemma that ever was.
//
// The check is strict. A hint must be a clause that is alive and falsified, or
// one with exactly one literal that is not false; there are checkers that pass
// over hints that are neither. What follows a falsified hint is not looked at,
// and tautologies need no hints.
//
// The same code checks the steps of an engine while they are told (lrat_live.go)
// and those of a file. RAT steps are in lrat_rat.go; in lrat_trim.go the lemmas
// are found that were needed.

// An lratCheck checks a file.
type lratCheck struct {
	*hinted
	pace
	f       *dimacs.Formula
	o       *Options
	past    *past // nil if the proof is not to be trimmed
	last    int64 // the highest id so far
	reached bool  // a clause is the target: only complements of assumptions
	result  Result
	oddness [oddKinds]oddity
}

// checkLRAT checks the proof that r reads.
func checkLRAT(ctx context.Context, f *dimacs.Formula, r *Reader, o *Options) (*Result, error) {
	c := &lratCheck{hinted: newHinted(f.Len(), f.Size()), pace: pace{ctx: ctx, report: o.Progress}, f: f, o: o}
	c.result.Format = o.Format
	if o.Trim {
		c.tracing = true
		c.past = new(past)
		c.result.trimmed.formula = f
	}
	c.assume(o.Assumptions)
	err := c.load()
	for err == nil && !c.reached {
		err = c.next(r)
	}
	c.summarize()
	if err != nil {
		return nil, err
	}
	return &c.result, nil
}

// assume notes the assumptions.
func (c *lratCheck) assume(assumptions []dimacs.Lit) {
	for _, a := range assumptions {
		l := c.literal(a)
		for len(c.assumed) < len(c.falsified) {
			c.assumed = append(c.assumed, false)
		}
		c.assumed[l] = true
	}
}

// load takes in the formula, up to a clause that is the target.
func (c *lratCheck) load() error {
	for i, d := range c.f.Clauses() {
		if err := c.pace.step("formula", int64(c.f.Len())); err != nil {
			return err
		}
		ref, err := c.push(d)
		if err != nil {
			return err
		}
		c.last = int64(i + 1)
		c.enter(ref, c.last)
		if c.aims(ref) {
			c.reached = true
			if c.o.Trim {
				c.result.trimmed.core = []int{i}
				c.result.trimmed.addHinted(d, []int64{c.last})
			}
			return nil
		}
	}
	c.pace.begin()
	return nil
}

// aims reports whether the clause at ref is the target.
func (c *lratCheck) aims(ref uint32) bool {
	for _, l := range c.clause(ref) {
		if int(l) >= len(c.assumed) || !c.assumed[l^1] {
			return false
		}
	}
	return true
}

// next reads a step and checks it.
func (c *lratCheck) next(r *Reader) error {
	if err := c.pace.step("forward", 0); err != nil {
		return err
	}
	step, err := r.Next()
	switch {
	case err == io.EOF:
		return c.unfinished()
	case err != nil:
		return err
	case step.Delete:
		c.delete(step)
		return nil
	}
	return c.lemma(step)
}

// unfinished is the refusal of a proof that ends too early.
func (c *lratCheck) unfinished() error {
	if len(c.o.Assumptions) > 0 {
		return c.o.checkError(Place{}, nil, "the proof ends without a clause that refutes the assumptions")
	}
	return c.o.checkError(Place{}, nil, "the proof ends without the empty clause")
}

// delete does what a deletion says.
func (c *lratCheck) delete(step *Step) {
	for _, id := range step.Hints {
		if c.remove(id) {
			c.result.Deleted++
		} else {
			c.result.Ignored++
			c.strange(deletesNothing, step, "clause %d, which is deleted, %s", id, c.gone(id))
		}
	}
}

// lemma checks a lemma and adds it.
func (c *lratCheck) lemma(step *Step) error {
	c.result.Lemmas++
	switch {
	case step.ID <= int64(c.f.Len()):
		return c.o.checkError(step.Place, step.Lits, "id %d is that of a clause of the formula", step.ID)
	case step.ID <= c.last:
		return c.o.checkError(step.Place, step.Lits, "id %d is not above %d, the one before it", step.ID, c.last)
	}
	ref, err := c.push(step.Lits)
	if err != nil {
		return err
	}
	c.result.Checked++
	switch c.derive(ref, step.Hints) {
	case unproven:
		return c.o.checkError(step.Place, step.Lits, "%s", c.why)
	case byRAT:
		c.result.RAT++
		if c.odd > 0 {
			c.strange(groupsNothing, step, "lemma %d has hints for clauses without the complement of its first literal: %d", step.ID, c.odd)
		}
	case tautology:
		c.strange(isTautology, step, "lemma %d has a literal and its complement", step.ID)
	}
	c.last = step.ID
	index := c.enter(ref, step.ID)
	c.reached = c.aims(ref)
	if c.o.Trim {
		c.past.add(index, step.Lits, c.used)
		if c.reached {
			c.past.trim(c.f, len(c.refs), &c.result.trimmed)
		}
	}
	return nil
}

// What is odd but harmless. Each kind is told a few times, then only counted.
const (
	deletesNothing = iota
	groupsNothing
	isTautology
	oddKinds
)

var oddNames = [oddKinds]string{
	"deletions of clauses that are not there",
	"lemmas with hints for clauses without the complement of their first literal",
	"lemmas that are tautologies",
}

// oddTold is how often a kind of oddity is told.
const oddTold = 3

// An oddity counts what is odd in a proof.
type oddity int

// strange tells what is odd in a step.
func (c *lratCheck) strange(kind int, step *Step, format string, args ...any) {
	c.oddness[kind]++
	if c.o.Warn != nil && c.oddness[kind] <= oddTold {
		c.o.warn("%s: %s", step.Place, fmt.Sprintf(format, args...))
	}
}

// summarize tells how often there was what was told for the first times only.
func (c *lratCheck) summarize() {
	for kind, n := range c.oddness {
		if n > oddTold {
			c.o.warn("%s: %d", oddNames[kind], n)
		}
	}
}
