package lookahead

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// A uniform random formula has clauses of one length. Their variables are drawn at random, and
// their signs, too. So the numbers of occurrences vary as those of a Poisson distribution do, two
// variables share clauses no more often than chance has it, and few clauses have literals of one
// sign alone. Formulas that mean something fail one of these tests.

const (
	leastLength, mostLength = 3, 8
	leastVars               = 40
	mostWords               = 1_500_000 // of memory of the clauses

	// Of a formula that a search may decide.
	searchedLength   = 5
	searchedVars     = 600
	searchedLiterals = 60_000

	shortened = 10      // of a hundred clauses: these may be shorter, by fixed literals
	tolerance = 1.5     // of a count, in terms of the expected one
	mostPairs = 200_000 // that are counted
	slack     = 10      // of their count
)

// Plausible reports whether the host's formula can be one that Random accepts, by its size and the
// lengths of its first clauses.
func Plausible(h inprocess.Host) bool {
	const first = 1000
	if h.Vars() < leastVars || h.Size().Words > mostWords {
		return false
	}
	lengths, n := [mostLength + 1]int{}, 0
	h.EachClause(func(_ uint32, lits []uint32) bool {
		n++
		if len(lits) <= mostLength {
			lengths[len(lits)]++
		}
		return n < first
	})
	return n > 0 && 100*slices.Max(lengths[:]) >= (100-2*shortened)*n
}

// Searchable reports whether a random formula is small enough for the search, and its clauses are
// short enough.
func (s *Search) Searchable() bool {
	return len(s.names) <= searchedVars && s.longest() <= searchedLength && len(s.lits) <= searchedLiterals
}

// Literals returns the number of literals of all clauses.
func (s *Search) Literals() int { return len(s.lits) }

func (s *Search) longest() (n int) {
	for r := range reason(len(s.ids)) {
		n = max(n, len(s.clause(r)))
	}
	return n
}

// Random reports whether the formula looks like a uniform random one, and is not trivial. The time
// is linear in the clauses, up to a logarithm.
func (s *Search) Random() bool {
	longest, short, plain := s.longest(), 0, 0
	for r := range reason(len(s.ids)) {
		c := s.clause(r)
		if len(c) < longest {
			short++
		}
		if oneSign(c) {
			plain++
		}
	}
	return len(s.names) >= leastVars && leastLength <= longest && longest <= mostLength && 100*short <= shortened*len(s.ids) &&
		float64(plain) <= tolerance*float64(len(s.ids))/float64(int(1)<<(longest-1)) && s.scattered() && s.unrelated()
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
	var pairs []uint64
	for r := reason(0); int(r) < len(s.ids) && len(pairs) < mostPairs; r++ {
		c := s.clause(r)
		for i, a := range c {
			for _, b := range c[:i] {
				pairs = append(pairs, uint64(min(a.Var(), b.Var()))<<32|uint64(max(a.Var(), b.Var())))
			}
		}
	}
	slices.Sort(pairs)
	same, run := 0, 0
	for i, p := range pairs {
		if run++; i == 0 || p != pairs[i-1] {
			run = 0
		}
		same += run
	}
	n, drawn := float64(len(s.names)), float64(len(pairs))
	return float64(same) <= slack+tolerance*drawn*drawn/(n*(n-1))
}
