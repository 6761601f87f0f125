package study

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/sudoku"
)

// A referenceSolver is a naive reimplementation of the paper's program: each
// call copies the clauses and scans all of them.
type referenceSolver struct {
	rule    *roundRule
	kept    *referenceWeights // nil if weights are not accumulated
	order   []dimacs.Lit      // literals in order of first occurrence
	outcome Outcome

	fixpoint bool // a call propagates until no clause is unit
}

// referenceWeights are accumulated weights.
type referenceWeights struct {
	sums map[dimacs.Lit]float64
	seen []dimacs.Lit
}

// given returns the clauses simplified by a true literal.
func given(clauses [][]dimacs.Lit, l dimacs.Lit) [][]dimacs.Lit {
	var left [][]dimacs.Lit
	for _, c := range clauses {
		if !slices.Contains(c, l) {
			left = append(left, slices.DeleteFunc(slices.Clone(c), func(m dimacs.Lit) bool { return m == l^1 }))
		}
	}
	return left
}

func (p *referenceSolver) solve(clauses [][]dimacs.Lit, assigned map[dimacs.Var]bool, vars int, depth int64) bool {
	p.outcome.Evaluations++
	p.outcome.Depth = max(p.outcome.Depth, depth)
	empty := func(c []dimacs.Lit) bool { return len(c) == 0 }
	for {
		var units []dimacs.Lit
		for _, c := range clauses {
			if len(c) == 1 && !slices.Contains(units, c[0]) {
				units = append(units, c[0])
			}
		}
		for _, u := range units {
			clauses = given(clauses, u)
			if !assigned[u.Var()] {
				p.outcome.Propagations++
			}
			assigned[u.Var()] = true
		}
		if !p.fixpoint || len(units) == 0 || slices.ContainsFunc(clauses, empty) {
			break
		}
	}
	if slices.ContainsFunc(clauses, empty) {
		p.outcome.Conflicts++
		return false
	}
	if len(clauses) == 0 {
		return true
	}
	l := p.choose(clauses, assigned, vars)
	p.outcome.Decisions++
	for i, branch := range []dimacs.Lit{l, l ^ 1} {
		p.outcome.Backtracks += int64(i)
		below := map[dimacs.Var]bool{branch.Var(): true}
		for v := range assigned {
			below[v] = true
		}
		if p.solve(given(clauses, branch), below, vars, depth+1) {
			return true
		}
	}
	return false
}

// choose is the heuristic. Sums are floats, which represent these values
// exactly.
func (p *referenceSolver) choose(clauses [][]dimacs.Lit, assigned map[dimacs.Var]bool, vars int) dimacs.Lit {
	sums := map[dimacs.Lit]float64{}
	order := p.order
	if p.kept != nil {
		sums = p.kept.sums
	}
	least := len(slices.MinFunc(clauses, func(a, b []dimacs.Lit) int { return len(a) - len(b) }))
	short := map[dimacs.Lit]float64{}
	var shortOrder []dimacs.Lit
	for _, c := range clauses {
		for _, l := range c {
			if p.kept != nil && !slices.Contains(p.kept.seen, l) {
				p.kept.seen = append(p.kept.seen, l)
			}
			if p.rule.weight != nil {
				sums[l] += float64(p.rule.weight(len(c)))
			}
			if len(c) == least {
				if short[l]++; short[l] == 1 {
					shortOrder = append(shortOrder, l)
				}
			}
		}
	}
	if p.kept != nil {
		order = p.kept.seen
	}
	sign := func(l dimacs.Lit, of map[dimacs.Lit]float64, drawn dimacs.Lit) dimacs.Lit {
		l &^= 1
		switch {
		case of[l] < of[l^1]:
			return l ^ 1
		case of[l] == of[l^1]:
			return l ^ drawn
		}
		return l
	}
	most := func(order []dimacs.Lit, value func(dimacs.Lit) float64) dimacs.Lit {
		order = slices.DeleteFunc(slices.Clone(order), func(l dimacs.Lit) bool { return assigned[l.Var()] })
		return slices.MaxFunc(order, func(a, b dimacs.Lit) int {
			switch x, y := value(a), value(b); {
			case x > y:
				return 1
			case x < y:
				return -1
			}
			return 0
		})
	}
	switch p.rule.name {
	case "first":
		for v := range dimacs.Var(vars) {
			if !assigned[v] {
				return v.Lit() ^ 1
			}
		}
	case "jw1":
		return most(order, func(l dimacs.Lit) float64 { return sums[l] })
	case "jw2":
		return sign(most(order, func(l dimacs.Lit) float64 { return sums[l] + sums[l^1] }), sums, 0)
	case "moh":
		return most(order, func(l dimacs.Lit) float64 {
			if sums[l] == 0 {
				return -1e18
			}
			return -sums[l]
		})
	case "lph":
		return most(p.order, func(l dimacs.Lit) float64 { return min(short[l], 1) })
	case "mom":
		return sign(most(shortOrder, func(l dimacs.Lit) float64 {
			return 2*(short[l]+short[l^1]) + short[l]*short[l^1]
		}), short, 1)
	}
	panic("no such rule")
}

