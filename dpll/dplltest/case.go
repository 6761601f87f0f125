package dplltest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sator/dimacs"
)

// A Case is what an engine is asked: a formula and assumptions.
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

// source returns the random generator of one purpose under a seed. Purposes
// draw from different streams, so that one that draws more does not change
// what the others get.
func source(seed, purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, purpose))
}

// The purposes of random numbers.
const (
	forCase uint64 = iota
	forEngine
	forLaw
	forTrace
	forFuzz
)

// RandomCase returns the case of a seed, and the name of its shape. Most have about 1
// to 14 variables; if largest is at least 50, one in 6 has about 15 to 49, and
// one in 32 about 50 to largest.
// Some have a blemish: literals twice in a clause, clauses twice, tautologies,
// an empty clause, gaps between the variables. The assumptions may be
// contradictory, repeated, and beyond the variables of the formula.
func RandomCase(seed uint64, largest int) (shape string, c Case) {
	return draw(Families, seed, largest)
}

// draw is Draw with other shapes.
func draw(shapes []Family, seed uint64, largest int) (shape string, c Case) {
	r := source(seed, forCase)
	vars := 1 + r.IntN(14)
	switch size := r.IntN(64); {
	case largest < 50 || size > 11:
	case size < 2:
		vars = 50 + r.IntN(largest-49)
	default:
		vars = 15 + r.IntN(35)
	}
	s := shapes[r.IntN(len(shapes))]
	f := s.Make(r, vars)
	for r.IntN(2) == 0 {
		f = blemishes[r.IntN(len(blemishes))](r, f)
	}
	return s.Name, Case{f, drawAssumptions(r, f.Vars())}
}

// drawAssumptions draws mostly few assumptions, sometimes one for each
// variable.
func drawAssumptions(r *rand.Rand, vars int) []dimacs.Lit {
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

// blemishes lists what is legal in a formula and easily forgotten. None
// changes the status but the empty clause.
var blemishes = []func(*rand.Rand, *dimacs.Formula) *dimacs.Formula{
	repeatLiterals, repeatLiterals,
	repeatClauses, repeatClauses,
	addTautologies, addTautologies,
	spread, spread,
	addEmpty,
}

// edit returns a copy of f with every clause replaced by those that change
// makes of it.
func edit(f *dimacs.Formula, change func(c []dimacs.Lit) [][]dimacs.Lit) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	for _, c := range f.Clauses() {
		for _, d := range change(slices.Clone(c)) {
			g.Add(d...)
		}
	}
	return g
}

func repeatLiterals(r *rand.Rand, f *dimacs.Formula) *dimacs.Formula {
	return edit(f, func(c []dimacs.Lit) [][]dimacs.Lit {
		for len(c) > 0 && r.IntN(4) == 0 {
			c = slices.Insert(c, r.IntN(len(c)+1), c[r.IntN(len(c))])
		}
		return [][]dimacs.Lit{c}
	})
}

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

// addEmpty adds the empty clause somewhere, one time in four.
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

// spread leaves unused variables between those of f.
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
