package proof

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Checker is a [dimacs.Proof] that checks each step along its hints when it
// is logged, as strictly as [Check] checks LRAT proofs. So an engine can be
// checked while it runs. The time of a step is linear in the size of the clauses in
// its hints. The memory is linear in the size of the clauses that are not
// deleted, plus 4 bytes for each clause.
//
// A Checker also checks RAT steps. A clause that is added later may invalidate
// them, so that a call of Original after a RAT step is an error.
type Checker struct {
	*hintChecker
	last    int64  // the latest id
	latest  uint32 // the latest clause, which may be deleted
	lemmas  int
	refuted bool     // the empty clause was added
	pivots  []uint32 // the pivots of RAT steps
	err     error
}

// NewChecker returns a checker of an empty proof.
func NewChecker() *Checker { return NewCheckerWithin(nil) }

// NewCheckerWithin returns a checker of an empty proof that asks a limit before it extends
// its tables. If the limit refuses, Original and Learn panic with a
// [*dimacs.MemoryError]. Later steps are not checked, and Err returns such an error.
func NewCheckerWithin(m dimacs.MemoryLimit) *Checker {
	return &Checker{hintChecker: newHintChecker(0, 0, m)}
}

// errRefused is the error of a checker whose memory limit refused a table.
var errRefused = new(dimacs.MemoryError)

// Hints implements [dimacs.Proof]. It returns true.
func (c *Checker) Hints() bool { return true }

// Err returns the first error, or nil. It is a [*CheckError], or an error for
// clauses that exceed the capacity of the checker. Steps after an error are not
// checked.
func (c *Checker) Err() error { return c.err }

// Lemmas returns the number of learned clauses, including a wrong one.
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
	if ref, ok := c.store(lits); ok {
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
	ref, ok := c.store(lits)
	if !ok {
		return c.last
	}
	switch c.checkLemma(ref, hints) {
	case unproven:
		c.fault(lits, "lemma %d: %s", c.last, c.msg)
		return c.last
	case byRAT:
		c.pivots = append(c.pivots, c.clause(ref)[0])
	}
	c.accept(ref)
	return c.last
}

// Delete implements [dimacs.Proof]. The deletion of an unknown clause, or with
// other literals than those of the clause, is an error.
func (c *Checker) Delete(id int64, lits []dimacs.Lit) {
	if c.err != nil {
		return
	}
	ref := c.refs[c.find(id)]
	switch {
	case ref < firstRef:
		c.fault(lits, "cannot delete clause %d: it %s", id, c.absence(id))
	case !c.equals(ref, lits):
		c.fault(lits, "cannot delete clause %d with these literals: it is %s", id, c.quote(ref))
	default:
		c.remove(id)
	}
}

// store appends a clause to the arena. It returns false if that is full.
func (c *Checker) store(lits []dimacs.Lit) (ref uint32, ok bool) {
	c.err = errRefused // if push panics
	ref, c.err = c.push(lits)
	return ref, c.err == nil
}

// accept adds the clause at ref.
func (c *Checker) accept(ref uint32) {
	c.err = errRefused // if register panics
	c.register(ref, c.last)
	c.err = nil
	c.latest = ref
	c.refuted = c.refuted || len(c.clause(ref)) == 0
}

// fault sets the error.
func (c *Checker) fault(lits []dimacs.Lit, format string, args ...any) {
	c.err = &CheckError{Clause: slices.Clone(lits), Msg: fmt.Sprintf(format, args...)}
}

// equals reports whether the clause at ref has the literals lits, in any order.
// The number of duplicates does not matter.
func (c *Checker) equals(ref uint32, lits []dimacs.Lit) bool {
	d := c.clause(ref)
	if len(d) != len(lits) {
		return false
	}
	defer c.backtrack(0)
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

// Refutes returns nil if the proof so far is correct and refutes the formula
// under the assumptions: there is a clause whose literals are all complements
// of assumptions, or the assumptions are contradictory. The clause must not be
// deleted, unless it is the latest one. If it is not the latest one, all
// clauses are searched.
func (c *Checker) Refutes(assumptions []dimacs.Lit) error {
	switch {
	case c.err != nil:
		return c.err
	case c.refuted:
		return nil
	}
	defer c.backtrack(0)
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

// allFalse reports whether all literals of the clause at ref are false.
func (c *Checker) allFalse(ref uint32) bool {
	for _, l := range c.clause(ref) {
		if !c.falsified[l] {
			return false
		}
	}
	return true
}
