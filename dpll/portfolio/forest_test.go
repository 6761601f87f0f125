package portfolio

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// A small tree, refuted by hand: a node is refuted by the resolvent of both children or
// by one child alone, and the refuted share is updated.
func TestRefute(t *testing.T) {
	x, y := dimacs.FromInt(1), dimacs.FromInt(2)
	lemmas := int64(100)
	var hints []int64
	f := newForest([][]dimacs.Lit{{x, y}, {x, y ^ 1}, {x ^ 1}}, func(_ []dimacs.Lit, h ...int64) int64 {
		hints = append(hints, h...)
		lemmas++
		return lemmas
	})
	leaves := f.leaves()
	parent := f.nodes[leaves[0]].parent
	if len(leaves) != 3 || f.done() != 0 {
		t.Fatalf("%d leaves, and %v is done", len(leaves), f.done())
	}
	f.refute(leaves[0], []dimacs.Lit{y ^ 1, x ^ 1}, 1)
	if f.nodes[parent].refuted || f.covered(leaves[1]) || f.done() != 0.25 {
		t.Fatalf("a clause with the branching literal refutes the parent, and %v is done", f.done())
	}
	f.refute(leaves[1], []dimacs.Lit{x ^ 1, y}, 2)
	if n := f.nodes[parent]; !n.refuted || !slices.Equal(n.clause, []dimacs.Lit{x ^ 1}) || n.id != 101 || f.done() != 0.5 {
		t.Fatalf("the clauses of both children resolve to %v, and %v is done", n.clause, f.done())
	}
	f.refute(leaves[2], []dimacs.Lit{x}, 3)
	if r := f.nodes[f.roots[0]]; !r.refuted || len(r.clause) > 0 || r.id != 102 || f.done() != 1 {
		t.Fatalf("the root is refuted by %v", r.clause)
	}
	if !slices.Equal(hints, []int64{2, 1, 3, 101}) {
		t.Errorf("the hints of the resolvents are %v", hints)
	}

	f = newForest([][]dimacs.Lit{{x, y}, {x, y ^ 1}, {x ^ 1}}, nil)
	leaves = f.leaves()
	f.refute(leaves[1], []dimacs.Lit{x ^ 1}, 1) // without y
	if !f.covered(leaves[0]) || f.covered(leaves[2]) || f.done() != 0.5 {
		t.Errorf("a clause without the branching literal does not refute the parent, and %v is done", f.done())
	}
	f.refute(leaves[2], nil, 2)
	if r := f.nodes[f.roots[0]]; !r.refuted || len(r.clause) > 0 || r.id != 2 {
		t.Errorf("the root is refuted by %v", r.clause)
	}
}

// A cube without a result does not count as refuted; otherwise the answer could be
// wrong.
func TestLostResult(t *testing.T) {
	c := NewCoordinator([][]dimacs.Lit{dimacs.Lits(1), dimacs.Lits(2)}, CoordinatorOptions{})
	c.forest.refute(c.forest.roots[0], dimacs.Lits(-1), 1)
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "no result for the cube [2]") {
			t.Errorf("the run ends without a result of a cube: %v", got)
		}
	}()
	c.Cover()
}
