package families

import (
	"fmt"
	"math"
	"slices"

	"sator/dimacs"
)

// Random k-SAT, the fixed clause length model: each clause takes k distinct
// variables out of n, all choices being equally likely, and negates each with
// probability 1/2. Clauses are independent of each other, so that the same one
// may be drawn twice; no clause has a variable twice.
//
// With few clauses for each variable almost all formulas are satisfiable and
// easy, with many almost none is. Between the two lies a sharp threshold at
// which the hardest formulas are found (Mitchell, Selman and Levesque).

// maxK bounds the literals of a random clause: their signs are one word.
const maxK = 64

// maxClauses bounds the clauses of a formula, so that they can be counted
// where an int has 32 bits.
const maxClauses = math.MaxInt32

var (
	varsParam    = Param{"vars", Int, 100, 1, dimacs.MaxVars, "number of variables"}
	kParam       = Param{"k", Int, 3, 2, maxK, "literals in each clause"}
	ratioParam   = Param{"ratio", Real, 0, 0, 1e9, "clauses for each variable; 0 for the ratio at which half of the random formulas are satisfiable"}
	clausesParam = Param{"clauses", Int, 0, 0, maxClauses, "number of clauses, in place of a ratio"}
)

var ksat = &Family{
	Name:   "ksat",
	Help:   "random clauses of k literals",
	Source: "Mitchell, Selman and Levesque, Hard and Easy Distributions of SAT Problems, AAAI 1992",
	Params: []Param{varsParam, kParam, ratioParam, clausesParam},
	build:  func(v Values, r *source) (*Instance, error) { return buildKSAT(v, v.int("k"), r) },
}

var twoSAT = &Family{
	Name:   "2sat",
	Help:   "random clauses of two literals",
	Source: "Chvatal and Reed, Mick Gets Some (The Odds Are on His Side), FOCS 1992",
	Params: []Param{varsParam, ratioParam, clausesParam},
	build:  func(v Values, r *source) (*Instance, error) { return buildKSAT(v, 2, r) },
}

func buildKSAT(v Values, k int, r *source) (*Instance, error) {
	n := v.int("vars")
	m, err := clauseCount(v, k)
	if err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(n)
	c := make([]dimacs.Lit, k)
	for range m {
		r.variables(c, n)
		signs := r.Uint64()
		for i := range c {
			c[i] |= dimacs.Lit(signs >> i & 1)
		}
		f.Add(c...)
	}
	return &Instance{Formula: f, Comments: []string{
		fmt.Sprintf("random %d-SAT: %d clauses over %d variables; a clause has no variable twice, but may occur twice", k, m, n),
	}}, nil
}

// clauseCount returns the number of clauses of k literals that v asks for, by
// number or by ratio. A ratio that is left open is set in v.
func clauseCount(v Values, k int) (int, error) {
	switch {
	case k > v.int("vars"):
		return 0, fmt.Errorf("a clause of %d distinct variables does not fit into vars %d", k, v.int("vars"))
	case v["clauses"] != 0 && v["ratio"] != 0:
		return 0, fmt.Errorf("ratio and clauses exclude each other")
	case v["clauses"] != 0:
		return v.int("clauses"), nil
	case v["ratio"] == 0:
		v["ratio"] = threshold(k)
	}
	return count(math.Round(v["vars"] * v["ratio"]))
}

// count returns m, unless so many clauses are too many.
func count(m float64) (int, error) {
	if m > maxClauses {
		return 0, fmt.Errorf("the formula would have %s clauses, more than %d", decimal(m), maxClauses)
	}
	return int(m), nil
}

// threshold returns the number of clauses for each variable at which a large
// random k-SAT formula is satisfiable with probability 1/2, as far as it is
// known: for k from 3 to 7 what Mertens, Mezard and Zecchina computed
// (Threshold Values of Random K-SAT from the Cavity Method, 2006), and above
// that its limit for large k, to three digits.
func threshold(k int) float64 {
	known := [...]float64{2: 1, 3: 4.267, 4: 9.931, 5: 21.117, 6: 43.37, 7: 87.79}
	if k < len(known) {
		return known[k]
	}
	limit := math.Ldexp(math.Ln2, k) - (1+math.Ln2)/2
	return math.Round(1000*limit) / 1000
}

// variables fills c with the positive literals of len(c) distinct variables
// below n, each set being equally likely (Floyd's algorithm: Bentley,
// Programming Pearls, 1987). The time is quadratic in len(c) and does not
// depend on n. The order is not random.
func (r *source) variables(c []dimacs.Lit, n int) {
	for i := range c {
		last := n - len(c) + i
		l := dimacs.Var(r.below(uint64(last) + 1)).Lit()
		if slices.Contains(c[:i], l) {
			l = dimacs.Var(last).Lit()
		}
		c[i] = l
	}
}
