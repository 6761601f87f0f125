package cdcl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// irredundant returns the irredundant clauses, without units.
func (s *Solver) irredundant() (clauses [][]dimacs.Lit) {
	for l := range dimacs.Lit(len(s.clauses.watches)) {
		for _, w := range s.clauses.list(l) {
			if w.binary() && !w.redundant() && l < w.blocker() {
				clauses = append(clauses, []dimacs.Lit{l, w.blocker()})
			}
		}
	}
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			clauses = append(clauses, slices.Clone(s.clauses.literals(s.clauses.lits(r))))
		}
		return true
	})
	return clauses
}

// draw returns random clauses of two to six literals of different variables.
func draw(rng *rand.Rand, vars, clauses int) [][]dimacs.Lit {
	cs := make([][]dimacs.Lit, clauses)
	for i := range cs {
		for _, v := range rng.Perm(vars)[:2+rng.IntN(min(5, vars-1))] {
			cs[i] = append(cs[i], dimacs.Lit(2*v+rng.IntN(2)))
		}
	}
	return cs
}

// loaded returns a solver with these clauses, propagated at the root, for calls of
// single passes.
func loaded(o Options, clauses [][]dimacs.Lit) *Solver {
	s := New(o)
	for _, c := range clauses {
		s.Add(c...)
	}
	s.connect()
	if !s.inconsistent && !s.propagate() {
		s.refute()
	}
	return s
}

// strengthens reports whether c subsumes or strengthens d.
func strengthens(c, d []dimacs.Lit) bool {
	flips := 0
	for _, l := range c {
		switch {
		case slices.Contains(d, l):
		case slices.Contains(d, l^1):
			flips++
		default:
			return false
		}
	}
	return flips < 2
}

// TestSubsume checks that after rounds of subsumption no clause of three or more
// literals is subsumed or can be strengthened, also when clauses are added in between.
// The proof is checked.
func TestSubsume(t *testing.T) {
	o := plain()
	o.NoSubsume = false
	var sum Stats
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 11))
		vars := 4 + rng.IntN(30)
		p := dplltest.NewRecorder(seed%2 == 0)
		o.Proof = p
		s := loaded(o, draw(rng, vars, 3*vars))
		for range 3 {
			for round := 0; !s.inconsistent && (round == 0 || !s.passes.elimination.complete); round++ {
				s.eliminate(1e9)
			}
			if s.inconsistent {
				break
			}
			if msg := s.missedSubsumption(); msg != "" {
				t.Fatalf("seed %d: %s", seed, msg)
			}
			if checking {
				s.checkPropagated()
			}
			for _, c := range draw(rng, vars, 1+rng.IntN(vars)) {
				s.Add(c...)
			}
			if s.connect(); !s.inconsistent && !s.propagate() {
				s.refute()
			}
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum.Subsumed += s.stats.Subsumed
		sum.Strengthened += s.stats.Strengthened
	}
	if sum.Subsumed < 1000 || sum.Strengthened < 1000 {
		t.Errorf("only %d clauses were subsumed and %d strengthened", sum.Subsumed, sum.Strengthened)
	}
}

// missedSubsumption returns a message if subsumption has missed a clause.
func (s *Solver) missedSubsumption() string {
	clauses := s.irredundant()
	for i, d := range clauses {
		for j, c := range clauses {
			if i != j && len(d) > 2 && len(c) <= len(d) && strengthens(c, d) {
				return fmt.Sprintf("%v includes %v, but for one literal at most", d, c)
			}
		}
	}
	return ""
}

// TestSubsumePromotes checks that a learned binary clause that subsumes an irredundant
// clause becomes irredundant.
func TestSubsumePromotes(t *testing.T) {
	for _, hints := range []bool{false, true} {
		o := plain()
		o.NoSubsume = false
		p := dplltest.NewRecorder(hints)
		o.Proof = p
		clauses := [][]dimacs.Lit{dimacs.Lits(1, 2, 3), dimacs.Lits(1, 2, -3), dimacs.Lits(1, -2, 4), dimacs.Lits(3, 4, 5)}
		s := loaded(o, clauses)
		c := dimacs.Lits(1, 2)
		var resolved []int64
		if hints {
			resolved = []int64{1, 2}
		}
		s.clauses.addClause(c, true, 1, p.Learn(c, resolved))
		s.eliminate(1e9)
		want := [][]dimacs.Lit{c, dimacs.Lits(1, 4), dimacs.Lits(3, 4, 5)}
		if got := s.irredundant(); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("hints %v: left are %v, want %v", hints, got, want)
		}
		if s.stats.Subsumed != 2 || s.stats.Redundant != 0 {
			t.Errorf("%d clauses were subsumed, %d are learned", s.stats.Subsumed, s.stats.Redundant)
		}
		if err := p.Err(); err != nil {
			t.Error(err)
		}
		if s.Solve(context.Background()) != dimacs.Satisfiable {
			t.Error("no model found")
		}
	}
}
