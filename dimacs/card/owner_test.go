package card_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/card"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/dpll/maxsat"
)

// Tests of encoders that share the variables of a solver with groups, enumerations and callers,
// against brute force.

// randomClauses returns random clauses over n variables.
func randomClauses(r *rand.Rand, n, clauses int) *dimacs.Formula {
	f := dimacs.NewFormula(n)
	for range clauses {
		var c []dimacs.Lit
		for range 1 + r.IntN(3) {
			c = append(c, dimacs.Lit(r.IntN(2*n)))
		}
		f.Add(c...)
	}
	return f
}

// least returns the number of models of all formulas over n variables, and the least number of
// true literals in one, or a number above that of the literals.
func least(n int, lits []dimacs.Lit, fs ...*dimacs.Formula) (models, trues int) {
	trues = len(lits) + 1
	m := make(dimacs.Model, n)
	for a := range 1 << n {
		for v := range m {
			m[v] = dimacs.Value(2*(a>>v&1) - 1)
		}
		if slices.ContainsFunc(fs, func(f *dimacs.Formula) bool { return !m.Satisfies(f) }) {
			continue
		}
		models++
		k := 0
		for _, l := range lits {
			if m.Lit(l) == dimacs.True {
				k++
			}
		}
		trues = min(trues, k)
	}
	return models, trues
}

// someLits returns literals of both signs of n variables.
func someLits(r *rand.Rand, n int) (lits []dimacs.Lit) {
	for v := range n {
		lits = append(lits, dimacs.Var(v).Lit()^dimacs.Lit(r.IntN(2)))
	}
	return lits
}

func loaded(f *dimacs.Formula) *cdcl.Solver {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	return s
}

// TestTotalizerWithGroups tightens the bound of a totalizer, with a new group of clauses for each
// round, and takes a variable of its own in between.
func TestTotalizerWithGroups(t *testing.T) {
	ctx, refuted, found := context.Background(), 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 3 + r.IntN(6)
		f, lits := randomClauses(r, n, r.IntN(2*n)), someLits(r, n)
		s := loaded(f)
		tot := card.NewEncoder(s).NewTotalizer(lits)
		for k := n; k > 0; k-- {
			more := randomClauses(r, n, r.IntN(n))
			g := s.NewGroup()
			for _, c := range more.Clauses() {
				s.AddTo(g, c...)
			}
			own := s.NewVar().Lit() ^ dimacs.Lit(r.IntN(2))
			_, trues := least(n, lits, f, more)
			want := dimacs.Satisfiable
			if refuted++; trues > k-1 {
				want = dimacs.Unsatisfiable
			} else {
				found++
			}
			if got := s.Solve(ctx, g, tot.AtLeast(k).Not(), own); got != want {
				t.Fatalf("seed %d, at most %d: %v, want %v", seed, k-1, got, want)
			}
			if want == dimacs.Satisfiable && (!s.Model().Satisfies(f) || !s.Model().Satisfies(more) || s.Value(own) != dimacs.True) {
				t.Fatalf("seed %d, at most %d: the model is wrong", seed, k-1)
			}
			s.Release(g)
		}
	}
	if found < 300 || refuted < 300 {
		t.Errorf("%d satisfiable and %d other rounds", found, refuted-found)
	}
}

// TestEnumerationWithEncoder counts the models of clauses and constraints, which are added before
// and after the enumeration begins.
func TestEnumerationWithEncoder(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 4 + r.IntN(4)
		f, lits := randomClauses(r, n, r.IntN(n)), someLits(r, n)
		k := 1 + r.IntN(n)
		s := loaded(f)
		e := card.NewEncoder(s)
		e.Define = true
		var project []dimacs.Var
		if seed%2 == 0 {
			for v := range n {
				project = append(project, dimacs.Var(v))
			}
		}
		start := func() *cdcl.Enumeration { return s.Enumerate(project) }
		var models *cdcl.Enumeration
		encoding, _ := card.FindEncoding([]string{"auto", "sequential", "totalizer", "network"}[r.IntN(4)])
		if seed%3 == 0 {
			models = start()
		}
		encoding.Between(e, lits, 0, k)
		if models == nil {
			models = start()
		}
		pairs, _ := card.FindEncoding("pairs") // without new variables
		bound := dimacs.NewFormula(n)
		pairs.Between(card.NewEncoder(bound), lits, 0, k)
		want, _ := least(n, nil, f, bound)
		got := 0
		for models.Next(context.Background()) == dimacs.Satisfiable {
			if got++; !s.Model().Satisfies(f) || !s.Model().Satisfies(bound) {
				t.Fatalf("seed %d: a wrong model", seed)
			}
		}
		if got != want {
			t.Fatalf("seed %d: %d models, want %d", seed, got, want)
		}
	}
}

