package families

import "sator/dimacs"

// Shuffling of a formula: variables are renamed, some of them are replaced by their
// complements, and the clauses and the literals in each clause are reordered, all uniformly
// at random. The answer and the number of models stay the same. Solvers differ much on
// shuffled formulas, so that several shufflings of one formula show the variance of a solver
// (Brglez, Li and Stallmann, On SAT Instance Classes and a Method for Reliable Performance
// Experiments with SAT Solvers, 2005).

// A Shuffling is a random renaming of variables, and an order of clauses.
type Shuffling struct {
	renamed []dimacs.Lit // by variable: the literal that replaces it
	r       rng          // state after the renaming
}

// NewShuffling returns the shuffling of formulas with this number of variables that belongs
// to a seed. Equal numbers and seeds give equal shufflings on every machine.
func NewShuffling(vars int, seed uint64) *Shuffling {
	s := &Shuffling{renamed: make([]dimacs.Lit, vars), r: *newRNG(seed)}
	for v := range s.renamed {
		s.renamed[v] = dimacs.Var(v).Lit()
	}
	shuffle(&s.r, s.renamed)
	for v := range s.renamed {
		if s.r.flip() {
			s.renamed[v] = s.renamed[v].Not()
		}
	}
	return s
}

// Formula returns the shuffled formula, in linear time. It panics if f has another number
// of variables than the shuffling.
func (s *Shuffling) Formula(f *dimacs.Formula) *dimacs.Formula {
	if f.Vars() != len(s.renamed) {
		panic("families: the shuffling has another number of variables than the formula")
	}
	r := s.r // so that each call gives the same order
	order := make([]int, f.Len())
	for i := range order {
		order[i] = i
	}
	shuffle(&r, order)
	g := dimacs.NewFormula(f.Vars())
	var c []dimacs.Lit
	for _, i := range order {
		c = c[:0]
		for _, l := range f.Clause(i) {
			c = append(c, s.Lit(l))
		}
		shuffle(&r, c)
		g.Add(c...)
	}
	return g
}

// Lit returns the literal that replaces l.
func (s *Shuffling) Lit(l dimacs.Lit) dimacs.Lit { return s.renamed[l.Var()] ^ l&1 }

// Restore returns the model of the formula that belongs to a model of the shuffled one, or
// nil if the model has another number of variables.
func (s *Shuffling) Restore(m dimacs.Model) dimacs.Model {
	if len(m) != len(s.renamed) {
		return nil
	}
	restored := make(dimacs.Model, len(m))
	for v, l := range s.renamed {
		restored[v] = m.Lit(l)
	}
	return restored
}
