package maxsat

import (
	"slices"

	"sator/dimacs"
	"sator/dimacs/card"
)

// A bound is a literal of the objective that bounds the false literals of a core: at most
// so many of them are false. When it takes part in a core itself, the next bound of the
// same totalizer enters the objective.
type bound struct {
	falsified *card.Totalizer // counts the false literals of the core
	most      int
}

// relax replaces a core in the objective. It returns false if a limit was reached.
func (s *search) relax(core []dimacs.Lit) bool {
	s.result.Cores++
	weight := s.weights[core[0]]
	for _, l := range core {
		weight = min(weight, s.weights[l])
	}
	s.raise(weight)
	for _, l := range core {
		s.takeWeight(l, weight)
		if b := s.bounds[l]; b != nil {
			s.addBound(&bound{b.falsified, b.most + 1}, weight)
		}
	}
	clause := make([]dimacs.Lit, len(core)) // at least one literal is false
	for i, l := range core {
		clause[i] = l.Not()
	}
	s.solver.Add(clause...)
	if len(core) == 1 {
		return true
	}
	return s.exhaust(&bound{s.card.NewTotalizer(clause), 1}, weight)
}

// addBound adds a bound to the objective, unless it is always true.
func (s *search) addBound(b *bound, weight int64) {
	if b.most >= b.falsified.Len() {
		return
	}
	l := b.falsified.AtLeast(b.most + 1).Not()
	s.bounds[l] = b
	s.solver.Freeze(l)
	s.addWeight(l, weight)
}

// exhaust raises the bound of a new totalizer as long as the solver refutes it quickly
// (core exhaustion), and adds it to the objective. Each step raises the lower bound as a
// core of this one literal would. It returns false if a limit was reached.
func (s *search) exhaust(b *bound, weight int64) bool {
	for s.o.MinimizeConflicts > 0 && b.most < b.falsified.Len() && s.lower < s.upper {
		l := b.falsified.AtLeast(b.most + 1).Not()
		if s.solveWithin(s.o.MinimizeConflicts, []dimacs.Lit{l}) != dimacs.Unsatisfiable {
			break
		}
		if len(s.solver.Failed()) == 0 { // by hardening
			s.lower = s.upper
			return true
		}
		s.solver.Add(l.Not())
		s.raise(weight)
		b.most++
	}
	s.addBound(b, weight)
	return s.ctx.Err() == nil
}

// Core minimization: a smaller core has a smaller totalizer, and often a larger weight.
// The core is trimmed by solving under its own literals as long as that makes it smaller,
// and then each literal is left out, if the rest is refuted quickly. Large cores are only
// trimmed, since each literal costs a call.
const (
	trims        = 5
	minimizeMost = 50 // literals of a core that is minimized
)

// minimize returns a part of a core that is a core, too.
func (s *search) minimize(core []dimacs.Lit) []dimacs.Lit {
	for range trims {
		if s.o.MinimizeConflicts < 0 || len(core) == 1 || s.solveWithin(s.o.MinimizeConflicts, core) != dimacs.Unsatisfiable {
			break
		}
		smaller := s.solver.Failed()
		if len(smaller) == 0 || len(smaller) == len(core) {
			break
		}
		core = smaller
	}
	if s.o.MinimizeConflicts < 0 || len(core) > minimizeMost {
		return core
	}
	// Literals of small weight are left out first.
	slices.SortFunc(core, func(a, b dimacs.Lit) int {
		if wa, wb := s.weights[a], s.weights[b]; wa < wb || wa == wb && a < b {
			return -1
		}
		return 1
	})
	for i := 0; i < len(core) && len(core) > 1; {
		rest := slices.Delete(slices.Clone(core), i, i+1)
		if s.solveWithin(s.o.MinimizeConflicts, rest) == dimacs.Unsatisfiable && len(s.solver.Failed()) > 0 {
			failed := s.solver.Failed()
			core = slices.DeleteFunc(rest, func(l dimacs.Lit) bool { return !slices.Contains(failed, l) })
			continue
		}
		i++
	}
	return core
}
