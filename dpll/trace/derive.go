package trace

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// The hints of a learned clause are its derivation, backwards: the last one is the falsified
// clause, and each of the others, the later ones first, implies the complement of a literal of the
// clause derived so far. Resolution on that literal replaces it by the other literals of its
// reason. First come the reasons of the conflict's level, up to the first unique implication point
// (UIP), then the reasons by which minimization removes literals, then unit clauses.

// A Resolution is a step of the derivation of a learned clause: the clause derived so far, with the
// literal Pivot, is resolved with Clause, with the complement of Pivot. The first step has the
// falsified clause alone.
type Resolution struct {
	Clause    int          // number of the clause
	Pivot     dimacs.Lit   // the literal that is resolved on; the first clause has none
	Resolvent []dimacs.Lit // the clause afterwards
	UIP       bool         // the resolvent is the first with one literal of the conflict's level
}

// Derive returns the derivation of the learned clause of a step, from the falsified clause to
// the learned one. The state must be that before the step. It returns an error if the hints
// are no such derivation.
func (s *State) Derive(learn Step) ([]Resolution, error) {
	var steps []Resolution
	var resolvent []dimacs.Lit
	uip := s.Conflict == 0 || s.Levels == 0
	for i := len(learn.Hints) - 1; i >= 0; i-- {
		c, err := s.clause(learn.Hints[i])
		if err != nil {
			return nil, err
		}
		r := Resolution{Clause: learn.Hints[i]}
		if len(steps) == 0 {
			resolvent = union(nil, c.Lits)
		} else if r.Pivot, err = pivotOf(resolvent, c.Lits); err != nil {
			return nil, fmt.Errorf("clause %d: %w", r.Clause, err)
		} else {
			resolvent = union(without(resolvent, r.Pivot), without(c.Lits, r.Pivot.Not()))
		}
		r.Resolvent = resolvent
		if !uip {
			r.UIP = s.atLevel(resolvent, s.Levels) == 1
			uip = r.UIP
		}
		steps = append(steps, r)
	}
	if !sameLits(resolvent, learn.Lits) {
		return nil, fmt.Errorf("the resolvent of the hints is %v", resolvent)
	}
	return steps, nil
}

// atLevel returns the number of literals that are assigned at a level.
func (s *State) atLevel(lits []dimacs.Lit, level int) int {
	n := 0
	for _, l := range lits {
		if s.Value(l) != dimacs.Unassigned && s.assignment(l.Var()).Level == level {
			n++
		}
	}
	return n
}

// pivotOf returns the first literal of a with its complement in b.
func pivotOf(a, b []dimacs.Lit) (dimacs.Lit, error) {
	for _, l := range a {
		if slices.Contains(b, l.Not()) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("no complement of a literal of %v in %v", a, b)
}

// without returns the literals except l.
func without(lits []dimacs.Lit, l dimacs.Lit) []dimacs.Lit {
	return slices.DeleteFunc(slices.Clone(lits), func(k dimacs.Lit) bool { return k == l })
}

// union returns the literals of a and then the other literals of b, each once.
func union(a, b []dimacs.Lit) []dimacs.Lit {
	u := slices.Clone(a)
	for _, l := range b {
		if !slices.Contains(u, l) {
			u = append(u, l)
		}
	}
	return u
}

// sameLits reports whether two clauses have the same literals.
func sameLits(a, b []dimacs.Lit) bool {
	a, b = union(nil, a), union(nil, b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
