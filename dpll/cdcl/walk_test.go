package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// randomClauses returns clauses of 2 to 5 literals. The assignment hidden satisfies the
// clauses, unless it is nil.
func randomClauses(rng *rand.Rand, vars, clauses int, hidden []int8) [][]dimacs.Lit {
	var cs [][]dimacs.Lit
	for len(cs) < clauses {
		c := make([]dimacs.Lit, 2+rng.IntN(4))
		good := hidden == nil
		for i := range c {
			c[i] = dimacs.Lit(rng.IntN(2 * vars))
			good = good || (hidden[c[i]>>1] > 0) == (c[i]&1 == 0)
		}
		if good {
			cs = append(cs, c)
		}
	}
	return cs
}

// TestWalkUnderWrongAssumptions checks that no walk begins if the assumptions falsify a
// clause.
func TestWalkUnderWrongAssumptions(t *testing.T) {
	s := New(plain())
	s.Add(0, 2)
	s.Add(1, 4, 6)
	s.resetAndComplete()
	s.connect()
	for _, assumptions := range [][]dimacs.Lit{{0}, {1}, {1, 3}} {
		s.call.assumptions = assumptions
		if w, want := s.newWalker(1000), len(assumptions) == 1; w.load() != want {
			t.Errorf("assuming %v, a walk begins: %t", assumptions, !want)
		}
	}
}

// broken returns the number of clauses without a literal that is true at the root,
// assumed, or true by the saved phases.
func (s *Solver) broken(clauses [][]dimacs.Lit) int {
	n := 0
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l dimacs.Lit) bool {
			switch {
			case s.trail.vals[l] != 0:
				return s.trail.vals[l] > 0
			case slices.Contains(s.call.assumptions, l) || slices.Contains(s.call.assumptions, l^1):
				return slices.Contains(s.call.assumptions, l)
			}
			return literal(uint32(l>>1), s.decisions.phases.saved[l>>1]) == l
		}) {
			n++
		}
	}
	return n
}

// walked returns a solver of the clauses and of a unit, if it is not noLit, after a walk
// under assumptions. It returns nil if the walk cannot begin.
func walked(vars int, clauses [][]dimacs.Lit, unit dimacs.Lit, assumptions []dimacs.Lit) (*Solver, *walker) {
	s := New(Options{})
	s.Grow(vars)
	for _, c := range clauses {
		s.Add(c...)
	}
	if unit != noLit {
		s.Add(unit)
	}
	s.connect()
	if s.inconsistent || !s.propagate() {
		return nil, nil
	}
	s.call.assumptions = assumptions
	w := s.newWalker(20_000)
	if !w.load() || !w.start() {
		return nil, nil
	}
	w.run()
	return s, w
}

// TestWalkSavesBest checks that the saved phases break as many clauses as a walk reports,
// with units and assumptions, also if so many flips are recorded that they are dropped. It
// also checks that walks are deterministic.
func TestWalkSavesBest(t *testing.T) {
	improved, overflowed, perfect := 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		vars := 5 + rng.IntN(40)
		var hidden []int8
		if seed%3 == 0 {
			for range vars {
				hidden = append(hidden, int8(2*rng.IntN(2)-1))
			}
		}
		clauses := randomClauses(rng, vars, 6*vars, hidden)
		var assumptions []dimacs.Lit
		for len(assumptions) < rng.IntN(4) && hidden == nil {
			assumptions = append(assumptions, dimacs.Lit(2*len(assumptions)+rng.IntN(2)))
		}
		unit := noLit
		if hidden == nil {
			unit = dimacs.Lit(2*vars - 1)
		}
		s, w := walked(vars, clauses, unit, assumptions)
		if s == nil {
			continue
		}
		w.check()
		got := s.broken(clauses)
		if s.stats.WalksImproved > 0 {
			improved++
			if got != s.stats.WalkBroken {
				t.Fatalf("seed %d: saved phases break %d clauses, not %d", seed, got, s.stats.WalkBroken)
			}
		}
		if w.overflowed {
			overflowed++
		}
		if got == 0 {
			perfect++
		}
		again, _ := walked(vars, clauses, unit, assumptions)
		if !slices.Equal(s.decisions.phases.saved, again.decisions.phases.saved) || s.stats != again.stats {
			t.Fatalf("seed %d: a second walk differs", seed)
		}
	}
	t.Logf("%d walks improved, %d dropped flips, %d broke no clause", improved, overflowed, perfect)
	if improved < 100 || overflowed < 20 || perfect < 50 {
		t.Errorf("%d walks improved, %d dropped flips, %d broke no clause", improved, overflowed, perfect)
	}
}

