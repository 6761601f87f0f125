package dplltest

import (
	"math/rand/v2"
	"slices"

	"sator/dimacs"
)

// Symmetric lists families of formulas with symmetries: permutations of the literals that
// map the clauses onto themselves. Except for [Planted] symmetries they are those of
// well-known problems: interchangeable pigeons and holes, colors, or vertices, and the
// complements of all literals.
var Symmetric = []Family{
	{"planted-symmetry", func(r *rand.Rand, vars int) *dimacs.Formula { f, _ := PlantedSymmetry(r, vars); return f }},
	{"planted-symmetries", plantedSymmetries},
	{"pigeons", pigeons},
	{"coloring", coloring},
	{"ramsey", ramsey},
	{"clique-coloring", cliqueColoring},
}

// A Permutation maps literals to literals, and complements to complements: literal l to the
// element with the index l.
type Permutation []dimacs.Lit

// Clause returns the image of a clause, in the order of its literals.
func (p Permutation) Clause(c []dimacs.Lit) []dimacs.Lit {
	return mapLits(c, func(l dimacs.Lit) dimacs.Lit { return p[l] })
}

// Preserves reports whether the permutation maps the set of clauses of f onto itself. A
// clause is the set of its literals.
func (p Permutation) Preserves(f *dimacs.Formula) bool {
	clauses := make(map[string]bool)
	for _, c := range f.Clauses() {
		clauses[setKey(c)] = true
	}
	for _, c := range f.Clauses() {
		if !clauses[setKey(p.Clause(c))] {
			return false
		}
	}
	return true
}

// setKey returns a string for a set of literals.
func setKey(c []dimacs.Lit) string { return literals(slices.Compact(sorted(c))) }

// randomPermutation draws a permutation of the literals of cycles of variables, of two to
// four in most cases, with random signs. Some variables are fixed.
func randomPermutation(r *rand.Rand, vars int) Permutation {
	p := make(Permutation, 2*vars)
	for l := range p {
		p[l] = dimacs.Lit(l)
	}
	length, moved, signed := 2+r.IntN(3)*r.IntN(2), 1+r.IntN(vars), r.IntN(2) == 0
	for cycle := range slices.Chunk(r.Perm(vars)[:moved], length) {
		for i, v := range cycle {
			image := dimacs.Var(cycle[(i+1)%len(cycle)]).Lit()
			if signed && r.IntN(2) == 0 {
				image = image.Not()
			}
			p[2*v], p[2*v+1] = image, image.Not()
		}
	}
	return p
}

// PlantedSymmetry draws a formula with a symmetry: random clauses of two to four literals
// and their images under the powers of a random permutation of the literals.
func PlantedSymmetry(r *rand.Rand, vars int) (*dimacs.Formula, Permutation) {
	p := randomPermutation(r, vars)
	return closure(r, vars, []Permutation{p}), p
}

// plantedSymmetries draws clauses over a matrix of literals, and their images under the
// exchange of two rows, and often of two other rows, of two columns, or of all literals with
// their complements.
func plantedSymmetries(r *rand.Rand, vars int) *dimacs.Formula {
	rows := 2 + r.IntN(3)
	columns := max(1, vars/rows)
	vars = rows * columns
	var generators []Permutation
	add := func(image func(row, column int) (int, int, dimacs.Lit)) {
		p := make(Permutation, 2*vars)
		for v := range vars {
			row, column, sign := image(v/columns, v%columns)
			p[2*v] = dimacs.Var(row*columns+column).Lit() ^ sign
			p[2*v+1] = p[2*v].Not()
		}
		generators = append(generators, p)
	}
	exchange := func(i, a, b int) int {
		switch i {
		case a:
			return b
		case b:
			return a
		}
		return i
	}
	for a := range rows - 1 {
		if a == 0 || r.IntN(2) == 0 {
			add(func(row, column int) (int, int, dimacs.Lit) { return exchange(row, a, a+1), column, 0 })
		}
	}
	if columns > 1 && r.IntN(2) == 0 {
		add(func(row, column int) (int, int, dimacs.Lit) { return row, exchange(column, 0, 1), 0 })
	}
	if r.IntN(3) == 0 {
		add(func(row, column int) (int, int, dimacs.Lit) { return row, column, 1 })
	}
	return closure(r, vars, generators)
}

