package dplltest

import "sator/dimacs"

// Search decides f under the assumptions by plain recursive DPLL: propagate
// units by scanning all clauses, branch on the literal that occurs most in
// short clauses, try both values. It learns nothing and keeps no watches, so
// that there is little to get wrong. After nodes calls of the recursion it
// gives up with Unknown. The model makes a literal of every clause true and
// leaves variables unassigned on which nothing depends.
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
	trail   []dimacs.Lit // the assigned literals in order
	nodes   int          // left
}

// solve decides the clauses under the present assignment. If it refutes them,
// the assignment is as before.
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

func (s *searcher) assign(l dimacs.Lit) {
	s.value.Set(l)
	s.trail = append(s.trail, l)
}

func (s *searcher) undo(mark int) {
	for _, l := range s.trail[mark:] {
		s.value[l.Var()] = dimacs.Unassigned
	}
	s.trail = s.trail[:mark]
}

// propagate assigns the literals of unit clauses until there are none, and
// reports whether no clause is falsified.
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

// open returns how many different literals of c are unassigned in m, where 2
// stands for more and for a clause that is true, and the first of them.
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

// branch returns the literal with the highest sum of 4^-length over the open
// clauses in which it occurs; or false if all clauses are true.
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
	// oracleVars is the number of variables up to which the oracle tries all
	// assignments: the recursion is slower for fewer.
	oracleVars = 16

	// oracleWork bounds the recursion for larger formulas, as nodes times
	// literals. It is worth some 10 milliseconds.
	oracleWork = 400_000
)

// Oracle decides f under the assumptions by [Brute] if few variables occur, and
// by [Search] otherwise. It says Unknown if neither would end soon.
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
