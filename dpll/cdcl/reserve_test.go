package cdcl

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"sator/dimacs"
)

// reserves reports whether tables are outside the Go heap here.
func reserves() bool {
	r := reserveSpace(1 << 20)
	r.release()
	return r != nil
}

// large returns a solver with n random ternary clauses over as many variables.
func large(n int) *Solver {
	o := plain()
	s := New(o)
	random := rand.New(rand.NewPCG(1, 0))
	for range n {
		s.Add(dimacs.Lit(random.IntN(2*n)), dimacs.Lit(random.IntN(2*n)), dimacs.Lit(random.IntN(2*n)))
	}
	return s
}

// TestTableInPlace grows a table element by element, and compares it with a slice. Once it
// has a reservation, it must not move.
func TestTableInPlace(t *testing.T) {
	var r *reservation
	var a, want []uint32
	var first *uint32
	asked := int64(0)
	m := func(bytes int64) bool { asked += bytes; return true }
	for i := range uint32(3 << 20 / 4 * 3) {
		if len(a) == cap(a) {
			a = grown(m, &r, a, len(a)+1)
			if r != nil && first == nil {
				first = unsafe.SliceData(a)
			}
		}
		a, want = append(a, i*i), append(want, i*i)
	}
	if !slices.Equal(a, want) {
		t.Fatal("a table differs after growth")
	}
	if reserves() && (r == nil || first != unsafe.SliceData(a)) {
		t.Error("a large table has moved")
	}
	if asked < int64(4*len(a)) {
		t.Errorf("the limit was asked for %d bytes, the table has %d", asked, 4*len(a))
	}
	r.release()
}

// TestTableRefused grows a table until the limit refuses. It must grow by small steps first,
// and then panic.
func TestTableRefused(t *testing.T) {
	var r *reservation
	defer func() {
		r.release()
		if _, is := recover().(*dimacs.MemoryError); !is {
			t.Error("no MemoryError")
		}
	}()
	a := grown[uint32](nil, &r, nil, 4<<20)
	left := int64(4 << 20)
	m := func(bytes int64) bool {
		if bytes > left {
			return false
		}
		left -= bytes
		return true
	}
	for range 1000 {
		need := cap(a) + 1
		if a = grown(m, &r, a[:cap(a)], need); cap(a) < need {
			t.Fatalf("capacity %d, need %d", cap(a), need)
		}
	}
	t.Error("the table grew without end")
}

// TestCloneLarge changes the clone of a solver with large tables, which must leave the
// original as it is.
func TestCloneLarge(t *testing.T) {
	s := large(60_000)
	if answer := s.Solve(context.Background()); answer != dimacs.Satisfiable {
		t.Fatal(answer)
	}
	arena, pool := slices.Clone(s.clauses.arena), slices.Clone(s.clauses.pool)
	c := s.Clone()
	if reserves() && (s.clauses.arenaSpace == nil || s.clauses.poolSpace == nil || c.clauses.arenaSpace == s.clauses.arenaSpace || c.clauses.poolSpace == s.clauses.poolSpace) {
		t.Error("the tables have no reservations of their own")
	}
	clear(c.clauses.arena)
	clear(c.clauses.pool)
	c.clauses.arenaSpace.release()
	c.clauses.poolSpace.release()
	if !slices.Equal(arena, s.clauses.arena) || !slices.Equal(pool, s.clauses.pool) {
		t.Error("the original has changed")
	}
}

