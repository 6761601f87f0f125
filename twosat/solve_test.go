package twosat_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
	"sator/internal/fuzztest"
	"sator/twosat"
)

var background = context.Background()

// allModels returns the models of a small formula as words, with bit v for variable
// v, in the order of Solver.Models.
func allModels(f *dimacs.Formula) []uint32 {
	var all []uint32
	n := f.Vars()
	for i := range uint32(1) << n {
		word := uint32(0)
		m := make(dimacs.Model, n)
		for v := range n {
			m[v] = dimacs.True
			if i>>(n-1-v)&1 != 0 {
				m[v] = dimacs.False
			} else {
				word |= 1 << v
			}
		}
		if m.Satisfies(f) {
			all = append(all, word)
		}
	}
	return all
}

// holds reports whether a literal is true in a model of allModels.
func holds(word uint32, l dimacs.Lit) bool { return word>>l.Var()&1 != uint32(l&1) }

// audit compares all results for a small formula with allModels.
func audit(f *dimacs.Formula) error {
	check := proof.NewChecker()
	s, err := twosat.From(f, check)
	if err != nil {
		return err
	}
	all := allModels(f)
	got := s.Solve(background)
	if (got == dimacs.Satisfiable) != (len(all) > 0) {
		return fmt.Errorf("%v, with %d models", got, len(all))
	}
	if n, ok := s.Count(background); !ok || n.Cmp(big.NewInt(int64(len(all)))) != 0 {
		return fmt.Errorf("%v models, not %d", n, len(all))
	}
	if err := auditModels(s, all); err != nil {
		return err
	}
	if got == dimacs.Unsatisfiable {
		if _, status := s.Forced(background); status != dimacs.Unsatisfiable {
			return fmt.Errorf("forced: %v", status)
		}
		if err := check.Refutes(nil); err != nil {
			return err
		}
		return auditRefutation(f, s.Refutation())
	}
	if !s.Model().Satisfies(f) {
		return fmt.Errorf("%v is no model", s.Model().Lits())
	}
	forced, status := s.Forced(background)
	if status != dimacs.Satisfiable {
		return fmt.Errorf("forced: %v", status)
	}
	return errors.Join(auditForced(f, s, forced, all), auditClasses(forced, all), check.Err())
}

// auditModels checks the enumeration of models.
func auditModels(s *twosat.Solver, all []uint32) error {
	var got []uint32
	for m := range s.Models(background) {
		word := uint32(0)
		for _, l := range m.Lits() {
			if !l.Neg() {
				word |= 1 << l.Var()
			}
		}
		got = append(got, word)
	}
	if !slices.Equal(got, all) {
		return fmt.Errorf("models %b, not %b", got, all)
	}
	return nil
}

// auditRefutation checks that the clauses of a refutation are unsatisfiable, and
// that its chains are shortest for its literal.
func auditRefutation(f *dimacs.Formula, r *twosat.Refutation) error {
	core := dimacs.NewFormula(f.Vars())
	for _, c := range r.Clauses() {
		if !hasClause(f, c) {
			return fmt.Errorf("%v: the formula has no clause %v", r, c)
		}
		core.Add(c...)
	}
	if status, _ := dplltest.Oracle(core); status != dimacs.Unsatisfiable {
		return fmt.Errorf("%v refutes nothing", r)
	}
	if len(r.To) == 0 {
		return nil
	}
	x := r.To[0]
	if r.To[len(r.To)-1] != x^1 || r.Back[0] != x^1 || r.Back[len(r.Back)-1] != x {
		return fmt.Errorf("%v is no contradictory cycle", r)
	}
	if to, back := distance(f, x, x^1), distance(f, x^1, x); len(r.To) != to+1 || len(r.Back) != back+1 {
		return fmt.Errorf("%v is not the shortest: the distances are %d and %d", r, to, back)
	}
	return nil
}

