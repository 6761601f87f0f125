package lookahead

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// uniform returns a uniform random formula with clauses of k literals.
func uniform(rng *rand.Rand, k, vars, clauses int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for range clauses {
		var c []dimacs.Lit
		for _, v := range rng.Perm(vars)[:k] {
			c = append(c, dimacs.Var(v).Lit()^dimacs.Lit(rng.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

// TestAnswers tests searches on formulas of all families, in parts and at once: models, refutations
// with their proofs, and proofs of searches that end without an answer.
func TestAnswers(t *testing.T) {
	answers := map[dimacs.Status]int{}
	for _, seed := range effort.Seeds(400, 8000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		f := dplltest.Families[rng.IntN(len(dplltest.Families))].Make(rng, 1+rng.IntN(25))
		want, _ := dplltest.Oracle(f)
		if want == dimacs.Unknown {
			continue
		}
		checker := proof.NewChecker()
		h := inprocess.NewPlain(f, checker)
		if h.Refuted() {
			continue
		}
		s := New(h)
		status := dimacs.Unknown
		for limit := 0.0; status == dimacs.Unknown; limit = 2*limit + float64(rng.IntN(1000)) {
			if rng.IntN(30) == 0 {
				s.Forget()
				s = New(h)
			}
			status = s.Run(limit)
		}
		answers[status]++
		if status != want {
			t.Fatalf("seed %d: %v, want %v", seed, status, want)
		}
		switch status {
		case dimacs.Unsatisfiable:
			if err := checker.Refutes(nil); err != nil || !h.Refuted() {
				t.Fatalf("seed %d: %v, the host is refuted: %v", seed, err, h.Refuted())
			}
		case dimacs.Satisfiable:
			if s.Forget(); checker.Err() != nil {
				t.Fatalf("seed %d: %v", seed, checker.Err())
			}
			model := dimacs.Model(slices.Repeat([]dimacs.Value{dimacs.True}, f.Vars()))
			for _, l := range append(s.Model(), h.Trail()...) {
				if l&1 != 0 {
					model[l.Var()] = dimacs.False
				}
			}
			if model.Falsified(f) >= 0 {
				t.Fatalf("seed %d: the model is wrong", seed)
			}
		}
	}
	if answers[dimacs.Satisfiable] < 50 || answers[dimacs.Unsatisfiable] < 50 {
		t.Errorf("%v", answers)
	}
}

// TestForget tests that a search without an answer leaves the proof with the clauses alone.
func TestForget(t *testing.T) {
	f := uniform(rand.New(rand.NewPCG(3, 3)), 3, 200, 850)
	log := dplltest.NewRecorder(true)
	s := New(inprocess.NewPlain(f, log))
	for s.stats.Nodes < 60 {
		if st := s.Run(float64(s.steps)); st != dimacs.Unknown {
			t.Fatal(st)
		}
	}
	if log.Alive(1) <= f.Len() {
		t.Fatal("no lemma is logged")
	}
	if s.Forget(); log.Alive(1) != f.Len() {
		t.Errorf("%d clauses, want %d", log.Alive(1), f.Len())
	}
}

// TestHardFormula tests that the search refutes a formula in few nodes, on which weights and
// measures depend, and that a part of it gives an estimate of the whole.
func TestHardFormula(t *testing.T) {
	s := New(inprocess.NewPlain(uniform(rand.New(rand.NewPCG(1, 1)), 3, 200, 900), nil))
	if st := s.Run(500_000); st != dimacs.Unknown {
		t.Fatal(st)
	}
	estimate := s.Estimate()
	if st := s.Run(math.MaxInt64); st != dimacs.Unsatisfiable {
		t.Fatal(st)
	}
	t.Log(s.stats, s.steps, estimate)
	if s.stats.Nodes > 200 || s.stats.Failed < s.stats.Nodes {
		t.Errorf("%+v", s.stats)
	}
	if steps := float64(s.steps); estimate < steps/3 || estimate > 3*steps {
		t.Errorf("%.0f steps were estimated, %.0f made", estimate, steps)
	}
}

// TestRandom tests which formulas pass for random ones.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	changed := func(change func(f *dimacs.Formula, c []dimacs.Lit)) *dimacs.Formula {
		f := dimacs.NewFormula(200)
		for _, c := range uniform(rng, 3, 200, 860).Clauses() {
			change(f, c)
		}
		return f
	}
	parity := changed(func(f *dimacs.Formula, c []dimacs.Lit) {
		for i := range dimacs.Lit(4) {
			f.Add(c[0]^i&1, c[1]^i>>1, c[2]^(i&1^i>>1))
		}
	})
	for _, test := range []struct {
		name string
		f    *dimacs.Formula
		want bool
	}{
		{"3-SAT", uniform(rng, 3, 200, 860), true},
		{"5-SAT", uniform(rng, 5, 60, 1300), true},
		{"with some binary clauses", changed(func(f *dimacs.Formula, c []dimacs.Lit) { f.Add(c[rng.IntN(15)/14:]...) }), true},
		{"8-SAT", uniform(rng, 8, 50, 2000), true},
		{"9-SAT", uniform(rng, 9, 50, 2000), false},
		{"2-SAT", uniform(rng, 2, 200, 200), false},
		{"few variables", uniform(rng, 3, 39, 160), false},
		{"many variables", uniform(rng, 3, 1500, 6300), true},
		{"two lengths", changed(func(f *dimacs.Formula, c []dimacs.Lit) { f.Add(c[rng.IntN(2):]...) }), false},
		{"one sign", changed(func(f *dimacs.Formula, c []dimacs.Lit) { f.Add(c[0]|1, c[1]|1, c[2]|1) }), false},
		{"a part of the variables", changed(func(f *dimacs.Formula, c []dimacs.Lit) {
			if f.Len()%2 == 0 {
				c[0] = dimacs.Lit(rng.IntN(20))
			}
			if c[0].Var() != c[1].Var() && c[0].Var() != c[2].Var() {
				f.Add(c...)
			}
		}), false},
		{"parity", parity, false},
		{"neighbors", changed(func(f *dimacs.Formula, c []dimacs.Lit) {
			v := dimacs.Var(f.Len() % 190)
			f.Add(v.Lit()^c[0]&1, (v+1).Lit()^c[1]&1, (v+2+dimacs.Var(rng.IntN(8))).Lit()^c[2]&1)
		}), false},
	} {
		h := inprocess.NewPlain(test.f, nil)
		if got := New(h).Random(); got != test.want || got && !Plausible(h) {
			t.Errorf("%s: %v, plausible %v", test.name, got, Plausible(h))
		}
	}
}
