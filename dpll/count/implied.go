package count

import (
	"context"
	"math"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A clause that the others imply constrains nothing, but it connects variables that could be in
// different components, and makes the tree width larger. So literals and clauses that the rest implies are
// removed, the longest clauses first, and again after the other simplifications. Removed clauses stay
// for propagation, like learned ones (Korhonen and Järvisalo, "SharpSAT-TD in model counting
// competitions 2021-2023", 2023). Package cdcl makes the tests. Mostly a few steps of
// propagation suffice, so each test ends after some, and all of them end if few succeed.
//
// Tried: models, by 64 random walks at once, that show which tests fail; variables with one neighbor summed
// out into its weights (no gain).

const (
	impliedSteps = 4_000_000 // propagations of the tests for literals, and a 16th of their literals; as many for clauses
	impliedMore  = 1000      // for each success
	impliedTest  = 1000      // of one test, and a tenth as many decisions
)

// tighten removes literals and clauses that the rest implies.
func (p *problem) tighten(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	slices.SortStableFunc(p.clauses, func(c, d []lit) int { return len(d) - len(c) })
	if p.shorten(ctx); !p.over(ctx) {
		p.drop(ctx)
	}
}

// shorten removes implied literals: the rest of the clause is implied without them.
func (p *problem) shorten(ctx context.Context) {
	t := newTester()
	for _, c := range p.clauses {
		t.solver.Add(c...)
	}
	for i, c := range p.clauses {
		short := c
		for _, l := range c {
			if t.over(ctx) {
				break
			}
			rest := slices.DeleteFunc(slices.Clone(short), func(m lit) bool { return m == l })
			if len(rest) < len(short) && t.implied(ctx, nil, rest) {
				short = nil
				for _, m := range t.solver.Failed() {
					short = append(short, m^1)
				}
			}
		}
		if len(short) == 0 {
			p.refuted = true
			return
		}
		if len(short) < len(c) {
			p.clauses[i] = short
			t.solver.Add(short...)
		}
	}
}

// drop removes implied clauses.
func (p *problem) drop(ctx context.Context) {
	t := newTester()
	s := newSwitches(t.solver, p.vars, len(p.clauses))
	for i, c := range p.clauses {
		t.solver.Add(append([]lit{s.lit(i) ^ 1}, c...)...)
	}
	var kept [][]lit
	for i, c := range p.clauses {
		if !t.over(ctx) && t.implied(ctx, s.without(i), c) {
			p.implied = append(p.implied, c)
		} else {
			kept = append(kept, c)
			s.keep(i)
		}
	}
	p.clauses = kept
}

// A tester tests clauses.
type tester struct {
	solver *cdcl.Solver
	left   int64 // of impliedSteps
}

func newTester() *tester {
	t := &tester{solver: cdcl.New(cdcl.Options{NoSymmetry: true}), left: impliedSteps}
	t.solver.KeepModels()
	return t
}

// over reports whether no test is to follow.
func (t *tester) over(ctx context.Context) bool { return t.left <= 0 || ctx.Err() != nil }

// implied reports whether c is known to follow under assumptions.
func (t *tester) implied(ctx context.Context, assume, c []lit) bool {
	for _, l := range c {
		assume = append(assume, l^1)
	}
	before := t.solver.Stats().Propagations
	t.solver.SetLimits(cdcl.Limits{Propagations: impliedTest, Decisions: impliedTest / 10})
	implied := t.solver.Solve(ctx, assume...) == dimacs.Unsatisfiable
	t.left -= t.solver.Stats().Propagations - before + int64(len(c)/16)
	if implied {
		t.left += impliedMore
	}
	return implied
}

// Switches are literals that are tested in a row, each under the assumptions that all later ones and the
// kept earlier ones are true. The last ones stand first, as groups until their turn comes, so that each call
// of the solver shares nearly all of its trail with the one before.
type switches struct {
	solver *cdcl.Solver
	first  lit
	n      int
	size   int   // of a group
	kept   []lit // without a clause yet
	assume []lit // scratch
}

// newSwitches returns n switches, numbered from a variable on.
func newSwitches(solver *cdcl.Solver, v, n int) *switches {
	s := &switches{solver: solver, first: lit(2 * v), n: n, size: 1 + int(math.Sqrt(float64(n)))}
	for i := range n {
		solver.Add(s.group(i/s.size)^1, s.lit(i))
	}
	return s
}

func (s *switches) lit(i int) lit   { return s.first + lit(2*i) }
func (s *switches) group(k int) lit { return s.lit(s.n + k) }

// without returns the assumptions for the test of switch i. They are valid until the next call.
func (s *switches) without(i int) []lit {
	s.assume = s.assume[:0]
	group := i / s.size
	for k := (s.n - 1) / s.size; k > group; k-- {
		s.assume = append(s.assume, s.group(k))
	}
	for j := min(s.n, (group+1)*s.size) - 1; j > i; j-- {
		s.assume = append(s.assume, s.lit(j))
	}
	return append(s.assume, s.kept...)
}

// keep makes switch i true from now on. Clauses are added for many at once, since the solver unwinds its
// trail for them.
func (s *switches) keep(i int) {
	if s.kept = append(s.kept, s.lit(i)); len(s.kept) == 100 {
		for _, l := range s.kept {
			s.solver.Add(l)
		}
		s.kept = s.kept[:0]
	}
}
