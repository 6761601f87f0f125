package cdcl

import (
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// TestSubstitute checks that no two active literals are equivalent by binary clauses,
// and that all but one variable of each component are removed.
func TestSubstitute(t *testing.T) {
	replaced, refuted, kept := int64(0), 0, 0
	eachBinaryFormula(t, 600, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		if len(s.trail.vars)%3 == 0 {
			for v := range s.removal.flags {
				s.removal.flags[v] |= uint8(v) % 2 * keptFlag
			}
			kept++
		}
		before := s.reach(true)
		for !s.inconsistent {
			n := s.stats.Substituted
			if s.substitute(1e9); s.stats.Substituted == n {
				break
			}
		}
		replaced += s.stats.Substituted
		if s.removal.removed != int(s.stats.Substituted) {
			t.Errorf("%d variables are removed and %d replaced", s.removal.removed, s.stats.Substituted)
		}
		checkComponents(t, s, before)
		if s.inconsistent {
			refuted++
		} else {
			checkComponents(t, s, s.reach(true))
		}
		checkPass(t, s, f, p)
	})
	if replaced == 0 || refuted == 0 || kept == 0 {
		t.Errorf("%d variables replaced, %d formulas refuted, %d with variables that are kept", replaced, refuted, kept)
	}
}

// checkComponents checks that each component has only one active variable, apart from
// variables that must not be removed.
func checkComponents(t *testing.T, s *Solver, r reach) {
	t.Helper()
	for l := range r {
		if r[l][l^1] && r[l^1][l] && !s.inconsistent {
			t.Errorf("%v equals its complement, and is not refuted", dimacs.Lit(l))
		}
		for k := range r {
			v, w := uint32(l>>1), uint32(k>>1)
			if v != w && r[l][k] && r[k][l] && !s.inconsistent && s.removal.active(v) && s.removal.active(w) &&
				s.trail.vals[l] == 0 && s.trail.vals[k] == 0 && (s.removal.removable(v) || s.removal.removable(w)) {
				t.Errorf("%v equals %v", dimacs.Lit(l), dimacs.Lit(k))
			}
		}
	}
}

// TestSubstituteShortens checks clauses that lose literals, also down to two and one
// literals, and clauses that become tautologies.
func TestSubstituteShortens(t *testing.T) {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{
		{-1, 2}, {-2, 3}, {-3, 1}, // 1, 2 and 3 are equal
		{1, 2, 4, 5, 6}, {1, -2, 7, 8}, {-1, -3, 9}, {4, 3, -9, 10}, {-4, -2},
		{11, -12}, {12, -13}, {13, -14}, {14, -11}, {11, 12, 13},
	} {
		f.AddInts(c...)
	}
	for _, p := range []*dplltest.Recorder{dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
		s := New(optionsWith(p))
		s.AddFormula(f)
		s.propagateRoot()
		s.substitute(1e9)
		if s.removal.removed != 5 || s.trail.roots != 1 || s.trail.vals[dimacs.FromInt(11)] <= 0 {
			t.Errorf("%d variables are removed and %d fixed, want 5 and 1", s.removal.removed, s.trail.roots)
		}
		if s.stats.Irredundant != 4 || s.stats.Binary != 2 {
			t.Errorf("%d clauses are left, %d of them binary, want 4 and 2", s.stats.Irredundant, s.stats.Binary)
		}
		if err := p.Verify(s.Solve(t.Context()), nil); err != nil {
			t.Error(err)
		}
		if !s.Model().Satisfies(f) {
			t.Error("the model does not satisfy the formula")
		}
	}
}

// TestSubstituteRestores checks that a substituted variable is restored with the
// clauses of its equivalence, and that the proof has the same clauses.
func TestSubstituteRestores(t *testing.T) {
	restored := int64(0)
	eachBinaryFormula(t, 300, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		s.substitute(1e9)
		for v := range uint32(len(s.trail.vars)) {
			if !s.removal.active(v) {
				c := []dimacs.Lit{dimacs.Lit(2*v + v&1), dimacs.Lit(len(s.trail.vars)) ^ 1}
				f.Add(c...)
				s.Add(c...)
				break
			}
		}
		restored += s.stats.Restored
		s.propagateRoot()
		checkPass(t, s, f, p)
	})
	if restored == 0 {
		t.Error("no variable was restored")
	}
}

// equivalences returns a formula with long chains of equivalent variables. All variables
// true is a model, and so is all false.
func equivalences(rng *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for v := 1; v < vars; v++ {
		if rng.IntN(3) > 0 {
			f.AddInts(v, -(v + 1))
			f.AddInts(-v, v+1)
		}
	}
	for range 3 * vars {
		a, b, c := 1+rng.IntN(vars), 1+rng.IntN(vars), 1+rng.IntN(vars)
		f.AddInts(a, -b, c)
	}
	return f
}

