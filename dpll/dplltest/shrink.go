package dplltest

import (
	"slices"

	"sator/dimacs"
)

// Shrinking is delta debugging (Zeller and Hildebrandt 2002): take parts away,
// large ones first, as long as the rest still fails. What is taken away is, in
// turn, assumptions, clauses, variables (fixed to a value with all that follows,
// or left out of the clauses) and single literals, until nothing more goes.
// Then the variables are numbered afresh.

// shrinkTries bounds how often a shrinker asks whether a case fails. Formulas
// of the sizes that [RandomCase] makes need a few hundred to a few thousand tries.
const shrinkTries = 20_000

// Shrink returns a smaller case for which fails still says true, as it must
// for c. No single assumption, clause, variable or literal can then be taken
// away without losing the failure, unless fails was asked 20,000 times before.
// It must give the same answer to the same case, and must not change it.
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

// A shrinker holds the smallest failing case so far.
type shrinker struct {
	vars        int
	clauses     [][]dimacs.Lit
	assumptions []dimacs.Lit
	tries       int // left
	fails       func(Case) bool
}

func (s *shrinker) build(clauses [][]dimacs.Lit, assumptions []dimacs.Lit) Case {
	f := dimacs.NewFormula(s.vars)
	for _, c := range clauses {
		f.Add(c...)
	}
	return Case{f, assumptions}
}

// still reports whether a smaller case fails too.
func (s *shrinker) still(clauses [][]dimacs.Lit, assumptions []dimacs.Lit) bool {
	s.tries--
	return s.tries >= 0 && s.fails(s.build(clauses, assumptions))
}

// size is what shrinking makes smaller.
func (s *shrinker) size() int {
	n := len(s.assumptions) + len(s.clauses)
	for _, c := range s.clauses {
		n += len(c)
	}
	return n
}

func (s *shrinker) dropAssumptions() {
	s.assumptions = minimize(s.assumptions, func(as []dimacs.Lit) bool { return s.still(s.clauses, as) })
}

func (s *shrinker) dropClauses() {
	s.clauses = minimize(s.clauses, func(cs [][]dimacs.Lit) bool { return s.still(cs, s.assumptions) })
}

func (s *shrinker) dropLiterals() {
	for i := range s.clauses {
		cs := slices.Clone(s.clauses)
		s.clauses[i] = minimize(s.clauses[i], func(c []dimacs.Lit) bool {
			cs[i] = c
			return s.still(cs, s.assumptions)
		})
	}
}

// dropVariables tries to do without each variable: to make it true, to make it
// false, to leave its literals out, whichever still fails.
func (s *shrinker) dropVariables() {
	for _, v := range s.occurring() {
		as := withoutVar(s.assumptions, v)
		var without [][]dimacs.Lit
		for _, c := range s.clauses {
			without = append(without, withoutVar(c, v))
		}
		l := v.Lit()
		for _, cs := range [][][]dimacs.Lit{fixed(s.clauses, l), fixed(s.clauses, l.Not()), without} {
			if s.still(cs, as) {
				s.clauses, s.assumptions = cs, as
				break
			}
		}
	}
}

// occurring lists the variables of clauses and assumptions, in order.
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

// fixed returns the clauses as they are when l is true.
func fixed(clauses [][]dimacs.Lit, l dimacs.Lit) [][]dimacs.Lit {
	var cs [][]dimacs.Lit
	for _, c := range clauses {
		if !slices.Contains(c, l) {
			cs = append(cs, withoutVar(c, l.Var()))
		}
	}
	return cs
}

func withoutVar(ls []dimacs.Lit, v dimacs.Var) []dimacs.Lit {
	return slices.DeleteFunc(slices.Clone(ls), func(l dimacs.Lit) bool { return l.Var() == v })
}

// renumber closes the gaps between the variables, if the case still fails then
// and in any case drops those behind the last.
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
	if s.vars = 0; s.still(cs, as) {
		s.clauses, s.assumptions = cs, as
	} else if !s.still(s.clauses, s.assumptions) {
		s.vars = vars
	}
}

// minimize returns a sublist for which fails is still true, from which no
// single item can be taken: first halves go, then quarters, at last items.
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