// TestMaxSATWithGroups finds the least number of falsified soft clauses by a solver with groups
// and by package maxsat, whose hard clauses an encoder writes.
func TestMaxSATWithGroups(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, soft := 4+r.IntN(3), 5+r.IntN(3)
		f := randomClauses(r, n, r.IntN(n))
		w := dimacs.NewWeighted(n)
		w.Hard.Append(f)
		s := loaded(f)
		cost := make([]dimacs.Lit, soft) // a soft clause of each is falsified
		for i := range cost {
			c := randomClauses(r, n, 1).Clause(0)
			cost[i] = s.NewVar().Lit()
			s.Add(append(slices.Clone(c), cost[i])...)
			w.AddSoft(1, c...)
		}
		bound := dimacs.NewFormula(n)
		pairs, _ := card.FindEncoding("pairs")
		k := r.IntN(n)
		lits := someLits(r, n)
		pairs.Between(card.NewEncoder(bound), lits, 0, k)
		card.NewEncoder(w.Hard).AtMost(lits, k)
		card.NewEncoder(s).AtMost(lits, k)

		want := soft + 1
		m := make(dimacs.Model, n)
		for a := range 1 << n {
			for v := range m {
				m[v] = dimacs.Value(2*(a>>v&1) - 1)
			}
			if c, _ := w.Cost(m); m.Satisfies(f) && m.Satisfies(bound) {
				want = min(want, int(c))
			}
		}
		got := soft + 1
		tot := card.NewEncoder(s).NewTotalizer(cost)
		for got > 0 {
			g := s.NewGroup()
			if got <= soft {
				s.AddTo(g, tot.AtLeast(got).Not())
			}
			if s.Solve(ctx, g) != dimacs.Satisfiable {
				break
			}
			c, _ := w.Cost(s.Model()[:n])
			got = int(c)
			s.Release(g)
		}
		if got != want {
			t.Fatalf("seed %d: the cost is %d, want %d", seed, got, want)
		}
		result := maxsat.Solve(ctx, w, maxsat.Options{})
		if sat := want <= soft; sat != (result.Status == dimacs.Satisfiable) || sat && (int(result.Cost) != want || !result.Optimal) {
			t.Fatalf("seed %d: maxsat finds %v with the cost %d, want %d", seed, result.Status, result.Cost, want)
		}
		if err := result.Verify(ctx, w); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestMUSWithGroups makes a set of groups minimal by the failed assumptions of a solver that has a
// constraint, too.
func TestMUSWithGroups(t *testing.T) {
	ctx, refuted := context.Background(), 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		n := 4 + r.IntN(3)
		lits, k := someLits(r, n), r.IntN(n-1)
		s := cdcl.New(cdcl.Options{})
		s.Grow(n)
		bound := dimacs.NewFormula(n)
		pairs, _ := card.FindEncoding("pairs")
		pairs.Between(card.NewEncoder(bound), lits, 0, k)
		parts := map[dimacs.Lit]*dimacs.Formula{}
		var groups []dimacs.Lit
		for i := range 6 {
			if i == 3 {
				card.NewEncoder(s).AtMost(lits, k)
			}
			g := s.NewGroup()
			parts[g] = randomClauses(r, n, 1+r.IntN(n))
			for _, c := range parts[g].Clauses() {
				s.AddTo(g, c...)
			}
			groups = append(groups, g)
		}
		decide := func(set []dimacs.Lit) dimacs.Status {
			fs := []*dimacs.Formula{bound}
			for _, g := range set {
				fs = append(fs, parts[g])
			}
			models, _ := least(n, nil, fs...)
			got := s.Solve(ctx, set...)
			if (models > 0) != (got == dimacs.Satisfiable) {
				t.Fatalf("seed %d: %v with %d models", seed, got, models)
			}
			return got
		}
		if decide(groups) == dimacs.Satisfiable {
			continue
		}
		refuted++
		set := s.Failed()
		for i := 0; i < len(set); {
			rest := slices.Delete(slices.Clone(set), i, i+1)
			if decide(rest) == dimacs.Unsatisfiable {
				set = rest
			} else {
				i++
			}
		}
		if decide(set) != dimacs.Unsatisfiable {
			t.Fatalf("seed %d: the set is satisfiable", seed)
		}
	}
	if refuted < 100 {
		t.Errorf("%d unsatisfiable formulas", refuted)
	}
}

