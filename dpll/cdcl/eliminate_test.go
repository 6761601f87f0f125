package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// eliminating returns options with subsumption and elimination as the only passes.
func eliminating() Options {
	o := Options{}
	o.NoEliminate, o.NoSubsume, o.InprocessInterval = false, false, 1
	return o
}

// gateOver returns the clauses of a random gate with output v and inputs among the
// variables before v.
func gateOver(rng *rand.Rand, v int) [][]dimacs.Lit {
	g := gatesOf1[rng.IntN(len(gatesOf1))].clauses
	inputs := rng.Perm(v)
	signs := rng.Uint32()
	var clauses [][]dimacs.Lit
	for _, c := range g {
		var d []dimacs.Lit
		for _, x := range c {
			l := dimacs.FromInt(x)
			w := v
			if l.Var() > 0 {
				w = inputs[l.Var()-1]
			}
			d = append(d, dimacs.Lit(2*w)|l&1^dimacs.Lit(signs>>l.Var()&1))
		}
		clauses = append(clauses, d)
	}
	return clauses
}

// TestEliminateCircuit checks that a circuit with unconstrained outputs is eliminated
// completely, and that the reconstructed model satisfies all gates.
func TestEliminateCircuit(t *testing.T) {
	found := int64(0)
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 13))
		f := dimacs.NewFormula(0)
		var clauses [][]dimacs.Lit
		for v := 5; v < 5+rng.IntN(60); v++ {
			clauses = append(clauses, gateOver(rng, v)...)
		}
		for _, c := range clauses {
			f.Add(c...)
		}
		p := dplltest.NewRecorder(seed%2 == 0)
		o := eliminating()
		o.Proof = p
		s := loaded(o, clauses)
		for round := 0; round < 8 && s.stats.Irredundant > 0; round++ {
			s.eliminate(1e9)
		}
		if st := s.stats; st.Irredundant > 0 {
			t.Errorf("seed %d: %d clauses are left", seed, st.Irredundant)
		}
		if s.Solve(context.Background()) != dimacs.Satisfiable {
			t.Fatalf("seed %d: no model of a circuit", seed)
		}
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found += s.stats.Gates
	}
	if found < 300 {
		t.Errorf("only %d gates were found", found)
	}
}

// TestEliminateBudgets runs several passes with random budgets, and compares answers
// and models with brute force.
func TestEliminateBudgets(t *testing.T) {
	var sum Stats
	unsatisfiable := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 14))
		vars := 5 + rng.IntN(11)
		f := dimacs.NewFormula(vars)
		o := eliminating()
		o.OneShot = seed%3 == 0
		o.NoSimplify = true
		p := dplltest.NewRecorder(seed%2 == 0)
		o.Proof = p
		clauses := draw(rng, vars, 2*vars+rng.IntN(6*vars))
		for _, c := range clauses {
			f.Add(c...)
		}
		s := loaded(o, clauses)
		for range 1 + rng.IntN(6) {
			if !s.inconsistent {
				s.eliminate(s.clauses.denseCost() + int64(rng.IntN(400)))
			}
		}
		if checking && !s.inconsistent {
			s.checkPropagated()
		}
		if compareBrute(t, seed, s, f) == dimacs.Unsatisfiable {
			unsatisfiable++
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum.Eliminated += s.stats.Eliminated
		sum.Resolvents += s.stats.Resolvents
	}
	if sum.Eliminated < 500 || sum.Resolvents < 500 || unsatisfiable < 100 {
		t.Errorf("only %d variables were eliminated, with %d resolvents; %d refuted", sum.Eliminated, sum.Resolvents, unsatisfiable)
	}
}

// compareBrute solves f, the formula of s, and returns the answer. It compares the answer
// with brute force, and checks the model.
func compareBrute(t *testing.T, seed uint64, s *Solver, f *dimacs.Formula) dimacs.Status {
	t.Helper()
	want, _ := dplltest.Brute(f)
	answer := s.Solve(t.Context())
	if answer != want {
		t.Fatalf("seed %d: %v, want %v", seed, answer, want)
	}
	if answer == dimacs.Satisfiable {
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
		}
	}
	return answer
}

