package trace

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Clause is a clause of the formula or a learned one.
type Clause struct {
	Lits    []dimacs.Lit
	Watches []dimacs.Lit // two, or nil for a clause that is not watched
	Learned bool
	Deleted bool
}

// An Assignment is a literal on the trail.
type Assignment struct {
	Lit    dimacs.Lit
	Level  int
	Reason int // number of the clause that implies it; 0 for decisions and assumptions
}

// A State is the state of a search after some steps. The zero State is that before the first step.
type State struct {
	Clauses   []Clause     // clause number n is Clauses[n-1]
	Trail     []Assignment // the true literals, in the order of their assignment
	Levels    int          // number of the current decision level
	Conflict  int          // number of the falsified clause, 0 for none
	Conflicts int          // number of conflicts so far

	place map[dimacs.Var]int // index on the trail
}

// Value returns the value of a literal.
func (s *State) Value(l dimacs.Lit) dimacs.Value {
	i, ok := s.place[l.Var()]
	switch {
	case !ok:
		return dimacs.Unassigned
	case s.Trail[i].Lit == l:
		return dimacs.True
	}
	return dimacs.False
}

// assignment returns the assignment of an assigned variable.
func (s *State) assignment(v dimacs.Var) *Assignment { return &s.Trail[s.place[v]] }

// clause returns a clause by its number.
func (s *State) clause(n int) (*Clause, error) {
	if n < 1 || n > len(s.Clauses) || s.Clauses[n-1].Deleted {
		return nil, fmt.Errorf("there is no clause %d", n)
	}
	return &s.Clauses[n-1], nil
}

// Apply applies the next step. It returns an error if the step does not follow from the rules of
// the search: a decided literal is assigned, propagation has overlooked a clause before the
// decision, a clause does not imply the literal or is not falsified, a watch is no literal of its
// clause, or a learned clause has no derivation by resolution (see [State.Derive]).
func (s *State) Apply(step Step) error {
	if err := s.apply(step); err != nil {
		return fmt.Errorf("trace: %v: %w", step, err)
	}
	return nil
}

func (s *State) apply(step Step) error {
	switch step.Kind {
	case Add:
		s.Clauses = append(s.Clauses, Clause{Lits: step.Lits})
		return nil
	case Learn:
		if _, err := s.Derive(step); err != nil {
			return err
		}
		s.Clauses = append(s.Clauses, Clause{Lits: step.Lits, Learned: true})
		return nil
	case Assume, Decide:
		if err := s.propagated(); err != nil {
			return err
		}
		s.Levels = step.Level // an assumption that is true has a level without literals
		return s.assign(step, 0)
	case Backtrack:
		s.backtrack(step.Level)
		return nil
	case Restart:
		return nil
	case Visit:
		if s.Value(step.Lit) != dimacs.True {
			return fmt.Errorf("the literal is not true")
		}
		return nil
	}
	c, err := s.clause(step.Clause)
	if err != nil {
		return err
	}
	switch step.Kind {
	case Imply:
		return s.imply(step, c)
	case Watch:
		return s.watch(step, c)
	case Conflict:
		s.Conflict = step.Clause
		s.Conflicts++
		return s.falsified(c.Lits)
	case Delete:
		c.Deleted = true
		return nil
	}
	return fmt.Errorf("the kind is unknown")
}

// assign appends the literal of a step to the trail.
func (s *State) assign(step Step, reason int) error {
	if s.Value(step.Lit) != dimacs.Unassigned {
		return fmt.Errorf("the literal is assigned")
	}
	if s.place == nil {
		s.place = make(map[dimacs.Var]int)
	}
	s.place[step.Lit.Var()] = len(s.Trail)
	s.Trail = append(s.Trail, Assignment{step.Lit, step.Level, reason})
	return nil
}

// backtrack unassigns the literals above a level.
func (s *State) backtrack(level int) {
	s.Levels, s.Conflict = level, 0
	for i := len(s.Trail) - 1; i >= 0 && s.Trail[i].Level > level; i-- {
		delete(s.place, s.Trail[i].Lit.Var())
		s.Trail = s.Trail[:i]
	}
}

// imply assigns the literal that the clause implies, at the highest level of the others.
func (s *State) imply(step Step, c *Clause) error {
	i := slices.Index(c.Lits, step.Lit)
	if i < 0 {
		return fmt.Errorf("the clause has no such literal")
	}
	others := slices.Delete(slices.Clone(c.Lits), i, i+1)
	if err := s.falsified(others); err != nil {
		return err
	}
	level := 0
	for _, l := range others {
		level = max(level, s.assignment(l.Var()).Level)
	}
	if level != step.Level {
		return fmt.Errorf("the highest level of the other literals is %d", level)
	}
	return s.assign(step, step.Clause)
}

// falsified returns an error unless all literals are false.
func (s *State) falsified(lits []dimacs.Lit) error {
	for _, l := range lits {
		if s.Value(l) != dimacs.False {
			return fmt.Errorf("the literal %v is not false", l)
		}
	}
	return nil
}

// watch sets the watched literals of a clause.
func (s *State) watch(step Step, c *Clause) error {
	if len(step.Lits) != 2 || step.Lits[0] == step.Lits[1] {
		return fmt.Errorf("a clause has two watches")
	}
	for _, l := range step.Lits {
		if !slices.Contains(c.Lits, l) {
			return fmt.Errorf("the clause has no literal %v", l)
		}
	}
	c.Watches = step.Lits
	return nil
}

// propagated returns an error unless unit propagation has ended: each clause has a true literal,
// or two unassigned ones. Unassigned watches are among the latter.
func (s *State) propagated() error {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		unassigned, watched := 0, 0
		if c.Deleted || slices.ContainsFunc(c.Lits, func(l dimacs.Lit) bool { return s.Value(l) == dimacs.True }) {
			continue
		}
		for _, l := range c.Lits {
			if s.Value(l) == dimacs.Unassigned {
				unassigned++
			}
		}
		for _, l := range c.Watches {
			if s.Value(l) == dimacs.Unassigned {
				watched++
			}
		}
		if unassigned < 2 || watched < len(c.Watches) {
			return fmt.Errorf("propagation has overlooked clause %d", i+1)
		}
	}
	return nil
}
