package cdcl

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// onlyBVA returns options with BVA as the only pass.
func onlyBVA() Options {
	o := plain()
	o.NoFactor, o.FactorGain, o.OneShot, o.InprocessInterval = false, 1, true, 1
	return o
}

// combinations returns the clauses of each literal of lits with each clause of rests.
func combinations(lits []dimacs.Lit, rests [][]dimacs.Lit) (clauses [][]dimacs.Lit) {
	for _, l := range lits {
		for _, c := range rests {
			clauses = append(clauses, append([]dimacs.Lit{l}, c...))
		}
	}
	return clauses
}

// drawMatching returns random clauses that include all combinations of some literals
// with some clauses. M_lit has variables of the first half, M_cls has variables of the
// second.
func drawMatching(rng *rand.Rand, vars int) (clauses [][]dimacs.Lit) {
	clauses = draw(rng, vars, rng.IntN(2*vars))
	for range 1 + rng.IntN(3) {
		var lits []dimacs.Lit
		for _, v := range rng.Perm(vars / 2)[:2+rng.IntN(vars/2-1)] {
			lits = append(lits, dimacs.Lit(2*v+rng.IntN(2)))
		}
		var rests [][]dimacs.Lit
		for range 2 + rng.IntN(4) {
			var c []dimacs.Lit
			for _, v := range rng.Perm(vars - vars/2)[:1+rng.IntN(min(4, vars-vars/2))] {
				c = append(c, dimacs.Lit(2*(vars/2+v)+rng.IntN(2)))
			}
			rests = append(rests, c)
		}
		clauses = append(clauses, combinations(lits, rests)...)
	}
	rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	return clauses
}

// models returns for each assignment of the first variables, given as a number, whether
// it can be extended to a model of the clauses.
func models(vars, all int, clauses [][]dimacs.Lit) []bool {
	found := make([]bool, 1<<vars)
	for a := range 1 << all {
		if !slices.ContainsFunc(clauses, func(c []dimacs.Lit) bool {
			return !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return a>>(l>>1)&1 != int(l&1) })
		}) {
			found[a&(1<<vars-1)] = true
		}
	}
	return found
}

// simplifiedClauses returns the clauses of the simplified formula.
func (s *Solver) simplifiedClauses() (clauses [][]dimacs.Lit) {
	for c := range s.Simplified() {
		clauses = append(clauses, slices.Clone(c))
	}
	return clauses
}

// TestBVA runs several passes with random budgets. The clauses must keep their
// models, apart from the fresh variables, and the proof is checked.
func TestBVA(t *testing.T) {
	var sum Stats
	refuted := 0
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(seed, 21))
		vars := 4 + rng.IntN(5)
		clauses := drawMatching(rng, vars)
		f := dimacs.NewFormula(vars)
		for _, c := range clauses {
			f.Add(c...)
		}
		o := onlyBVA()
		p := dplltest.NewRATRecorder(seed%3 == 0)
		if seed%3 != 2 {
			o.Proof = p
		}
		s := loaded(o, clauses)
		s.Grow(vars)
		for range 3 {
			if s.inconsistent || s.removal.introduced > 5 {
				break
			}
			s.passes.factoring.tried = make([]uint32, 0) // not the first time
			s.factor(s.factorCost() + int64(rng.IntN(600)))
		}
		if checking && !s.inconsistent {
			s.checkPropagated()
			s.analysis.checkClean()
		}
		if n := len(s.trail.vars); n <= 14 {
			want, got := models(vars, vars, clauses), models(vars, n, s.simplifiedClauses())
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %v has other models than %v", seed, s.simplifiedClauses(), clauses)
			}
		}
		want, _ := dplltest.Brute(f)
		switch answer := s.Solve(context.Background()); {
		case answer != want:
			t.Fatalf("seed %d: %v, want %v", seed, answer, want)
		case answer == dimacs.Satisfiable && (!s.Model().Satisfies(f) || len(s.Model()) != vars):
			t.Fatalf("seed %d: %v is no model of %v", seed, s.Model(), clauses)
		case answer == dimacs.Unsatisfiable:
			refuted++
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum.Factored += s.stats.Factored
		sum.FactoredAway += s.stats.FactoredAway
	}
	if sum.Factored < 400 || sum.FactoredAway < 800 || refuted < 50 {
		t.Errorf("only %d variables, which saved %d clauses, and %d refutations", sum.Factored, sum.FactoredAway, refuted)
	}
}

// sameLits returns a function that reports whether a clause has the literals of c.
func sameLits(c []dimacs.Lit) func(d []dimacs.Lit) bool {
	return func(d []dimacs.Lit) bool {
		return len(c) == len(d) && !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return !slices.Contains(d, l) })
	}
}

