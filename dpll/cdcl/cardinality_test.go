package cdcl

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/internal/dplltest"
)

// A pigeonhole is a pigeonhole formula under construction: each pigeon may use some
// holes.
type pigeonhole struct {
	pigeons [][]int // by pigeon: its holes
	holes   int
	clauses [][]int
	vars    int
}

// add adds a clause.
func (r *pigeonhole) add(c ...int) { r.clauses = append(r.clauses, c) }

// fresh returns a new variable.
func (r *pigeonhole) fresh() int {
	r.vars++
	return r.vars
}

// randomPigeonhole returns pigeons with at least minHoles holes each.
func randomPigeonhole(rng *rand.Rand, minHoles int) *pigeonhole {
	r := &pigeonhole{holes: minHoles + rng.IntN(5)}
	for range r.holes + rng.IntN(3) {
		holes := rng.Perm(r.holes)
		r.pigeons = append(r.pigeons, holes[:minHoles+rng.IntN(min(3, r.holes-minHoles+1))])
	}
	return r
}

// satisfiable reports whether each pigeon can have a hole of its own.
func (r *pigeonhole) satisfiable() bool {
	pigeonOf := make([]int, r.holes)
	for h := range pigeonOf {
		pigeonOf[h] = -1
	}
	var place func(i int, seen []bool) bool
	place = func(i int, seen []bool) bool {
		for _, h := range r.pigeons[i] {
			if !seen[h] {
				seen[h] = true
				if pigeonOf[h] < 0 || place(pigeonOf[h], seen) {
					pigeonOf[h] = i
					return true
				}
			}
		}
		return false
	}
	for i := range r.pigeons {
		if !place(i, make([]bool, r.holes)) {
			return false
		}
	}
	return true
}