// collectSolvers waits until the garbage collector has returned the reservations of all solvers
// that were dropped. No other solver may have any.
func collectSolvers() {
	for reservations.Load() > 0 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// TestDropped drops solvers with large tables. The garbage collector must return their
// address space.
func TestDropped(t *testing.T) {
	if !reserves() {
		t.Skip("no reservations here")
	}
	collectSolvers()
	for range 3 {
		if s := large(60_000); s.clauses.arenaSpace == nil {
			t.Fatal("a large arena without a reservation")
		}
	}
	collectSolvers()
}

// TestDiscard discards the end of a table. The beginning must stay, and what follows its last
// page must read as zero.
func TestDiscard(t *testing.T) {
	if !reserves() {
		t.Skip("no reservations here")
	}
	const words, huge = 3 << 20, 4 << 20 / 4 // two huge pages: one is used in part
	var r *reservation
	a := grown[uint32](nil, &r, nil, words)[:words]
	defer r.release()
	fill := func() {
		for i := range a {
			a[i] = uint32(i) + 1
		}
	}
	fill()
	for used := words; used > 0; used = used / 3 * 2 {
		r.discard(4*uint64(used), 4*words)
		for i, x := range a {
			switch {
			case i < used && x != uint32(i)+1:
				t.Fatalf("word %d of %d is %d after a discard", i, used, x)
			case i >= used+huge && x != 0:
				t.Fatalf("word %d behind %d was not discarded", i, used)
			}
		}
		fill()
	}
}

// TestScratchReleased makes passes and walks with large tables. Their reservations must be
// returned at the end of each, and a clone must not share them.
func TestScratchReleased(t *testing.T) {
	if !reserves() {
		t.Skip("no reservations here")
	}
	collectSolvers()
	s := large(2000)
	random := rand.New(rand.NewPCG(2, 0))
	for range 200_000 {
		s.Add(dimacs.Lit(random.IntN(2000))*2, dimacs.Lit(2000+random.IntN(2000))*2+1)
	}
	s.connect()
	before := reservations.Load()
	g := s.implications(true)
	graph := reservations.Load() - before
	start := slices.Clone(g.Start)
	if graph < 2 {
		t.Fatalf("%d reservations for an implication graph", graph)
	}
	if again := s.implications(true); reservations.Load() != before+graph || !slices.Equal(again.Start, start) {
		t.Error("the first graph stays, or the second one differs")
	}
	c := s.Clone()
	defer runtime.KeepAlive(c) // its reservations count
	if c.passes.graph != [3]*reservation{} || c.passes.scratch != nil {
		t.Error("a clone shares the tables of a pass")
	}
	before = reservations.Load() - graph
	w := s.newWalker(1000)
	if !w.load() || len(s.passes.scratch) == 0 {
		t.Fatal("a walk has no tables")
	}
	if s.passes.releaseScratch(); reservations.Load() != before || len(s.passes.scratch) > 0 {
		t.Errorf("%d reservations stay", reservations.Load()-before)
	}
}

// TestTightCapacity checks that capacities suffice, and that those of long lists are at most a
// quarter larger.
func TestTightCapacity(t *testing.T) {
	for n := range uint32(20_000) {
		if c := tightCapacity(n); c < n || c%4 != 0 || n >= 64 && 4*c > 5*n {
			t.Fatalf("capacity %d for %d watches", c, n)
		}
	}
}

// TestFreePlaces releases places of all capacities. The free lists must contain each of their
// watches once, and the lists that take them must not overlap.
func TestFreePlaces(t *testing.T) {
	s := New(plain())
	random := rand.New(rand.NewPCG(3, 0))
	var lists []watchList
	for range 300 {
		n := tightCapacity(uint32(random.IntN(3000)))
		off, _ := s.clauses.extendPool(n)
		lists = append(lists, watchList{off: off, cap: n})
	}
	for range 3000 {
		h := &lists[random.IntN(len(lists))]
		switch random.IntN(3) {
		case 0:
			s.clauses.release(h)
			*h = watchList{}
		case 1:
			s.clauses.growList(h)
		case 2:
			s.clauses.shrinkList(h, uint32(listCapacity(uint32(random.IntN(3000)))))
		}
	}
	owners := make([]int, len(s.clauses.pool))
	free := 0
	for class, off := range s.clauses.free {
		for ; off != 0; off = uint32(s.clauses.pool[off]) {
			free += 1 << class
			for i := range uint32(1) << class {
				owners[off+i]++
			}
		}
	}
	if free != s.clauses.freed {
		t.Errorf("%d watches in free places, counted as %d", free, s.clauses.freed)
	}
	for _, h := range lists {
		for i := range h.cap {
			owners[h.off+i]++
		}
	}
	for i, n := range owners[1:] {
		if n != 1 {
			t.Fatalf("watch %d of the pool has %d owners", i+1, n)
		}
	}
}
