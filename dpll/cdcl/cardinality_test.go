package cdcl

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// A roost is a formula in the making: pigeons that may use some holes.
type roost struct {
	pigeons [][]int // by pigeon: its holes
	holes   int
	clauses [][]int
	vars    int
}

func (r *roost) add(c ...int) { r.clauses = append(r.clauses, c) }

func (r *roost) fresh() int {
	r.vars++
	return r.vars
}

// randomRoost returns pigeons with so many holes each and more.
func randomRoost(rng *rand.Rand, least int) *roost {
	r := &roost{holes: least + rng.IntN(5)}
	for range r.holes + rng.IntN(3) {
		holes := rng.Perm(r.holes)
		r.pigeons = append(r.pigeons, holes[:least+rng.IntN(min(3, r.holes-least+1))])
	}
	return r
}

// fits reports whether each pigeon can have a hole of its own.
func (r *roost) fits() bool {
	in := make([]int, r.holes)
	for h := range in {
		in[h] = -1
	}
	var seat func(i int, seen []bool) bool
	seat = func(i int, seen []bool) bool {
		for _, h := range r.pigeons[i] {
			if !seen[h] {
				seen[h] = true
				if in[h] < 0 || seat(in[h], seen) {
					in[h] = i
					return true
				}
			}
		}
		return false
	}
	for i := range r.pigeons {
		if !seat(i, make([]bool, r.holes)) {
			return false
		}
	}
	return true
}

// encode writes the clauses, with this way to say that a hole has at most one.
func (r *roost) encode(atMostOne func(r *roost, lits []int)) {
	holes := make([][]int, r.holes)
	for _, hs := range r.pigeons {
		var c []int
		for _, h := range hs {
			c = append(c, r.fresh())
			holes[h] = append(holes[h], r.vars)
		}
		r.add(c...)
	}
	for _, lits := range holes {
		atMostOne(r, lits)
	}
}

// Ways to say that at most one literal is true.
var waysOfOne = []struct {
	name  string
	least int // holes of a pigeon
	say   func(r *roost, lits []int)
}{
	{"pairs", 2, (*roost).pairs},
	{"ladder", 3, func(r *roost, lits []int) {
		last := 0
		for _, l := range lits {
			s := r.fresh()
			r.add(-l, s)
			if last != 0 {
				r.add(-last, -l)
				r.add(-last, s)
			}
			last = s
		}
	}},
	{"commanders", 3, func(r *roost, lits []int) {
		var commanders []int
		for some := range slices.Chunk(lits, 3) {
			c := r.fresh()
			for _, l := range some {
				r.add(-l, c)
			}
			r.pairs(some)
			commanders = append(commanders, c)
		}
		r.pairs(commanders)
	}},
	{"product", 3, func(r *roost, lits []int) {
		rows, columns := r.several(3), r.several((len(lits)+2)/3)
		for i, l := range lits {
			r.add(-l, rows[i%3])
			r.add(-l, columns[i/3])
		}
		r.pairs(rows)
		r.pairs(columns)
	}},
	{"ladder upside down", 3, func(r *roost, lits []int) {
		last := 0
		for _, l := range lits {
			s := r.fresh() // false from here on
			r.add(-s, -l)
			if last != 0 {
				r.add(last, -l)
				r.add(-s, last)
			}
			last = s
		}
	}},
}

func (r *roost) pairs(lits []int) {
	for i, l := range lits {
		for _, k := range lits[:i] {
			r.add(-k, -l)
		}
	}
}

func (r *roost) several(n int) (vars []int) {
	for range n {
		vars = append(vars, r.fresh())
	}
	return vars
}

// disguise renames variables, flips signs, mixes the order of clauses and literals,
// and adds literals that unit clauses make false.
func (r *roost) disguise(rng *rand.Rand) *dimacs.Formula {
	falsehood := r.fresh()
	name := rng.Perm(r.vars)
	flip := make([]int, r.vars)
	for v := range flip {
		flip[v] = 1 - 2*rng.IntN(2)
	}
	rng.Shuffle(len(r.clauses), func(i, j int) { r.clauses[i], r.clauses[j] = r.clauses[j], r.clauses[i] })
	f := dimacs.NewFormula(r.vars)
	for _, c := range append(r.clauses, []int{-falsehood}) {
		c = slices.Clone(c)
		if len(c) > 3 && rng.IntN(2) == 0 {
			c = append(c, falsehood)
		}
		rng.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		for i, l := range c {
			v := max(l, -l) - 1
			c[i] = (name[v] + 1) * flip[v]
			if l < 0 {
				c[i] = -c[i]
			}
		}
		f.AddInts(c...)
	}
	return f
}