// encode adds the clauses, with an encoding of at-most-one constraints.
func (r *pigeonhole) encode(atMostOne func(r *pigeonhole, lits []int)) {
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

// amoEncodings lists encodings of at-most-one constraints.
var amoEncodings = []struct {
	name     string
	minHoles int // least number of holes of a pigeon
	encode   func(r *pigeonhole, lits []int)
}{
	{"pairwise", 2, (*pigeonhole).pairwise},
	{"ladder", 3, func(r *pigeonhole, lits []int) {
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
	{"commander", 3, func(r *pigeonhole, lits []int) {
		var commanders []int
		for some := range slices.Chunk(lits, 3) {
			c := r.fresh()
			for _, l := range some {
				r.add(-l, c)
			}
			r.pairwise(some)
			commanders = append(commanders, c)
		}
		r.pairwise(commanders)
	}},
	{"product", 3, func(r *pigeonhole, lits []int) {
		rows, columns := r.freshVars(3), r.freshVars((len(lits)+2)/3)
		for i, l := range lits {
			r.add(-l, rows[i%3])
			r.add(-l, columns[i/3])
		}
		r.pairwise(rows)
		r.pairwise(columns)
	}},
	{"inverted ladder", 3, func(r *pigeonhole, lits []int) {
		last := 0
		for _, l := range lits {
			s := r.fresh() // false from this literal on
			r.add(-s, -l)
			if last != 0 {
				r.add(last, -l)
				r.add(-s, last)
			}
			last = s
		}
	}},
}

// pairwise adds a binary clause for each two literals: at most one is true.
func (r *pigeonhole) pairwise(lits []int) {
	for i, l := range lits {
		for _, k := range lits[:i] {
			r.add(-k, -l)
		}
	}
}

// freshVars returns n new variables.
func (r *pigeonhole) freshVars(n int) (vars []int) {
	for range n {
		vars = append(vars, r.fresh())
	}
	return vars
}

// shuffled returns the formula with renamed variables, flipped signs, another order of
// clauses and literals, and additional literals that a unit clause makes false.
func (r *pigeonhole) shuffled(rng *rand.Rand) *dimacs.Formula {
	fixed := r.fresh()
	name := rng.Perm(r.vars)
	flip := make([]int, r.vars)
	for v := range flip {
		flip[v] = 1 - 2*rng.IntN(2)
	}
	rng.Shuffle(len(r.clauses), func(i, j int) { r.clauses[i], r.clauses[j] = r.clauses[j], r.clauses[i] })
	f := dimacs.NewFormula(r.vars)
	for _, c := range append(r.clauses, []int{-fixed}) {
		c = slices.Clone(c)
		if len(c) > 3 && rng.IntN(2) == 0 {
			c = append(c, fixed)
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

// refutedWithProof runs the pass with a proof, and reports whether it refutes the
// formula. If so it checks the proof.
func refutedWithProof(t *testing.T, f *dimacs.Formula, format proof.Format) bool {
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

// TestCardinality checks that the pass refutes exactly the unsatisfiable pigeonhole
// formulas, with all encodings of at-most-one constraints and with a valid proof.
func TestCardinality(t *testing.T) {
	for _, enc := range amoEncodings {
		refuted := 0
		for seed := range uint64(80) {
			rng := rand.New(rand.NewPCG(seed, 0x9e))
			r := randomPigeonhole(rng, enc.minHoles)
			r.encode(enc.encode)
			f := r.shuffled(rng)
			s := New(plain())
			s.AddFormula(f)
			if s.propagateRoot() {
				s.detectCardinality(1e9)
			}
			if s.inconsistent == r.satisfiable() {
				t.Fatalf("%s, seed %d: refuted = %v", enc.name, seed, s.inconsistent)
			}
			if s.inconsistent {
				refuted++
			}
			for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
				if got := refutedWithProof(t, f, format); got != s.inconsistent {
					t.Fatalf("%s, seed %d: refuted with a proof = %v", enc.name, seed, got)
				}
			}
		}
		if refuted < 15 || refuted > 70 {
			t.Errorf("%s: refuted %d of 80, want 15 to 70", enc.name, refuted)
		}
	}
}

// TestCardinalityAtMostTwo checks holes for two pigeons: one pigeon too many is refuted,
// and as many pigeons as the holes may have are not.
func TestCardinalityAtMostTwo(t *testing.T) {
	for seed := range uint64(20) {
		for extra := range 2 {
			rng := rand.New(rand.NewPCG(seed, 0x2e))
			holes := 2 + rng.IntN(4)
			r := &pigeonhole{}
			constraints := make([][]int, holes)
			for range 2*holes + extra {
				c := r.freshVars(holes)
				r.add(c...)
				for h, l := range c {
					constraints[h] = append(constraints[h], l)
				}
			}
			for _, lits := range constraints {
				r.atMostTwo(lits)
			}
			f := r.shuffled(rng)
			for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
				if got := refutedWithProof(t, f, format); got != (extra == 1) {
					t.Fatalf("seed %d, %d too many: refuted = %v", seed, extra, got)
				}
			}
		}
	}
}

// atMostTwo adds a ternary clause for each three literals: at most two are true.
func (r *pigeonhole) atMostTwo(lits []int) {
	for i, l := range lits {
		for j, k := range lits[:i] {
			for _, m := range lits[:j] {
				r.add(-m, -k, -l)
			}
		}
	}
}

// TestCardinalityDuplicate checks that a duplicate clause does not replace a missing
// clause of an at-most-two constraint.
func TestCardinalityDuplicate(t *testing.T) {
	r := &pigeonhole{}
	var c []int
	for range 5 {
		c = append(c, r.fresh(), r.fresh())
		r.add(c[len(c)-2:]...)
	}
	for h := range 2 {
		r.atMostTwo([]int{c[h], c[h+2], c[h+4], c[h+6], c[h+8]})
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
		t.Errorf("got %v, want SATISFIABLE", got)
	}
}

// TestCardinalityComplement checks that the pass does not refute a Hall violator with a
// literal and its complement, which has no valid proof.
func TestCardinalityComplement(t *testing.T) {
	const holes = 3
	r := &pigeonhole{}
	constraints := make([][]int, holes)
	for range holes + 1 {
		c := r.freshVars(holes)
		if len(r.clauses) == 1 {
			c[1] = -r.clauses[0][0]
		}
		r.add(c...)
		for h, l := range c {
			constraints[h] = append(constraints[h], l)
		}
	}
	for _, lits := range constraints {
		r.pairwise(lits)
	}
	o := plain()
	p := dplltest.NewRATRecorder(true)
	o.Proof, o.OneShot = p, true
	s := New(o)
	for _, c := range r.clauses {
		s.Add(dimacs.Lits(c...)...)
	}
	s.propagateRoot()
	s.detectCardinality(1e9)
	if err := p.Err(); err != nil || s.inconsistent {
		t.Errorf("refuted = %v, %v", s.inconsistent, err)
	}
}