// TestBVAAtMostOne checks that pairwise at-most-one constraints become linearly many
// clauses, and that a second pass finds no replacement.
func TestBVAAtMostOne(t *testing.T) {
	for _, n := range []int{3, 4, 5, 6, 10, 40, 100} {
		var clauses [][]dimacs.Lit
		for v := range n {
			for w := range v {
				clauses = append(clauses, []dimacs.Lit{dimacs.Lit(2*v + 1), dimacs.Lit(2*w + 1)})
			}
		}
		s := loaded(onlyBVA(), clauses)
		s.factor(1e9)
		if got := s.stats.Irredundant; n < 5 && got != len(clauses) || got > 3*n || got != len(clauses)-int(s.stats.FactoredAway) {
			t.Errorf("%d variables: %d clauses became %d with %d variables", n, len(clauses), got, s.removal.introduced)
		}
		if checking {
			s.checkPropagated()
		}
		for v := range n {
			s.decideLit(dimacs.Lit(2 * v))
			if !s.propagate() || len(s.trail.lits) < n {
				t.Errorf("%d variables: %d are assigned when one is true", n, len(s.trail.lits))
			}
			s.backtrack(0)
		}
		before := s.stats.Factored
		s.factor(1e9)
		if s.stats.Factored != before {
			t.Errorf("%d variables: the second pass adds %d variables", n, s.stats.Factored-before)
		}
	}
}

// TestBVAStoppedInVain checks that a pass that is stopped, at whatever place, does not end
// bounded variable addition for later calls.
func TestBVAStoppedInVain(t *testing.T) {
	const first, members = 2000, 60 // an at-most-one constraint behind many variables without clauses
	stops := 0
	for k, stopped := 1, true; stopped; k++ {
		o := onlyBVA()
		o.FactorGain = 25
		s := New(o)
		s.Grow(first + 1000)
		for v := range dimacs.Lit(members) {
			for w := range v {
				s.Add(2*(first+v)+1, 2*(first+w)+1)
			}
		}
		polls := 0
		s.SetTerminate(func() bool { polls++; return polls == k })
		s.Simplify(context.Background(), 1)
		if stopped = polls >= k; stopped {
			stops++
		}
		s.SetTerminate(nil)
		if s.Simplify(context.Background(), 1); s.removal.introduced == 0 {
			t.Fatalf("stopped at poll %d: the next call introduces no variable", k)
		}
	}
	if stops < 100 {
		t.Errorf("the pass was stopped at %d places only", stops)
	}
}

// TestBVABest checks that the best pair of sets is chosen, of clauses with more than
// two literals: three literals and four clauses, not two literals and five clauses.
func TestBVABest(t *testing.T) {
	lits := dimacs.Lits(1, 2, 3)
	rests := [][]dimacs.Lit{dimacs.Lits(11, 12), dimacs.Lits(13, -14, 15), dimacs.Lits(16, -12), dimacs.Lits(17, 11, 18, 12)}
	clauses := combinations(lits, rests)
	clauses = append(clauses, combinations(lits[:2], [][]dimacs.Lit{dimacs.Lits(19)})...)
	clauses = append(clauses, combinations(lits, [][]dimacs.Lit{dimacs.Lits(11, 12, 13, 14, 15)})...) // too long
	s := loaded(onlyBVA(), clauses)
	s.factor(1e9)
	if s.stats.Factored != 1 || s.stats.FactoredAway != 5 {
		t.Fatalf("%d variables saved %d clauses, want 1 and 5", s.stats.Factored, s.stats.FactoredAway)
	}
	x := dimacs.Lit(2 * (len(s.trail.vars) - 1))
	got := s.irredundant()
	for _, l := range lits {
		if !slices.ContainsFunc(got, sameLits([]dimacs.Lit{l, x})) {
			t.Errorf("no clause of %v in %v", l, got)
		}
	}
	for _, c := range rests {
		if !slices.ContainsFunc(got, sameLits(append([]dimacs.Lit{x ^ 1}, c...))) {
			t.Errorf("no clause of %v in %v", c, got)
		}
	}
	if want := 3 + 4 + 2 + 3; len(got) != want {
		t.Errorf("%d clauses are left, want %d", len(got), want)
	}
}

// TestBVAOrder checks that fresh variables are decided after all others, in both
// modes.
func TestBVAOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 22))
	s := loaded(onlyBVA(), drawMatching(rng, 12))
	s.Grow(12)
	for range 100 {
		s.decisions.bumpQueue(uint32(rng.IntN(12)))
		s.decisions.bumpScore(uint32(rng.IntN(12)))
	}
	for v := range uint32(12) {
		s.decisions.bumpScore(v)
	}
	s.factor(1e9)
	if s.removal.introduced == 0 {
		t.Fatal("no variable was added")
	}
	for v := range uint32(12) {
		for x := uint32(12); int(x) < len(s.trail.vars); x++ {
			if s.decisions.queue.Links[v].Stamp <= s.decisions.queue.Links[x].Stamp || s.decisions.heap.Before(x, v) {
				t.Errorf("variable %d is decided before %d", x+1, v+1)
			}
		}
	}
	s.decisions.checkOrder()
}

