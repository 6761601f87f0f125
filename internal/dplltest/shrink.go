package dplltest

import (
	"slices"

	"sator/dimacs"
)

// Shrinking failures by delta debugging (Zeller and Hildebrandt 2002): the shrinker removes
// parts, large ones first, as long as the rest still fails. It removes assumptions,
// clauses, variables (by fixing them to a value, or from all clauses) and single
// literals, in this order, until a round removes nothing. Then it renumbers the
// variables.

// shrinkTries is the greatest number of tries of a shrinker. Cases of [RandomCase] need
// some hundreds to some thousands.
const shrinkTries = 20_000

// Shrink returns a smaller case for which fails returns true, as it must for c. The result
// is minimal: fails returns false if any single assumption, clause, variable or literal is
// removed. After 20,000 calls of fails, Shrink stops and the result may not be minimal.
// The function fails must be deterministic and must not change the case.
func Shrink(c Case, fails func(Case) bool) Case {
	s := shrinker{vars: c.Formula.Vars(), assumptions: slices.Clone(c.Assumptions), tries: shrinkTries, fails: fails}
	for _, d := range c.Formula.Clauses() {
		s.clauses = append(s.clauses, slices.Clone(d))
	}
	for progress := true; progress; {
		before := s.size()
		s.dropAssumptions()
		s.dropClauses()
		s.dropVariables()
		s.dropLiterals()
		progress = s.size() < before
	}
	s.renumber()
	return s.build(s.clauses, s.assumptions)
}

// A shrinker contains the smallest failing case so far.
type shrinker struct {
	vars        int
	clauses     [][]dimacs.Lit
	assumptions []dimacs.Lit
	tries       int // tries left
	fails       func(Case) bool
}

// build returns the case with these clauses and assumptions.
func (s *shrinker) build(clauses [][]dimacs.Lit, assumptions []dimacs.Lit) Case {
	f := dimacs.NewFormula(s.vars)
	for _, c := range clauses {
		f.Add(c...)
	}
	return Case{f, assumptions}
}

// stillFails reports whether the case with these clauses and assumptions fails.
func (s *shrinker) stillFails(clauses [][]dimacs.Lit, assumptions []dimacs.Lit) bool {
	s.tries--
	return s.tries >= 0 && s.fails(s.build(clauses, assumptions))
}

// size returns the number of assumptions, clauses and literals.
func (s *shrinker) size() int {
	n := len(s.assumptions) + len(s.clauses)
	for _, c := range s.clauses {
		n += len(c)
	}
	return n
}

// dropAssumptions removes assumptions.
func (s *shrinker) dropAssumptions() {
	s.assumptions = minimize(s.assumptions, func(as []dimacs.Lit) bool { return s.stillFails(s.clauses, as) })
}

// dropClauses removes clauses.
func (s *shrinker) dropClauses() {
	s.clauses = minimize(s.clauses, func(cs [][]dimacs.Lit) bool { return s.stillFails(cs, s.assumptions) })
}

// dropLiterals removes literals from clauses.
func (s *shrinker) dropLiterals() {
	for i := range s.clauses {
		cs := slices.Clone(s.clauses)
		s.clauses[i] = minimize(s.clauses[i], func(c []dimacs.Lit) bool {
			cs[i] = c
			return s.stillFails(cs, s.assumptions)
		})
	}
}

// dropVariables removes variables. For each variable it tries the formula with the
// variable true, with the variable false, and without its literals.
func (s *shrinker) dropVariables() {
	for _, v := range s.occurring() {
		as := withoutVar(s.assumptions, v)
		var without [][]dimacs.Lit
		for _, c := range s.clauses {
			without = append(without, withoutVar(c, v))
		}
		l := v.Lit()
		for _, cs := range [][][]dimacs.Lit{fixed(s.clauses, l), fixed(s.clauses, l.Not()), without} {
			if s.stillFails(cs, as) {
				s.clauses, s.assumptions = cs, as
				break
			}
		}
	}
}

// occurring returns the variables of clauses and assumptions, sorted.
func (s *shrinker) occurring() []dimacs.Var {
	var vs []dimacs.Var
	for _, c := range s.clauses {
		for _, l := range c {
			vs = append(vs, l.Var())
		}
	}
	for _, l := range s.assumptions {
		vs = append(vs, l.Var())
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}

// fixed returns the clauses simplified by making l true.
func fixed(clauses [][]dimacs.Lit, l dimacs.Lit) [][]dimacs.Lit {
	var cs [][]dimacs.Lit
	for _, c := range clauses {
		if !slices.Contains(c, l) {
			cs = append(cs, withoutVar(c, l.Var()))
		}
	}
	return cs
}

// withoutVar returns the literals without those of v.
func withoutVar(ls []dimacs.Lit, v dimacs.Var) []dimacs.Lit {
	return slices.DeleteFunc(slices.Clone(ls), func(l dimacs.Lit) bool { return l.Var() == v })
}

// renumber renumbers the variables without gaps if the case then still fails. Otherwise it
// drops unused variables above the last one, if the case then still fails.
func (s *shrinker) renumber() {
	used := s.occurring()
	to := make([]int, s.vars)
	for i, v := range used {
		for int(v) >= len(to) {
			to = append(to, 0)
		}
		to[v] = i
	}
	name := func(l dimacs.Lit) dimacs.Lit { return rename(to, l) }
	cs := make([][]dimacs.Lit, len(s.clauses))
	for i, c := range s.clauses {
		cs[i] = mapLits(c, name)
	}
	as := mapLits(s.assumptions, name)
	vars := s.vars
	if s.vars = 0; s.stillFails(cs, as) {
		s.clauses, s.assumptions = cs, as
	} else if !s.stillFails(s.clauses, s.assumptions) {
		s.vars = vars
	}
}

// minimize returns a sublist for which fails returns true, as it must for items. It removes
// halves first, then quarters, and at last single items.
func minimize[T any](items []T, fails func([]T) bool) []T {
	for size := (len(items) + 1) / 2; size > 0; size /= 2 {
		for i := 0; i < len(items); {
			rest := slices.Concat(items[:i], items[min(i+size, len(items)):])
			if fails(rest) {
				items = rest
			} else {
				i += size
			}
		}
	}
	return items
}
