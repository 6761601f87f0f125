package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Random k-XOR: constraints of k distinct variables each, all sets being equally likely,
// with a random parity. Each constraint is 2^(k-1) clauses. Random 3-XOR has a sharp
// threshold at 0.918 constraints per variable (Dubois and Mandler): formulas with fewer
// are satisfiable, with more unsatisfiable, with high probability. Gaussian elimination
// decides them, and the generator does so for up to 2048 variables; resolution needs
// exponential proofs, since the constraints are those of an expander. A planted formula has
// the parities of a random assignment.

var kxor = &Family{
	Name:   "kxor",
	Help:   "random k-XOR: random parity constraints; decided by Gaussian elimination",
	Source: "Dubois and Mandler, The 3-XORSAT Threshold, FOCS 2002",
	Params: []Param{
		{"vars", Int, 60, 1, dimacs.MaxVars, "number of variables"},
		{"k", Int, 3, 2, 16, "variables per constraint"},
		{"ratio", Real, 1, 0, 1e6, "constraints per variable"},
		{"planted", Switch, 0, 0, 1, "take the parities of a random assignment; satisfiable"}},
	build: buildKXOR,
}

// mostEliminated is the number of variables up to which the generator solves a system.
const mostEliminated = 2048

func buildKXOR(v Values, r *rng) (*Instance, error) {
	n, k := v.int("vars"), v.int("k")
	if k > n {
		return nil, fmt.Errorf("a constraint of %d distinct variables does not fit into vars %d", k, n)
	}
	wanted := math.Round(v["vars"] * v["ratio"])
	if _, err := count(math.Ldexp(wanted, k-1)); err != nil {
		return nil, err
	}
	m := int(wanted)
	inst := newInstance(dimacs.NewFormula(n), dimacs.Unknown, "random %d-XOR: %d constraints over %d variables%s", k, m, n, when(v.on("planted"), ", planted"))
	if v.on("planted") {
		inst.Answer, inst.Model = dimacs.Satisfiable, r.assignment(n)
	}
	eliminates := !v.on("planted") && n <= mostEliminated
	system := &parities{vars: n}
	set, vars := make([]dimacs.Lit, k), make([]dimacs.Var, k)
	for range m {
		r.variables(set, n)
		for i, l := range set {
			vars[i] = l.Var()
		}
		odd := false
		if v.on("planted") {
			odd = parityOf(inst.Model, vars)
		} else {
			odd = r.flip()
		}
		addParity(inst.Formula, vars, odd)
		if eliminates {
			system.add(vars, odd)
		}
	}
	if eliminates {
		inst.Answer, inst.Model = statusOf(!system.inconsistent), system.model()
	}
	return inst, nil
}

// assignment returns a random assignment.
func (r *rng) assignment(n int) dimacs.Model {
	m := allFalse(n)
	for v := range m {
		if r.flip() {
			m[v] = dimacs.True
		}
	}
	return m
}

// parityOf returns the sum of variables modulo 2.
func parityOf(m dimacs.Model, vars []dimacs.Var) bool {
	odd := false
	for _, v := range vars {
		odd = odd != (m[v] == dimacs.True)
	}
	return odd
}

// parities is a system of linear equations modulo 2 in echelon form. A row is a bit set
// of variables; bit vars is the right-hand side. No two rows have the same lowest
// variable.
type parities struct {
	vars         int
	rows         map[int][]uint64 // by lowest variable
	inconsistent bool
}

// add adds an equation. It takes time proportional to the square of the variables.
func (p *parities) add(vars []dimacs.Var, odd bool) {
	row := make([]uint64, p.vars/64+1)
	for _, v := range vars {
		row[v/64] ^= 1 << (v % 64)
	}
	if odd {
		row[p.vars/64] ^= 1 << (p.vars % 64)
	}
	if p.rows == nil {
		p.rows = map[int][]uint64{}
	}
	for v := range p.vars {
		if row[v/64]>>(v%64)&1 == 0 {
			continue
		}
		other := p.rows[v]
		if other == nil {
			p.rows[v] = row
			return
		}
		for i := range row {
			row[i] ^= other[i]
		}
	}
	p.inconsistent = p.inconsistent || p.odd(row)
}

func (p *parities) odd(row []uint64) bool { return row[p.vars/64]>>(p.vars%64)&1 != 0 }

// model returns the solution in which the free variables are false, or nil if there is no
// solution.
func (p *parities) model() dimacs.Model {
	if p.inconsistent {
		return nil
	}
	m := allFalse(p.vars)
	for v := p.vars - 1; v >= 0; v-- {
		row := p.rows[v]
		if row == nil {
			continue
		}
		odd := p.odd(row)
		for u := v + 1; u < p.vars; u++ {
			odd = odd != (row[u/64]>>(u%64)&1 != 0 && m[u] == dimacs.True)
		}
		if odd {
			m[v] = dimacs.True
		}
	}
	return m
}
