package portfolio

import (
	"context"
	"slices"
	"testing"

	"sator/dimacs"
)

// What is refuted in a tree, by hand: from both children or from one alone, with the
// share of it that is done.
func TestRefute(t *testing.T) {
	x, y := dimacs.FromInt(1), dimacs.FromInt(2)
	lemmas := int64(100)
	var hints []int64
	w := newForest([][]dimacs.Lit{{x, y}, {x, y ^ 1}, {x ^ 1}}, func(_ []dimacs.Lit, h ...int64) int64 {
		hints = append(hints, h...)
		lemmas++
		return lemmas
	})
	leaves := w.leaves()
	parent := w.nodes[leaves[0]].parent
	if len(leaves) != 3 || w.done() != 0 {
		t.Fatalf("%d leaves, of which %v is done", len(leaves), w.done())
	}
	w.refute(leaves[0], []dimacs.Lit{y ^ 1, x ^ 1}, 1)
	if w.nodes[parent].state == refuted || w.covered(leaves[1]) || w.done() != 0.25 {
		t.Fatalf("one child with the literal between the two is enough, and %v is done", w.done())
	}
	w.refute(leaves[1], []dimacs.Lit{x ^ 1, y}, 2)
	if p := w.nodes[parent]; p.state != refuted || !slices.Equal(p.clause, []dimacs.Lit{x ^ 1}) || p.id != 101 || w.done() != 0.5 {
		t.Fatalf("both children make %v, and %v is done", p.clause, w.done())
	}
	w.refute(leaves[2], []dimacs.Lit{x}, 3)
	if r := w.nodes[w.roots[0]]; r.state != refuted || len(r.clause) > 0 || r.id != 102 || w.done() != 1 {
		t.Fatalf("the root is refuted by %v", r.clause)
	}
	if !slices.Equal(hints, []int64{2, 1, 3, 101}) {
		t.Errorf("the resolvents are told along %v", hints)
	}

	w = newForest([][]dimacs.Lit{{x, y}, {x, y ^ 1}, {x ^ 1}}, nil)
	leaves = w.leaves()
	w.refute(leaves[1], []dimacs.Lit{x ^ 1}, 1) // without y
	if !w.covered(leaves[0]) || w.covered(leaves[2]) || w.done() != 0.5 {
		t.Errorf("one child without that literal is not enough, and %v is done", w.done())
	}
	w.refute(leaves[2], nil, 2)
	if r := w.nodes[w.roots[0]]; r.state != refuted || len(r.clause) > 0 || r.id != 2 {
		t.Errorf("the root is refuted by %v", r.clause)
	}
}

// A cube that nobody has a result of is no refuted one: to go on without it would be a
// wrong answer.
func TestLostResult(t *testing.T) {
	q := &conquerRun{forest: newForest([][]dimacs.Lit{dimacs.Lits(1), dimacs.Lits(2)}, nil)}
	q.forest.refute(q.forest.roots[0], dimacs.Lits(-1), 1)
	defer func() {
		if recover() == nil {
			t.Error("the conquest ends without a result")
		}
	}()
	q.checkCover(context.Background())
}