// TestSubstituteInterrupted stops calls at random places. The variables must then be
// either all active or all removed.
func TestSubstituteInterrupted(t *testing.T) {
	const vars = 5000
	stopped, halfway, done := 0, 0, 0
	for _, seed := range effort.Seeds(4, 12) {
		rng := rand.New(rand.NewPCG(seed, 6))
		f := equivalences(rng, vars)
		p := dplltest.NewRecorder(true)
		s := New(optionsWith(p))
		s.AddFormula(f)
		s.propagateRoot()
		s.call.ctx = &impatient{t.Context(), 1 + rng.IntN(90)}
		s.substitute(1e9)
		switch {
		case s.substitution != nil:
			halfway++
		case s.call.stopped && s.removal.removed == 0:
			stopped++
		case s.removal.removed > 0:
			done++
		}
		s.call.ctx, s.call.stopped = nil, false
		s.resetAndComplete()
		s.connect()
		if got, want := p.Alive(2), s.stats.Irredundant+s.stats.Redundant+s.removal.stack.records; got != want {
			t.Fatalf("seed %d: the proof has %d clauses, the solver %d", seed, got, want)
		}
		if status := s.Solve(t.Context()); status != dimacs.Satisfiable || !s.Model().Satisfies(f) {
			t.Fatalf("seed %d: %v", seed, status)
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stopped == 0 || halfway == 0 || done == 0 {
		t.Errorf("%d substitutions were stopped, %d of them halfway, %d done", stopped+halfway, halfway, done)
	}
}

// A call may assume variables that the interrupted substitution of the last call is about
// to remove.
func TestSubstituteInterruptedAssumed(t *testing.T) {
	f := equivalences(rand.New(rand.NewPCG(0, 6)), 5000)
	halfway := 0
	for patience, done := 1, false; !done; patience++ {
		s := New(Options{})
		s.AddFormula(f)
		s.propagateRoot()
		s.call.ctx = &impatient{t.Context(), patience}
		s.substitute(1e9)
		s.call.ctx, done = nil, s.removal.removed > 0
		if s.substitution == nil || len(s.substitution.replaced) == 0 {
			continue
		}
		halfway++
		value := int8(1 - 2*(halfway&1))
		v := s.substitution.replaced
		assumptions := []dimacs.Lit{literal(v[0], value), literal(v[len(v)-1], value)}
		if halfway%3 == 0 {
			if implied, status := s.Propagate(assumptions...); len(implied) == 0 || status != dimacs.Unknown {
				t.Fatalf("Propagate: %v %v", implied, status)
			}
		}
		if status := s.Solve(t.Context(), assumptions...); status != dimacs.Satisfiable || !s.Model().Satisfies(f) {
			t.Fatalf("Solve: %v", status)
		}
		for _, l := range assumptions {
			if s.Value(l) != dimacs.True {
				t.Fatalf("the assumption %v is %v", l, s.Value(l))
			}
		}
	}
	if halfway < 3 {
		t.Errorf("%d substitutions were stopped halfway", halfway)
	}
}

// Ternary clauses imply equivalences, which learned binary clauses state. A substitution that
// is stopped while it rewrites the ternary clauses must not lose the equivalences: it deletes
// these clauses, and the learned ones are not part of the formula. The reconstruction stack
// must fit the simplified formula, whichever is read first.
func TestSubstituteInterruptedLong(t *testing.T) {
	const pairs = 1000 // of four ternary clauses each; long loops poll at every 1024th step
	f := dimacs.NewFormula(0)
	for i := range pairs {
		a, b, c := 3*i+1, 3*i+2, 3*i+3
		for sign := -1; sign <= 1; sign += 2 {
			f.AddInts(a, -b, sign*c)
			f.AddInts(-a, b, sign*c)
		}
	}
	halfway := 0
	for patience, done := 1, false; !done; patience++ {
		s := New(plain())
		s.AddFormula(f)
		s.connect()
		for i := range pairs {
			a, b := dimacs.FromInt(3*i+1), dimacs.FromInt(3*i+2)
			s.clauses.addClause([]dimacs.Lit{a, b ^ 1}, true, 1, 0)
			s.clauses.addClause([]dimacs.Lit{a ^ 1, b}, true, 1, 0)
		}
		s.call.ctx = &impatient{t.Context(), patience}
		s.substitute(1e9)
		s.call.ctx, done = nil, s.removal.removed > 0
		if s.substitution != nil {
			halfway++
		}
		stack, g := dimacs.NewFormula(f.Vars()), dimacs.NewFormula(f.Vars())
		for c := range s.ReconstructionStack() {
			stack.Add(c...)
		}
		for c := range s.Simplified() {
			g.Add(c...)
		}
		other := New(plain())
		other.AddFormula(g)
		if other.Solve(t.Context(), dimacs.FromInt(1), dimacs.FromInt(-2)) != dimacs.Satisfiable {
			continue
		}
		if i := other.Model().Reconstruct(stack).Falsified(f); i >= 0 {
			t.Fatalf("stopped at poll %d: a model of the simplified formula falsifies %v", patience, f.Clause(i))
		}
	}
	if halfway < 5 {
		t.Errorf("%d substitutions were stopped halfway", halfway)
	}
}
