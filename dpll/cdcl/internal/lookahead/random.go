package lookahead

import "sator/dimacs"

// A uniform random formula has clauses of one length. Their variables are drawn at random, and
// their signs, too. So the numbers of occurrences vary as those of a Poisson distribution do, two
// variables share clauses no more often than chance has it, and few clauses have literals of one
// sign alone. Formulas that mean something fail one of these tests.

const (
	leastLength, mostLength = 3, 5
	leastVars, mostVars     = 40, 600
	mostLiterals            = 60_000

	shortened = 10  // of a hundred clauses: these may be shorter, by fixed literals
	tolerance = 1.5 // of a count, in terms of the expected one
)

// Small reports whether a formula of this size can be one that Random accepts.
func Small(vars, clauses int) bool {
	return leastVars <= vars && vars <= mostVars && leastLength*clauses <= mostLiterals
}

// Random reports whether the formula looks like a uniform random one, and is neither trivial for a
// search nor too large. The time is linear in the clauses and quadratic in the variables.
func (s *Search) Random() bool {
	if !Small(len(s.names), len(s.ids)) || len(s.lits) > mostLiterals {
		return false
	}
	longest, short, plain := 0, 0, 0
	for r := range reason(len(s.ids)) {
		longest = max(longest, len(s.clause(r)))
	}
	for r := range reason(len(s.ids)) {
		c := s.clause(r)
		if len(c) < longest {
			short++
		}
		if oneSign(c) {
			plain++
		}
	}
	clauses := float64(len(s.ids))
	return leastLength <= longest && longest <= mostLength && 100*short <= shortened*len(s.ids) &&
		float64(plain) <= tolerance*clauses/float64(int(1)<<(longest-1)) && s.scattered() && s.unrelated()
}

func oneSign(c []dimacs.Lit) bool {
	for _, l := range c {
		if (l^c[0])&1 != 0 {
			return false
		}
	}
	return true
}

// scattered reports whether the numbers of occurrences of the variables vary no more than by
// chance.
func (s *Search) scattered() bool {
	occurrences := make([]float64, len(s.names))
	for _, l := range s.lits {
		occurrences[l.Var()]++
	}
	mean, squares := float64(len(s.lits))/float64(len(s.names)), 0.0
	for _, n := range occurrences {
		squares += float64((n - mean) * (n - mean))
	}
	return squares <= tolerance*mean*float64(len(s.names))
}

// unrelated reports whether no more clauses share two variables than by chance.
func (s *Search) unrelated() bool {
	n := len(s.names)
	shared, drawn, same := make([]uint16, n*n), 0, 0
	for r := range reason(len(s.ids)) {
		c := s.clause(r)
		for i, a := range c {
			for _, b := range c[:i] {
				x := &shared[int(min(a.Var(), b.Var()))*n+int(max(a.Var(), b.Var()))]
				same += int(*x)
				*x++
				drawn++
			}
		}
	}
	return float64(same) <= tolerance*float64(drawn)*float64(drawn)/float64(n*(n-1))
}