// TestWalkStartsFromInputs checks that the initial assignment of a circuit breaks no
// clause.
func TestWalkStartsFromInputs(t *testing.T) {
	s := New(Options{})
	rng := rand.New(rand.NewPCG(1, 1))
	const inputs, vars = 20, 300
	for v := dimacs.Lit(inputs); v < vars; v++ {
		g, a := 2*v, dimacs.Lit(rng.IntN(int(2*v)))
		b := dimacs.Lit(rng.IntN(int(2 * v)))
		s.Add(g^1, a)
		s.Add(g^1, b)
		s.Add(g, a^1, b^1)
	}
	s.connect()
	s.propagate()
	// Inputs are decided first.
	for v := inputs - 1; v >= 0; v-- {
		s.decisions.bumpQueue(uint32(v))
	}
	w := s.newWalker(1e6)
	if !w.load() || !w.start() || len(w.broken) != 0 {
		t.Errorf("%d clauses are broken at the start", len(w.broken))
	}
}

// TestWalkFindsModel checks that the search needs no conflict after a walk that breaks
// no clause.
func TestWalkFindsModel(t *testing.T) {
	o := Options{}
	o.NoWalk = false
	o.RephaseInterval = 100
	found := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2))
		at, conflicts := int64(0), int64(-1)
		o.Progress = func(e Event, st Stats) {
			if e == RephaseWalk && st.Walks > at && st.WalkBroken == 0 {
				conflicts = st.Conflicts
			}
			at = st.Walks
		}
		s := New(o)
		for range 780 {
			s.Add(dimacs.Lit(rng.IntN(400)), dimacs.Lit(rng.IntN(400)), dimacs.Lit(rng.IntN(400)))
		}
		answer := s.Solve(context.Background())
		if conflicts >= 0 {
			found++
			if answer != dimacs.Satisfiable || s.stats.Conflicts != conflicts {
				t.Errorf("seed %d: a walk broke no clause, and after %d more conflicts the answer was %v",
					seed, s.stats.Conflicts-conflicts, answer)
			}
		}
	}
	if found < 3 {
		t.Errorf("%d models were found by walks", found)
	}
}

// TestWalkInterrupted stops walks and lucky phases at every possible place, and checks
// that no partial state remains.
func TestWalkInterrupted(t *testing.T) {
	const vars = 3000
	f := uniform(rand.New(rand.NewPCG(6, 6)), vars, 4.1)
	for _, tt := range []struct {
		name  string
		run   func(*Solver)
		stops int // at least
	}{
		{"walk", (*Solver).walk, 6},
		{"lucky phases", (*Solver).tryLucky, 3},
	} {
		for n := 1; ; n++ {
			s := New(Options{})
			for _, c := range f {
				s.Add(c...)
			}
			s.connect()
			s.schedule.due.lastWalkTicks = -2e6
			s.luckyDue()
			s.call.ctx, s.call.pollAt = &impatient{context.Background(), n}, 0
			tt.run(s)
			if len(s.trail.levels) != 1 || s.decisions.quiet {
				t.Fatalf("%s, stopped at poll %d: level %d, quiet %v", tt.name, n, len(s.trail.levels)-1, s.decisions.quiet)
			}
			if s.stats.WalksImproved > 0 && s.broken(f) != s.stats.WalkBroken {
				t.Fatalf("%s, stopped at poll %d: saved phases break %d clauses, not %d", tt.name, n, s.broken(f), s.stats.WalkBroken)
			}
			if !s.call.stopped {
				if n <= tt.stops {
					t.Errorf("%s polled %d times", tt.name, n-1)
				}
				break
			}
		}
	}
}

