package dplltest

import (
	"math/rand/v2"

	"sator/dimacs"
)

// A Family is a family of small random formulas. Make draws a formula with about
// vars variables, and at least one; formulas of hard families are smaller. The same
// state of r gives the same formula.
type Family struct {
	Name string
	Make func(r *rand.Rand, vars int) *dimacs.Formula
}

// Families lists the families of [RandomCase]. Each contains satisfiable and
// unsatisfiable formulas. Uniform formulas are drawn around the threshold at which
// half of them are satisfiable, since far from it both answers are easy.
var Families = []Family{
	{"2sat", func(r *rand.Rand, vars int) *dimacs.Formula { return ksat(r, vars, 2, 1.5) }},
	{"3sat", func(r *rand.Rand, vars int) *dimacs.Formula { return ksat(r, min(vars, 80), 3, 4.27) }},
	{"4sat", func(r *rand.Rand, vars int) *dimacs.Formula { return ksat(r, min(vars, 40), 4, 9.93) }},
	{"5sat", func(r *rand.Rand, vars int) *dimacs.Formula { return ksat(r, min(vars, 26), 5, 21.1) }},
	{"mixed", mixed},
	{"implications", implications},
	{"horn", horn},
	{"planted", planted},
	{"blocked", blocked},
	{"pigeons", pigeons},
	{"chessboard", chessboard},
	{"parity", parityChain},
	{"graph-parity", graphParity},
	{"ladder", ladder},
	{"exactly-one", exactlyOnes},
	{"counter", counter},
	{"coloring", coloring},
	{"miter", miter},
}

// literal draws a literal over the variables below vars.
func literal(r *rand.Rand, vars int) dimacs.Lit {
	return dimacs.Lit(r.IntN(2 * vars))
}

// clause draws a clause of size different variables, or of all if there are fewer.
func clause(r *rand.Rand, vars, size int) []dimacs.Lit {
	var c []dimacs.Lit
	for _, v := range r.Perm(vars)[:min(size, vars)] {
		c = append(c, negateIf(dimacs.Var(v).Lit(), r.IntN(2) == 0))
	}
	return c
}

// around draws a number between 0.6 x and 1.4 x.
func around(r *rand.Rand, x float64) int {
	return int(x*(0.6+0.8*r.Float64()) + 0.5)
}

// ksat draws uniform clauses of k literals, about ratio times the variables.
func ksat(r *rand.Rand, vars, k int, ratio float64) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range around(r, ratio*float64(vars)) {
		f.Add(clause(r, vars, k)...)
	}
	return f
}

// mixed draws clauses of 1 to 6 literals: some units, many binaries.
func mixed(r *rand.Rand, vars int) *dimacs.Formula {
	vars = min(vars, 80)
	sizes := [...]int{2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5, 6}
	f := dimacs.NewFormula(vars)
	for range around(r, 2.6*float64(vars)) {
		f.Add(clause(r, vars, sizes[r.IntN(len(sizes))])...)
	}
	for range r.IntN(3) {
		f.Add(literal(r, vars))
	}
	return f
}

// implications draws a long path of implications, some of them as ternary clauses,
// and adds a unit at its start.
func implications(r *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	order := clause(r, vars, vars)
	for i := 1; i < len(order); i++ {
		if r.IntN(4) == 0 {
			f.Add(order[i-1].Not(), order[r.IntN(i)].Not(), order[i])
		} else {
			f.Add(order[i-1].Not(), order[i])
		}
	}
	for range r.IntN(1 + vars/2) {
		f.Add(clause(r, vars, 2+r.IntN(2))...)
	}
	f.Add(order[0])
	if r.IntN(2) == 0 {
		f.Add(order[r.IntN(len(order))].Not())
	}
	return f
}

// horn draws clauses with at most one positive literal.
func horn(r *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range around(r, 2*float64(vars)) {
		c := clause(r, vars, 1+r.IntN(4))
		head := r.IntN(2 * len(c))
		for i, l := range c {
			c[i] = negateIf(l.Var().Lit(), i != head)
		}
		f.Add(c...)
	}
	return f
}

// planted draws many ternary clauses with a hidden model, and in one case of three a
// clause that excludes the model.
func planted(r *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	hidden := clause(r, vars, vars)
	m := make(dimacs.Model, vars)
	for _, l := range hidden {
		m.Set(l)
	}
	for f.Len() < 6*vars {
		c := clause(r, vars, 3)
		if m.Clause(c) == dimacs.False {
			c[0] = c[0].Not()
		}
		f.Add(c...)
	}
	if r.IntN(3) == 0 {
		c := clause(r, vars, 3)
		for i, l := range c {
			if m.Lit(l) == dimacs.True {
				c[i] = l.Not()
			}
		}
		f.Add(c...)
	}
	return f
}

