package dplltest

import (
	"fmt"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestFamilies checks that every family has both answers, at small sizes and, as far as
// the oracle decides them, at large ones, and that sizes are near the requested ones.
func TestFamilies(t *testing.T) {
	for _, s := range slices.Concat(Families, Symmetric) {
		count := make(map[dimacs.Status]int)
		for seed := range uint64(200) {
			r := randomSource(seed, forCase)
			vars := 1 + r.IntN(14)
			f := s.Make(r, vars)
			if n := f.Vars(); n > 2*vars+14 {
				t.Errorf("%s, seed %d: %d variables for %d", s.Name, seed, n, vars)
			}
			status, _ := Oracle(f)
			count[status]++
		}
		if count[dimacs.Satisfiable] < 10 || count[dimacs.Unsatisfiable] < 10 || count[dimacs.Unknown] > 0 {
			t.Errorf("%s: %v", s.Name, count)
		}
		large := make(map[dimacs.Status]int)
		for seed := range uint64(8) {
			f := s.Make(randomSource(seed, forCase), 200)
			if n := f.Vars(); n < 12 || n > 400 {
				t.Errorf("%s, seed %d: %d variables for 200", s.Name, seed, n)
			}
			status, _ := Oracle(f)
			large[status]++
		}
		t.Logf("%-12s small %v, large %v", s.Name, count, large)
	}
}

// TestConstraints checks the gates under all assignments of their inputs.
func TestConstraints(t *testing.T) {
	tests := []struct {
		name string
		add  func(b builder, l []dimacs.Lit) dimacs.Lit // returns the output
		want func(x, y, z bool) bool
	}{
		{"and", func(b builder, l []dimacs.Lit) dimacs.Lit { return b.and(l[0], l[1]) }, func(x, y, _ bool) bool { return x && y }},
		{"or", func(b builder, l []dimacs.Lit) dimacs.Lit { return b.or(l[0], l[1]) }, func(x, y, _ bool) bool { return x || y }},
		{"xor", func(b builder, l []dimacs.Lit) dimacs.Lit { return b.xor(l[0], l[1]) }, func(x, y, _ bool) bool { return x != y }},
		{"ite", func(b builder, l []dimacs.Lit) dimacs.Lit { return b.ite(l[0], l[1], l[2]) }, func(x, y, z bool) bool { return x && y || !x && z }},
	}
	for kind, want := range []func(x, y, _ bool) bool{tests[0].want, tests[1].want, tests[2].want} {
		for i, make := range []func(builder, int, dimacs.Lit, dimacs.Lit) dimacs.Lit{gate, sameGate} {
			name := fmt.Sprintf("gate %d in form %d", kind, i)
			add := func(b builder, l []dimacs.Lit) dimacs.Lit { return make(b, kind, l[0], l[1]) }
			tests = append(tests, struct {
				name string
				add  func(b builder, l []dimacs.Lit) dimacs.Lit
				want func(x, y, z bool) bool
			}{name, add, want})
		}
	}
	for _, test := range tests {
		b := newBuilder(0)
		in := b.freshes(3)
		out := test.add(b, in)
		for bits := range 8 {
			x, y, z := bits&1 != 0, bits&2 != 0, bits&4 != 0
			as := []dimacs.Lit{negateIf(in[0], !x), negateIf(in[1], !y), negateIf(in[2], !z)}
			want := test.want(x, y, z)
			equal, _ := Brute(b.Formula, append(as, negateIf(out, !want))...)
			different, _ := Brute(b.Formula, append(as, negateIf(out, want))...)
			if equal != dimacs.Satisfiable || different != dimacs.Unsatisfiable {
				t.Errorf("%s of %v %v %v: %v, and %v with the wrong output", test.name, x, y, z, equal, different)
			}
		}
	}
}

// TestCounts checks the numbers of models of constraints.
func TestCounts(t *testing.T) {
	count := func(add func(b builder, ls []dimacs.Lit)) int {
		b := newBuilder(0)
		ls := b.freshes(5)
		add(b, ls)
		n := 0
		for bits := range 32 {
			var as []dimacs.Lit
			for i, l := range ls {
				as = append(as, negateIf(l, bits>>i&1 == 0))
			}
			if status, _ := Brute(b.Formula, as...); status == dimacs.Satisfiable {
				n++
			}
		}
		return n
	}
	for name, c := range map[string]struct {
		add  func(b builder, ls []dimacs.Lit)
		want int
	}{
		"odd parity":        {func(b builder, ls []dimacs.Lit) { b.parity(true, ls...) }, 16},
		"even of two":       {func(b builder, ls []dimacs.Lit) { b.parity(false, ls[:2]...) }, 16},
		"at most one":       {func(b builder, ls []dimacs.Lit) { b.atMostOne(ls...) }, 6},
		"exactly one":       {func(b builder, ls []dimacs.Lit) { b.exactlyOne(ls...) }, 5},
		"equal":             {func(b builder, ls []dimacs.Lit) { b.equal(ls[0], ls[1].Not()) }, 16},
		"parity of nothing": {func(b builder, _ []dimacs.Lit) { b.parity(true) }, 0},
	} {
		if got := count(c.add); got != c.want {
			t.Errorf("%s has %d models, want %d", name, got, c.want)
		}
	}
}