// TestWalkEffort checks that walks that cannot improve halve their effort down to a
// sixteenth, and that one that can doubles it again.
func TestWalkEffort(t *testing.T) {
	s := New(Options{})
	all := [][]int{{1, 2, 3}, {1, 2, -3}, {1, -2, 3}, {1, -2, -3}, {-1, 2, 3}, {-1, 2, -3}, {-1, -2, 3}, {-1, -2, -3}}
	for _, c := range all { // each assignment falsifies one clause
		s.Add(dimacs.FromInt(c[0]), dimacs.FromInt(c[1]), dimacs.FromInt(c[2]))
	}
	s.connect()
	steps := func() int64 {
		s.schedule.due.lastWalkTicks = s.stats.Ticks - 100_000_000/walkEffort
		before := s.stats.PassTicks
		s.walk()
		return s.stats.PassTicks - before
	}
	whole := steps()
	for n := 1; n <= mostHalvings+2; n++ {
		if got, want := steps(), max(whole>>min(n, mostHalvings), walkLeast); got < want*9/10 || got > want*11/10 {
			t.Errorf("after %d walks in vain the next takes %d ticks, want %d", n, got, want)
		}
	}
	for _, c := range uniform(rand.New(rand.NewPCG(1, 2)), 300, 4) {
		s.Add(c...)
	}
	s.connect()
	steps()
	if s.stats.WalksImproved != 1 || s.schedule.due.walkHalvings != mostHalvings-1 {
		t.Errorf("%d walks improved, and the effort is halved %d times", s.stats.WalksImproved, s.schedule.due.walkHalvings)
	}
}

// TestEarlyWalk checks that the first walk comes before the conflicts of a reset if the search
// takes many ticks, and not otherwise. The formula is large for the effort of a walk.
func TestEarlyWalk(t *testing.T) {
	for _, ticks := range []int64{0, earlyWalkTicks} {
		s := New(Options{})
		for _, c := range uniform(rand.New(rand.NewPCG(1, 3)), 20_000, 3) {
			s.Add(c...)
		}
		s.SetLimits(Limits{Conflicts: 5})
		s.stats.Ticks = ticks
		s.schedule.due.lastWalkTicks = ticks
		status := s.Solve(context.Background())
		if got, want := s.stats.Walks, min(ticks, 1); got != want {
			t.Errorf("%d walks after %d ticks, want %d", got, ticks, want)
		}
		if ticks > 0 && status != dimacs.Satisfiable {
			t.Errorf("the walk finds no model: %v, %d clauses are broken", status, s.stats.WalkBroken)
		}
	}
}

// uniform returns random ternary clauses.
func uniform(rng *rand.Rand, vars int, ratio float64) (clauses [][]dimacs.Lit) {
	for range int(ratio * float64(vars)) {
		var c []dimacs.Lit
		for range 3 {
			c = append(c, dimacs.Lit(rng.IntN(2*vars)))
		}
		clauses = append(clauses, c)
	}
	return clauses
}

// TestUnwatchLonger drops the watches of longer clauses as a walk of a large formula does, stops
// at every possible place, and watches the clauses again. The lists must be those of the clauses,
// and the answer must be right.
func TestUnwatchLonger(t *testing.T) {
	const vars = 1000
	rng := rand.New(rand.NewPCG(4, 4))
	hidden := make([]int8, vars)
	for v := range hidden {
		hidden[v] = int8(2*rng.IntN(2) - 1)
	}
	f := randomClauses(rng, vars, 3*vars, hidden)
	stopped := 0
	for n, more := 1, true; more; n++ {
		s := New(Options{})
		for _, c := range f {
			s.Add(c...)
		}
		s.connect()
		if s.inconsistent || !s.propagate() {
			t.Fatal("the formula is refuted")
		}
		watches := len(s.clauses.pool)
		s.call.ctx, s.call.pollAt = &impatient{context.Background(), n}, 0
		if s.unwatchLonger(0) {
			if len(s.clauses.pool) >= watches {
				t.Errorf("%d of %d watches stay", len(s.clauses.pool), watches)
			}
			s.connect()
		}
		if more = s.call.stopped; more {
			stopped++
		}
		s.call.ctx, s.call.stopped = nil, false
		s.completeInterrupted()
		s.connect()
		if s.propagate(); s.inconsistent {
			t.Fatalf("stopped at poll %d: the formula is refuted", n)
		}
		s.checkAll()
		if n%8 == 0 || !more {
			if answer := s.Solve(context.Background()); answer != dimacs.Satisfiable || s.call.model.Falsified(formulaOf(f)) >= 0 {
				t.Fatalf("stopped at poll %d: %v, or a wrong model", n, answer)
			}
		}
	}
	if stopped < 6 {
		t.Errorf("%d polls", stopped)
	}
}

// formulaOf returns the formula of clauses.
func formulaOf(clauses [][]dimacs.Lit) *dimacs.Formula {
	f := new(dimacs.Formula)
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}
