package classic_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// The reference program is DPLL as in textbooks and in algorithm 1 of the study of
// heuristics on Sudokus: a recursive function of a list of clauses, which copies
// the list for each assignment. The heuristics are defined on that list. The
// engine must make the same tree.

// A cnf is the list of the open clauses, each with its unassigned literals in the
// original order.
type cnf [][]dimacs.Lit

// A reference is a run of the reference program, with its counts.
type reference struct {
	vars      int
	pure      classic.Pure
	heuristic func(*reference, cnf) dimacs.Lit
	random    *rand.Rand
	momK      int

	calls      int64
	nodes      int64
	decisions  int64
	backtracks int64
	conflicts  int64
	depth      int64
}

// newReference returns the reference for these options.
func newReference(o classic.Options, vars int) *reference {
	return &reference{
		vars: vars, pure: o.Pure, momK: o.MomK, nodes: 1,
		heuristic: definitions[o.Heuristic],
		random:    rand.New(rand.NewPCG(o.Seed, 0xd511)),
	}
}

// dpll reports whether the clauses have a model.
func (r *reference) dpll(f cnf, depth int64) bool {
	r.calls++
	r.depth = max(r.depth, depth)
	if len(f) == 0 {
		return true
	}
	if slices.ContainsFunc(f, func(c []dimacs.Lit) bool { return len(c) == 0 }) {
		r.conflicts++
		return false
	}
	if i := slices.IndexFunc(f, tautology); i >= 0 {
		return r.dpll(slices.Delete(slices.Clone(f), i, i+1), depth)
	}
	if i := slices.IndexFunc(f, func(c []dimacs.Lit) bool { return len(c) == 1 }); i >= 0 {
		return r.dpll(f.with(f[i][0]), depth)
	}
	if r.pure == classic.PureEvery || r.pure == classic.PureRoot && depth == 0 {
		if l, ok := f.pure(); ok {
			return r.dpll(f.with(l), depth)
		}
	}
	l := r.heuristic(r, f)
	r.decisions++
	r.nodes++
	if r.dpll(f.with(l), depth+1) {
		return true
	}
	r.backtracks++
	r.nodes++
	return r.dpll(f.with(l.Not()), depth+1)
}

func tautology(c []dimacs.Lit) bool {
	return slices.ContainsFunc(c, func(l dimacs.Lit) bool { return slices.Contains(c, l.Not()) })
}

// with returns f simplified by the assignment of l.
func (f cnf) with(l dimacs.Lit) cnf {
	var g cnf
	for _, c := range f {
		if slices.Contains(c, l) {
			continue
		}
		g = append(g, slices.DeleteFunc(slices.Clone(c), func(k dimacs.Lit) bool { return k == l.Not() }))
	}
	return g
}

// pure returns the first literal whose complement does not occur.
func (f cnf) pure() (dimacs.Lit, bool) {
	for _, c := range f {
		for _, l := range c {
			if f.occurrences(l.Not()) == 0 {
				return l, true
			}
		}
	}
	return 0, false
}

// occurrences returns the number of clauses with l.
func (f cnf) occurrences(l dimacs.Lit) uint64 {
	n := uint64(0)
	for _, c := range f {
		if slices.Contains(c, l) {
			n++
		}
	}
	return n
}

// shortest returns the shortest clauses.
func (f cnf) shortest() cnf {
	n := len(slices.MinFunc(f, func(c, d []dimacs.Lit) int { return len(c) - len(d) }))
	return slices.DeleteFunc(slices.Clone(f), func(c []dimacs.Lit) bool { return len(c) > n })
}

// literals returns the literals that occur, sorted, each once.
func (f cnf) literals() []dimacs.Lit {
	ls := slices.Concat(f...)
	slices.Sort(ls)
	return slices.Compact(ls)
}

// weight is the sum of 2^-|c| over the clauses with l, times 2^40.
func (f cnf) weight(l dimacs.Lit) uint64 {
	sum := uint64(0)
	for _, c := range f {
		if slices.Contains(c, l) {
			sum += 1 << (40 - len(c))
		}
	}
	return sum
}

// best returns the first literal with the greatest value.
func best(ls []dimacs.Lit, value func(dimacs.Lit) uint64) dimacs.Lit {
	return slices.MaxFunc(ls, func(l, k dimacs.Lit) int {
		switch a, b := value(l), value(k); {
		case a > b || a == b && l < k:
			return 1
		default:
			return -1
		}
	})
}

// bestVar returns the first variable with the greatest value, with the literal for
// which side is greater.
func bestVar(f cnf, value func(x dimacs.Lit) uint64, side func(dimacs.Lit) uint64) dimacs.Lit {
	var xs []dimacs.Lit
	for _, l := range f.literals() {
		xs = append(xs, l.Var().Lit())
	}
	x := best(slices.Compact(xs), value)
	if side(x.Not()) > side(x) {
		return x.Not()
	}
	return x
}

