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
// them, so that a call of Original after a RAT step is an error. See
// [Checker.DefineFrom] for an exception.
type Checker struct {
	*hintChecker
	defining bool       // RAT is for definitions alone, see DefineFrom
	defined  dimacs.Var // the first variable that may be defined
	last     int64      // the latest id
	latest   uint32     // the latest clause, which may be deleted
	lemmas   int
	refuted  bool   // the empty clause was added
	pivots   []bool // by literal: it is the pivot of a RAT step; missing entries are false
	err      error
}

// NewChecker returns a checker of an empty proof.
func NewChecker() *Checker { return NewCheckerWithin(nil) }

// NewCheckerWithin returns a checker of an empty proof that asks a limit before it extends
// its tables. If the limit refuses, Original and Learn panic with a
// [*dimacs.MemoryError]. Later steps are not checked, and Err returns such an error.
func NewCheckerWithin(m dimacs.MemoryLimit) *Checker {
	return &Checker{hintChecker: newHintChecker(m)}
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
	switch {
	case len(c.pivots) == 0:
	case !c.defining:
		c.fault(lits, "clause %d is given after a RAT step", c.last)
		return c.last
	case c.hasDefined(lits):
		c.fault(lits, "clause %d is given after a RAT step, with a defined variable", c.last)
		return c.last
	}
	if ref, ok := c.store(lits); ok {
		c.accept(ref)
	}
	return c.last
}

// originalOfSource gives the next clause of the source, of n literals, the next id.
func (c *Checker) originalOfSource(n int) {
	c.last++
	switch {
	case c.err != nil:
	case len(c.pivots) > 0:
		c.fault(nil, "clause %d is given after a RAT step", c.last)
	default:
		c.registerSource(c.last)
		c.refuted = c.refuted || n == 0
	}
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
		if c.defining && lits[0].Var() < c.defined {
			c.fault(lits, "lemma %d does not follow by unit propagation, and its pivot %v may not be defined", c.last, lits[0])
			return c.last
		}
		pivot := int(c.clause(ref)[0])
		if more := pivot + 1 - len(c.pivots); more > 0 {
			c.pivots = dimacs.Extend(c.memory, c.pivots, more)[:pivot+1]
		}
		c.pivots[pivot] = true
	case tautology:
		if c.strict {
			c.fault(lits, "lemma %d contains a literal and its complement", c.last)
			return c.last
		}
	}
	c.accept(ref)
	return c.last
}

// DefineFrom restricts RAT steps to definitions: a lemma that is RAT but not RUP must
// have as its pivot the variable first or a higher one. So each lemma without such
// variables is implied by the clauses of the formula. Clauses without such variables
// may then be given after RAT steps.
//
// DefineFrom also makes the checker stricter. Errors are lemmas with repeated or
// complementary literals, and groups of hints for a clause without the complement of the
// pivot. Otherwise a short step could take a long time.
//
// DefineFrom must be called before the first step.
func (c *Checker) DefineFrom(first dimacs.Var) { c.defining, c.defined, c.strict = true, first, true }

// hasDefined reports whether a clause has a variable that may be defined.
func (c *Checker) hasDefined(lits []dimacs.Lit) bool {
	return slices.ContainsFunc(lits, func(l dimacs.Lit) bool { return l.Var() >= c.defined })
}

// Has reports whether the clause with this id is not deleted and has the literals lits,
// in any order and without duplicates.
func (c *Checker) Has(id int64, lits []dimacs.Lit) bool {
	ref := c.lookup(id)
	if ref < firstRef || len(c.clause(ref)) != len(lits) {
		return false
	}
	defer c.backtrack(0)
	for _, a := range lits {
		l := c.literal(a)
		if c.falsified[l] != 0 {
			return false // a duplicate
		}
		c.falsified[l] = 1
		c.trail = append(c.trail, l)
	}
	return c.allFalse(ref)
}

// Forget deletes a clause by its id alone. The deletion of an unknown clause is an
// error.
func (c *Checker) Forget(id int64) {
	if c.err == nil && !c.remove(id) {
		c.fault(nil, "cannot delete clause %d: it %s", id, c.absence(id))
	}
}

// Delete implements [dimacs.Proof]. The deletion of an unknown clause, or with
// other literals than those of the clause, is an error.
func (c *Checker) Delete(id int64, lits []dimacs.Lit) {
	if c.err != nil {
		return
	}
	ref := c.lookup(id)
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
		if c.falsified[l] == 0 {
			c.falsified[l] = 1
			c.trail = append(c.trail, l)
		}
	}
	for _, l := range lits {
		if c.falsified[c.literal(l)] == 0 {
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
		if c.falsified[l] != 0 {
			return nil
		}
		if c.falsified[l^1] == 0 {
			c.falsified[l^1] = 1
			c.trail = append(c.trail, l^1)
		}
	}
	for _, p := range c.trail {
		if int(p) < len(c.pivots) && c.pivots[p] {
			return fmt.Errorf("proof: %v is assumed, and a RAT step was made on its complement", c.external(p^1))
		}
	}
	found := c.latest > 0 && c.allFalse(c.latest)
	if !found {
		c.loadAll()
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
		if c.falsified[l] == 0 {
			return false
		}
	}
	return true
}
