package cdcl

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// eachTernaryFormula calls try as eachBinaryFormula does, with more ternary clauses, so
// that there are equivalences that binary clauses alone do not imply.
func eachTernaryFormula(t *testing.T, rounds int, try func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder)) {
	for seed := range uint64(rounds) {
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			rng := rand.New(rand.NewPCG(seed, 0x5e))
			vars := 3 + rng.IntN(8)
			f := randomFormula(rng, vars, rng.IntN(vars), vars+rng.IntN(4*vars))
			if s := solverAtRoot(f, p, rng); s != nil {
				s.opts.Substitute = 0
				try(t, s, f, p)
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// equalPairs returns the number of models of f and, by pairs of literals, whether they are
// equal in all models. Literals that are always true equal each other and the
// complements of literals that are always false.
func equalPairs(f *dimacs.Formula) (models int, equal [][]bool) {
	n := 2 * f.Vars()
	equal = make([][]bool, n)
	for l := range equal {
		equal[l] = make([]bool, n)
		for k := range equal[l] {
			equal[l][k] = true
		}
	}
	for bits := range uint32(1) << f.Vars() {
		truth := func(l dimacs.Lit) bool { return bits>>(l>>1)&1 != uint32(l&1) }
		if !satisfiedBy(f, truth) {
			continue
		}
		models++
		for l := range equal {
			for k := range equal[l] {
				equal[l][k] = equal[l][k] && truth(dimacs.Lit(l)) == truth(dimacs.Lit(k))
			}
		}
	}
	return models, equal
}

func satisfiedBy(f *dimacs.Formula, truth func(dimacs.Lit) bool) bool {
	for _, c := range f.Clauses() {
		ok := false
		for _, l := range c {
			ok = ok || truth(l)
		}
		if !ok {
			return false
		}
	}
	return true
}

// TestSweepFindsAll sweeps environments that are as large as the formula. Then all
// backbone literals must be units, and all equivalences must follow along binary
// clauses.
func TestSweepFindsAll(t *testing.T) {
	var sum Stats
	refuted := 0
	eachTernaryFormula(t, 500, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		s.sweep(1e9)
		models, equal := equalPairs(f)
		if s.inconsistent != (models == 0) {
			t.Errorf("refuted %v, with %d models", s.inconsistent, models)
		}
		if s.inconsistent {
			refuted++
			checkPass(t, s, f, p)
			return
		}
		checkFound(t, s, equal)
		sum.SweepUnits += s.stats.SweepUnits
		sum.SweepEnvironments += s.stats.SweepEnvironments
		sum.SweepSolved += s.stats.SweepSolved
		sum.SweepEquivalences += s.stats.SweepEquivalences
		checkPass(t, s, f, p)
	})
	if sum.SweepSolved > 4*sum.SweepEnvironments { // without flips there are five times as many
		t.Errorf("%d calls of the kitten for %d environments", sum.SweepSolved, sum.SweepEnvironments)
	}
	if refuted < 50 || sum.SweepUnits < 100 || sum.SweepEquivalences < 100 {
		t.Errorf("%d formulas were refuted, with %d units and %d equivalences in others", refuted, sum.SweepUnits, sum.SweepEquivalences)
	}
}

// checkFound checks that equivalences, including those of backbone literals, are found
// if and only if they hold.
func checkFound(t *testing.T, s *Solver, equal [][]bool) {
	t.Helper()
	r := s.reach(true)
	for l := range equal {
		for k := range l {
			if l>>1 == k>>1 {
				continue
			}
			found := s.trail.vals[l] != 0 && s.trail.vals[l] == s.trail.vals[k] || s.trail.vals[l] == 0 && s.trail.vals[k] == 0 && r[l][k] && r[k][l]
			if found != equal[l][k] {
				t.Errorf("%v and %v are equal: %v, found: %v", dimacs.Lit(l), dimacs.Lit(k), equal[l][k], found)
			}
		}
	}
}

// TestSweepCopies sweeps two copies of a circuit. Their gates are pairwise equal, so
// that the variables of one copy must remain.
func TestSweepCopies(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0x5f))
		const inputs, gates = 6, 20
		f := dimacs.NewFormula(0)
		var one [][]dimacs.Lit
		for v := inputs; v < inputs+gates; v++ {
			one = append(one, gateOver(rng, v)...)
		}
		for _, c := range one {
			f.Add(c...)
			var d []dimacs.Lit
			for _, l := range c {
				if l>>1 >= inputs {
					l += 2 * gates
				}
				d = append(d, l)
			}
			f.Add(d...)
		}
		p := dplltest.NewRecorder(seed%2 == 0)
		s := New(optionsWith(p))
		s.AddFormula(f)
		s.propagateRoot()
		s.sweep(1e9)
		open := 0
		for v := range uint32(len(s.trail.vars)) {
			if s.removal.active(v) && s.trail.vals[2*v] == 0 {
				open++
			}
		}
		if open > inputs+gates {
			t.Errorf("seed %d: %d variables are left, want %d", seed, open, inputs+gates)
		}
		if s.Solve(context.Background()) != dimacs.Satisfiable || !s.Model().Satisfies(f) {
			t.Fatalf("seed %d: no model of the circuits", seed)
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestSweepBudgets checks that a pass resumes where the previous one ended, for any
// budget.
func TestSweepBudgets(t *testing.T) {
	units := int64(0)
	eachTernaryFormula(t, 200, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		for budget := range int64(12) {
			if !s.inconsistent {
				s.passes.sweeping.wait = 0
				s.sweep(100 + 50*budget)
			}
		}
		units += s.stats.SweepUnits
		checkPass(t, s, f, p)
	})
	if units < 50 {
		t.Errorf("%d units", units)
	}
}

// TestSweepDelay checks that a pass without success is skipped for longer each time.
func TestSweepDelay(t *testing.T) {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{{1, 2, 3}, {-1, -2, -3}, {1, -2, 3}} {
		f.AddInts(c...)
	}
	s := New(plain())
	s.AddFormula(f)
	s.propagateRoot()
	var swept []int
	for round := range 20 {
		before := s.stats.SweepEnvironments
		if s.sweep(1e9); s.stats.SweepEnvironments > before {
			swept = append(swept, round)
		}
	}
	want := []int{0, 2, 5, 9, 14}
	for i := range want {
		if len(swept) != len(want) || swept[i] != want[i] {
			t.Fatalf("swept in rounds %v, want %v", swept, want)
		}
	}
}

// TestSweepInterrupted stops calls at random places. The formula has a model, which
// must be found.
func TestSweepInterrupted(t *testing.T) {
	const vars = 3000
	stopped := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 0x60))
		o := plain()
		o.Sweep, o.Substitute, o.InprocessInterval = 1, 1, 1
		s := New(o)
		f, add := hiding(s, vars, rng)
		add(3 * vars)
		s.propagateRoot()
		for range 6 {
			s.call.ctx = &impatient{t.Context(), 1 + rng.IntN(30)}
			s.passes.sweeping.wait = 0
			s.sweep(1e7)
			if s.call.stopped {
				stopped++
			}
			s.call.ctx, s.call.stopped = nil, false
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		if answer := s.Solve(ctx); answer != dimacs.Satisfiable {
			t.Fatalf("seed %d: %v, but there is a model", seed, answer)
		}
		cancel()
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
		}
	}
	if stopped == 0 {
		t.Error("no pass was stopped")
	}
}
