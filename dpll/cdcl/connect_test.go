package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestPendingList pushes and pops clauses of several chunks, and compares the list with a slice.
func TestPendingList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var p pendingList
	var want []pendingBinary
	for _, end := range []int{10, 3*pendingChunk + 5, pendingChunk + 1, 2 * pendingChunk, pendingChunk, 4*pendingChunk - 1, 0, 1} {
		for len(want) < end {
			c := pendingBinary{dimacs.Lit(random.Uint32()), dimacs.Lit(random.Uint32()), random.Uint32()}
			p.push(nil, c)
			want = append(want, c)
		}
		for len(want) > end {
			last := len(want) - 1
			if c := p.pop(); c != want[last] {
				t.Fatalf("clause %d is %v, want %v", last, c, want[last])
			}
			want = want[:last]
		}
		got := make([]pendingBinary, p.len)
		for i := range got {
			got[i] = p.at(i)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the list of %d clauses differs", end)
		}
		if p.space != nil && end <= pendingChunk {
			t.Errorf("%d clauses have a reservation", end)
		}
	}
}

// TestCapacity checks that lists of binary clauses alone get no spare capacity in large formulas,
// and others little.
func TestCapacity(t *testing.T) {
	for _, tt := range []struct {
		count, large, small uint32
	}{
		{0, 2, 2},
		{1, 3, 4},
		{5, 7, 8},
		{1 | longerBit, 4, 4},
		{5 | longerBit, 8, 8},
	} {
		for _, c := range []connector{{tight: true, count: []uint32{tt.count}}, {count: []uint32{tt.count}}} {
			want := tt.small
			if c.tight {
				want = tt.large
			}
			if got := c.capacity(&watchList{len: 2, cap: 2}, 0); got != want {
				t.Errorf("count %x, large %t: capacity %d, want %d", tt.count, c.tight, got, want)
			}
		}
	}
	c := connector{tight: true, count: []uint32{longerBit}}
	for n, want := range []uint32{0, 1, 2, 4, 4, 8} {
		c.count[0] = longerBit | uint32(n)
		if got := c.capacity(&watchList{}, 0); got != want {
			t.Errorf("capacity %d of %d watches, want %d", got, n, want)
		}
	}
}

// The part of the arena with clauses of the formula grows by clauses that are connected behind
// it. Deleted clauses among them are counted in that part from then on: a partial collection,
// which collects the other part alone, does not free them.
func TestConnectCountsGarbage(t *testing.T) {
	s := New(plain())
	s.Grow(4)
	first := s.clauses.alloc([]dimacs.Lit{0, 2, 4}, false, 0, 0)
	s.clauses.alloc([]dimacs.Lit{1, 3, 6}, false, 0, 0)
	s.stats.Irredundant += 2
	s.clauses.markGarbage(first)
	s.connect()
	if s.clauses.garbage != 0 || s.clauses.formulaGarbage != 1 || int(s.clauses.learnedStart) != len(s.clauses.arena) {
		t.Errorf("%d and %d deleted clauses, %d of %d words of the formula", s.clauses.garbage, s.clauses.formulaGarbage, s.clauses.learnedStart, len(s.clauses.arena))
	}
	s.collect(false)
	if checking {
		s.checkAll()
	}
}