// blocked lists all clauses over up to six variables, each of which excludes one
// assignment, and may leave out one or two. Each variable starts a chain of equal
// literals; clauses contain a literal from either end.
func blocked(r *rand.Rand, vars int) *dimacs.Formula {
	b := newBuilder(0)
	width := min(vars, 1+r.IntN(6))
	ends := [2][]dimacs.Lit{b.freshes(width)}
	ends[1] = append(ends[1], ends[0]...)
	for b.Vars() < vars {
		i, next := r.IntN(width), negateIf(b.fresh(), r.IntN(2) == 0)
		b.equal(ends[1][i], next)
		ends[1][i] = next
	}
	for _, wrong := range r.Perm(1 << width)[r.IntN(3)*r.IntN(2):] {
		c := make([]dimacs.Lit, width)
		for i := range c {
			c[i] = negateIf(ends[r.IntN(2)][i], wrong>>i&1 != 0)
		}
		b.Add(c...)
	}
	return b.Formula
}

// pigeons puts n or n+1 pigeons into n holes, and sometimes leaves out a clause.
func pigeons(r *rand.Rand, vars int) *dimacs.Formula {
	holes := 1
	for holes < 5 && (holes+1)*(holes+2) <= vars {
		holes++
	}
	b := newBuilder(0)
	b.pigeonhole(holes+1-r.IntN(4)/3, holes)
	return dropClauses(r, b.Formula, r.IntN(4)/2)
}

// pigeonhole adds the constraints that each pigeon is in a hole and that no hole has
// two pigeons.
func (b builder) pigeonhole(pigeons, holes int) {
	at := make([][]dimacs.Lit, pigeons)
	for p := range at {
		at[p] = b.freshes(holes)
		b.Add(at[p]...)
	}
	for h := range holes {
		var in []dimacs.Lit
		for p := range at {
			in = append(in, at[p][h])
		}
		b.atMostOne(in...)
	}
}

// dropClauses returns f without that many random clauses.
func dropClauses(r *rand.Rand, f *dimacs.Formula, clauses int) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	for _, i := range r.Perm(f.Len())[min(clauses, f.Len()):] {
		g.Add(f.Clause(i)...)
	}
	return g
}

// chessboard covers a small board, from which some squares were removed, by dominoes:
// each square is covered exactly once.
func chessboard(r *rand.Rand, vars int) *dimacs.Formula {
	side := 2
	for side < 6 && 2*(side+1)*side <= vars {
		side++
	}
	b := newBuilder(0)
	taken := r.Perm(side * side)[:r.IntN(4)]
	squares := make([][]dimacs.Lit, side*side)
	domino := func(s, t int) {
		l := b.fresh()
		squares[s], squares[t] = append(squares[s], l), append(squares[t], l)
	}
	for s := range squares {
		if s%side > 0 {
			domino(s-1, s)
		}
		if s >= side {
			domino(s-side, s)
		}
	}
	for _, s := range taken {
		for _, l := range squares[s] {
			b.Add(l.Not())
		}
		squares[s] = nil
	}
	for _, ls := range squares {
		if ls != nil {
			b.exactlyOne(ls...)
		}
	}
	return b.Formula
}

// parityChain encodes two parity constraints over the same literals by chains of XOR
// gates in different orders. The parities are equal or contradictory.
func parityChain(r *rand.Rand, vars int) *dimacs.Formula {
	b := newBuilder(0)
	ls := b.freshes(max(1, min(vars/3, 12)))
	for range 2 {
		sum := ls[0]
		order := r.Perm(len(ls))
		for i, at := range order {
			if i == 0 {
				sum = ls[at]
				continue
			}
			sum = b.xor(sum, ls[at])
		}
		b.Add(negateIf(sum, r.IntN(2) == 0))
	}
	return b.Formula
}

// graphParity has a literal for each edge of a sparse graph and a parity constraint
// for each vertex. It is satisfiable if the sum of the parities of each component is
// even.
func graphParity(r *rand.Rand, vars int) *dimacs.Formula {
	vertices := max(2, min(vars, 30)*2/3)
	b := newBuilder(0)
	at := make([][]dimacs.Lit, vertices)
	edge := func(v, w int) {
		if v != w && len(at[v]) < 4 && len(at[w]) < 4 {
			l := b.fresh()
			at[v], at[w] = append(at[v], l), append(at[w], l)
		}
	}
	for v := 1; v < vertices; v++ {
		edge(v, max(0, v-1-r.IntN(3)))
	}
	for range vertices / 2 {
		v := r.IntN(vertices)
		edge(v, max(0, v-3))
	}
	sum := 0
	for v, ls := range at {
		odd := r.IntN(2)
		if v == vertices-1 && r.IntN(2) > 0 {
			odd = sum % 2
		}
		sum += odd
		b.parity(odd == 1, ls...)
	}
	return b.Formula
}