// hasClause reports whether f has a clause, apart from duplicate literals.
func hasClause(f *dimacs.Formula, c []dimacs.Lit) bool {
	for _, d := range f.Clauses() {
		sorted := slices.Clone(d)
		slices.Sort(sorted)
		if want := slices.Sorted(slices.Values(c)); slices.Equal(slices.Compact(sorted), want) {
			return true
		}
	}
	return false
}

// distance returns the number of implications on a shortest chain from a to b, or
// -1, by relaxing all clauses until the distances are stable.
func distance(f *dimacs.Formula, a, b dimacs.Lit) int {
	dist := make([]int, 2*f.Vars())
	for l := range dist {
		dist[l] = -1
	}
	dist[a] = 0
	for changed := true; changed; {
		changed = false
		relax := func(x, y dimacs.Lit) {
			if d := dist[x]; d >= 0 && (dist[y] < 0 || dist[y] > d+1) {
				dist[y], changed = d+1, true
			}
		}
		for _, c := range f.Clauses() {
			sorted := slices.Compact(slices.Sorted(slices.Values(c)))
			switch {
			case len(sorted) == 1:
				relax(sorted[0]^1, sorted[0])
			case len(sorted) == 2 && sorted[0]^1 != sorted[1]:
				relax(sorted[0]^1, sorted[1])
				relax(sorted[1]^1, sorted[0])
			}
		}
	}
	return dist[b]
}

// auditForced checks the forced literals, their chains, and the free variables.
func auditForced(f *dimacs.Formula, s *twosat.Solver, forced *twosat.Forced, all []uint32) error {
	var want []dimacs.Lit
	var free []dimacs.Var
	for l := range dimacs.Lit(2 * f.Vars()) {
		fixed := !slices.ContainsFunc(all, func(word uint32) bool { return !holds(word, l) })
		chain, why := s.Why(l)
		value := forced.Value(l)
		if fixed != why || fixed != (value == dimacs.True) {
			return fmt.Errorf("forced %v: %v, Why %v, Value %v", l, fixed, chain, value)
		}
		if fixed {
			want = append(want, l)
			if d := distance(f, l^1, l); chain[0] != l^1 || chain[len(chain)-1] != l || len(chain) != d+1 {
				return fmt.Errorf("%v is forced by %v, not by a chain of %d steps", l, chain, d)
			}
		}
		if !l.Neg() && !fixed && forced.Value(l^1) != dimacs.True {
			free = append(free, l.Var())
		}
		for _, c := range chain.Clauses() {
			if !hasClause(f, c) {
				return fmt.Errorf("%v is forced by %v: no clause %v", l, chain, c)
			}
		}
	}
	if got := forced.Lits(); !slices.Equal(got, want) {
		return fmt.Errorf("forced %v, not %v", got, want)
	}
	if got := forced.Free(); !slices.Equal(got, free) {
		return fmt.Errorf("free %v, not %v", got, free)
	}
	return nil
}

// auditClasses checks the sets of equivalent literals.
func auditClasses(forced *twosat.Forced, all []uint32) error {
	var want [][]dimacs.Lit
	free := forced.Free()
	done := map[dimacs.Var]bool{}
	for i, v := range free {
		if done[v] {
			continue
		}
		set := []dimacs.Lit{v.Lit()}
		for _, u := range free[i+1:] {
			for _, l := range []dimacs.Lit{u.Lit(), u.Lit() ^ 1} {
				if !slices.ContainsFunc(all, func(word uint32) bool { return holds(word, l) != holds(word, v.Lit()) }) {
					set = append(set, l)
					done[u] = true
				}
			}
		}
		if len(set) > 1 {
			want = append(want, set)
		}
	}
	if got := forced.Classes(); fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("classes %v, not %v", got, want)
	}
	return nil
}

