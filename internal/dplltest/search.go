package dplltest

import "sator/dimacs"

// Search decides f under the assumptions by plain recursive DPLL. It propagates units
// by scanning all clauses, branches on the literal that occurs most in short clauses,
// and tries both values. It has neither learning nor watches, so that it is easy to
// verify. After nodes recursive calls it returns Unknown. The model makes a literal of
// every clause true; other variables may be unassigned.
func Search(f *dimacs.Formula, nodes int, assumptions ...dimacs.Lit) (dimacs.Status, dimacs.Model) {
	s := searcher{value: make(dimacs.Model, f.Vars()), nodes: nodes}
	for _, c := range f.Clauses() {
		s.clauses = append(s.clauses, c)
	}
	for _, l := range assumptions {
		for int(l.Var()) >= len(s.value) {
			s.value = append(s.value, dimacs.Unassigned)
		}
		s.clauses = append(s.clauses, []dimacs.Lit{l})
	}
	status := s.solve()
	if status != dimacs.Satisfiable {
		return status, nil
	}
	return status, s.value
}

// A searcher is the state of [Search].
type searcher struct {
	clauses [][]dimacs.Lit
	value   dimacs.Model
	trail   []dimacs.Lit // assigned literals
	nodes   int          // recursive calls left
}

// solve decides the clauses under the current assignment. If it returns
// Unsatisfiable, it restores the assignment.
func (s *searcher) solve() dimacs.Status {
	if s.nodes--; s.nodes < 0 {
		return dimacs.Unknown
	}
	mark := len(s.trail)
	if !s.propagate() {
		s.undo(mark)
		return dimacs.Unsatisfiable
	}
	decision, ok := s.branch()
	if !ok {
		return dimacs.Satisfiable
	}
	for _, l := range [2]dimacs.Lit{decision, decision.Not()} {
		before := len(s.trail)
		s.assign(l)
		if status := s.solve(); status != dimacs.Unsatisfiable {
			return status
		}
		s.undo(before)
	}
	s.undo(mark)
	return dimacs.Unsatisfiable
}

// assign makes l true.
func (s *searcher) assign(l dimacs.Lit) {
	s.value.Set(l)
	s.trail = append(s.trail, l)
}

// undo unassigns the literals of the trail from index mark on.
func (s *searcher) undo(mark int) {
	for _, l := range s.trail[mark:] {
		s.value[l.Var()] = dimacs.Unassigned
	}
	s.trail = s.trail[:mark]
}

// propagate assigns the literals of unit clauses until there is no unit clause. It
// reports false if a clause is falsified.
func (s *searcher) propagate() bool {
	for progress := true; progress; {
		progress = false
		for _, c := range s.clauses {
			switch unit, count := open(s.value, c); {
			case count == 0:
				return false
			case count == 1:
				s.assign(unit)
				progress = true
			}
		}
	}
	return true
}

// open returns the number of different literals of c that are unassigned in m, and
// the first of them. The number is 2 if there are more or if the clause is true.
func open(m dimacs.Model, c []dimacs.Lit) (unit dimacs.Lit, count int) {
	for _, l := range c {
		switch m.Lit(l) {
		case dimacs.True:
			return 0, 2
		case dimacs.Unassigned:
			if count == 0 {
				unit, count = l, 1
			} else if l != unit {
				count = 2
			}
		}
	}
	return unit, count
}

// branch returns the literal with the highest sum of 4^-length over its open clauses.
// It reports false if all clauses are true.
func (s *searcher) branch() (best dimacs.Lit, ok bool) {
	scores := make([]uint64, 2*len(s.value))
	for _, c := range s.clauses {
		if s.value.Clause(c) == dimacs.True {
			continue
		}
		free := 0
		for _, l := range c {
			if s.value.Lit(l) == dimacs.Unassigned {
				free++
			}
		}
		for _, l := range c {
			if s.value.Lit(l) == dimacs.Unassigned {
				scores[l] += 1 << max(0, 40-2*free)
			}
		}
	}
	for l, score := range scores {
		if score > scores[best] {
			best = dimacs.Lit(l)
		}
	}
	return best, len(scores) > 0 && scores[best] > 0
}

const (
	// oracleVars is the number of variables up to which the oracle uses brute force,
	// which is faster than Search there.
	oracleVars = 16

	// oracleWork is the limit of Search for larger formulas, as nodes times literals.
	// It takes some 10 milliseconds.
	oracleWork = 400_000
)

// Oracle decides f under the assumptions by [Brute] if few variables occur, and by
// [Search] otherwise. It returns Unknown if Search needs too many nodes.
func Oracle(f *dimacs.Formula, assumptions ...dimacs.Lit) (dimacs.Status, dimacs.Model) {
	if f.Vars()+len(assumptions) <= oracleVars || occurring(f)+len(assumptions) <= oracleVars {
		return Brute(f, assumptions...)
	}
	return Search(f, oracleWork/max(1, f.Size()), assumptions...)
}

// occurring returns the number of variables that occur in f.
func occurring(f *dimacs.Formula) int {
	seen := make([]bool, f.Vars())
	n := 0
	for _, c := range f.Clauses() {
		for _, l := range c {
			if !seen[l.Var()] {
				seen[l.Var()] = true
				n++
			}
		}
	}
	return n
}
