package cdcl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// text returns the literals by which an enumeration distinguishes models.
func text(m dimacs.Model, project []dimacs.Var) string {
	if project == nil {
		return fmt.Sprint(m.Lits())
	}
	p := make(dimacs.Model, len(m))
	for _, v := range project {
		p[v] = m[v]
	}
	return fmt.Sprint(p.Lits())
}

// newEnumerated returns a solver of f under the set of options that the seed selects.
func newEnumerated(seed uint64, f *dimacs.Formula) *cdcl.Solver {
	o := cdcl.Options{}
	optionSets[seed%uint64(len(optionSets))].set(&o)
	s := cdcl.New(o)
	s.AddFormula(f)
	return s
}

// countModels returns the number of models of a case that package classic counts.
func countModels(c dplltest.Case, project []dimacs.Var) int64 {
	oracle := classic.New(classic.DefaultOptions())
	oracle.AddFormula(c.Formula)
	oracle.Grow(vars(c))
	n, _ := oracle.Count(context.Background(), project, c.Assumptions...)
	return n.Int64()
}

// TestEnumerate checks that the models of an enumeration are right and different, and
// that there are as many as package classic counts: under all sets of options, total and
// projected, with assumptions and with other calls in between.
func TestEnumerate(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		_, c := dplltest.RandomCase(seed, 0)
		n := c.Formula.Vars()
		if n == 0 || n > 11 {
			continue
		}
		var project []dimacs.Var
		if seed%2 == 1 {
			project = []dimacs.Var{}
			for range r.IntN(6) {
				project = append(project, dimacs.Var(r.IntN(n)))
			}
		}
		s := newEnumerated(seed, c.Formula)
		e := s.Enumerate(project, c.Assumptions...)
		visited := map[string]bool{}
		for m := range e.Models(ctx) {
			if i := m.Falsified(c.Formula); i >= 0 {
				t.Fatalf("seed %d: the model falsifies clause %d", seed, i)
			}
			for _, l := range c.Assumptions {
				if m.Lit(l) != dimacs.True {
					t.Fatalf("seed %d: the model falsifies assumption %v", seed, l)
				}
			}
			if visited[text(m, project)] {
				t.Fatalf("seed %d: %v again", seed, m)
			}
			visited[text(m, project)] = true
			if len(m) != vars(c) {
				t.Fatalf("seed %d: the model has %d variables, not %d", seed, len(m), vars(c))
			}
			if seed%3 == 0 {
				s.Solve(ctx, dimacs.Lit(r.IntN(2*n)))
			}
		}
		if !e.Exhausted() || e.Next(ctx) != dimacs.Unsatisfiable {
			t.Errorf("seed %d: more models after the last", seed)
		}
		e.Close()
		if want, _ := dplltest.Brute(c.Formula, c.Assumptions...); s.Solve(ctx, c.Assumptions...) != want {
			t.Errorf("seed %d: after the enumeration the answer is not %v", seed, want)
		}
		if n := countAgain(s, project, c.Assumptions); n != len(visited) {
			t.Errorf("seed %d: a second enumeration finds %d models, not %d", seed, n, len(visited))
		}
		if want := countModels(c, project); want != int64(len(visited)) {
			t.Errorf("seed %d: %d models, want %v\n%v", seed, len(visited), want, c)
		}
	}
}

// countAgain counts the models by an enumeration.
func countAgain(s *cdcl.Solver, project []dimacs.Var, assumptions []dimacs.Lit) (n int) {
	if project == nil {
		for v := range s.Vars() - 1 { // without the variable of the first enumeration
			project = append(project, dimacs.Var(v))
		}
	}
	e := s.Enumerate(project, assumptions...)
	defer e.Close()
	for e.Next(context.Background()) == dimacs.Satisfiable {
		n++
	}
	return n
}

// vars returns the number of variables of a case and its assumptions.
func vars(c dplltest.Case) int {
	n := c.Formula.Vars()
	for _, l := range c.Assumptions {
		n = max(n, int(l.Var())+1)
	}
	return n
}