// proven has the pass run over a formula and write a proof, which is checked if it
// refutes the formula. It reports whether it does.
func proven(t *testing.T, f *dimacs.Formula, format proof.Format) bool {
	t.Helper()
	var file bytes.Buffer
	w := proof.NewWriter(&file, format, f.Len())
	o := plain()
	o.Proof, o.OneShot = w, true
	s := New(o)
	s.AddFormula(f)
	if s.propagateRoot() {
		s.detectCardinality(1e9)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if s.inconsistent {
		opts := proof.Options{Format: format, StrictDeletions: true, Forward: true}
		if _, err := proof.Check(t.Context(), f, &file, opts); err != nil {
			t.Fatal(err)
		}
	}
	return s.inconsistent
}

// More pigeons than holes are found and proven, whatever way it is said that there is
// one pigeon to a hole, and nothing is found where there are not.
func TestMatching(t *testing.T) {
	for _, way := range waysOfOne {
		refuted := 0
		for seed := range uint64(80) {
			rng := rand.New(rand.NewPCG(seed, 0x9e))
			r := randomRoost(rng, way.least)
			r.encode(way.say)
			f := r.disguise(rng)
			s := New(plain())
			s.AddFormula(f)
			if s.propagateRoot() {
				s.detectCardinality(1e9)
			}
			if s.inconsistent == r.fits() {
				t.Fatalf("%s, seed %d: refuted is %v", way.name, seed, s.inconsistent)
			}
			if s.inconsistent {
				refuted++
			}
			for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
				if got := proven(t, f, format); got != s.inconsistent {
					t.Fatalf("%s, seed %d: with a proof refuted is %v", way.name, seed, got)
				}
			}
		}
		if refuted < 15 || refuted > 70 {
			t.Errorf("%s: %d of 80 were refuted", way.name, refuted)
		}
	}
}

// Holes with room for two are found and proven: with one pigeon too many they have to
// be, and with as many as there is room for they must not.
func TestMatchingOfTwo(t *testing.T) {
	for seed := range uint64(20) {
		for extra := range 2 {
			rng := rand.New(rand.NewPCG(seed, 0x2e))
			holes := 2 + rng.IntN(4)
			r := &roost{}
			in := make([][]int, holes)
			for range 2*holes + extra {
				c := r.several(holes)
				r.add(c...)
				for h, l := range c {
					in[h] = append(in[h], l)
				}
			}
			for _, lits := range in {
				r.triples(lits)
			}
			f := r.disguise(rng)
			for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
				if got := proven(t, f, format); got != (extra == 1) {
					t.Fatalf("seed %d, %d too many: refuted is %v", seed, extra, got)
				}
			}
		}
	}
}

func (r *roost) triples(lits []int) {
	for i, l := range lits {
		for j, k := range lits[:i] {
			for _, m := range lits[:j] {
				r.add(-m, -k, -l)
			}
		}
	}
}

// A hole that lacks a clause, while another one is there twice, is none.
func TestMatchingOfTwoDuplicates(t *testing.T) {
	r := &roost{}
	var c []int
	for range 5 {
		c = append(c, r.fresh(), r.fresh())
		r.add(c[len(c)-2:]...)
	}
	for h := range 2 {
		r.triples([]int{c[h], c[h+2], c[h+4], c[h+6], c[h+8]})
	}
	last := len(r.clauses) - 1
	r.clauses[last] = r.clauses[last-1]
	s := New(plain())
	for _, c := range r.clauses {
		s.Add(dimacs.Lits(c...)...)
	}
	s.propagateRoot()
	s.detectCardinality(1e9)
	if s.inconsistent {
		t.Error("refuted")
	}
	if got := s.Solve(t.Context()); got != dimacs.Satisfiable {
		t.Errorf("%v", got)
	}
}
