package count

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/effort"
)

// planted draws a formula of a few models and many clauses, most of which the others imply.
func planted(r *rand.Rand, vars int) *dimacs.Formula {
	f, models := dimacs.NewFormula(vars), make([]uint, 1+r.IntN(6))
	for i := range models {
		models[i] = r.UintN(1 << vars)
	}
	for range 10 + r.IntN(300) {
		var c []dimacs.Lit
		for range 1 + r.IntN(5) {
			c = append(c, dimacs.Lit(r.IntN(2*vars)))
		}
		satisfies := func(m uint) bool {
			return slices.ContainsFunc(c, func(l dimacs.Lit) bool { return m>>(l>>1)&1 == uint(1-l&1) })
		}
		if !slices.ContainsFunc(models, func(m uint) bool { return !satisfies(m) }) {
			f.Add(c...)
		}
	}
	return f
}

// formulaOf returns clauses as a formula.
func formulaOf(vars int, clauses [][]lit) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}

// TestTighten checks that the formula stays the same, and that its clauses and their literals are all needed.
func TestTighten(t *testing.T) {
	dropped := 0
	for _, seed := range effort.Seeds(150, 3000) {
		r := rand.New(rand.NewPCG(seed, 9))
		vars := 3 + r.IntN(7)
		f, o := planted(r, vars), Options{}
		p := prepare(f, &o, true)
		models := brute(f, &o)
		if p.tighten(context.Background()); p.refuted {
			t.Fatalf("seed %d: refuted", seed)
		}
		dropped += len(p.implied)
		count := func(clauses [][]lit) int64 { return brute(formulaOf(vars, clauses), &o).Num().Int64() }
		n := models.Num().Int64()
		if all := count(p.clauses); all != n || count(slices.Concat(p.clauses, p.implied)) != n {
			t.Fatalf("seed %d: %d models, then %d", seed, n, all)
		}
		for i, c := range p.clauses {
			rest := slices.Concat(p.clauses[:i], p.clauses[i+1:])
			if count(rest) == n {
				t.Fatalf("seed %d: %v is implied", seed, c)
			}
			for j := range c {
				if count(append(slices.Clip(rest), slices.Concat(c[:j], c[j+1:]))) == n {
					t.Fatalf("seed %d: %v is not needed in %v", seed, c[j], c)
				}
			}
		}
	}
	f := formulaOf(2, [][]lit{{0, 2}, {0, 3}, {1, 2}, {1, 3}})
	p := prepare(f, &Options{}, true)
	if p.tighten(context.Background()); !p.refuted {
		t.Errorf("not refuted: %v", p.clauses)
	}
	if dropped < 3000 {
		t.Errorf("%d clauses were dropped", dropped)
	}
}

// TestExtend checks that just those variables become counted that the counted ones define.
func TestExtend(t *testing.T) {
	defined, all := 0, 0
	for _, seed := range effort.Seeds(300, 6000) {
		r := rand.New(rand.NewPCG(seed, 10))
		vars := 2 + r.IntN(6)
		f := planted(r, vars)
		o := Options{Project: []dimacs.Var{0}}
		for v := range r.IntN(vars) {
			o.Project = append(o.Project, dimacs.Var(v))
		}
		p := prepare(f, &o, true)
		given, before := slices.Clone(p.counted), brute(f, &o)
		p.extend(context.Background())
		if p.counted == nil {
			all++
			p.counted = slices.Repeat([]bool{true}, vars)
		}
		for v := range vars {
			with := Options{Project: append(slices.Clone(o.Project), dimacs.Var(v))}
			is := brute(f, &with).Cmp(before) == 0
			if p.counted[v] != (given[v] || is) {
				t.Fatalf("seed %d: %d is counted: %v, want %v", seed, v+1, p.counted[v], is)
			}
			if is && !given[v] {
				defined++
			}
		}
	}
	if defined < 100 || all < 50 {
		t.Errorf("%d variables were defined, all in %d formulas", defined, all)
	}
}

// TestPadoa checks that the variables that are kept define the others, and not one another.
func TestPadoa(t *testing.T) {
	defined := 0
	for _, seed := range effort.Seeds(200, 4000) {
		r := rand.New(rand.NewPCG(seed, 11))
		vars := 2 + r.IntN(6)
		f, o := planted(r, vars), Options{}
		p := prepare(f, &o, true)
		p.padoa(context.Background())
		models := func(without int) int64 {
			o := Options{Project: []dimacs.Var{}}
			for v := range vars {
				if v != without && !p.defined[v] {
					o.Project = append(o.Project, dimacs.Var(v))
				}
			}
			return brute(f, &o).Num().Int64()
		}
		n := brute(f, &o).Num().Int64()
		for v := range vars {
			if got := models(v); (got == n) != p.defined[v] {
				t.Fatalf("seed %d: %d is defined: %v, with %d of %d models without it", seed, v+1, p.defined[v], got, n)
			}
			if p.defined[v] {
				defined++
			}
		}
	}
	if defined < 200 {
		t.Errorf("%d variables were defined", defined)
	}
}

// TestSwitches checks that the assumptions for each switch imply just the later ones and those that were kept.
func TestSwitches(t *testing.T) {
	for _, n := range []int{1, 2, 9, 10, 300} {
		r := rand.New(rand.NewPCG(uint64(n), 12))
		solver := cdcl.New(cdcl.Options{})
		s := newSwitches(solver, 3, n)
		kept := make([]bool, n)
		for i := range n {
			assumed := s.without(i)
			implied, status := solver.Propagate(assumed...)
			for j := range n {
				l := dimacs.Lit(2 * (3 + j))
				is := slices.Contains(assumed, l) || slices.Contains(implied, l)
				if status != dimacs.Unknown || is != (j > i || kept[j]) {
					t.Fatalf("%d of %d: %d is true: %v, %v", i, n, j, is, status)
				}
			}
			if kept[i] = r.IntN(3) > 0; kept[i] {
				s.keep(i)
			}
		}
	}
}

// TestLongClause checks that a clause of many literals is not made a clique, and its literals are not all tested.
func TestLongClause(t *testing.T) {
	const vars = 50_000
	f := dimacs.NewFormula(vars)
	var long []dimacs.Lit
	for v := range dimacs.Var(vars) {
		long = append(long, v.Lit())
	}
	f.Add(long...)
	if r := ranks(context.Background(), vars, [][]lit{long}, nil, 1); r != nil {
		t.Error("the clause was decomposed")
	}
	p := prepare(f, &Options{}, true)
	if p.tighten(context.Background()); len(p.clauses) != 1 || len(p.clauses[0]) != vars {
		t.Errorf("%d clauses", len(p.clauses))
	}
}