// TestAudit audits small formulas of all shapes.
func TestAudit(t *testing.T) {
	rounds := uint64(4000)
	if testing.Short() {
		rounds = 500
	}
	unsatisfiable := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 4))
		shape := shapes[seed%uint64(len(shapes))]
		f := shape.Make(r, 1+r.IntN(8))
		if err := audit(f); err != nil {
			t.Fatalf("seed %d, %s: %v\n%v", seed, shape.Name, err, dplltest.Case{Formula: f})
		}
		if len(allModels(f)) == 0 {
			unsatisfiable++
		}
	}
	if unsatisfiable < int(rounds)/10 || unsatisfiable > int(rounds)*9/10 {
		t.Errorf("%d of %d are unsatisfiable", unsatisfiable, rounds)
	}
}

// TestAgainstCDCL compares answers, forced literals and classes with clause
// learning, on formulas with too many models to enumerate.
func TestAgainstCDCL(t *testing.T) {
	rounds := uint64(150)
	if testing.Short() {
		rounds = 20
	}
	some := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 5))
		n := 30 + r.IntN(300)
		f := uniform(r, n, 0.95, 40)
		s, err := twosat.From(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		engine := cdcl.New(cdcl.Options{})
		engine.AddFormula(f)
		got, want := s.Solve(background), engine.Solve(background)
		if got != want {
			t.Fatalf("seed %d: %v, not %v", seed, got, want)
		}
		if got != dimacs.Satisfiable {
			continue
		}
		forced, _ := s.Forced(background)
		some += len(forced.Lits())
		for l := range dimacs.Lit(2 * n) {
			refuted := engine.Solve(background, l^1) == dimacs.Unsatisfiable
			if (forced.Value(l) == dimacs.True) != refuted {
				t.Fatalf("seed %d: forced %v: %v", seed, l, refuted)
			}
			if assumed := s.Solve(background, l^1) == dimacs.Unsatisfiable; assumed != refuted {
				t.Fatalf("seed %d: %v under assumptions: %v", seed, l^1, assumed)
			}
		}
		for _, class := range forced.Classes() {
			for i := 1; i < len(class); i++ {
				if engine.Solve(background, class[0], class[i]^1) != dimacs.Unsatisfiable ||
					engine.Solve(background, class[0]^1, class[i]) != dimacs.Unsatisfiable {
					t.Fatalf("seed %d: %v are not equal", seed, class)
				}
			}
		}
	}
	if some < 100 {
		t.Errorf("only %d forced literals", some)
	}
}

// TestBinaryPart checks that refutations, forced literals and equivalences of the
// binary part hold for the formula.
func TestBinaryPart(t *testing.T) {
	facts, refuted := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		f := uniform(r, 5+r.IntN(20), 1.1, 8)
		binary, long := f.Len(), r.IntN(20)
		for range long {
			f.Add(literal(r, 30), literal(r, 30), literal(r, 30), literal(r, 30))
		}
		s, longer := twosat.BinaryPart(background, f)
		short := 0
		for _, c := range f.Clauses() {
			if _, err := twosat.From(formula(c), nil); err == nil {
				short++
			}
		}
		if longer != f.Len()-short || short < binary {
			t.Fatalf("seed %d: %d longer clauses of %d", seed, longer, f.Len())
		}
		engine := cdcl.New(cdcl.Options{})
		engine.AddFormula(f)
		forced, status := s.Forced(background)
		if status == dimacs.Unsatisfiable {
			refuted++
			if engine.Solve(background) != dimacs.Unsatisfiable {
				t.Fatalf("seed %d: refuted", seed)
			}
			continue
		}
		for _, l := range forced.Lits() {
			facts++
			if engine.Solve(background, l^1) != dimacs.Unsatisfiable {
				t.Fatalf("seed %d: %v is not forced", seed, l)
			}
		}
		for _, class := range forced.Classes() {
			facts++
			if engine.Solve(background, class[0], class[1]^1) != dimacs.Unsatisfiable {
				t.Fatalf("seed %d: %v are not equal", seed, class)
			}
		}
	}
	if facts < 100 || refuted < 20 {
		t.Errorf("only %d facts and %d refutations", facts, refuted)
	}
}

