package cdcl

import (
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// randomFormula returns a formula of random binary clauses, some of them duplicates, and
// ternary clauses.
func randomFormula(rng *rand.Rand, vars, binary, ternary int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	draw := func() dimacs.Lit { return dimacs.Lit(rng.IntN(2 * vars)) }
	for range binary {
		a, b := draw(), draw()
		f.Add(a, b)
		if rng.IntN(8) == 0 {
			f.Add(b, a)
		}
	}
	for range ternary {
		f.Add(draw(), draw(), draw())
	}
	return f
}

// solverAtRoot returns a solver with the clauses of f, propagated at the root, and with
// learned binary clauses that are resolvents. It returns nil if f is refuted.
func solverAtRoot(f *dimacs.Formula, p *dplltest.Recorder, rng *rand.Rand) *Solver {
	o := Options{}
	if p != nil {
		o.Proof = p
	}
	s := New(o)
	s.AddFormula(f)
	if !s.propagateRoot() {
		return nil
	}
	for range rng.IntN(2 * f.Vars()) {
		s.learnTransitive(dimacs.Lit(rng.IntN(len(s.trail.vals))), rng)
	}
	return s
}

// learnTransitive learns the resolvent of two random edges, the first of which leaves
// l.
func (s *Solver) learnTransitive(l dimacs.Lit, rng *rand.Rand) {
	v, ok := s.randomEdge(l, rng)
	if !ok {
		return
	}
	w, ok := s.randomEdge(v.blocker(), rng)
	if k := w.blocker(); ok && k>>1 != l>>1 {
		c, id := []dimacs.Lit{l ^ 1, k}, int64(0)
		if s.proof.log != nil {
			s.proof.chain = append(s.proof.chain[:0], s.clauses.refID(v.ref()), s.clauses.refID(w.ref()))
			id = s.proof.log.Learn(c, s.proof.hintChain())
		}
		s.clauses.addClause(c, true, 1, id)
	}
}

// randomEdge returns the watch of a random edge from l.
func (s *Solver) randomEdge(l dimacs.Lit, rng *rand.Rand) (w watch, ok bool) {
	var edges []watch
	for _, w := range s.clauses.list(l ^ 1) {
		if w.binary() && s.trail.vals[w.blocker()] == 0 {
			edges = append(edges, w)
		}
	}
	if s.trail.vals[l] != 0 || len(edges) == 0 {
		return 0, false
	}
	return edges[rng.IntN(len(edges))], true
}

// A reach holds for two literals whether the first implies the second along one or more
// binary clauses.
type reach [][]bool

// reach computes the transitive closure with Warshall's algorithm, along irredundant
// clauses or along all binary clauses.
func (s *Solver) reach(all bool) reach {
	r := make(reach, len(s.trail.vals))
	for l := range r {
		r[l] = make([]bool, len(r))
		for _, w := range s.clauses.list(dimacs.Lit(l ^ 1)) {
			if b := w.blocker(); w.binary() && (all || !w.redundant()) && s.trail.vals[l] == 0 && s.trail.vals[b] == 0 {
				r[l][b] = true
			}
		}
	}
	for m := range r {
		for l := range r {
			if r[l][m] {
				for k := range r {
					r[l][k] = r[l][k] || r[m][k]
				}
			}
		}
	}
	return r
}

// checkPass compares the number of clauses in the proof with that of the solver,
// solves, compares the answer with brute force, and verifies the proof.
func checkPass(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
	t.Helper()
	if !s.inconsistent && checking {
		s.checkPropagated()
	}
	if p != nil && !s.inconsistent {
		if got, want := p.Alive(2), s.stats.Irredundant+s.stats.Redundant+s.removal.stack.records; got != want {
			t.Fatalf("the proof has %d clauses, the solver %d", got, want)
		}
	}
	for _, m := range s.analysis.marks {
		if m != 0 {
			t.Fatal("a variable is still marked")
		}
	}
	status := s.Solve(t.Context())
	if want, _ := dplltest.Brute(f); status != want {
		t.Fatalf("%v, want %v", status, want)
	}
	if status == dimacs.Satisfiable && !s.Model().Satisfies(f) {
		t.Fatal("the model does not satisfy the formula")
	}
	if p != nil {
		if err := p.Verify(status, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// eachBinaryFormula calls try with small formulas of binary clauses, some of which have longer
// clauses too: without a proof, with a proof, and with a proof that has hints.
func eachBinaryFormula(t *testing.T, rounds int, try func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder)) {
	for seed := range uint64(rounds) {
		draw := func() (*dimacs.Formula, *rand.Rand) {
			rng := rand.New(rand.NewPCG(seed, 0xb1))
			vars := 2 + rng.IntN(11)
			return randomFormula(rng, vars, vars/2+rng.IntN(2*vars), rng.IntN(3)*rng.IntN(2*vars)), rng
		}
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			f, rng := draw()
			if s := solverAtRoot(f, p, rng); s != nil {
				try(t, s, f, p)
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// TestDuplicates checks that no duplicate binary clauses remain, that the irredundant
// one is kept, and that two clauses that differ in one sign become a unit.
func TestDuplicates(t *testing.T) {
	dropped, units := int64(0), 0
	eachBinaryFormula(t, 300, func(t *testing.T, s *Solver, f *dimacs.Formula, p *dplltest.Recorder) {
		given := s.reach(false)
		before := s.trail.roots
		s.deleteDuplicates()
		dropped += s.stats.DuplicateBinaries
		units += s.trail.roots - before
		if s.inconsistent {
			checkPass(t, s, f, p)
			return
		}
		for l := range dimacs.Lit(len(s.trail.vals)) {
			if s.trail.vals[l] != 0 {
				continue
			}
			seen := make(map[dimacs.Lit]bool)
			for _, w := range s.clauses.list(l) {
				b := w.blocker()
				if !w.binary() || s.trail.vals[b] != 0 {
					continue
				}
				if seen[b] {
					t.Errorf("%v has a duplicate", []dimacs.Lit{l, b})
				}
				seen[b] = true
			}
		}
		compareReach(t, s, given, s.reach(false))
		checkPass(t, s, f, p)
	})
	if dropped == 0 || units == 0 {
		t.Errorf("%d duplicates and %d units", dropped, units)
	}
}

// compareReach checks that implications between literals that are still unassigned have
// not changed.
func compareReach(t *testing.T, s *Solver, before, now reach) {
	t.Helper()
	for l := range before {
		for k := range before {
			if s.trail.vals[l] == 0 && s.trail.vals[k] == 0 && before[l][k] != now[l][k] {
				t.Errorf("%v implied %v: %v, but now %v", dimacs.Lit(l), dimacs.Lit(k), before[l][k], now[l][k])
			}
		}
	}
}
