package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// The checker of a session checks each step along its hints when it reads the step, with
// the LRAT checker of dimacs/proof. That checker shares no code with the engines. Its ids
// are the local ids, so that no id is translated.
//
// The proof of the whole run needs the following.
//
//   - Lemmas are RUP, or define a fresh variable (proof.Checker.DefineFrom).
//   - Fresh variables have no gaps, so that a sender cannot use up the numbers of
//     variables, and imports and exports have no fresh variables.
//   - Each hint refers to a clause of the session, also one that the check does not read
//     because an earlier hint is falsified: the final numbering maps all hints.
//   - Clauses of the formula, imports and exports are not deleted.
//   - An import has the same literals as the exported clause with its final id. The
//     checker does not have that clause. It reports the import, and [Numbering] compares.

// A Checker checks the segments of one session in their order. It is not safe for
// concurrent use. Its memory is linear in the clauses that are not deleted, plus some
// bytes for each id.
type Checker struct {
	check   *proof.Checker
	memory  dimacs.MemoryLimit
	clauses int64 // of the formula
	vars    int   // of the run
	fresh   int   // fresh variables so far
	number  int   // of the latest segment
	last    int64 // latest local id
	kept    map[int64]bool
	empty   bool // the empty clause is a lemma
	err     error
}

// NewChecker returns a checker of a session of a solver with the clauses of f. Variables
// from vars on are fresh; vars must be at least f.Vars(). The limit may be nil. It is
// asked before tables grow. The error is a [*dimacs.MemoryError].
func NewChecker(f *dimacs.Formula, vars int, m dimacs.MemoryLimit) (c *Checker, err error) {
	if vars < f.Vars() || vars > dimacs.MaxVars {
		panic(fmt.Sprintf("session: a checker for %d variables, and a formula of %d", vars, f.Vars()))
	}
	defer catchRefusal(&err)
	c = &Checker{check: proof.NewCheckerWithin(m), memory: m, clauses: int64(f.Len()), vars: vars, last: int64(f.Len()), kept: map[int64]bool{}}
	c.check.DefineFrom(dimacs.Var(vars))
	for _, d := range f.Clauses() {
		c.check.Original(d)
	}
	return c, c.check.Err()
}

// catchRefusal sets err if a memory limit has refused a table.
func catchRefusal(err *error) {
	switch p := recover().(type) {
	case nil:
	case *dimacs.MemoryError:
		*err = p
	default:
		panic(p)
	}
}

// Next returns the number of the segment that must be checked next.
func (c *Checker) Next() int { return c.number + 1 }

// Check checks the next segment of the session. The error is an [*Error] if the segment
// is wrong, the error of r, a [*dimacs.MemoryError], or the cause of ctx. After an error
// the checker must not be used any more, except that a header of another number, or one
// that does not continue the session, changes nothing.
func (c *Checker) Check(ctx context.Context, h Header, r io.Reader) (report *Report, err error) {
	if c.err != nil {
		return nil, c.err
	}
	if err := c.continues(&h); err != nil {
		return nil, err
	}
	defer func() { c.err = err }()
	defer catchRefusal(&err)
	s := newScanner(ctx, h, r, c.memory)
	before := c.fresh
	for {
		step, err := s.next()
		switch {
		case err == io.EOF && c.fresh-before != h.Fresh:
			return nil, s.errorf("it has %d fresh variables, and its header says %d", c.fresh-before, h.Fresh)
		case err == io.EOF:
			c.number, c.last = h.Number, h.Next-1
			c.empty = c.empty || s.report.Empty != 0
			return s.report, nil
		case err != nil:
			return nil, err
		}
		if err := c.step(s, &step); err != nil {
			return nil, err
		}
	}
}

// continues returns an error unless a segment with this header may be next.
func (c *Checker) continues(h *Header) error {
	if err := h.check(); err != nil {
		return err
	}
	switch {
	case h.Number != c.number+1:
		return &Error{Segment: h.Number, Msg: fmt.Sprintf("segment %d must be next", c.number+1)}
	case h.First != c.last+1:
		return &Error{Segment: h.Number, Msg: fmt.Sprintf("it begins with clause %d, and clause %d must be next", h.First, c.last+1)}
	}
	return nil
}

