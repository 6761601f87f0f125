package proof

import (
	"context"
	"fmt"
	"io"

	"sator/dimacs"
)

// LRAT checking. An LRAT proof lists hints for each lemma: the clauses that imply
// it. When all literals of the lemma are false, these clauses become unit in their
// order, and the last one is falsified (Cruz-Filipe, Heule, Hunt,
// Kaufmann and Schneider-Kamp, "Efficient certified RAT verification", CADE
// 2017). So there is no search: the check visits the clauses of the hints once
// each, and takes time linear in their size.
//
// The time of such a check is that of memory and of the reader. A hint is a
// random access into the clauses and misses the cache. All clauses of a lemma
// are therefore read once before they are visited, so that the misses overlap. The literals of a
// clause are contiguous with their number in front (lrat_arena.go), and the only state of a literal is one byte:
// whether it is false. The literal that is not false is found without a branch, since it
// cannot be predicted. No step allocates. BenchmarkLRAT measures the time of a hint.
//
// Tried: references of 64 bits (twice the memory for each lemma, the same time).
//
// The check is strict. A hint must be a clause that is not deleted and is
// falsified, or has exactly one literal that is not false; some other checkers
// skip other hints. The hints after a falsified one are not read, and
// tautologies need no hints.
//
// The same code checks the steps of a running engine (lrat_live.go) and of a
// file. lrat_rat.go checks RAT lemmas, and lrat_trim.go finds the needed
// lemmas.

// An lratCheck is a check of an LRAT proof in a file.
type lratCheck struct {
	*hintChecker
	pace
	f        *dimacs.Formula
	o        *Options
	history  *history // the lemmas so far; nil without Trim
	last     int64    // the latest id
	reached  bool     // there is a clause of complements of assumptions
	result   Result
	warnings [warningKinds]int
}

// checkLRAT checks the proof that r reads.
func checkLRAT(ctx context.Context, f *dimacs.Formula, r *Reader, o *Options) (*Result, error) {
	c := &lratCheck{hintChecker: newHintChecker(o.Memory), pace: pace{ctx: ctx, report: o.Progress}, f: f, o: o}
	c.result.Format = o.Format
	if o.Trim {
		c.tracing = true
		c.history = new(history)
		c.history.lemmas.memory = o.Memory
		c.result.trimmed.formula = f
	}
	c.assume(o.Assumptions)
	err := c.load()
	for err == nil && !c.reached {
		err = c.next(r)
	}
	c.warnCounts()
	if err != nil {
		return nil, err
	}
	return &c.result, o.readRest(ctx, r)
}

// assume records the assumptions.
func (c *lratCheck) assume(assumptions []dimacs.Lit) {
	for _, a := range assumptions {
		l := c.literal(a)
		for len(c.assumed) < len(c.falsified) {
			c.assumed = append(c.assumed, false)
		}
		c.assumed[l] = true
	}
}

// load adds the clauses of the formula, up to a clause that is the goal.
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
		c.register(ref, c.last)
		if c.isGoal(ref) {
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

// isGoal reports whether all literals of the clause at ref are complements of
// assumptions.
func (c *lratCheck) isGoal(ref uint32) bool {
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
		return c.endError()
	case err != nil:
		return err
	case step.Delete:
		c.delete(step)
		return nil
	}
	return c.lemma(step)
}

// endError returns the error for a proof that ends without a refutation.
func (c *lratCheck) endError() error {
	if len(c.o.Assumptions) > 0 {
		return c.o.checkError(Place{}, nil, "the proof ends without a clause that refutes the assumptions")
	}
	return c.o.checkError(Place{}, nil, "the proof ends without the empty clause")
}

// delete deletes the clauses of a deletion.
func (c *lratCheck) delete(step *Step) {
	for _, id := range step.Hints {
		if c.remove(id) {
			c.result.Deleted++
		} else {
			c.result.Ignored++
			c.warnStep(unknownDeletion, step, "cannot delete clause %d: it %s", id, c.absence(id))
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
	switch c.checkLemma(ref, step.Hints) {
	case unproven:
		return c.o.checkError(step.Place, step.Lits, "%s", c.msg)
	case byRAT:
		c.result.RAT++
		if c.extraGroups > 0 {
			c.warnStep(uselessGroups, step, "lemma %d has hints for clauses without the complement of its first literal: %d", step.ID, c.extraGroups)
		}
	case tautology:
		c.warnStep(tautologicalLemma, step, "lemma %d has a literal and its complement", step.ID)
	}
	c.last = step.ID
	index := c.register(ref, step.ID)
	c.reached = c.isGoal(ref)
	if c.o.Trim {
		c.history.add(index, step.Lits, c.used)
		if c.reached {
			c.history.trim(c.f, c.refs.n, &c.result.trimmed)
		}
	}
	return nil
}

// Kinds of unusual but harmless steps. The first maxWarnings steps of each kind
// are reported, and the others only counted.
const (
	unknownDeletion = iota
	uselessGroups
	tautologicalLemma
	warningKinds
)

var warningNames = [warningKinds]string{
	"deletions of unknown clauses",
	"lemmas with hints for clauses without the complement of their first literal",
	"lemmas that are tautologies",
}

// maxWarnings is the number of warnings of each kind.
const maxWarnings = 3

// warnStep warns about a step.
func (c *lratCheck) warnStep(kind int, step *Step, format string, args ...any) {
	c.warnings[kind]++
	if c.o.Warn != nil && c.warnings[kind] <= maxWarnings {
		c.o.warn("%s: %s", step.Place, fmt.Sprintf(format, args...))
	}
}

// warnCounts warns with the total of each kind that had more than maxWarnings
// steps.
func (c *lratCheck) warnCounts() {
	for kind, n := range c.warnings {
		if n > maxWarnings {
			c.o.warn("%s: %d", warningNames[kind], n)
		}
	}
}