// ladder makes the literals of a path equal, in random order, adds a few ternary
// clauses, and often makes two literals of the path equal or complements.
func ladder(r *rand.Rand, vars int) *dimacs.Formula {
	b := newBuilder(vars)
	order := clause(r, vars, vars)
	steps := r.Perm(vars)
	for _, i := range steps {
		if i > 0 {
			b.equal(order[i-1], order[i])
		}
	}
	for range r.IntN(4) {
		b.Add(clause(r, vars, 3)...)
	}
	if r.IntN(3) > 0 {
		i, j := r.IntN(vars), r.IntN(vars)
		b.equal(order[i], negateIf(order[j], r.IntN(2) == 0))
	}
	return b.Formula
}

// exactlyOnes draws a square of literals with exactly one true literal in each row and
// at most one in each column, and makes some literals false.
func exactlyOnes(r *rand.Rand, vars int) *dimacs.Formula {
	side := 1
	for side < 7 && (side+1)*(side+1) <= vars {
		side++
	}
	b := newBuilder(0)
	rows := make([][]dimacs.Lit, side)
	for i := range rows {
		rows[i] = b.freshes(side)
		b.exactlyOne(rows[i]...)
	}
	for j := range side {
		var column []dimacs.Lit
		for _, row := range rows {
			column = append(column, row[j])
		}
		b.atMostOne(column...)
	}
	for range r.IntN(1 + side*side) {
		b.Add(rows[r.IntN(side)][r.IntN(side)].Not())
	}
	return b.Formula
}

// counter counts the true literals among some literals with a chain of adders, bounds
// the count from both sides, and adds random clauses.
func counter(r *rand.Rand, vars int) *dimacs.Formula {
	n := 1
	for n < 8 && (n+1)+(n+1)*(n+1)/2 <= vars {
		n++
	}
	b := newBuilder(0)
	ls := b.freshes(n)
	// least[j] is true if at least j+1 of the literals so far are true.
	var least []dimacs.Lit
	for i, l := range ls {
		next := make([]dimacs.Lit, i+1)
		for j := range next {
			switch {
			case i == 0:
				next[j] = l
			case j == 0:
				next[j] = b.or(least[0], l)
			case j == i:
				next[j] = b.and(least[j-1], l)
			default:
				next[j] = b.ite(l, least[j-1], least[j])
			}
		}
		least = next
	}
	b.Add(least[r.IntN(n)])
	b.Add(least[r.IntN(n)].Not())
	for range r.IntN(2 + n) {
		b.Add(clause(r, n, 3)...)
	}
	return b.Formula
}

// coloring colors a random graph with three colors.
func coloring(r *rand.Rand, vars int) *dimacs.Formula {
	vertices := max(1, vars/3)
	b := newBuilder(0)
	colors := make([][]dimacs.Lit, vertices)
	for v := range colors {
		colors[v] = b.freshes(3)
		b.Add(colors[v]...)
		if r.IntN(2) == 0 {
			b.atMostOne(colors[v]...)
		}
	}
	// Half of the sparse graphs with 2.35 edges per vertex have a coloring; small
	// graphs may have more edges.
	for range around(r, 2.35*float64(vertices)+3) {
		v, w := r.IntN(vertices), r.IntN(vertices)
		if v == w {
			continue
		}
		for c := range 3 {
			b.Add(colors[v][c].Not(), colors[w][c].Not())
		}
	}
	return b.Formula
}

// miter builds two forms of a random circuit over the same inputs, and requires that
// their outputs differ. A changed gate may make that possible.
func miter(r *rand.Rand, vars int) *dimacs.Formula {
	b := newBuilder(0)
	inputs := max(1, min(vars/4, 8))
	gates := max(1, min(vars/5, 25))
	one := b.freshes(inputs)
	two := append([]dimacs.Lit(nil), one...)
	changed := r.IntN(2 * gates)
	for i := range gates {
		x, y, kind := r.IntN(len(one)), r.IntN(len(one)), r.IntN(3)
		nx, ny := r.IntN(2) == 0, r.IntN(2) == 0
		one = append(one, gate(b, kind, negateIf(one[x], nx), negateIf(one[y], ny)))
		if i == changed {
			kind = r.IntN(3)
		}
		two = append(two, sameGate(b, kind, negateIf(two[x], nx), negateIf(two[y], ny)))
	}
	last := len(one) - 1
	b.Add(b.xor(one[last], two[last]))
	return b.Formula
}

// gate returns the output of a new gate: 0 is and, 1 is or, 2 is xor.
func gate(b builder, kind int, l, k dimacs.Lit) dimacs.Lit {
	switch kind {
	case 0:
		return b.and(l, k)
	case 1:
		return b.or(l, k)
	}
	return b.xor(l, k)
}

// sameGate returns the output of the same gate as a multiplexer.
func sameGate(b builder, kind int, l, k dimacs.Lit) dimacs.Lit {
	switch kind {
	case 0:
		return b.ite(l, k, l)
	case 1:
		return b.ite(k, k, l)
	}
	return b.ite(l, k.Not(), k)
}