// TestBVAMisuse checks that without OneShot no variable is added, and that a solver
// with fresh variables panics if the caller adds variables or asks for all models.
func TestBVAMisuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 22))
	clauses := drawMatching(rng, 12)
	o := onlyBVA()
	o.OneShot = false
	s := loaded(o, clauses)
	s.factor(1e9)
	if s.removal.introduced > 0 || s.stats.Factored > 0 {
		t.Errorf("%d variables were added", s.removal.introduced)
	}
	panics := func(what string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", what)
			}
		}()
		f()
	}
	o.OneShot = true
	s = loaded(o, clauses)
	s.Grow(12)
	s.factor(1e9)
	panics("a new variable", func() { s.Add(24) })
	panics("KeepModels", s.KeepModels)
	s.Add(0)
	if s.Solve(context.Background(), 2) == dimacs.Satisfiable && (s.Value(0) != dimacs.True || s.Value(24) != dimacs.Unassigned) {
		t.Errorf("the model is %v", s.Model())
	}
}

// TestBVALearned checks that learned clauses are reported if they contain only the
// caller's variables, and that they follow from the original formula.
func TestBVALearned(t *testing.T) {
	reported, learned := 0, int64(0)
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 23))
		vars := 10 + rng.IntN(3)
		clauses := drawMatching(rng, vars)
		for range 3 * vars {
			v := rng.Perm(vars)
			clauses = append(clauses, []dimacs.Lit{dimacs.Lit(2*v[0] + rng.IntN(2)), dimacs.Lit(2*v[1] + rng.IntN(2)), dimacs.Lit(2*v[2] + rng.IntN(2))})
		}
		var want []bool
		o := onlyBVA()
		o.Learned = func(c []dimacs.Lit) {
			reported++
			if want == nil {
				want = models(vars, vars, clauses)
			}
			for _, l := range c {
				if int(l>>1) >= vars {
					t.Fatalf("seed %d: learned %v of variables up to %d", seed, c, vars)
				}
			}
			for a, is := range want {
				if is && !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return a>>(l>>1)&1 != int(l&1) }) {
					t.Fatalf("seed %d: %v does not follow from %v", seed, c, clauses)
				}
			}
		}
		s := loaded(o, clauses)
		s.Grow(vars)
		s.factor(1e9)
		s.Solve(context.Background())
		learned += s.stats.Learned
	}
	if reported < 50 || int64(reported) == learned {
		t.Errorf("%d of %d learned clauses were reported", reported, learned)
	}
}

// TestBVAInterrupted stops calls at random places. All clauses have a positive
// literal, so that the formula has a model.
func TestBVAInterrupted(t *testing.T) {
	const vars = 3000
	made, unmade, stopped := int64(0), 0, 0
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 24))
		f := dimacs.NewFormula(vars)
		for range 300 {
			a, b := rng.IntN(vars-6), rng.IntN(vars-6)
			for i := range 36 {
				f.Add(dimacs.Var(a+i/6).Lit(), dimacs.Var(b+i%6).Lit().Not())
			}
		}
		for range 6 * vars {
			f.Add(dimacs.Var(rng.IntN(vars)).Lit(), dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars)))
		}
		s := loaded(onlyBVA(), slices.Collect(clausesOf(f)))
		s.call.ctx = &impatient{context.Background(), 1 + rng.IntN(80)}
		s.call.pollAt = 0
		s.factor(1e9)
		if s.call.stopped {
			stopped++
		}
		if checking {
			s.checkPropagated()
		}
		if made += s.stats.Factored; s.stats.Factored == 0 {
			unmade++
		}
		s.call.ctx = nil
		if answer := s.Solve(context.Background()); answer != dimacs.Satisfiable || !s.Model().Satisfies(f) {
			t.Errorf("seed %d: %v", seed, answer)
		}
	}
	if made == 0 || unmade == 0 || stopped <= unmade {
		t.Errorf("%d variables were added, 0 in %d passes; %d were stopped", made, unmade, stopped)
	}
}

func clausesOf(f *dimacs.Formula) iter.Seq[[]dimacs.Lit] {
	return func(yield func([]dimacs.Lit) bool) {
		for _, c := range f.Clauses() {
			if !yield(c) {
				return
			}
		}
	}
}