// TestEliminateInterrupted stops calls at random places in dense mode, on entry and on
// exit, and adds clauses in between. The formula has a model, which must be found.
func TestEliminateInterrupted(t *testing.T) {
	const vars = 6000 // loops poll every 1024 steps
	leaving, eliminated := 0, int64(0)
	seeds := effort.Seeds(2, 4)
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 15))
		o := eliminating()
		o.NoSweep = true // other passes end most of the calls
		s := New(o)
		f, add := hiding(s, vars, rng)
		add(7 * vars / 2)
		answer := dimacs.Unknown
		for round := 0; answer == dimacs.Unknown; round++ {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
			if round < 40 {
				ctx = &impatient{ctx, 1 + rng.IntN(400)}
			}
			answer = s.Solve(ctx)
			cancel()
			if round >= 40 && answer == dimacs.Unknown {
				t.Fatalf("seed %d: no answer within ten minutes", seed)
			}
			if c := s.collecting; c != nil && c.dense {
				leaving++
			}
			if round%3 == 0 && round < 40 {
				add(20)
				answer = dimacs.Unknown
			}
		}
		if answer != dimacs.Satisfiable {
			t.Fatalf("seed %d: %v, but there is a model", seed, answer)
		}
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
		}
		eliminated += s.stats.Eliminated
	}
	if leaving <= len(seeds)/2 || eliminated < 100 {
		t.Errorf("the end of dense mode was interrupted %d times, after %d eliminations", leaving, eliminated)
	}
}

// TestEliminateDropsLearned checks that learned clauses with an eliminated variable are
// deleted, and that other learned clauses stay.
func TestEliminateDropsLearned(t *testing.T) {
	for _, hints := range []bool{false, true} {
		p := dplltest.NewRecorder(hints)
		o := eliminating()
		o.Proof = p
		s := loaded(o, [][]dimacs.Lit{
			dimacs.Lits(1, 2, 3), dimacs.Lits(-1, 4, 5), dimacs.Lits(2, 3, 6), dimacs.Lits(4, 5, 6), dimacs.Lits(-6, 2, 4), dimacs.Lits(-6, 3, 5),
		})
		for v := range s.removal.flags[1:] {
			s.removal.flags[1+v] |= keptFlag
		}
		for _, learned := range []struct {
			clause   []dimacs.Lit
			resolved []int64
		}{
			{dimacs.Lits(1, 2, 3, 6), []int64{1}},
			{dimacs.Lits(-1, 4, 5, -2), []int64{2}},
			{dimacs.Lits(2, 3, 4, 5), []int64{1, 2}},
		} {
			if !hints {
				learned.resolved = nil
			}
			s.clauses.addClause(learned.clause, true, 2, p.Learn(learned.clause, learned.resolved))
		}
		s.eliminate(1e9)
		if s.stats.Eliminated != 1 || s.removal.active(0) {
			t.Fatalf("%d variables were eliminated", s.stats.Eliminated)
		}
		if s.stats.Redundant != 1 {
			t.Errorf("%d learned clauses are left, want 1", s.stats.Redundant)
		}
		s.clauses.eachClause(2, func(r uint32) bool {
			if s.clauses.arena[r]&garbageBit == 0 && s.removal.hasRemoved(s.clauses.lits(r)) {
				t.Errorf("clause %v is left", s.clauses.literals(s.clauses.lits(r)))
			}
			return true
		})
		if err := p.Err(); err != nil {
			t.Error(err)
		}
	}
}

// withKept returns a solver without a proof that runs elimination without subsumption, and
// does not eliminate the first variables.
func withKept(first int, clauses ...[]dimacs.Lit) *Solver {
	o := eliminating()
	o.NoSubsume = true
	s := loaded(o, clauses)
	for v := range first {
		s.removal.flags[v] |= keptFlag
	}
	return s
}

// TestEliminateDropsLearnedBinaries checks that learned binary clauses with an
// eliminated variable are deleted, for both signs.
func TestEliminateDropsLearnedBinaries(t *testing.T) {
	for _, c := range [][]dimacs.Lit{dimacs.Lits(6, 1), dimacs.Lits(-6, 1)} {
		s := withKept(5, dimacs.Lits(6, 1, 2), dimacs.Lits(-6, 3, 4), dimacs.Lits(1, 3, 5))
		s.clauses.addClause(c, true, 1, 0)
		s.clauses.addClause(dimacs.Lits(1, 5), true, 1, 0)
		s.eliminate(1e9)
		if s.removal.active(5) || s.stats.Redundant != 1 || len(s.clauses.list(dimacs.Lits(1)[0])) != 1+2 {
			t.Errorf("%v: %d learned clauses are left, want 1", c, s.stats.Redundant)
		}
	}
}

