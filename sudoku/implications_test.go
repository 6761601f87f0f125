package sudoku

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// A binary is a clause of two literals in ascending order, or of one literal
// twice.
type binary [2]dimacs.Lit

func either(a, b dimacs.Lit) binary { return binary{min(a, b), max(a, b)} }

// plainImplications returns the clauses of the 2SAT rule according to its
// definition.
func plainImplications(c *Candidates, trivalue bool) map[binary]bool {
	r, clauses := c.Rules(), map[binary]bool{}
	open := func(x int) bool { return c.Has(x) && c.Digit(x/r.Size()) == 0 }
	var left []int
	for x := range r.Cells() * r.Size() {
		if open(x) {
			left = append(left, x)
		}
	}
	for _, x := range left {
		for _, y := range left {
			if excludes(r, x, y) {
				clauses[either(pos(x)^1, pos(y)^1)] = true
			}
		}
	}
	for g := range r.Groups() {
		group := slices.DeleteFunc(c.Live(g, nil), func(x int) bool { return !open(x) })
		switch {
		case len(group) == 1:
			clauses[either(pos(group[0]), pos(group[0]))] = true
		case len(group) == 2:
			clauses[either(pos(group[0]), pos(group[1]))] = true
		case g >= r.Cells() && len(group) > 2:
			ahead(r, left, group, clauses)
		}
	}
	if trivalue {
		plainTrivalues(c, left, clauses)
	}
	return clauses
}

// excludes reports whether two candidates are mutually exclusive.
func excludes(r *Rules, x, y int) bool {
	a, d := r.Split(x)
	b, e := r.Split(y)
	return a == b && d != e || d == e && slices.Contains(r.Peers(a), b)
}

// ahead adds the look-ahead clauses: a candidate that leaves a group one
// candidate implies that candidate, and one that leaves it no candidate is
// false.
func ahead(r *Rules, left, group []int, clauses map[binary]bool) {
	for _, x := range left {
		_, d := r.Split(x)
		if _, e := r.Split(group[0]); d != e || slices.Contains(group, x) {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(group), func(y int) bool { return excludes(r, x, y) })
		switch len(rest) {
		case 0:
			clauses[either(pos(x)^1, pos(x)^1)] = true
		case 1:
			clauses[either(pos(x)^1, pos(rest[0]))] = true
		}
	}
}

func plainTrivalues(c *Candidates, left []int, clauses map[binary]bool) {
	r := c.Rules()
	for _, x := range left {
		cell, third := r.Split(x)
		if c.Left(cell) != 3 {
			continue
		}
		for _, peer := range r.Peers(cell) {
			if c.Left(peer) != 2 || c.Has(r.Candidate(peer, third)) {
				continue
			}
			pair := c.Live(peer, nil)
			_, a := r.Split(pair[0])
			_, b := r.Split(pair[1])
			if !c.Has(r.Candidate(cell, a)) || !c.Has(r.Candidate(cell, b)) {
				continue
			}
			for _, y := range left {
				other, d := r.Split(y)
				if (d == a || d == b) && slices.Contains(r.Peers(cell), other) && slices.Contains(r.Peers(peer), other) {
					clauses[either(pos(x), pos(y)^1)] = true
				}
			}
		}
	}
}

// TestImplications compares Implications with the definition, with bit sets of
// peers and, as on large grids, without.
func TestImplications(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for name, v := range variants() {
		if v.Size > 9 {
			continue
		}
		r, large := Must(v), Must(v)
		large.layout().peers = nil
		for i := range 24 {
			g := randomPuzzle(rng, r)
			c, unkept := NewCandidates(r), NewCandidates(large)
			ok := c.Load(g)
			unkept.Load(g)
			if i%4 > 0 { // otherwise there are open groups with one candidate
				ok = ok && c.Singles()
				unkept.Singles()
			}
			if !ok {
				continue
			}
			want := plainImplications(c, i%2 == 0)
			for _, c := range []*Candidates{c, unkept} {
				got := map[binary]bool{}
				c.Implications(i%2 == 0, func(a, b dimacs.Lit) { got[either(a^1, b)] = true })
				for clause := range want {
					if !got[clause] {
						t.Fatalf("%s: %v: no clause %v", name, g.Cells, clause)
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%s: %v: %d clauses, not %d", name, g.Cells, len(got), len(want))
				}
			}
		}
	}
}