// TestEnumerateShortens checks that blocking clauses have no implied literals: if one
// decision implies everything, the clause has the literal of the decision alone.
func TestEnumerateShortens(t *testing.T) {
	s := cdcl.New(cdcl.Options{})
	for v := 1; v < 20; v++ { // 20 equal variables
		s.Add(dimacs.Lits(-v, v+1)...)
		s.Add(dimacs.Lits(v, -v-1)...)
	}
	e := s.Enumerate(nil)
	ctx := context.Background()
	var decisions [3]int64
	for i := range 2 {
		if e.Next(ctx) != dimacs.Satisfiable {
			t.Fatal("there are two models")
		}
		decisions[i+1] = s.Stats().Decisions
	}
	// The first blocking clause has one literal beside that of the enumeration, whose
	// assumption then implies all variables.
	if first, second := decisions[1], decisions[2]-decisions[1]; first != 1 || second != 0 {
		t.Errorf("%d and %d decisions, want 1 and 0", first, second)
	}
	if e.Next(ctx) != dimacs.Unsatisfiable {
		t.Error("there is a third model")
	}
}

// TestEnumerateGoesOn checks that an enumeration continues after a limit.
func TestEnumerateGoesOn(t *testing.T) {
	s := cdcl.New(cdcl.Options{})
	s.Add(dimacs.Lits(1, 2)...)
	e := s.Enumerate(nil)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	n := 0
	for i := range 20 {
		if got := e.Next(over); got != dimacs.Unknown {
			t.Fatalf("without time: %v", got)
		}
		for range e.Models(over) {
			t.Fatal("a model without time")
		}
		for range e.Models(context.Background()) {
			n++
			break
		}
		if e.Exhausted() != (i >= 3) {
			t.Fatalf("exhausted in round %d is %v", i, e.Exhausted())
		}
	}
	if n != 3 {
		t.Errorf("%d models, want 3", n)
	}
}

func ExampleSolver_Enumerate() {
	s := cdcl.New(cdcl.Options{})
	s.Add(dimacs.Lits(1, 2, 3)...)
	s.Add(dimacs.Lits(-1, -2)...)
	e := s.Enumerate([]dimacs.Var{0, 1})
	n := 0
	for range e.Models(context.Background()) {
		n++
	}
	fmt.Println(n, "ways to assign 1 and 2, all of them:", e.Exhausted())
	// Output: 3 ways to assign 1 and 2, all of them: true
}

// TestDecided checks that the calls described at Decided find every model once, under all
// sets of options and without added clauses, also beside an open enumeration and by a clone.
func TestDecided(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(400) {
		_, c := dplltest.RandomCase(seed, 0)
		if n := c.Formula.Vars(); n == 0 || n > 11 {
			continue
		}
		s := newEnumerated(seed, c.Formula)
		s.KeepModels()
		n := vars(c)
		s.Grow(n)
		if seed%3 > 0 {
			for e, i := s.Enumerate(nil), uint64(0); i < seed%5 && e.Next(ctx) == dimacs.Satisfiable; i++ {
			}
		}
		if seed%3 == 2 {
			s = copyOf(s)
		}
		visited := map[string]bool{}
		var visit func(under []dimacs.Lit)
		visit = func(under []dimacs.Lit) {
			if s.Solve(ctx, under...) != dimacs.Satisfiable {
				return
			}
			m, decided := s.Model()[:n], s.Decided()
			if i := m.Falsified(c.Formula); i >= 0 {
				t.Fatalf("seed %d: the model falsifies clause %d", seed, i)
			}
			if visited[text(m, nil)] {
				t.Fatalf("seed %d: %v again", seed, m)
			}
			visited[text(m, nil)] = true
			for i, l := range decided {
				if int(l.Var()) >= n {
					t.Fatalf("seed %d: decision %v is of an enumeration", seed, l)
				}
				visit(append(append(append([]dimacs.Lit(nil), under...), decided[:i]...), l.Not()))
			}
		}
		visit(c.Assumptions)
		if want := countModels(c, nil); want != int64(len(visited)) {
			t.Errorf("seed %d: %d models, want %v\n%v", seed, len(visited), want, c)
		}
	}
}

// copyOf returns a clone, or the solver itself if it has a proof.
func copyOf(s *cdcl.Solver) (c *cdcl.Solver) {
	defer func() {
		if recover() != nil {
			c = s
		}
	}()
	return s.Clone()
}