// closure draws clauses and adds their images under the group of the generators.
func closure(r *rand.Rand, vars int, generators []Permutation) *dimacs.Formula {
	sizes := [...]int{2, 2, 3, 3, 3, 3, 4}
	f := dimacs.NewFormula(vars)
	seen := make(map[string]bool)
	for most := around(r, 2.8*float64(vars)); f.Len() < most; {
		orbit := [][]dimacs.Lit{clause(r, vars, sizes[r.IntN(len(sizes))])}
		for i := 0; i < len(orbit); i++ {
			k := setKey(orbit[i])
			switch {
			case seen[k] && i == 0:
				most-- // so that the end is reached when all clauses are there
				continue
			case seen[k]:
				continue
			}
			seen[k] = true
			f.Add(orbit[i]...)
			for _, p := range generators {
				orbit = append(orbit, p.Clause(orbit[i]))
			}
		}
	}
	return f
}

// ramsey colors the edges of a complete graph with two colors such that no triangle has one
// color. Up to five vertices have such a coloring. A few edges have given colors in some
// formulas.
func ramsey(r *rand.Rand, vars int) *dimacs.Formula {
	vertices := 3
	for vertices < 7 && vertices*(vertices+1)/2 <= vars+3 {
		vertices++
	}
	b := newBuilder(0)
	edges := b.edges(vertices)
	for i := range vertices {
		for j := range i {
			for k := range j {
				x, y, z := edges[i][j], edges[i][k], edges[j][k]
				b.Add(x, y, z)
				b.Add(x.Not(), y.Not(), z.Not())
			}
		}
	}
	for range r.IntN(5) * r.IntN(2) {
		b.Add(literal(r, b.Vars()), literal(r, b.Vars()))
	}
	return b.Formula
}

// edges returns fresh literals for the edges of a complete graph: that of i and j, where
// i > j, is edges[i][j].
func (b builder) edges(vertices int) [][]dimacs.Lit {
	edges := make([][]dimacs.Lit, vertices)
	for i := range edges {
		edges[i] = b.freshes(i)
	}
	return edges
}

// cliqueColoring says that a graph has a clique of two or three vertices and a coloring of as
// many or one fewer colors.
func cliqueColoring(r *rand.Rand, vars int) *dimacs.Formula {
	clique := 2
	if vars > 3 {
		clique += r.IntN(2)
	}
	colors := clique - 1 + r.IntN(3)/2
	size := func(vertices int) int { return vertices*(vertices-1)/2 + vertices*(clique+colors) }
	vertices := clique
	for vertices < 5 && size(vertices+1) <= vars {
		vertices++
	}
	b := newBuilder(0)
	edges := b.edges(vertices)
	members := make([][]dimacs.Lit, clique)
	for i := range members {
		members[i] = b.freshes(vertices)
		b.Add(members[i]...)
	}
	color := make([][]dimacs.Lit, vertices)
	for v := range color {
		color[v] = b.freshes(colors)
		b.Add(color[v]...)
		var in []dimacs.Lit
		for _, m := range members {
			in = append(in, m[v])
		}
		b.atMostOne(in...)
		for w := range v {
			e := edges[v][w].Not()
			for _, m := range members {
				for _, n := range members {
					if m[0] != n[0] {
						b.Add(m[v].Not(), n[w].Not(), edges[v][w])
					}
				}
			}
			for c := range colors {
				b.Add(e, color[v][c].Not(), color[w][c].Not())
			}
		}
	}
	return b.Formula
}
