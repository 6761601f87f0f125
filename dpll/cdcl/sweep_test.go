package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/internal/effort"
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
				s.opts.NoSubstitute = true
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

// TestSweepSound sweeps random formulas, and checks that the units and equivalences that it adds
// hold in all models.
func TestSweepSound(t *testing.T) {
	var sum Stats
	eachTernaryFormula(t, 500, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		s.sweep(1e9)
		models, equal := equalPairs(f)
		if s.inconsistent && models > 0 {
			t.Errorf("refuted, with %d models", models)
		}
		if !s.inconsistent {
			checkHold(t, s, equal)
		}
		sum.SweepGates += s.stats.SweepGates
		sum.SweepUnits += s.stats.SweepUnits
		sum.SweepEquivalences += s.stats.SweepEquivalences
		checkPass(t, s, f, p)
	})
	if sum.SweepGates < 500 || sum.SweepUnits < 100 || sum.SweepEquivalences < 50 {
		t.Errorf("%d gates, %d units, %d equivalences", sum.SweepGates, sum.SweepUnits, sum.SweepEquivalences)
	}
}

// checkHold checks that literals with equal values, or that imply each other, are equal in all
// models.
func checkHold(t *testing.T, s *Solver, equal [][]bool) {
	t.Helper()
	r := s.reach(true)
	for l := range equal {
		for k := range l {
			if l>>1 == k>>1 {
				continue
			}
			found := s.trail.vals[l] != 0 && s.trail.vals[l] == s.trail.vals[k] || s.trail.vals[l] == 0 && s.trail.vals[k] == 0 && r[l][k] && r[k][l]
			if found && !equal[l][k] {
				t.Errorf("%v and %v differ in a model", dimacs.Lit(l), dimacs.Lit(k))
			}
		}
	}
}

// rewritten returns a circuit of AND gates with two inputs, and for each wire of c the literal of the
// same function in it.
func (c *testCircuit) rewritten() (r *testCircuit, wires []dimacs.Lit) {
	r = &testCircuit{inputs: c.inputs}
	for v := range c.inputs {
		wires = append(wires, dimacs.Lit(2*v))
	}
	and := func(a, b dimacs.Lit) dimacs.Lit {
		r.gates = append(r.gates, circuitGate{andGate, []dimacs.Lit{a, b}})
		return dimacs.Lit(2 * (c.inputs + len(r.gates) - 1))
	}
	or := func(a, b dimacs.Lit) dimacs.Lit { return and(a^1, b^1) ^ 1 }
	for _, g := range c.gates {
		var in []dimacs.Lit
		for _, l := range g.in {
			in = append(in, wires[l>>1]^l&1)
		}
		out := in[0]
		switch g.kind {
		case andGate:
			for _, l := range in[1:] {
				out = and(l, out)
			}
		case xorGate:
			for _, l := range in[1:] {
				out = or(and(out, l^1), and(out^1, l))
			}
		case iteGate:
			out = and(or(in[0]^1, in[1]), or(in[0], in[2]))
		case majGate:
			out = or(and(in[0], in[1]), and(in[2], or(in[0], in[1])))
		}
		wires = append(wires, out)
	}
	return r, wires
}

// twoVersions returns the clauses of a random circuit and of its rewritten version, and the pairs of
// literals that are equal.
func twoVersions(rng *rand.Rand, inputs, gates, reach int) (f *dimacs.Formula, pairs [][2]dimacs.Lit) {
	c := randomCircuit(rng, inputs, gates, reach)
	r, same := c.rewritten()
	one, clauses := c.encode(rng, inputs, nil)
	two, clauses := r.encode(rng, inputs+gates, clauses)
	f = dimacs.NewFormula(inputs + gates + len(r.gates))
	for _, d := range clauses {
		f.Add(d...)
	}
	for i, l := range same[inputs:] {
		pairs = append(pairs, [2]dimacs.Lit{one[inputs+i], two[l>>1] ^ l&1})
	}
	return f, pairs
}

// TestSweepVersions sweeps two versions of a circuit: nearly all pairs of gates are found equal.
func TestSweepVersions(t *testing.T) {
	found, all := int64(0), 0
	seeds := uint64(3)
	if effort.Whole() {
		seeds = 40
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 0x61))
		f, pairs := twoVersions(rng, 20, 400, 60)
		p := dplltest.NewRecorder(seed%2 == 0)
		s := New(optionsWith(p))
		s.AddFormula(f)
		s.propagateRoot()
		s.sweep(1e9)
		found += s.stats.SweepEquivalences
		all += len(pairs)
		if s.Solve(t.Context()) != dimacs.Satisfiable || !s.Model().Satisfies(f) {
			t.Fatalf("seed %d: no model", seed)
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if found < int64(all)*3/4 {
		t.Errorf("%d equivalences of %d pairs", found, all)
	}
}

