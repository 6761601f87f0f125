package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// deleteBinary deletes the binary clause of a and b and logs that to the proof.
func (s *Solver) deleteBinary(a, b dimacs.Lit, ref uint32) {
	s.clauses.removeWatch(a, func(w watch) bool { return w == mkWatch(b, ref) })
	s.clauses.removeWatch(b, func(w watch) bool { return w == mkWatch(a, ref) })
	s.clauses.binaryDeleted(a, b, mkWatch(b, ref))
}

// takeClauses deletes the clauses that contain l and returns them.
func (s *Solver) takeClauses(l dimacs.Lit) (clauses [][]dimacs.Lit) {
	for _, w := range slices.Clone(s.clauses.list(l)) {
		if w.binary() {
			clauses = append(clauses, []dimacs.Lit{l, w.blocker()})
			s.deleteBinary(l, w.blocker(), w.ref())
		}
	}
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&garbageBit == 0 && slices.Contains(s.clauses.lits(r), uint32(l)) {
			c := slices.Clone(s.clauses.literals(s.clauses.lits(r)))
			i := slices.Index(c, l)
			c[0], c[i] = c[i], c[0]
			clauses = append(clauses, c)
			s.clauses.unwatch(r)
			s.clauses.deleteClause(r)
		}
		return true
	})
	return clauses
}

// resolveAway eliminates v without any bound.
func (s *Solver) resolveAway(v uint32) {
	l := dimacs.Lit(2 * v)
	pos, neg := s.takeClauses(l), s.takeClauses(l^1)
	for _, c := range slices.Concat(pos, neg) {
		s.removal.weaken(c, 0)
	}
	s.removal.remove(v)
	for _, p := range pos {
		for _, n := range neg {
			s.insert(slices.Concat(p[1:], n[1:]), 0)
			if !s.propagateRoot() {
				return
			}
		}
	}
}

// propagateRoot connects and propagates all clauses, and returns false if that refutes
// them.
func (s *Solver) propagateRoot() bool {
	s.connect()
	if !s.inconsistent && !s.propagate() {
		s.refute()
	}
	return !s.inconsistent
}

// satisfiable reports whether an assignment satisfies all clauses, by trying all.
func satisfiable(vars int, clauses [][]dimacs.Lit) bool {
	for a := range 1 << vars {
		if !slices.ContainsFunc(clauses, func(c []dimacs.Lit) bool {
			return !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return a>>(l>>1)&1 != int(l&1) })
		}) {
			return true
		}
	}
	return false
}

// TestRemovedVariables checks that eliminated variables have right values in models, and
// that they are restored when clauses or assumptions contain them.
func TestRemovedVariables(t *testing.T) {
	const vars = 9
	rng := rand.New(rand.NewPCG(3, 14))
	restored, refuted, models := 0, 0, 0
	for round := range 2000 {
		s := New(Options{})
		s.Grow(vars)
		var clauses [][]dimacs.Lit
		add := func(n int) {
			for range n {
				c := make([]dimacs.Lit, 1+rng.IntN(3))
				for i := range c {
					c[i] = dimacs.Lit(rng.IntN(2 * vars))
				}
				if len(c) == 1 && rng.IntN(4) > 0 {
					continue
				}
				clauses = append(clauses, c)
				s.Add(c...)
			}
		}
		solve := func(assume ...dimacs.Lit) {
			answer := s.Solve(context.Background(), assume...)
			question := slices.Clone(clauses)
			for _, l := range assume {
				question = append(question, []dimacs.Lit{l})
			}
			if want := satisfiable(vars, question); want != (answer == dimacs.Satisfiable) {
				t.Fatalf("round %d: %v is %v, want satisfiable: %t", round, question, answer, want)
			}
			if answer != dimacs.Satisfiable {
				refuted++
				return
			}
			models++
			for _, c := range question {
				if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return s.Value(l) == dimacs.True }) {
					t.Fatalf("round %d: model %v does not satisfy %v", round, s.Model(), c)
				}
			}
		}
		add(20)
		for range 3 {
			s.resetAndComplete()
			for v := range uint32(vars) {
				if s.propagateRoot() && s.removal.removable(v) && rng.IntN(2) == 0 {
					s.resolveAway(v)
				}
			}
			solve()
			solve(dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars)))
			add(1 + rng.IntN(2))
			solve()
		}
		restored += int(s.Stats().Restored)
	}
	if restored < 500 || refuted < 500 || models < 500 {
		t.Errorf("%d variables restored, %d refutations and %d models are too few", restored, refuted, models)
	}
}

// TestKeepModels checks that KeepModels restores removed variables.
func TestKeepModels(t *testing.T) {
	s := New(Options{})
	s.Add(0, 2)
	s.Add(1, 4)
	s.resetAndComplete()
	s.connect()
	s.resolveAway(0)
	e := s.Enumerate(nil)
	n := 0
	for e.Next(context.Background()) == dimacs.Satisfiable {
		n++
	}
	if n != 4 {
		t.Errorf("%d models, want 4", n)
	}
}
