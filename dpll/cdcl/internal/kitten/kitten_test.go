package kitten

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// subformula draws a formula whose variables have gaps, like those of a subformula.
func subformula(rng *rand.Rand, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	clauses := rng.IntN(5 * vars)
	for range clauses {
		n := 1 + rng.IntN(min(5, vars))
		switch {
		case n == 1 && rng.IntN(4) > 0:
			n = 2
		case rng.IntN(200) == 0:
			n = 0
		}
		var c []dimacs.Lit
		for _, v := range rng.Perm(vars)[:min(n, vars)] {
			c = append(c, dimacs.Lit(2*v+rng.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

// load adds the clauses of f with their indices as tags.
func (k *Solver) load(f *dimacs.Formula) {
	k.Reset(f.Vars())
	for i, c := range f.Clauses() {
		k.Add(c, uint32(i))
	}
}

// with returns f with additional unit clauses.
func with(f *dimacs.Formula, units ...dimacs.Lit) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	for _, c := range f.Clauses() {
		g.Add(c...)
	}
	for _, l := range units {
		g.Add(l)
	}
	return g
}

// satisfies reports whether the values of k satisfy all clauses of f.
func (k *Solver) satisfies(f *dimacs.Formula) bool {
	for _, c := range f.Clauses() {
		if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return k.vals[k.Lit(l)] > 0 }) {
			return false
		}
	}
	return true
}

// checkLearned checks that each learned clause follows by unit propagation along its
// antecedents: each antecedent becomes unit, and the last one is falsified.
func (k *Solver) checkLearned(t *testing.T) {
	t.Helper()
	for _, r := range k.Learned {
		vals := make([]int8, len(k.vals))
		for _, l := range k.Lits(r) {
			vals[l], vals[l^1] = -1, 1
		}
		for i, a := range k.Antecedents(r) {
			if a >= r {
				t.Fatalf("clause %d has the antecedent %d", r, a)
			}
			var open []uint32
			for _, l := range k.Lits(a) {
				if vals[l] > 0 {
					t.Fatalf("antecedent %d of clause %d is satisfied", a, r)
				}
				if vals[l] == 0 {
					open = append(open, l)
				}
			}
			last := i == len(k.Antecedents(r))-1
			switch {
			case last && len(open) > 0, !last && len(open) != 1:
				t.Fatalf("antecedent %d of clause %d has %d open literals, last %v", a, r, len(open), last)
			case !last:
				vals[open[0]], vals[open[0]^1] = 1, -1
			}
		}
	}
}

// TestSolver checks many calls on many formulas in the same memory: answers agree with brute
// force, models satisfy the formula, cores are unsatisfiable, failed assumptions refute it,
// and learned clauses follow.
func TestSolver(t *testing.T) {
	var k Solver
	answers := map[dimacs.Status]int{}
	failed, learned := 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 0x11))
		vars := 1 + rng.IntN(11)
		f := subformula(rng, vars)
		k.load(f)
		for range 1 + rng.IntN(6) {
			var assumptions []dimacs.Lit
			var inside []Lit
			for _, v := range rng.Perm(vars)[:rng.IntN(min(vars, 3)+1)] {
				if k.index[v] != 0 {
					l := dimacs.Lit(2*v + rng.IntN(2))
					assumptions = append(assumptions, l)
					inside = append(inside, k.Lit(l))
				}
			}
			got := k.Solve(1e6, inside...)
			want, _ := dplltest.Brute(with(f, assumptions...))
			if got != want {
				t.Fatalf("seed %d: %v under %v, want %v", seed, got, assumptions, want)
			}
			answers[got]++
			switch got {
			case dimacs.Unsatisfiable:
				checkRefutation(t, &k, f, inside)
				if len(k.Lits(k.Refutation)) > 0 {
					failed++
				}
			case dimacs.Satisfiable:
				for _, l := range inside {
					if k.vals[l] <= 0 {
						t.Fatalf("seed %d: assumption %v is not true", seed, k.Outer(l))
					}
				}
				if !k.satisfies(f) {
					t.Fatalf("seed %d: the values do not satisfy the formula", seed)
				}
			}
			k.checkLearned(t)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
		learned += len(k.Learned)
	}
	if answers[dimacs.Satisfiable] < 1000 || answers[dimacs.Unsatisfiable] < 1000 || failed < 500 || learned < 3000 {
		t.Errorf("answers %v, %d under assumptions; %d clauses learned", answers, failed, learned)
	}
}

// checkRefutation checks that the refutation consists of failed assumptions and follows from
// the core.
func checkRefutation(t *testing.T, k *Solver, f *dimacs.Formula, assumptions []Lit) {
	t.Helper()
	var blamed []dimacs.Lit
	for _, w := range k.Lits(k.Refutation) {
		if !slices.Contains(assumptions, Lit(w^1)) {
			t.Fatalf("%v is no assumption", k.Outer(Lit(w^1)))
		}
		blamed = append(blamed, k.Outer(Lit(w^1)))
	}
	core := dimacs.NewFormula(f.Vars())
	notes := k.CoreTags(k.Refutation)
	for _, i := range notes {
		core.Add(f.Clause(int(i))...)
	}
	if slices.Sort(notes); len(slices.Compact(notes)) != core.Len() {
		t.Fatalf("clauses are twice in the core %v", notes)
	}
	if got, _ := dplltest.Brute(with(core, blamed...)); got != dimacs.Unsatisfiable {
		t.Fatalf("the core %v is %v under %v", notes, got, blamed)
	}
	for at := uint32(2); at < uint32(len(k.arena)); {
		if k.arena[at]&coreBit != 0 {
			t.Fatalf("clause %d is still marked", at)
		}
		at = (at + headerWords + k.arena[at]>>1 + k.arena[at+1] + 1) &^ 1
	}
}

// TestBudget checks that a call ends when its ticks are spent, and that the next call
// resumes.
func TestBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0x12))
	f := dimacs.NewFormula(60)
	for range 300 {
		p := rng.Perm(60)
		f.Add(dimacs.Lit(2*p[0]+rng.IntN(2)), dimacs.Lit(2*p[1]+rng.IntN(2)), dimacs.Lit(2*p[2]+rng.IntN(2)))
	}
	var k Solver
	k.load(f)
	calls := 1
	answer := k.Solve(100)
	for ; answer == dimacs.Unknown; calls++ {
		before := k.Ticks
		answer = k.Solve(1000)
		if k.Ticks > before+2000 {
			t.Fatalf("a call took %d ticks", k.Ticks-before)
		}
	}
	k.checkLearned(t)
	if answer != dimacs.Unsatisfiable || calls < 5 {
		t.Errorf("%v after %d calls", answer, calls)
	}
}