// TestEliminateLongRuns eliminates a variable that would add one clause only after enough
// conflicts, and checks how the bound grows with them.
func TestEliminateLongRuns(t *testing.T) {
	s := withKept(10, dimacs.Lits(11, 1, 2), dimacs.Lits(11, 3, 4), dimacs.Lits(-11, 5, 6), dimacs.Lits(-11, 7, 8), dimacs.Lits(-11, 9, 10))
	raiseInterval := int64(s.opts.EliminateRaise)
	for _, conflicts := range []int64{0, raiseInterval - 1, raiseInterval} {
		s.stats.Conflicts = conflicts
		s.eliminate(1e9)
		s.eliminate(1e9)
		if gone := !s.removal.active(10); gone != (conflicts == raiseInterval) {
			t.Errorf("after %d conflicts with bound %d: eliminated is %v", conflicts, s.passes.elimination.bound, gone)
		}
	}
	for n, want := range []int{0, 1, 2, 4, 8, 16, 16, 16} {
		s.stats.Conflicts = int64(n) * raiseInterval // 50,000 by default
		if got := s.passes.highestBound(); got != want {
			t.Errorf("after %d conflicts the highest bound is %d, want %d", s.stats.Conflicts, got, want)
		}
	}
	s.opts.EliminateBound = 100
	if got := s.passes.highestBound(); got != 100 {
		t.Errorf("with the knob at 100 the highest bound is %d", got)
	}
	s.opts.EliminateBound, s.opts.EliminateRaise = -1, -1
	if got := s.passes.highestBound(); got != 0 {
		t.Errorf("without raises the highest bound is %d", got)
	}
}

// TestEliminateLearnedUnit lets elimination find units that make a learned clause a
// unit or falsify it. Dense mode does not visit learned clauses, so the full collection at
// its end has to find such clauses.
func TestEliminateLearnedUnit(t *testing.T) {
	for _, conflict := range []bool{false, true} {
		s := withKept(5, dimacs.Lits(7, 1), dimacs.Lits(-7, 1), dimacs.Lits(8, 2), dimacs.Lits(-8, 2), dimacs.Lits(3, 4, 5), dimacs.Lits(9, -3), dimacs.Lits(-9, -3))
		if conflict {
			s.clauses.addClause(dimacs.Lits(-1, -2, 3), true, 1, 0)
		} else {
			s.clauses.addClause(dimacs.Lits(-1, -2, 4), true, 1, 0)
		}
		s.eliminate(1e9)
		if four := dimacs.Lits(4)[0]; s.inconsistent != conflict || !conflict && s.trail.vals[four] <= 0 {
			t.Errorf("conflict %v: refuted %v, variable 4 is %d", conflict, s.inconsistent, s.trail.vals[four])
		}
	}
}

// eliminate runs the passes of dense mode that are on.
func (s *Solver) eliminate(budget int64) {
	i := slices.IndexFunc(passes, func(p pass) bool { return p.dense != nil })
	if rows := s.allowed(passes[i : i+2]); len(rows) > 0 {
		s.alternate(rows, budget)
	}
}

// TestDenseStay checks that a budget below the cost of dense mode is raised after enough search,
// and not before, and that subsumption then leaves some of it to elimination.
func TestDenseStay(t *testing.T) {
	for _, searched := range []int64{0, 2, 3} { // in times of a useful stay
		s := New(Options{})
		for _, c := range uniform(rand.New(rand.NewPCG(5, 5)), 5000, 3) {
			s.Add(c...)
		}
		s.connect()
		cost := s.clauses.denseCost()
		s.stats.Ticks = searched * denseStay * cost
		s.eliminate(1)
		if got, want := s.stats.Eliminated > 0, searched >= denseShare; got != want || (s.stats.SubsumeRounds > 0) != want {
			t.Errorf("after the search of %d stays: %d rounds of subsumption, %d variables eliminated", searched, s.stats.SubsumeRounds, s.stats.Eliminated)
		}
	}
}
