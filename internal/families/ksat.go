package families

import (
	"fmt"
	"math"
	"slices"

	"sator/dimacs"
)

// Random k-SAT, the fixed clause length model: each clause has k distinct
// variables out of n, all choices being equally likely, and each is negated
// with probability 1/2. Clauses are independent, so duplicate clauses are
// possible; no clause contains a variable twice.
//
// With few clauses per variable almost all formulas are satisfiable and easy,
// with many almost all are unsatisfiable. In between is a sharp threshold with
// the hardest formulas (Mitchell, Selman and Levesque).

// maxK bounds the length of a random clause: its signs are bits of one word.
const maxK = 64

// maxClauses bounds the number of clauses, so that it fits in an int of 32
// bits.
const maxClauses = math.MaxInt32

var (
	varsParam    = Param{"vars", Int, 100, 1, dimacs.MaxVars, "number of variables"}
	kParam       = Param{"k", Int, 3, 2, maxK, "literals per clause"}
	ratioParam   = Param{"ratio", Real, 0, 0, 1e9, "clauses per variable; 0 for the satisfiability threshold"}
	clausesParam = Param{"clauses", Int, 0, 0, maxClauses, "number of clauses, instead of a ratio"}
)

var ksat = &Family{
	Name:   "ksat",
	Help:   "uniform random k-SAT",
	Source: "Mitchell, Selman and Levesque, Hard and Easy Distributions of SAT Problems, AAAI 1992",
	Params: []Param{varsParam, kParam, ratioParam, clausesParam},
	build:  func(v Values, r *rng) (*Instance, error) { return buildKSAT(v, v.int("k"), r) },
}

var twoSAT = &Family{
	Name:   "2sat",
	Help:   "uniform random 2-SAT",
	Source: "Chvatal and Reed, Mick Gets Some (The Odds Are on His Side), FOCS 1992",
	Params: []Param{varsParam, ratioParam, clausesParam},
	build:  func(v Values, r *rng) (*Instance, error) { return buildKSAT(v, 2, r) },
}

func buildKSAT(v Values, k int, r *rng) (*Instance, error) {
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
	return newInstance(f, dimacs.Unknown, "random %d-SAT: %d clauses over %d variables; a clause has no variable twice, but may occur twice", k, m, n), nil
}

// clauseCount returns the number of clauses of k literals from the parameters
// clauses or ratio. It stores the default ratio in v.
func clauseCount(v Values, k int) (int, error) {
	switch {
	case k > v.int("vars"):
		return 0, fmt.Errorf("a clause of %d distinct variables does not fit into vars %d", k, v.int("vars"))
	case v["clauses"] != 0 && v["ratio"] != 0:
		return 0, fmt.Errorf("ratio and clauses are mutually exclusive")
	case v["clauses"] != 0:
		return v.int("clauses"), nil
	case v["ratio"] == 0:
		v["ratio"] = threshold(k)
	}
	return count(math.Round(v["vars"] * v["ratio"]))
}

// count rounds the number of clauses m to an int, or returns an error if it is
// too large.
func count(m float64) (int, error) {
	if m > maxClauses {
		return 0, fmt.Errorf("the formula would have %s clauses, more than %d", decimal(m), maxClauses)
	}
	return int(m), nil
}

// threshold returns the ratio of clauses to variables at which large random
// k-SAT formulas are satisfiable with probability 1/2: for k from 3 to 7 the
// values computed by Mertens, Mezard and Zecchina (Threshold Values of Random
// K-SAT from the Cavity Method, 2006), above that the limit for large k, to
// three decimals.
func threshold(k int) float64 {
	known := [...]float64{2: 1, 3: 4.267, 4: 9.931, 5: 21.117, 6: 43.37, 7: 87.79}
	if k < len(known) {
		return known[k]
	}
	limit := math.Ldexp(math.Ln2, k) - (1+math.Ln2)/2
	return math.Round(1000*limit) / 1000
}

// variables fills c with the positive literals of len(c) distinct variables
// below n; all sets are equally likely, but their order is not random (Floyd's
// algorithm: Bentley, Programming Pearls, 1987). The time is quadratic in
// len(c) and does not depend on n.
func (r *rng) variables(c []dimacs.Lit, n int) {
	for i := range c {
		last := n - len(c) + i
		l := dimacs.Var(r.below(uint64(last) + 1)).Lit()
		if slices.Contains(c[:i], l) {
			l = dimacs.Var(last).Lit()
		}
		c[i] = l
	}
}