// run is the counterpart of roundSolver.run.
func (p *referenceSolver) run(f *dimacs.Formula, givens []dimacs.Lit) Outcome {
	p.outcome = Outcome{Answer: dimacs.Unsatisfiable}
	p.order = nil
	var clauses [][]dimacs.Lit
	for _, l := range givens {
		clauses = append(clauses, []dimacs.Lit{l})
	}
	for _, c := range f.Clauses() {
		clauses = append(clauses, c)
		for _, l := range c {
			if !slices.Contains(p.order, l) {
				p.order = append(p.order, l)
			}
		}
	}
	if p.solve(clauses, map[dimacs.Var]bool{}, f.Vars(), 0) {
		p.outcome.Answer = dimacs.Satisfiable
	}
	return p.outcome
}

// randomFormula returns a formula with clauses of two to four distinct
// variables.
func randomFormula(r *rand.Rand) *dimacs.Formula {
	vars := 4 + r.IntN(9)
	f := dimacs.NewFormula(vars)
	for range vars * (2 + r.IntN(3)) {
		var c []dimacs.Lit
		for _, v := range r.Perm(vars)[:2+r.IntN(3)] {
			c = append(c, dimacs.Lit(2*v+r.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

func TestRoundsOnRandomFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	answers := map[dimacs.Status]int{}
	for k := range 150 {
		f := randomFormula(r)
		fixpoint := k%2 == 1
		want, _ := dplltest.Brute(f)
		for i := range roundRules {
			rule := &roundRules[i]
			s := newRoundSolver(f, rule)
			s.fixpoint = fixpoint
			weights, plain := new(Weights), &referenceSolver{rule: rule, fixpoint: fixpoint, kept: &referenceWeights{sums: map[dimacs.Lit]float64{}}}
			for run := range 3 { // the third run continues with the weights of the second
				var givens []dimacs.Lit
				if run > 0 {
					givens = []dimacs.Lit{dimacs.Lit(2*r.IntN(f.Vars()) + r.IntN(2))}
				}
				var got, expected Outcome
				if run == 0 {
					got = s.run(context.Background(), givens, nil, 0)
					expected = (&referenceSolver{rule: rule, fixpoint: fixpoint}).run(f, givens)
					if got.Answer != want {
						t.Fatalf("%s: %v, want %v by brute force", rule.name, got.Answer, want)
					}
				} else {
					got = s.run(context.Background(), givens, weights, 0)
					expected = plain.run(f, givens)
				}
				if !sameOutcome(got, expected) {
					t.Fatalf("%s, run %d:\n%+v, reference solver\n%+v", rule.name, run, got, expected)
				}
				answers[got.Answer]++
			}
		}
	}
	if answers[dimacs.Satisfiable] < 100 || answers[dimacs.Unsatisfiable] < 100 {
		t.Errorf("too few answers of one kind: %v", answers)
	}
}

func sameOutcome(a, b Outcome) bool {
	for _, m := range measures {
		if *m.field(&a) != *m.field(&b) {
			return false
		}
	}
	return a.Answer == b.Answer
}

func TestRoundsOnSudoku(t *testing.T) {
	rules := sudoku.Must(sudoku.Standard(4))
	g := sudoku.NewGrid(rules)
	g.Cells[0], g.Cells[6], g.Cells[9], g.Cells[15] = 1, 2, 3, 4
	f := orderFormula(must(rules.Encode(sudoku.Coding{})))
	for i := range roundRules {
		rule := &roundRules[i]
		got := newRoundSolver(f.paperOrder, rule).run(context.Background(), f.code.Givens(g), nil, 0)
		want := (&referenceSolver{rule: rule}).run(f.paperOrder, f.code.Givens(g))
		if !sameOutcome(got, want) {
			t.Errorf("%s: %+v, reference solver %+v", rule.name, got, want)
		}
	}
}

func TestRoundsLimit(t *testing.T) {
	f := dimacs.NewFormula(6)
	for bits := range 64 { // no model
		var c []dimacs.Lit
		for v := range 6 {
			c = append(c, dimacs.Lit(2*v+bits>>v&1))
		}
		f.Add(c...)
	}
	s := newRoundSolver(f, &roundRules[0])
	if o := s.run(context.Background(), nil, nil, 3); !o.Capped || o.Answer != dimacs.Unknown || o.Conflicts != 3 {
		t.Errorf("with a limit of 3 conflicts: %+v", o)
	}
	if o := s.run(context.Background(), nil, nil, 0); o.Capped || o.Answer != dimacs.Unsatisfiable {
		t.Errorf("without a limit: %+v", o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o := s.run(ctx, nil, nil, 0); o.Capped || o.Answer != dimacs.Unknown {
		t.Errorf("stopped: %+v", o)
	}
}