// formula returns a formula of clauses.
func formula(clauses ...[]dimacs.Lit) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}

// TestLongClauses expects errors and panics for clauses with more than two
// different literals.
func TestLongClauses(t *testing.T) {
	for _, x := range []struct {
		clause []int
		long   bool
	}{
		{[]int{}, false}, {[]int{1}, false}, {[]int{1, 1, 1}, false}, {[]int{1, 2, 1, 2, 2}, false},
		{[]int{1, 2, 3}, true}, {[]int{1, 2, 1, 3}, true}, {[]int{1, 2, 3, -1}, false},
		{[]int{1, 2, 3, 4, -3}, false}, {[]int{1, 2, 3, 4, -5}, true}, {[]int{1, -1, 2, 3}, false},
	} {
		f := dimacs.NewFormula(0)
		f.AddInts(7)
		f.AddInts(x.clause...)
		_, err := twosat.From(f, proof.NewChecker())
		var long *twosat.LongClauseError
		if twosat.Is2SAT(f) == x.long {
			t.Errorf("Is2SAT %v: %v", x.clause, !x.long)
		}
		if errors.As(err, &long) != x.long || x.long && (long.Index != 1 || !slices.Equal(long.Clause, f.Clause(1))) {
			t.Errorf("%v: %v", x.clause, err)
		}
		if message := panics(func() { twosat.New(nil).Add(f.Clause(1)...) }); (message != "") != x.long {
			t.Errorf("%v: panic %q", x.clause, message)
		}
	}
	var e error = &twosat.LongClauseError{Index: 4, Clause: dimacs.Lits(1, 2, 3)}
	if e.Error() != "clause 5 has 3 literals, more than 2" {
		t.Error(e)
	}
}

// TestOdd audits degenerate instances.
func TestOdd(t *testing.T) {
	for _, x := range []struct {
		name    string
		vars    int
		clauses [][]int
		want    dimacs.Status
		models  int
	}{
		{"nothing", 0, nil, dimacs.Satisfiable, 1},
		{"one variable", 1, nil, dimacs.Satisfiable, 2},
		{"the empty clause", 0, [][]int{{}}, dimacs.Unsatisfiable, 0},
		{"a unit", 0, [][]int{{-1}}, dimacs.Satisfiable, 1},
		{"a unit, twice", 0, [][]int{{1, 1}, {1}}, dimacs.Satisfiable, 1},
		{"a tautology", 0, [][]int{{1, -1}}, dimacs.Satisfiable, 2},
		{"opposite units", 0, [][]int{{1}, {-1}}, dimacs.Unsatisfiable, 0},
		{"duplicates", 0, [][]int{{1, 2}, {2, 1}, {1, 2}, {1, 2, 2}}, dimacs.Satisfiable, 3},
		{"all of two", 0, [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}, dimacs.Unsatisfiable, 0},
		{"a gap", 3, [][]int{{1, -3}}, dimacs.Satisfiable, 6},
	} {
		f := dimacs.NewFormula(x.vars)
		for _, c := range x.clauses {
			f.AddInts(c...)
		}
		if err := audit(f); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		s, _ := twosat.From(f, nil)
		n, _ := s.Count(background)
		if got := s.Solve(background); got != x.want || n.Int64() != int64(x.models) {
			t.Errorf("%s: %v with %v models", x.name, got, n)
		}
	}
}

