package cdcl

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// TestPassOrder checks that each ordering of the passes is needed for the order that it
// names, and that faults of the table are found.
func TestPassOrder(t *testing.T) {
	for _, o := range passOrder {
		rows := slices.Clone(passes)
		first := slices.IndexFunc(rows, func(p pass) bool { return p.name == o.first })
		moved := rows[first]
		rows = append(slices.Delete(rows, first, first+1), moved)
		if err := checkOrder(rows, passOrder); err == nil || !strings.Contains(err.Error(), o.first+" must run before ") {
			t.Errorf("with %s last the order is accepted: %v", o.first, err)
		}
		if err := checkOrder(rows, []ordering{o}); err == nil || !strings.Contains(err.Error(), o.reason) {
			t.Errorf("%s after %s: %v", o.first, o.then, err)
		}
	}
	if err := checkOrder(append(slices.Clone(passes), passes[0]), nil); err == nil {
		t.Error("a name may occur twice")
	}
	for _, o := range []ordering{{"none", "probe", ""}, {"probe", "none", ""}} {
		if err := checkOrder(passes, []ordering{o}); err == nil {
			t.Errorf("%v is accepted", o)
		}
	}
}

// TestAssumedRounds checks that rounds eliminate variables under a few assumptions, though none of
// the assumed ones, and none at all under many.
func TestAssumedRounds(t *testing.T) {
	const vars = 160
	for _, assumed := range []int{1, vars / 16, vars/16 + 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		s := New(eliminating())
		clause := func(first dimacs.Lit, n int) {
			c := []dimacs.Lit{first}
			for _, v := range rng.Perm(vars - assumed)[:n] {
				c = append(c, dimacs.Var(assumed+v).Lit()^dimacs.Lit(rng.IntN(2)))
			}
			s.Add(c...)
		}
		var assumptions []dimacs.Lit
		for v := range assumed {
			l := dimacs.Var(v).Lit()
			assumptions = append(assumptions, l)
			clause(l, 2)
			clause(l^1, 2)
		}
		for range 4 * vars {
			clause(dimacs.Lit(2*assumed+rng.IntN(2*(vars-assumed))), 2)
		}
		s.Solve(t.Context(), assumptions...)
		if few := assumed <= vars/16; s.stats.Rounds == 0 || few != (s.stats.Eliminated > 0) {
			t.Errorf("%d assumptions: %d rounds, %d variables eliminated", assumed, s.stats.Rounds, s.stats.Eliminated)
		}
		for v := range assumed {
			if !s.removal.active(uint32(v)) {
				t.Errorf("the assumed variable %d is removed", v+1)
			}
		}
	}
}
