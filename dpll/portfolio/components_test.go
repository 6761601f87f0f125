package portfolio_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// componentFamilies returns families of formulas with a few components, whose variables
// are mixed.
func componentFamilies() []dplltest.Family {
	var families []dplltest.Family
	for _, s := range dplltest.Families {
		families = append(families, dplltest.Family{Name: "components of " + s.Name, Make: func(r *rand.Rand, vars int) *dimacs.Formula {
			var components []*dimacs.Formula
			total := 0
			for range 2 + r.IntN(2) {
				p := s.Make(r, max(1, vars/2))
				components = append(components, p)
				total += p.Vars()
			}
			return mixed(r, components, total)
		}})
	}
	return families
}

// mixed returns the conjunction of formulas, with different variables for each of them
// and both variables and clauses in random order.
func mixed(r *rand.Rand, components []*dimacs.Formula, vars int) *dimacs.Formula {
	names := r.Perm(vars)
	var all [][]dimacs.Lit
	for _, p := range components {
		for _, c := range p.Clauses() {
			var d []dimacs.Lit
			for _, l := range c {
				d = append(d, dimacs.Lit(2*names[l>>1])|l&1)
			}
			all = append(all, d)
		}
		names = names[p.Vars():]
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	f := dimacs.NewFormula(vars)
	for _, c := range all {
		f.Add(c...)
	}
	return f
}

// splitter returns a ComponentSolver of f, or a CDCL solver if f is not decomposed.
func splitter(f *dimacs.Formula, p dimacs.Proof) (s portfolio.Solver, split bool) {
	components := portfolio.Components(f, nil)
	if components == nil {
		return learner(f, p), false
	}
	return portfolio.NewComponentSolver(f, components, portfolio.ComponentOptions{
		Proof: p,
		Start: func(p *portfolio.Component, proof dimacs.Proof) portfolio.Solver { return learner(p.Formula, proof) },
		Limit: func(s portfolio.Solver, conflicts int64) bool {
			s.(*cdcl.Solver).SetLimits(cdcl.Limits{Conflicts: min(conflicts, 2)}) // so that there are several rounds
			return true
		},
	}), true
}

// Answers of a ComponentSolver are right, with models, failed assumptions and proofs.
func TestComponentSolver(t *testing.T) {
	effort.Sequential(t)
	decomposed := make(chan bool, 1<<20)
	fuzz(t, &dplltest.Subject{Families: componentFamilies(), New: dplltest.Incremental(func(f *dimacs.Formula, p dimacs.Proof) dplltest.FormulaSolver {
		s, split := splitter(f, p)
		decomposed <- split
		return s
	})})
	n, all := 0, len(decomposed)
	for range all {
		if <-decomposed {
			n++
		}
	}
	if n < all/4 {
		t.Errorf("%d of %d formulas were decomposed", n, all)
	}
}

func TestComponents(t *testing.T) {
	for _, tt := range []struct {
		name    string
		clauses [][]int
		want    []int // clauses of the components
	}{
		{"no clauses", nil, nil},
		{"one", [][]int{{1, 2}, {2, 3}}, nil},
		{"two", [][]int{{1, 4}, {2, 3}, {-4, -1}, {3, -3}, {4}}, []int{2, 3}},
		{"one and gaps", [][]int{{1, 9}, {9, 3}}, nil},
		{"an empty clause", [][]int{{1}, {2}, {}}, nil},
		{"too large a component", [][]int{{1}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}}, nil},
		{"not too large a component", [][]int{{1}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}}, []int{1, 9}},
	} {
		f := dimacs.NewFormula(0)
		for _, c := range tt.clauses {
			f.AddInts(c...)
		}
		components := portfolio.Components(f, nil)
		ok := len(components) == len(tt.want)
		for i := range min(len(components), len(tt.want)) {
			ok = ok && components[i].Formula.Len() == tt.want[i]
		}
		if !ok {
			t.Errorf("%s: %d components, want those of sizes %v", tt.name, len(components), tt.want)
		}
	}
	f := dimacs.NewFormula(0)
	for v := range 65 {
		f.Add(dimacs.Lit(2 * v))
		if got := len(portfolio.Components(f, nil)); v > 0 && v < 64 && got != v+1 || v == 64 && got != 0 {
			t.Errorf("%d unit clauses have %d components", v+1, got)
		}
	}
}

// A component that is easy to refute is refuted although a hard component is before it.
func TestComponentRounds(t *testing.T) {
	effort.Sequential(t)
	hard, easy := conquertest.Uniform(8, 600, 2556), conquertest.Pigeons(8)
	f := mixed(rand.New(rand.NewPCG(1, 1)), []*dimacs.Formula{hard, easy}, hard.Vars()+easy.Vars())
	components := portfolio.Components(f, nil)
	if len(components) != 2 {
		t.Fatalf("%d components", len(components))
	}
	components[0], components[1] = components[1], components[0] // the hard one first
	s := portfolio.NewComponentSolver(f, components, portfolio.ComponentOptions{
		Start: func(p *portfolio.Component, _ dimacs.Proof) portfolio.Solver { return learner(p.Formula, nil) },
		Limit: func(s portfolio.Solver, conflicts int64) bool {
			s.(*cdcl.Solver).SetLimits(cdcl.Limits{Conflicts: conflicts})
			return true
		},
	})
	if got := s.Solve(context.Background()); got != dimacs.Unsatisfiable {
		t.Errorf("got %v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := portfolio.NewComponentSolver(f, components, portfolio.ComponentOptions{
		Start: func(p *portfolio.Component, _ dimacs.Proof) portfolio.Solver { return learner(p.Formula, nil) },
	}).Solve(ctx); got != dimacs.Unknown {
		t.Errorf("canceled: %v", got)
	}
}
