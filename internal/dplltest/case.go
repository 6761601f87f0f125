package dplltest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sator/dimacs"
)

// A Case is a formula and assumptions.
type Case struct {
	Formula     *dimacs.Formula
	Assumptions []dimacs.Lit
}

// String returns the case as a DIMACS file, with the assumptions in a comment.
func (c Case) String() string {
	var b strings.Builder
	if len(c.Assumptions) > 0 {
		fmt.Fprintf(&b, "c assume %s\n", literals(c.Assumptions))
	}
	fmt.Fprintf(&b, "p cnf %d %d\n", c.Formula.Vars(), c.Formula.Len())
	for _, clause := range c.Formula.Clauses() {
		for _, l := range clause {
			fmt.Fprintf(&b, "%v ", l)
		}
		b.WriteString("0\n")
	}
	return b.String()
}

// literals returns the literals in DIMACS notation, separated by blanks.
func literals(ls []dimacs.Lit) string {
	return strings.Trim(fmt.Sprint(ls), "[]")
}

// randomSource returns the random generator for a seed and a purpose. Purposes have
// different streams, so that more draws for one do not change the others.
func randomSource(seed, purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, purpose))
}

// The purposes of random numbers.
const (
	forCase uint64 = iota
	forEngine
	forProperty
	forTrace
	forFuzz
	forCalls
)

// RandomCase returns the case of a seed, and the name of its family. Most cases have
// about 1 to 14 variables. If largest is at least 50, one case in 6 has about 15 to
// 49, and one in 32 about 50 to largest. Some have irregularities: duplicate literals,
// duplicate clauses, tautologies, an empty clause, or gaps between the variables.
// Assumptions may be contradictory, repeated, and beyond the variables of the formula.
func RandomCase(seed uint64, largest int) (family string, c Case) {
	return randomCase(Families, seed, testSizes(largest))
}

// sizes is a distribution of the number of variables of cases.
type sizes struct {
	largest       int // if this is less than 50, all cases are small
	of            int // of so many cases,
	medium, large int // these have about 15 to 49, and 50 to largest variables; the others have 1 to 14
}

// testSizes are the sizes of [RandomCase].
func testSizes(largest int) sizes { return sizes{largest: largest, of: 64, medium: 10, large: 2} }

// fuzzSizes are the sizes of a [Fuzzer]. A large case takes the time of 500 small ones, and
// one of medium size that of 20. With the sizes of the tests large cases took three quarters
// of the time, and with these each class takes about a third.
func fuzzSizes(largest int) sizes { return sizes{largest: largest, of: 256, medium: 20, large: 2} }

// randomCase is RandomCase for other families and sizes.
func randomCase(families []Family, seed uint64, z sizes) (family string, c Case) {
	r := randomSource(seed, forCase)
	vars := 1 + r.IntN(14)
	switch size := r.IntN(z.of); {
	case z.largest < 50 || size >= z.medium+z.large:
	case size < z.large:
		vars = 50 + r.IntN(z.largest-49)
	default:
		vars = 15 + r.IntN(35)
	}
	s := families[r.IntN(len(families))]
	f := s.Make(r, vars)
	for r.IntN(2) == 0 {
		f = irregularities[r.IntN(len(irregularities))](r, f)
	}
	return s.Name, Case{f, randomAssumptions(r, f.Vars())}
}

// randomAssumptions draws a few assumptions, or sometimes up to one per variable.
func randomAssumptions(r *rand.Rand, vars int) []dimacs.Lit {
	if vars == 0 {
		vars = 1
	}
	n := r.IntN(4)
	if r.IntN(4) == 0 {
		n = r.IntN(vars + 1)
	}
	ls := clause(r, vars, n)
	switch r.IntN(12) {
	case 0:
		ls = append(ls, literal(r, vars)) // again, or its complement
	case 1:
		ls = append(ls, literal(r, vars+3)) // unknown to the formula
	}
	return ls
}

// irregularities lists changes that are legal in a formula and that engines often do
// not expect. Only the last one, addEmpty, changes the status.
var irregularities = []func(*rand.Rand, *dimacs.Formula) *dimacs.Formula{
	repeatLiterals, repeatLiterals,
	repeatClauses, repeatClauses,
	addTautologies, addTautologies,
	spread, spread,
	addEmpty,
}

// edit returns a copy of f with every clause replaced by the clauses that change
// returns for it.
func edit(f *dimacs.Formula, change func(c []dimacs.Lit) [][]dimacs.Lit) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	for _, c := range f.Clauses() {
		for _, d := range change(slices.Clone(c)) {
			g.Add(d...)
		}
	}
	return g
}

// repeatLiterals repeats literals within clauses.
func repeatLiterals(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	return edit(f, func(c []dimacs.Lit) [][]dimacs.Lit {
		for len(c) > 0 && r.IntN(4) == 0 {
			c = slices.Insert(c, r.IntN(len(c)+1), c[r.IntN(len(c))])
		}
		return [][]dimacs.Lit{c}
	})
}

// repeatClauses adds copies of clauses with their literals shuffled.
func repeatClauses(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	return edit(f, func(c []dimacs.Lit) [][]dimacs.Lit {
		cs := [][]dimacs.Lit{c}
		for r.IntN(4) == 0 {
			d := slices.Clone(c)
			r.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
			cs = append(cs, d)
		}
		return cs
	})
}

// addTautologies adds clauses with a literal and its complement.
func addTautologies(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	return edit(f, func(c []dimacs.Lit) [][]dimacs.Lit {
		if r.IntN(4) > 0 {
			return [][]dimacs.Lit{c}
		}
		l := literal(r, f.Vars())
		d := append(slices.Clone(c), l, l.Not())
		r.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
		return [][]dimacs.Lit{c, d}
	})
}

// addEmpty adds the empty clause at a random place, with probability 1/4.
func addEmpty(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	if f.Len() == 0 || r.IntN(4) > 0 {
		return f
	}
	at := r.IntN(f.Len())
	return edit(f, func(c []dimacs.Lit) [][]dimacs.Lit {
		if at--; at == -1 {
			return [][]dimacs.Lit{c, {}}
		}
		return [][]dimacs.Lit{c}
	})
}

// spread renames the variables of f so that there are unused variables between them.
func spread(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	to := r.Perm(f.Vars() + 1 + r.IntN(8))
	g := dimacs.NewFormula(len(to))
	for _, c := range f.Clauses() {
		d := make([]dimacs.Lit, len(c))
		for i, l := range c {
			d[i] = rename(to, l)
		}
		g.Add(d...)
	}
	return g
}

// rename returns l with its variable v replaced by to[v].
func rename(to []int, l dimacs.Lit) dimacs.Lit {
	return negateIf(dimacs.Var(to[l.Var()]).Lit(), l.Neg())
}