// TestSweepEarly checks that a miter is refuted soon after the search has begun, before the first
// round.
func TestSweepEarly(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0x62))
	f, pairs := twoVersions(rng, 24, 600, 20)
	var differ []dimacs.Lit
	for _, q := range pairs[len(pairs)-40:] {
		f.Grow(f.Vars() + 1)
		d := dimacs.Lit(2*f.Vars() - 2)
		f.Add(d^1, q[0], q[1])
		f.Add(d^1, q[0]^1, q[1]^1)
		differ = append(differ, d)
	}
	f.Add(differ...)
	p := dplltest.NewRecorder(true)
	o := Options{}
	o.Proof = p
	s := New(o)
	s.AddFormula(f)
	if answer := s.Solve(t.Context()); answer != dimacs.Unsatisfiable {
		t.Fatalf("%v", answer)
	}
	if s.stats.Rounds > 0 || s.stats.SweepEquivalences == 0 {
		t.Errorf("%d rounds, %d conflicts, %d equivalences", s.stats.Rounds, s.stats.Conflicts, s.stats.SweepEquivalences)
	}
	if err := p.Verify(dimacs.Unsatisfiable, nil); err != nil {
		t.Error(err)
	}
}

// TestSweepCredit checks that budgets are saved until they cover the search for gates.
func TestSweepCredit(t *testing.T) {
	f, _ := twoVersions(rand.New(rand.NewPCG(4, 0x63)), 20, 400, 60)
	s := New(plain())
	s.AddFormula(f)
	s.propagateRoot()
	passes := 0
	for ; s.stats.SweepGates == 0 && passes < 1000; passes++ {
		s.sweep(1000)
	}
	if passes < 5 || passes == 1000 || s.stats.SweepEquivalences == 0 {
		t.Errorf("%d passes, %d equivalences", passes, s.stats.SweepEquivalences)
	}
}

// TestSweepDelay checks that a pass without success is skipped for longer each time.
func TestSweepDelay(t *testing.T) {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{{1, -2, -3}, {-1, 2}, {-1, 3}} {
		f.AddInts(c...)
	}
	checkBackoff(t, f, func(s *Solver) bool {
		before := s.stats.SweepGates
		s.sweep(1e9)
		return s.stats.SweepGates > before
	})
}

// checkBackoff checks in which of 20 rounds a pass runs that finds nothing in f. The function run
// is called in each round, and reports whether the pass ran.
func checkBackoff(t *testing.T, f *dimacs.Formula, run func(*Solver) bool) {
	t.Helper()
	s := New(plain())
	s.AddFormula(f)
	s.propagateRoot()
	var ran []int
	for round := range 20 {
		if run(s) {
			ran = append(ran, round)
		}
	}
	if want := []int{0, 2, 5, 9, 14}; !slices.Equal(ran, want) {
		t.Fatalf("ran in rounds %v, want %v", ran, want)
	}
}

// TestSweepInterrupted stops the pass at random places.
func TestSweepInterrupted(t *testing.T) {
	checkInterrupted(t, func(s *Solver) {
		s.passes.sweeping.wait = 0
		s.sweep(1e7)
	})
}

// checkInterrupted stops a pass at random places. The formula has a model, which must be found.
func checkInterrupted(t *testing.T, run func(*Solver)) {
	t.Helper()
	stopped := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 0x60))
		f, _ := twoVersions(rng, 30, 1500, 60)
		o := plain()
		o.NoSweep, o.NoSubstitute, o.InprocessInterval = false, false, 1
		s := New(o)
		s.AddFormula(f)
		s.propagateRoot()
		for range 6 {
			s.call.ctx = &impatient{t.Context(), 1 + rng.IntN(30)}
			run(s)
			if s.call.stopped {
				stopped++
			}
			s.call.ctx, s.call.stopped = nil, false
		}
		if answer := s.Solve(t.Context()); answer != dimacs.Satisfiable {
			t.Fatalf("seed %d: %v, but there is a model", seed, answer)
		}
		if i := s.Model().Falsified(f); i >= 0 {
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
		}
	}
	if stopped == 0 {
		t.Error("no pass was stopped")
	}
}
