package proof

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Checker is a [dimacs.Proof] that checks every step at once along its hints,
// as strictly as proofs in the LRAT format are checked. An engine that tells its
// steps to a Checker is checked while it works. The time for a step is linear
// in the clauses that its hints name; memory is linear in the clauses that are
// alive, plus 4 bytes for each that ever was.
//
// Steps with a pivot (RAT) are checked too. They do not stand when a clause is
// given later, so that this is a fault.
type Checker struct {
	*hinted
	last    int64  // id handed out
	latest  uint32 // the clause that came last, which may be deleted since
	lemmas  int
	refuted bool     // the empty clause is there
	pivots  []uint32 // of RAT steps
	err     error
}

// NewChecker returns a checker of an empty proof.
func NewChecker() *Checker { return &Checker{hinted: newHinted(0, 0)} }

// Hints implements [dimacs.Proof]: a Checker wants hints.
func (c *Checker) Hints() bool { return true }

// Err returns the first fault, or nil: a [*CheckError], or an error that says that
// the clauses are too large to be held. Steps after a fault are not checked.
func (c *Checker) Err() error { return c.err }

// Lemmas returns the number of clauses learned, including one that is at fault.
func (c *Checker) Lemmas() int { return c.lemmas }

// Original implements [dimacs.Proof].
func (c *Checker) Original(lits []dimacs.Lit) (id int64) {
	c.last++
	if c.err != nil {
		return c.last
	}
	if len(c.pivots) > 0 {
		c.fault(lits, "clause %d is given after a RAT step", c.last)
		return c.last
	}
	if ref, ok := c.place(lits); ok {
		c.accept(ref)
	}
	return c.last
}

// Learn implements [dimacs.Proof].
func (c *Checker) Learn(lits []dimacs.Lit, hints []int64) (id int64) {
	c.last++
	c.lemmas++
	if c.err != nil {
		return c.last
	}
	ref, ok := c.place(lits)
	if !ok {
		return c.last
	}
	switch c.derive(ref, hints) {
	case unproven:
		c.fault(lits, "lemma %d: %s", c.last, c.why)
		return c.last
	case byRAT:
		c.pivots = append(c.pivots, c.clause(ref)[0])
	}
	c.accept(ref)
	return c.last
}

// Delete implements [dimacs.Proof]. To delete what is not there, or a clause
// with other literals, is a fault.
func (c *Checker) Delete(id int64, lits []dimacs.Lit) {
	if c.err != nil {
		return
	}
	ref := c.refs[c.find(id)]
	switch {
	case ref < firstRef:
		c.fault(lits, "clause %d, which is deleted, %s", id, c.gone(id))
	case !c.same(ref, lits):
		c.fault(lits, "clause %d, which is deleted, has other literals: %s", id, c.quote(ref))
	default:
		c.remove(id)
	}
}

// place puts a clause into the arena. It reports false if there is no room.
func (c *Checker) place(lits []dimacs.Lit) (ref uint32, ok bool) {
	ref, err := c.push(lits)
	if err != nil {
		c.err = err
		return 0, false
	}
	return ref, true
}

// accept makes the clause at ref alive.
func (c *Checker) accept(ref uint32) {
	c.enter(ref, c.last)
	c.latest = ref
	c.refuted = c.refuted || len(c.clause(ref)) == 0
}

// fault keeps the first fault.
func (c *Checker) fault(lits []dimacs.Lit, format string, args ...any) {
	c.err = &CheckError{Clause: slices.Clone(lits), Msg: fmt.Sprintf(format, args...)}
}

// same reports whether the clause at ref has the literals lits, in any order.
// How often it has one twice does not matter.
func (c *Checker) same(ref uint32, lits []dimacs.Lit) bool {
	d := c.clause(ref)
	if len(d) != len(lits) {
		return false
	}
	defer c.undo(0)
	for _, l := range d {
		if !c.falsified[l] {
			c.falsified[l] = true
			c.trail = append(c.trail, l)
		}
	}
	for _, l := range lits {
		if !c.falsified[c.literal(l)] {
			return false
		}
	}
	return true
}

// Refutes returns nil if the proof so far is right and refutes the formula with
// the assumptions: there is a clause whose literals are all complements of
// assumptions, the empty one if there are none. Assumptions that exclude each
// other are refuted by themselves. The clause must be alive, or the last one
// that was given or learned. If it is not the last, all are searched.
func (c *Checker) Refutes(assumptions []dimacs.Lit) error {
	switch {
	case c.err != nil:
		return c.err
	case c.refuted:
		return nil
	}
	defer c.undo(0)
	for _, a := range assumptions {
		l := c.literal(a)
		if c.falsified[l] {
			return nil
		}
		if !c.falsified[l^1] {
			c.falsified[l^1] = true
			c.trail = append(c.trail, l^1)
		}
	}
	for _, p := range c.pivots {
		if c.falsified[p] {
			return fmt.Errorf("proof: %v is assumed, and a RAT step was made on its complement", c.external(p^1))
		}
	}
	found := c.latest > 0 && c.allFalse(c.latest)
	if !found {
		c.each(func(ref uint32) bool {
			found = c.allFalse(ref)
			return !found
		})
	}
	switch {
	case found:
		return nil
	case len(assumptions) > 0:
		return errors.New("proof: no clause refutes the assumptions")
	}
	return errors.New("proof: the empty clause was not derived")
}

// allFalse reports whether all literals of the clause at ref are falsified.
func (c *Checker) allFalse(ref uint32) bool {
	for _, l := range c.clause(ref) {
		if !c.falsified[l] {
			return false
		}
	}
	return true
}