// TestOneOwner checks that a variable is never numbered twice: whoever tries panics.
func TestOneOwner(t *testing.T) {
	lits := dimacs.Lits
	ctx := context.Background()
	type target interface {
		card.Target
		Vars() int
	}
	for name, start := range map[string]func() target{
		"dimacs":  func() target { return dimacs.NewFormula(3) },
		"cdcl":    func() target { return loaded(dimacs.NewFormula(3)) },
		"classic": func() target { s := classic.New(classic.DefaultOptions()); s.Grow(3); return s },
	} {
		for call, misuse := range map[string]func(target){
			"add":       func(to target) { to.Add(lits(1, 5)...) },
			"grow":      func(to target) { to.Grow(5) },
			"encode":    func(to target) { card.NewEncoder(to).AtMost(lits(3, 4, 5), 1) },
			"sum":       func(to target) { card.NewEncoder(to).SumAtMost([]card.Term{{Lit: lits(5)[0], Weight: 2}}, 1) },
			"totalizer": func(to target) { card.NewEncoder(to).NewTotalizer(lits(1)).Append(lits(5)...) },
		} {
			to := start()
			if v := to.NewVar(); v != 3 || to.Vars() != 4 {
				t.Errorf("%s: NewVar returns %d of %d", name, v.Int(), to.Vars())
			}
			to.Add(lits(1, 4)...)
			to.Grow(4)
			if got := panicOf(func() { misuse(to) }); !strings.HasPrefix(got, name+": variable 5 ") {
				t.Errorf("%s, %s: panic %q", name, call, got)
			}
		}
		to := start()
		to.Add(lits(6)...) // before NewVar
		if v := to.NewVar(); v != 6 {
			t.Errorf("%s: NewVar returns %d after variable 6", name, v.Int())
		}
		to = start()
		card.NewEncoder(to).AtMost(lits(6, 7, 8, 9, 10, 11), 3)
		if v := to.NewVar(); v < 11 {
			t.Errorf("%s: NewVar returns %d after a constraint with variable 11", name, v.Int())
		}
	}

	for want, misuse := range map[string]func(s *cdcl.Solver, g dimacs.Lit){
		"cdcl: -4 is of a variable that belongs to a group":   func(s *cdcl.Solver, _ dimacs.Lit) { s.Add(lits(1, -4)...) },
		"cdcl: 4 is of a variable that belongs to a group":    func(s *cdcl.Solver, g dimacs.Lit) { s.AddTo(g, lits(4)...) },
		"cdcl: 5 is of a variable that belongs to a group or": func(s *cdcl.Solver, _ dimacs.Lit) { s.Solve(ctx, lits(5)...) },
		"cdcl: -5 is of a variable":                           func(s *cdcl.Solver, _ dimacs.Lit) { s.Propagate(lits(1, -5)...) },
		"cdcl: 5 is of a variable that":                       func(s *cdcl.Solver, _ dimacs.Lit) { s.Enumerate([]dimacs.Var{4}) },
		"cdcl: 5 is of":                                       func(s *cdcl.Solver, _ dimacs.Lit) { s.Observe(lits(5)...) },
		"cdcl: 5 is of a":                                     func(s *cdcl.Solver, _ dimacs.Lit) { s.SetPhase(lits(5)[0]) },
		"cdcl: variable 6 is unknown":                         func(s *cdcl.Solver, _ dimacs.Lit) { s.Solve(ctx, lits(6)...) },
		"cdcl: variable 7 is unknown":                         func(s *cdcl.Solver, _ dimacs.Lit) { s.AddFormula(dimacs.NewFormula(7)) },
	} {
		s := loaded(dimacs.NewFormula(3))
		g := s.NewGroup()
		e := s.Enumerate(nil)
		defer e.Close()
		if got := panicOf(func() { misuse(s, g) }); !strings.HasPrefix(got, want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}

	w := dimacs.NewWeighted(1)
	w.AddSoft(1, lits(5)...)
	if v := w.Hard.NewVar(); v != 5 {
		t.Errorf("a variable of the hard clauses is %d, and the soft ones have 5", v.Int())
	}
	if got := panicOf(func() { w.AddSoft(1, lits(7)...) }); !strings.HasPrefix(got, "dimacs: variable 7 ") {
		t.Errorf("a soft clause with variable 7: panic %q", got)
	}
}

// panicOf returns the panic of a call.
func panicOf(call func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	call()
	return ""
}
