package portfolio_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
	"sator/dpll/portfolio"
)

// partedShapes are formulas of a few parts, with their variables mixed.
func partedShapes() []dplltest.Family {
	var shapes []dplltest.Family
	for _, s := range dplltest.Families {
		shapes = append(shapes, dplltest.Family{Name: "parts of " + s.Name, Make: func(r *rand.Rand, vars int) *dimacs.Formula {
			var parts []*dimacs.Formula
			total := 0
			for range 2 + r.IntN(2) {
				p := s.Make(r, max(1, vars/2))
				parts = append(parts, p)
				total += p.Vars()
			}
			return mixed(r, parts, total)
		}})
	}
	return shapes
}

// mixed joins formulas over variables of their own, in random order.
func mixed(r *rand.Rand, parts []*dimacs.Formula, vars int) *dimacs.Formula {
	names := r.Perm(vars)
	var all [][]dimacs.Lit
	for _, p := range parts {
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

// splitter returns a solver of f by its parts, or an ordinary one if it has none.
func splitter(f *dimacs.Formula, p dimacs.Proof) (s portfolio.Solver, split bool) {
	parts := portfolio.Components(f)
	if parts == nil {
		return learner(f, p), false
	}
	return portfolio.NewComponentSolver(f, parts, portfolio.ComponentOptions{
		Proof: p,
		Start: func(p *portfolio.Component, proof dimacs.Proof) portfolio.Solver { return learner(p.Formula, proof) },
		Limit: func(s portfolio.Solver, conflicts int64) bool {
			s.(*cdcl.Solver).SetLimits(cdcl.Limits{Conflicts: min(conflicts, 2)}) // so that they take turns
			return true
		},
	}), true
}

// A formula that is split is answered as any other, with evidence.
func TestSplit(t *testing.T) {
	splits := make(chan bool, 1<<20)
	fuzz(t, &dplltest.Subject{Families: partedShapes(), New: dplltest.Incremental(func(f *dimacs.Formula, p dimacs.Proof) dplltest.FormulaSolver {
		s, split := splitter(f, p)
		splits <- split
		return s
	})})
	n, all := 0, len(splits)
	for range all {
		if <-splits {
			n++
		}
	}
	if n < all/4 {
		t.Errorf("%d of %d formulas were split", n, all)
	}
}

func TestParts(t *testing.T) {
	for _, tt := range []struct {
		name    string
		clauses [][]int
		want    []int // clauses in the parts
	}{
		{"nothing", nil, nil},
		{"one", [][]int{{1, 2}, {2, 3}}, nil},
		{"two", [][]int{{1, 4}, {2, 3}, {-4, -1}, {3, -3}, {4}}, []int{2, 3}},
		{"one and gaps", [][]int{{1, 9}, {9, 3}}, nil},
		{"an empty clause", [][]int{{1}, {2}, {}}, nil},
		{"one that is too large", [][]int{{1}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}}, nil},
		{"one that is not", [][]int{{1}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}}, []int{1, 9}},
	} {
		f := dimacs.NewFormula(0)
		for _, c := range tt.clauses {
			f.AddInts(c...)
		}
		parts := portfolio.Components(f)
		ok := len(parts) == len(tt.want)
		for i := range min(len(parts), len(tt.want)) {
			ok = ok && parts[i].Formula.Len() == tt.want[i]
		}
		if !ok {
			t.Errorf("%s: %d parts, want %v", tt.name, len(parts), tt.want)
		}
	}
	f := dimacs.NewFormula(0)
	for v := range 65 {
		f.Add(dimacs.Lit(2 * v))
		if got := len(portfolio.Components(f)); v > 0 && v < 64 && got != v+1 || v == 64 && got != 0 {
			t.Errorf("%d units make %d parts", v+1, got)
		}
	}
}

// A hard part does not keep one from being answered that is easy to refute.
func TestSplitTurns(t *testing.T) {
	hard, easy := uniform(8, 600, 2556), pigeons(8)
	f := mixed(rand.New(rand.NewPCG(1, 1)), []*dimacs.Formula{hard, easy}, hard.Vars()+easy.Vars())
	parts := portfolio.Components(f)
	if len(parts) != 2 {
		t.Fatalf("%d parts", len(parts))
	}
	parts[0], parts[1] = parts[1], parts[0] // the hard one first
	s := portfolio.NewComponentSolver(f, parts, portfolio.ComponentOptions{
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
	if got := portfolio.NewComponentSolver(f, parts, portfolio.ComponentOptions{
		Start: func(p *portfolio.Component, _ dimacs.Proof) portfolio.Solver { return learner(p.Formula, nil) },
	}).Solve(ctx); got != dimacs.Unknown {
		t.Errorf("cancelled: %v", got)
	}
}
