package cdcl

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"sator/dimacs"
)

// shared returns the names of fields in which two values share memory: slices, maps and
// pointers, also within structs. Functions, interfaces and the wall clock may be shared.
func shared(name string, a, b reflect.Value) (names []string) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			names = append(names, shared(name+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))...)
		}
	case reflect.Array:
		for i := range a.Len() {
			names = append(names, shared(name, a.Index(i), b.Index(i))...)
		}
	case reflect.Slice:
		if a.Cap() > 0 && b.Cap() > 0 && a.Pointer() == b.Pointer() {
			names = append(names, name)
		}
	case reflect.Map, reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		if !a.IsNil() && a.Pointer() == b.Pointer() && name != "Solver.call.deadline.loc" {
			names = append(names, name)
		}
	}
	return names
}

// TestCloneSharesNothing checks that no table of a clone is one of the original, and that
// both continue in the same way.
func TestCloneSharesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, conflicts := range []int64{0, 1, 500, 3000} {
		o := Options{}
		o.InprocessInterval = 100
		s := New(o)
		_, add := hiding(s, 250, rng)
		add(1040)
		s.NewGroup()
		s.SetLimits(Limits{Conflicts: conflicts + 1})
		s.Solve(context.Background())
		c := s.Clone()
		for _, name := range shared("Solver", reflect.ValueOf(*s), reflect.ValueOf(*c)) {
			t.Errorf("after %d conflicts the clone shares %s", conflicts, name)
		}
		for _, each := range []*Solver{s, c} {
			each.SetLimits(Limits{})
			if each.Solve(context.Background(), dimacs.FromInt(3)) == dimacs.Unknown {
				t.Fatal("no answer")
			}
		}
		if s.Stats() != c.Stats() {
			t.Errorf("after %d conflicts the runs differ:\n%+v\n%+v", conflicts, s.Stats(), c.Stats())
		}
	}
}

// TestFullArena fills the arena of solvers up to a lowered limit, by clauses that the caller
// adds and by learned ones. No call may panic, and the reason must be there.
func TestFullArena(t *testing.T) {
	for words := uint64(40); words < 20_000; words = words*5/4 + 3 {
		rng := rand.New(rand.NewPCG(words, 2))
		o := Options{}
		o.InprocessInterval = 50
		s := New(o)
		s.clauses.mostWords = words
		for range 640 {
			s.Add(dimacs.Lit(rng.IntN(300)), dimacs.Lit(rng.IntN(300)), dimacs.Lit(rng.IntN(300)))
		}
		answer := s.Solve(context.Background())
		if full := s.Err() != nil; full != (answer == dimacs.Unknown) {
			t.Fatalf("%d words: %v with the error %v", words, answer, s.Err())
		}
		if s.Err() == nil {
			continue
		}
		for name := range callsOfFull(t) {
			checkFull(t, s, name)
		}
	}
}

// A collection leaves no empty list at the end of the pool: propagation reads the first watch of
// a list ahead of time, and the pool of a clone has no memory behind its end.
func TestCloneEmptyLists(t *testing.T) {
	s := New(plain())
	for v := 1; v < 40; v++ {
		s.Add(dimacs.FromInt(v), dimacs.FromInt(v+1))
	}
	s.Add(dimacs.FromInt(1))
	s.Add(dimacs.FromInt(40))
	s.connect()
	s.propagateRoot()
	s.collectRoot()
	s.defragment(true)
	c := s.Clone()
	for l, h := range c.clauses.watches {
		if int(h.off) >= len(c.clauses.pool) {
			t.Fatalf("the list of %v begins at %d, behind a pool of %d watches", dimacs.Lit(l), h.off, len(c.clauses.pool))
		}
	}
}