// TestLongChain checks chains of up to a million literals.
func TestLongChain(t *testing.T) {
	for _, n := range []int{100_000, 1_000_000} {
		s := twosat.New(nil)
		for i := range n - 1 {
			v := i
			if n == 1_000_000 { // backward, so that peeling drops little
				v = n - 2 - i
			}
			s.Imply(dimacs.Var(v).Lit(), dimacs.Var(v+1).Lit())
		}
		first, last := dimacs.Var(0).Lit(), dimacs.Var(n-1).Lit()
		if got := s.Solve(background, first); got != dimacs.Satisfiable || s.Model().Lit(last) != dimacs.True {
			t.Fatal(got)
		}
		if got := s.Solve(background, first, last^1); got != dimacs.Unsatisfiable || len(s.FailedChain()) != n {
			t.Fatal(got)
		}
		s.Add(first)
		forced, _ := s.Forced(background)
		if got := len(forced.Lits()); got != n {
			t.Fatalf("%d forced", got)
		}
		s.Imply(last, first^1)
		if got := s.Solve(background); got != dimacs.Unsatisfiable {
			t.Fatal(got)
		}
		if r := s.Refutation(); len(r.Clauses()) < n+1 || r.Back[len(r.Back)-1] != r.To[0] || r.Back[0] != r.To[0]^1 {
			t.Fatalf("a refutation of %d clauses", len(r.Clauses()))
		}
	}
}

// TestLongCycle expects one class of a million literals.
func TestLongCycle(t *testing.T) {
	const n = 1_000_000
	s := twosat.New(nil)
	for v := range n {
		s.Imply(dimacs.Var(v).Lit(), dimacs.Var((v+1)%n).Lit())
	}
	forced, _ := s.Forced(background)
	if classes := forced.Classes(); len(classes) != 1 || len(classes[0]) != n {
		t.Fatalf("%d classes", len(classes))
	}
}

// TestCount checks counts that are too large for enumeration.
func TestCount(t *testing.T) {
	chain := twosat.New(nil)
	for v := range 199 {
		chain.Imply(dimacs.Var(v).Lit(), dimacs.Var(v+1).Lit())
	}
	path := twosat.New(nil) // no two neighbors are true: Fibonacci numbers
	for v := range 89 {
		path.Add(dimacs.Var(v).Lit()^1, dimacs.Var(v+1).Lit()^1)
	}
	loose := twosat.New(nil)
	loose.Grow(100)
	for _, x := range []struct {
		s    *twosat.Solver
		want string
	}{
		{chain, "201"},
		{path, "7540113804746346429"},
		{loose, "1267650600228229401496703205376"},
	} {
		if n, ok := x.s.Count(background); !ok || n.String() != x.want {
			t.Errorf("%v models, not %s", n, x.want)
		}
	}
}

// TestQueriesKeepModel calls other methods between Solve and Model.
func TestQueriesKeepModel(t *testing.T) {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(1, 2)...)
	assumed := dimacs.Lits(-2, 5)
	if got := s.Solve(background, assumed...); got != dimacs.Satisfiable {
		t.Fatal(got)
	}
	if c, ok := s.Path(dimacs.FromInt(-2), dimacs.FromInt(1)); !ok || len(c) != 2 {
		t.Errorf("chain %v", c)
	}
	if c, ok := s.Path(dimacs.FromInt(9), dimacs.FromInt(9)); !ok || c.String() != "9" {
		t.Errorf("chain %v", c)
	}
	if c, ok := s.Why(dimacs.FromInt(1)); ok {
		t.Errorf("chain %v", c)
	}
	s.Grow(12)
	if forced, _ := s.Forced(background); len(forced.Lits()) != 0 || len(forced.Free()) != 12 || len(forced.Classes()) != 0 {
		t.Errorf("forced %v, free %v", forced.Lits(), forced.Free())
	}
	if n, _ := s.Count(background); n.Int64() != 3*1024 {
		t.Errorf("%v models", n)
	}
	m := s.Model()
	for _, l := range append(assumed, 0) {
		if m.Lit(l) != dimacs.True || len(m) != 12 {
			t.Errorf("%v in %v", l, m)
		}
	}
	if got := s.Solve(background, dimacs.Lits(-1, 20, -2)...); got != dimacs.Unsatisfiable || s.Refutation() != nil {
		t.Error(got)
	}
	if got := fmt.Sprint(s.Failed(), s.FailedChain()); got != "[-2 -1] -2 -> 1" {
		t.Error(got)
	}
	if got := s.Solve(background, dimacs.Lits(3, -3)...); got != dimacs.Unsatisfiable || s.FailedChain() != nil || len(s.Failed()) != 2 {
		t.Error(got)
	}
}