// definitions are the heuristics of the reference program, by name.
var definitions = map[string]func(*reference, cnf) dimacs.Lit{
	"first":    func(_ *reference, f cnf) dimacs.Lit { return f[0][0] },
	"shortest": func(_ *reference, f cnf) dimacs.Lit { return f.shortest()[0][0] },
	"dlis":     func(_ *reference, f cnf) dimacs.Lit { return best(f.literals(), f.occurrences) },
	"jw1":      func(_ *reference, f cnf) dimacs.Lit { return best(f.literals(), f.weight) },
	"moh": func(_ *reference, f cnf) dimacs.Lit {
		return best(f.literals(), func(l dimacs.Lit) uint64 { return -f.occurrences(l) })
	},
	"dlcs": func(_ *reference, f cnf) dimacs.Lit {
		return bestVar(f, func(x dimacs.Lit) uint64 { return f.occurrences(x) + f.occurrences(x.Not()) }, f.occurrences)
	},
	"jw2": func(_ *reference, f cnf) dimacs.Lit {
		return bestVar(f, func(x dimacs.Lit) uint64 { return f.weight(x) + f.weight(x.Not()) }, f.weight)
	},
	"mom": func(r *reference, f cnf) dimacs.Lit {
		f = f.shortest()
		return bestVar(f, func(x dimacs.Lit) uint64 {
			p, n := f.occurrences(x), f.occurrences(x.Not())
			return (p+n)<<r.momK + p*n
		}, f.occurrences)
	},
	"lph": func(r *reference, f cnf) dimacs.Lit {
		ls := f.shortest().literals()
		return ls[r.random.IntN(len(ls))]
	},
	"positive": func(_ *reference, f cnf) dimacs.Lit {
		negative := func(c []dimacs.Lit) bool { return slices.ContainsFunc(c, dimacs.Lit.Neg) }
		if g := slices.DeleteFunc(slices.Clone(f), negative); len(g) > 0 {
			return g.shortest()[0][0]
		}
		return f[0][slices.IndexFunc(f[0], dimacs.Lit.Neg)]
	},
	"random": func(r *reference, f cnf) dimacs.Lit {
		occurs := func(v int) bool {
			l := dimacs.Lit(2 * v)
			return f.occurrences(l)+f.occurrences(l.Not()) > 0
		}
		for range 32 {
			if v := r.random.IntN(r.vars); occurs(v) {
				return dimacs.Lit(2*v + r.random.IntN(2))
			}
		}
		var all []int
		for v := range r.vars {
			if occurs(v) {
				all = append(all, v)
			}
		}
		v := all[r.random.IntN(len(all))]
		return dimacs.Lit(2*v + r.random.IntN(2))
	},
}

// open returns the clauses of a formula without duplicate literals.
func open(f *dimacs.Formula) cnf {
	var g cnf
	for _, c := range f.Clauses() {
		var d []dimacs.Lit
		for _, l := range c {
			if !slices.Contains(d, l) {
				d = append(d, l)
			}
		}
		g = append(g, d)
	}
	return g
}

// sameTree compares the engine's tree of f with that of the reference program. It
// does not compare the numbers of propagations and pure literals: the first depends
// on which of several conflicts ends a node, and the second on the order of pure
// literals that share their clauses.
func sameTree(t *testing.T, o classic.Options, f *dimacs.Formula) (r *reference, st classic.Stats) {
	t.Helper()
	r = newReference(o, f.Vars())
	want := dimacs.Unsatisfiable
	if r.dpll(open(f), 0) {
		want = dimacs.Satisfiable
	}
	s := classic.New(o)
	s.AddFormula(f)
	got := s.Solve(context.Background())
	st = s.Stats()
	if got != want {
		t.Fatalf("%s, pure %v: %v, but %v by the reference", o.Heuristic, o.Pure, got, want)
	}
	ours := [...]int64{st.Nodes, st.Decisions, st.Backtracks, st.Conflicts, st.Depth}
	theirs := [...]int64{r.nodes, r.decisions, r.backtracks, r.conflicts, r.depth}
	if ours != theirs {
		t.Fatalf("%s, pure %v: nodes, decisions, backtracks, conflicts, depth %v, but %v by the reference, on\n%v",
			o.Heuristic, o.Pure, ours, theirs, dplltest.Case{Formula: f})
	}
	if st.Nodes != st.Calls+st.Decisions+st.Backtracks {
		t.Fatalf("%s, pure %v: %d nodes are not %d + %d + %d", o.Heuristic, o.Pure, st.Nodes, st.Calls, st.Decisions, st.Backtracks)
	}
	return r, st
}

// TestReference compares the trees of each heuristic and mode of pure literals with
// the reference program.
func TestReference(t *testing.T) {
	rounds := uint64(200)
	if testing.Short() {
		rounds = 50
	}
	for _, h := range classic.Heuristics {
		for _, pure := range pures {
			t.Run(h.Name+"/"+pure.String(), func(t *testing.T) {
				t.Parallel()
				var decisions, backtracks, purities int64
				for seed := range rounds {
					o := options(h.Name, pure)
					o.Seed, o.MomK = seed, int(seed%4)
					_, c := dplltest.RandomCase(seed, 0)
					_, st := sameTree(t, o, c.Formula)
					decisions += st.Decisions
					backtracks += st.Backtracks
					purities += st.Pure
				}
				if decisions == 0 || backtracks == 0 || (purities > 0) != (pure != classic.PureOff) {
					t.Errorf("%d decisions, %d backtracks, %d pure literals: too easy", decisions, backtracks, purities)
				}
			})
		}
	}
}

// TestReferenceUniform does the same on larger formulas.
func TestReferenceUniform(t *testing.T) {
	for _, h := range classic.Heuristics {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(4) {
				sameTree(t, options(h.Name, pures[seed%3]), uniform(seed, 30, 128))
			}
		})
	}
}

// uniform draws clauses of three different variables each.
func uniform(seed uint64, vars, clauses int) *dimacs.Formula {
	r := rand.New(rand.NewPCG(seed, 3))
	f := dimacs.NewFormula(vars)
	for range clauses {
		var c []dimacs.Lit
		for _, v := range r.Perm(vars)[:3] {
			c = append(c, dimacs.Lit(2*v+r.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}
