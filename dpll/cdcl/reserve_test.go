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
	arena, pool := slices.Clone(s.arena), slices.Clone(s.pool)
	c := s.Clone()
	if reserves() && (s.arenaSpace == nil || s.poolSpace == nil || c.arenaSpace == s.arenaSpace || c.poolSpace == s.poolSpace) {
		t.Error("the tables have no reservations of their own")
	}
	clear(c.arena)
	clear(c.pool)
	c.arenaSpace.release()
	c.poolSpace.release()
	if !slices.Equal(arena, s.arena) || !slices.Equal(pool, s.pool) {
		t.Error("the original has changed")
	}
}

// TestDropped drops solvers with large tables. The garbage collector must return their
// address space.
func TestDropped(t *testing.T) {
	if !reserves() {
		t.Skip("no reservations here")
	}
	for reservations.Load() > 0 { // of earlier tests
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		if s := large(60_000); s.arenaSpace == nil {
			t.Fatal("a large arena without a reservation")
		}
	}
	for reservations.Load() > 0 {
		runtime.GC()
		time.Sleep(time.Millisecond)
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
		off, _ := s.extendPool(n)
		lists = append(lists, watchList{off: off, cap: n})
	}
	for range 3000 {
		h := &lists[random.IntN(len(lists))]
		switch random.IntN(3) {
		case 0:
			s.release(h)
			*h = watchList{}
		case 1:
			s.growList(h)
		case 2:
			s.shrinkList(h, uint32(listCapacity(uint32(random.IntN(3000)))))
		}
	}
	owners := make([]int, len(s.pool))
	free := 0
	for class, off := range s.free {
		for ; off != 0; off = uint32(s.pool[off]) {
			free += 1 << class
			for i := range uint32(1) << class {
				owners[off+i]++
			}
		}
	}
	if free != s.freed {
		t.Errorf("%d watches in free places, counted as %d", free, s.freed)
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