// TestContext expects no result from an ended context, and a right answer later.
func TestContext(t *testing.T) {
	f := random(t, 20_000, 0.9, 1)
	for checks := range 12 {
		ctx, cancel := dplltest.CancelAfter(checks)
		s, _ := twosat.From(f, nil)
		_, status := s.Forced(ctx)
		n, ok := s.Count(ctx)
		cancel()
		if checks == 0 && (status != dimacs.Unknown || ok || s.Solve(ctx) != dimacs.Unknown) {
			t.Errorf("ended: %v, %v", status, n)
		}
		for range s.Models(ctx) {
			t.Fatal("a model after ctx has ended")
		}
		if got := s.Solve(background); got != dimacs.Satisfiable || !s.Model().Satisfies(f) {
			t.Errorf("after %d checks: %v", checks, got)
		}
	}
}

// TestReset compares a reset solver with a new one.
func TestReset(t *testing.T) {
	again := twosat.New(nil)
	for seed := range uint64(50) {
		f := random(t, 3+int(seed%20), 0.95, seed)
		again.Reset()
		if again.Vars() != 0 {
			t.Fatalf("seed %d: %d variables after Reset", seed, again.Vars())
		}
		for _, c := range f.Clauses() {
			again.Imply(c[0]^1, c[len(c)-1])
		}
		again.Grow(f.Vars())
		fresh, _ := twosat.From(f, nil)
		want := fresh.Solve(background)
		if got := again.Solve(background); got != want {
			t.Fatalf("seed %d: %v, not %v", seed, got, want)
		}
		if want == dimacs.Satisfiable && (!again.Model().Satisfies(f) || !slices.Equal(again.Model(), fresh.Model())) {
			t.Fatalf("seed %d: another model", seed)
		}
	}
}

// TestMisuse expects panics.
func TestMisuse(t *testing.T) {
	fresh := twosat.New(nil)
	solved := twosat.New(nil)
	solved.Add(dimacs.Lits(1, 2)...)
	solved.Solve(background)
	added := twosat.New(nil)
	added.Solve(background)
	added.Add(dimacs.Lits(1)...)
	for _, x := range []struct {
		name string
		f    func()
	}{
		{"Model before Solve", func() { fresh.Model() }},
		{"Failed before Solve", func() { fresh.Failed() }},
		{"Failed of a model", func() { solved.Failed() }},
		{"Refutation of a model", func() { solved.Refutation() }},
		{"FailedChain of a model", func() { solved.FailedChain() }},
		{"Model after Add", func() { added.Model() }},
		{"Reset with a proof", func() { twosat.New(dplltest.NewRecorder(false)).Reset() }},
		{"too many variables", func() { fresh.Grow(dimacs.MaxVars + 1) }},
	} {
		if panics(x.f) == "" {
			t.Errorf("%s: no panic", x.name)
		}
	}
}

// FuzzAudit audits formulas of up to eight variables.
func FuzzAudit(f *testing.F) {
	seeds := [][]byte{{}, {0, 0}, {0, 1, 2, 5, 3, 4, 9, 9}, {0, 2, 1, 2, 0, 3, 1, 3}}
	fuzztest.Run(f, seeds, nil, func(t testing.TB, data []byte) {
		g := dimacs.NewFormula(0)
		for len(data) > 1 && g.Len() < 300 {
			g.Add(dimacs.Lit(data[0]%16), dimacs.Lit(data[1]%16))
			data = data[2:]
		}
		if err := audit(g); err != nil {
			t.Fatalf("%v\n%v", err, dplltest.Case{Formula: g})
		}
	})
}