// step checks a step.
func (c *Checker) step(s *scanner, step *segmentStep) error {
	switch step.kind {
	case deletionStep:
		return c.delete(s, step.hints)
	case exportStep:
		return c.export(s, step)
	case importStep:
		switch {
		case c.hasFresh(step.lits):
			return s.errorf("import %d has a fresh variable", step.id)
		case hasRepeated(step.lits):
			return s.errorf("import %d has a repeated literal", step.id)
		}
		c.kept[step.id] = true
		c.check.Original(step.lits)
		return c.stepError(s)
	}
	for _, l := range step.lits {
		switch {
		case !c.introduce(l.Var()):
			return s.errorf("lemma %d has variable %d, and the next fresh variable is %d", step.id, l.Var().Int(), c.vars+c.fresh+1)
		case int(l.Var()) >= c.vars && len(step.lits) > maxFreshLits:
			return s.errorf("lemma %d has a fresh variable and %d literals: want at most %d", step.id, len(step.lits), maxFreshLits)
		}
	}
	for _, h := range step.hints {
		if h >= step.id || h <= -step.id {
			return s.errorf("lemma %d has the hint %d, and there is no such clause before", step.id, h)
		}
	}
	c.check.Learn(step.lits, step.hints)
	return c.stepError(s)
}

// introduce reports whether a lemma may have a variable: a variable of the run or the
// session, or the next fresh variable. It then adds the fresh variable to the session.
func (c *Checker) introduce(v dimacs.Var) bool {
	next := c.vars + c.fresh
	if int(v) == next && next < dimacs.MaxVars {
		c.fresh++
		return true
	}
	return int(v) < next
}

// hasFresh reports whether a clause has a variable beyond the variables of the run.
func (c *Checker) hasFresh(lits []dimacs.Lit) bool {
	return slices.ContainsFunc(lits, func(l dimacs.Lit) bool { return int(l.Var()) >= c.vars })
}

// hasRepeated reports whether a clause has a literal twice.
func hasRepeated(lits []dimacs.Lit) bool {
	sorted := slices.Sorted(slices.Values(lits))
	return len(slices.Compact(sorted)) < len(lits)
}

// delete deletes own clauses.
func (c *Checker) delete(s *scanner, ids []int64) error {
	for _, id := range ids {
		if id <= c.clauses || c.kept[id] {
			return s.errorf("clause %d may not be deleted: it is a clause of the formula, an import or an export", id)
		}
		c.check.Forget(id)
	}
	return c.stepError(s)
}

// export checks an export and keeps its clause.
func (c *Checker) export(s *scanner, step *segmentStep) error {
	switch {
	case step.id <= c.clauses || step.id >= s.id || c.kept[step.id]:
		return s.errorf("clause %d may not be exported: it is no lemma of the session, or was exported before", step.id)
	case c.hasFresh(step.lits):
		return s.errorf("export %d has a fresh variable", step.id)
	case !c.check.Has(step.id, step.lits):
		return s.errorf("export %d has other literals than its clause, or the clause was deleted", step.id)
	}
	c.kept[step.id] = true
	return nil
}

// stepError returns the error of the LRAT checker. A wrong step is an [*Error].
func (c *Checker) stepError(s *scanner) error {
	err := c.check.Err()
	if wrong := (*proof.CheckError)(nil); errors.As(err, &wrong) {
		return &Error{s.h.Number, wrong.Error(), err}
	}
	return err
}

// Refutes returns nil if the clause with the local id refutes the cube by its failed
// literals: the failed literals are literals of the cube, the clause consists of their
// complements, and a segment that was checked exports it. The error is an [*Error].
//
// If no literal failed, the formula is refuted: a segment that was checked must have the
// empty clause, and the id does not matter.
func (c *Checker) Refutes(cube, failed []dimacs.Lit, clause int64) error {
	if c.err != nil {
		return c.err
	}
	assumed := make(map[dimacs.Lit]bool, len(cube))
	for _, l := range cube {
		assumed[l] = true
	}
	lits := make([]dimacs.Lit, len(failed))
	for i, l := range failed {
		if !assumed[l] {
			return &Error{Msg: fmt.Sprintf("the failed literal %v is no literal of the cube", l)}
		}
		lits[i] = l ^ 1
	}
	switch {
	case len(failed) == 0 && !c.empty:
		return &Error{Msg: "no segment has the empty clause"}
	case len(failed) > 0 && !c.kept[clause]:
		return &Error{Msg: fmt.Sprintf("the refuting clause %d is no export", clause)}
	case len(failed) > 0 && !c.check.Has(clause, lits):
		return &Error{Msg: fmt.Sprintf("the refuting clause %d does not consist of the complements of the failed literals", clause)}
	}
	return nil
}