// TestCloneWithoutEnumeration checks that a clone keeps the answer and deletes the clauses of an
// enumeration, and that the enumeration goes on.
func TestCloneWithoutEnumeration(t *testing.T) {
	ctx := t.Context()
	s := cdcl.New(cdcl.Options{})
	s.Grow(8)
	e := s.Enumerate(nil)
	for range 100 {
		e.Next(ctx)
	}
	c := s.Clone()
	if !slices.Equal(c.Model(), s.Model()) {
		t.Error("the clone has another model")
	}
	if c.Solve(ctx); len(c.Decided()) != 8 {
		t.Errorf("the clone decided %v of 8 free variables", c.Decided())
	}
	project := []dimacs.Var{0, 1, 2, 3, 4, 5, 6, 7}
	for name, c := range map[string]*cdcl.Solver{"the clone": c, "a clone of it": c.Clone(), "a new clone": s.Clone(), "a clone of a new one": s.Clone().Clone()} {
		if n := countAgain(c, project, nil); n != 256 {
			t.Errorf("%s has %d models, want 256", name, n)
		}
	}
	n := 100
	for range e.Models(ctx) {
		n++
	}
	if n != 256 {
		t.Errorf("the enumeration visits %d models, want 256", n)
	}
}

// TestSharedAssumptions checks that the levels of common first assumptions are reused.
func TestSharedAssumptions(t *testing.T) {
	const n = 1000
	s := cdcl.New(cdcl.Options{})
	for v := dimacs.Var(1); v < n; v++ { // each implies the next
		s.Add((v - 1).Lit().Not(), v.Lit())
	}
	ask := func(assumptions ...dimacs.Lit) int64 {
		before := s.Stats().Propagations
		s.Solve(context.Background(), assumptions...)
		return s.Stats().Propagations - before
	}
	a, b := dimacs.Var(0).Lit(), dimacs.Var(n).Lit()
	for i, step := range []struct {
		assumptions []dimacs.Lit
		least, most int64
	}{
		{[]dimacs.Lit{a, b}, n - 1, n + 1},
		{[]dimacs.Lit{a, b.Not()}, 0, 2},
		{[]dimacs.Lit{a}, 0, 2},
		{[]dimacs.Lit{b, a}, n - 1, n + 1},
	} {
		if got := ask(step.assumptions...); got < step.least || got > step.most {
			t.Errorf("call %d: %d propagations, want %d to %d", i, got, step.least, step.most)
		}
	}
	ask(a)
	s.Add(b)
	if got := ask(a); got < n-1 {
		t.Errorf("after a clause was added: %d propagations", got)
	}
}

// TestEnumerateTwice alternates between two enumerations over all variables, which are both
// open. Each must visit every model once, without the variables of both, also if calls are
// stopped.
func TestEnumerateTwice(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		_, c := dplltest.RandomCase(seed, 0)
		n := c.Formula.Vars()
		if n == 0 || n > 9 {
			continue
		}
		s := newEnumerated(seed, c.Formula)
		open := []*cdcl.Enumeration{s.Enumerate(nil), nil}
		visited := []map[string]bool{{}, nil}
		for open[0] != nil || visited[1] == nil || open[1] != nil {
			i := r.IntN(2)
			if i == 1 && visited[1] == nil {
				open[1], visited[1] = s.Enumerate(nil), map[string]bool{}
			}
			if open[i] == nil {
				continue
			}
			ctx, cancel := dplltest.CancelAfter(1 + r.IntN(1<<r.IntN(12)))
			answer := open[i].Next(ctx)
			cancel()
			switch answer {
			case dimacs.Satisfiable:
				m := s.Model()
				if i := m.Falsified(c.Formula); i >= 0 {
					t.Fatalf("seed %d: the model falsifies clause %d", seed, i)
				}
				if len(m) != n {
					t.Fatalf("seed %d: the model has %d variables, not %d", seed, len(m), n)
				}
				if visited[i][text(m, nil)] {
					t.Fatalf("seed %d: enumeration %d visits %v again", seed, i, m)
				}
				visited[i][text(m, nil)] = true
			case dimacs.Unsatisfiable:
				open[i].Close()
				open[i] = nil
			}
		}
		want := countModels(dplltest.Case{Formula: c.Formula}, nil)
		for i, v := range visited {
			if int64(len(v)) != want {
				t.Errorf("seed %d: enumeration %d has %d models, want %v", seed, i, len(v), want)
			}
		}
	}
}

// TestEnumerateNothing checks that a solver without variables has one model, also during
// another enumeration.
func TestEnumerateNothing(t *testing.T) {
	s := cdcl.New(cdcl.Options{})
	for range 2 {
		e := s.Enumerate(nil)
		if e.Next(t.Context()) != dimacs.Satisfiable || len(s.Model()) > 0 {
			t.Error("the first answer is not the model without variables")
		}
		if e.Next(t.Context()) != dimacs.Unsatisfiable {
			t.Error("a second model")
		}
	}
}
