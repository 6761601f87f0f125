package symmetry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
)

// cycles returns the formula that of two neighbors in cycles of these lengths, one is true.
func cycles(lengths ...int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	first := 0
	for _, n := range lengths {
		for i := range n {
			f.Add(dimacs.Var(first+i).Lit(), dimacs.Var(first+(i+1)%n).Lit())
		}
		first += n
	}
	return f
}

// whole returns the current permutation of all literals.
func (f *finder) whole() dplltest.Permutation {
	p := make(dplltest.Permutation, len(f.image))
	for l, k := range f.image {
		p[l] = dimacs.Lit(k)
	}
	return p
}

// orbits returns for each literal the literals to which an automorphism was found, itself
// included, as a bit set. Each permutation must preserve the clauses and map the literal as
// required.
func orbits(t *testing.T, f *dimacs.Formula) (sets []uint64) {
	t.Helper()
	x := finderOf(f)
	for a := range uint32(2 * f.Vars()) {
		set := uint64(1) << a
		for b := range uint32(2 * f.Vars()) {
			x.undo(mark{})
			if a == b || x.g.degree(a) == 0 || x.left.cell[a] != x.left.cell[b] || !x.automorphism(a, b) {
				continue
			}
			set |= 1 << b
			p := x.whole()
			if p[a] != dimacs.Lit(b) || !p.Preserves(f) {
				t.Fatalf("%d to %d: %v is no automorphism of\n%v", a, b, p, dplltest.Case{Formula: f})
			}
			for l := range p {
				if p[l^1] != p[l]^1 || (p[l] != dimacs.Lit(l)) != slices.Contains(x.moved, uint32(l)) {
					t.Fatalf("literal %d is mapped to %v, and %d to %v; moved are %v", l, p[l], l^1, p[l^1], x.moved)
				}
			}
			if x.forget(); !slices.Equal(x.whole(), identity(len(p))) {
				t.Fatalf("a forgotten permutation is %v", x.whole())
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// normalized returns f after unit propagation, without tautologies.
func normalized(f *dimacs.Formula) *dimacs.Formula {
	h := inprocess.NewPlain(f, nil)
	h.RemoveFixed()
	return h.Formula()
}

func identity(n int) (p dplltest.Permutation) {
	for l := range n {
		p = append(p, dimacs.Lit(l))
	}
	return p
}

// bruteOrbits returns the orbits of all literals under all permutations of the literals that
// preserve the clauses of f.
func bruteOrbits(f *dimacs.Formula) []uint64 {
	n := f.Vars()
	sets := make([]uint64, 2*n)
	p := identity(2 * n)
	used := make([]bool, n)
	var assign func(v int)
	assign = func(v int) {
		if v == n {
			if p.Preserves(f) {
				for l, k := range p {
					sets[l] |= 1 << k
				}
			}
			return
		}
		for w := range n {
			if used[w] {
				continue
			}
			used[w] = true
			for sign := range dimacs.Lit(2) {
				p[2*v] = dimacs.Var(w).Lit() ^ sign
				p[2*v+1] = p[2*v] ^ 1
				assign(v + 1)
			}
			used[w] = false
		}
	}
	assign(0)
	return sets
}

// TestOrbits compares the pairs of literals that automorphisms map to one another with all
// permutations of the literals, for small formulas. What is found must be right. Of what
// exists, nearly all must be found.
func TestOrbits(t *testing.T) {
	found, exist := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		var f *dimacs.Formula
		switch vars := 2 + r.IntN(3); seed % 16 {
		case 0, 4, 8, 12:
			f = dplltest.Symmetric[r.IntN(len(dplltest.Symmetric))].Make(r, vars)
		case 1:
			f, _ = dplltest.PlantedSymmetry(r, 5)
		default:
			f, _ = dplltest.PlantedSymmetry(r, vars)
		}
		x := finderOf(f)
		if f.Vars() > 5 || x == nil {
			continue
		}
		f = normalized(f)
		for l, degree := range x.left.cell { // absent literals are not mapped
			if l < 2*f.Vars() && x.g.degree(uint32(l)) == 0 && degree != 0 {
				t.Fatalf("seed %d: the absent literal %d is in cell %d", seed, l, degree)
			}
		}
		got, want := orbits(t, f), bruteOrbits(f)
		for l := range got {
			if got[l]&^want[l] != 0 {
				t.Fatalf("seed %d: literal %d is mapped to %b, but its orbit is %b\n%v", seed, l, got[l], want[l], dplltest.Case{Formula: f})
			}
			if x.g.degree(uint32(l)) > 0 {
				for k := range 64 {
					found, exist = found+int(got[l]>>k&1), exist+int(want[l]>>k&1)
				}
			}
		}
	}
	t.Logf("%d of %d pairs found", found, exist)
	if exist < 1000 || found < exist*98/100 {
		t.Errorf("%d of %d pairs of literals were found", found, exist)
	}
}

// TestKnownOrbits checks that all pairs of literals in an orbit are found for formulas whose
// symmetries are known.
func TestKnownOrbits(t *testing.T) {
	pigeons := dimacs.NewFormula(0)
	for p := range 5 {
		var c []dimacs.Lit
		for h := range 4 {
			c = append(c, dimacs.Lit(2*(4*p+h)))
			for q := range p {
				pigeons.Add(dimacs.Lit(2*(4*p+h))^1, dimacs.Lit(2*(4*q+h))^1)
			}
		}
		pigeons.Add(c...)
	}
	coloring := dimacs.NewFormula(0) // of a path of five vertices by three colors
	for v := range 5 {
		at := func(v, c int) dimacs.Lit { return dimacs.Lit(2 * (3*v + c)) }
		coloring.Add(at(v, 0), at(v, 1), at(v, 2))
		for c := range 3 {
			if v > 0 {
				coloring.Add(at(v, c)^1, at(v-1, c)^1)
			}
		}
	}
	parity := dimacs.NewFormula(5) // of five variables
	for set := range 32 {
		var c []dimacs.Lit
		odd := 0
		for v := range 5 {
			c = append(c, dimacs.Lit(2*v|set>>v&1))
			odd ^= set >> v & 1
		}
		if odd == 0 {
			parity.Add(c...)
		}
	}
	flip := dimacs.NewFormula(3) // the complement of all literals, and exchanges
	flip.Add(0, 2, 4)
	flip.Add(1, 3, 5)
	for _, test := range []struct {
		name  string
		f     *dimacs.Formula
		orbit func(l int) []int // literals, without complements
	}{
		{"pigeons", pigeons, func(l int) []int { return stride(l&1, 40, 2) }},
		{"coloring", coloring, func(l int) []int {
			// Vertices 0 and 4, 1 and 3, and 2, in all colors.
			v := l / 6
			return slices.Concat(stride(6*v+l&1, 6*v+6, 2), stride(6*(4-v)+l&1, 6*(4-v)+6, 2))
		}},
		// Two literals and their complements are exchanged too. But the first one alone is
		// not mapped to its complement: its choice leaves all others in one cell, which the
		// search maps to themselves.
		{"parity", parity, func(l int) []int {
			return slices.DeleteFunc(stride(0, 10, 1), func(k int) bool { return k == l^1 })
		}},
		{"flip", flip, func(l int) []int { return stride(0, 6, 1) }},
		{"cycles", cycles(6, 3, 3), func(l int) []int {
			if l < 12 {
				return stride(l&1, 12, 2)
			}
			return stride(12+l&1, 24, 2)
		}},
	} {
		for l, got := range orbits(t, test.f) {
			want := uint64(0)
			for _, k := range test.orbit(l) {
				want |= 1 << k
			}
			if got != want {
				t.Errorf("%s: literal %d is mapped to %b, want %b", test.name, l, got, want)
			}
		}
	}
}

// stride returns the numbers from first to below end at a distance.
func stride(first, end, distance int) (s []int) {
	for ; first < end; first += distance {
		s = append(s, first)
	}
	return s
}

// TestMoved checks that an exchange of two rows moves no other row, although all of them are
// interchangeable: the proof takes steps for each moved literal.
func TestMoved(t *testing.T) {
	f := dimacs.NewFormula(0)
	const rows, columns = 8, 6
	for a := range rows {
		var c []dimacs.Lit
		for i := range columns {
			c = append(c, dimacs.Lit(2*(columns*a+i)))
			for b := range a {
				f.Add(dimacs.Lit(2*(columns*a+i))^1, dimacs.Lit(2*(columns*b+i))^1)
			}
		}
		f.Add(c...)
	}
	x := finderOf(f)
	if !x.automorphism(0, 2*columns) {
		t.Fatal("two rows are not exchanged")
	}
	if n := len(x.moved); n != 4*columns {
		t.Errorf("%s are moved, want %d", fmt.Sprint(x.moved), 4*columns)
	}
}
