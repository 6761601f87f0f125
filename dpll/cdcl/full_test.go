package cdcl

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
)

// TestFullInInterruptedWork exceeds the limit of the tables while a call completes a
// substitution that a stopped call has left. No call may panic, and a full solver has no
// simplified formula.
func TestFullInInterruptedWork(t *testing.T) {
	for name := range callsOfFull(t) {
		s := stoppedInSubstitution(t)
		s.clauses.mostWords = 0
		checkFull(t, s, name)
	}
}

// checkFull checks a call that fills the solver, or comes after that.
func checkFull(t *testing.T, s *Solver, name string) {
	t.Helper()
	callsOfFull(t)[name](s)
	if s.Err() != ErrFull || LeaderOf(s).Ready() || s.call.ctx != nil {
		t.Errorf("%s: error %v, simplified %v, within a call %v", name, s.Err(), LeaderOf(s).Ready(), s.call.ctx != nil)
	}
}

// callsOfFull returns calls by name. A full solver must answer each without an answer or a
// clause.
func callsOfFull(t *testing.T) map[string]func(*Solver) {
	unknown := func(status dimacs.Status) {
		if status != dimacs.Unknown {
			t.Errorf("%v of a full solver", status)
		}
	}
	one := dimacs.FromInt(1)
	none := func(c []dimacs.Lit) bool {
		t.Errorf("a full solver yields the clause %v", c)
		return false
	}
	return map[string]func(s *Solver){
		"Add":        func(s *Solver) { s.Add(one, one+2, one+4) },
		"Connect":    func(s *Solver) { s.Connect(nil) },
		"Enumerate":  func(s *Solver) { s.Enumerate(nil).Close() },
		"Freeze":     func(s *Solver) { s.Freeze(one) },
		"KeepModels": func(s *Solver) { s.KeepModels() },
		"Observe":    func(s *Solver) { s.Observe(one) },
		"Propagate":  func(s *Solver) { _, status := s.Propagate(one); unknown(status) },
		"Simplify":   func(s *Solver) { unknown(s.Simplify(context.Background(), 1)) },
		"Solve":      func(s *Solver) { unknown(s.Solve(context.Background(), one)) },
		"NewGroup": func(s *Solver) {
			g := s.NewGroup()
			s.AddTo(g, one, one+2)
			s.Release(g)
		},
		"Clone": func(s *Solver) {
			if c := s.Clone(); c.Solve(context.Background()) != dimacs.Unknown || c.Err() != ErrFull {
				t.Error("the clone is not full")
			}
		},
		"Simplified":          func(s *Solver) { s.Simplified()(none) },
		"ReconstructionStack": func(s *Solver) { s.ReconstructionStack()(none) },
	}
}

// TestGuard checks that a panic of a callback is not taken for an overflow, also if it comes when
// the solver is full.
func TestGuard(t *testing.T) {
	for _, filled := range []bool{false, true} {
		s := New(Options{})
		if filled {
			s.call.state = full
		}
		func() {
			defer func() {
				if r := recover(); r != "callback" {
					t.Errorf("full is %v: recovered %v", filled, r)
				}
			}()
			defer s.guard(nil)
			panic("callback")
		}()
	}
}

// stoppedInSubstitution returns a solver whose last call was stopped within a substitution.
func stoppedInSubstitution(t *testing.T) *Solver {
	const vars = 2000 // long loops poll at every 1024th step
	rng := rand.New(rand.NewPCG(1, 21))
	o := plain()
	o.NoSubstitute = false
	s := New(o)
	_, add := hiding(s, vars, rng)
	add(2 * vars)
	for range vars / 4 {
		a, b := dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars))
		s.Add(a, b)
		s.Add(a^1, b^1)
	}
	s.Simplify(&selective{impatient{t.Context(), 1}, func() bool { return s.substitution != nil }}, 1)
	if s.substitution == nil {
		t.Fatal("no substitution was stopped")
	}
	return s
}

// TestHeightInterrupted checks that Leader.Ready returns false as long as a substitution must
// be completed, which makes the reconstruction stack higher: callers that read the simplified
// formula and the height of the stack ask Ready first.
func TestHeightInterrupted(t *testing.T) {
	const n = 800
	rng := rand.New(rand.NewPCG(1, 22))
	o := plain()
	o.NoSubstitute = false
	s := New(o)
	for v := range n {
		a, b := dimacs.Lit(2*v), dimacs.Lit(2*(n+v))
		s.Add(a, b^1)
		s.Add(a^1, b)
	}
	for range 2 * n { // no clause gets shorter
		v := rng.Perm(n)
		s.Add(dimacs.Lit(2*v[0]), dimacs.Lit(2*v[1]), dimacs.Lit(2*(n+v[2])))
	}
	s.Simplify(&selective{impatient{t.Context(), 1}, func() bool { return s.substitution != nil }}, 1)
	before := LeaderOf(s).Height()
	if s.substitution == nil || LeaderOf(s).Ready() {
		t.Fatalf("within a substitution: %v, but Ready returns %v", s.substitution != nil, LeaderOf(s).Ready())
	}
	for range s.Simplified() {
	}
	if LeaderOf(s).Height() <= before || !LeaderOf(s).Ready() {
		t.Errorf("the height is %d after the substitution, and %d before", LeaderOf(s).Height(), before)
	}
}
