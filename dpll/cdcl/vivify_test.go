package cdcl

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// vivifications are clauses before and after the pass. A learned clause begins with a
// 0.
var vivifications = []struct {
	name  string
	given [][]int
	left  [][]int
	count func(*Stats) int64
	want  int64
}{
	{
		"a literal is false when others are",
		[][]int{{1, -2}, {1, 2, 3, 4}},
		[][]int{{1, -2}, {1, 3, 4}},
		func(st *Stats) int64 { return st.VivifyLits }, 1,
	},
	{
		"a literal is true when others are false",
		[][]int{{1, 5}, {2, -5}, {1, 2, 3, 4}},
		[][]int{{1, 5}, {2, -5}, {1, 2}},
		func(st *Stats) int64 { return st.VivifyLits }, 2,
	},
	{
		"a clause is falsified",
		[][]int{{1, 2, 5}, {1, -5, 6}, {2, -5, -6}, {1, 2, 3, 4}, {1, 7, 8}, {2, 7, 9}},
		[][]int{{1, 2}, {1, -5, 6}, {2, -5, -6}, {1, 7, 8}, {2, 7, 9}},
		func(st *Stats) int64 { return st.VivifyShortened }, 1,
	},
	{
		"a clause becomes a unit",
		[][]int{{1, 5}, {-5, 6}, {-5, 7}, {1, -6, -7}, {8, 9, 10}},
		[][]int{{-5, 6}, {-5, 7}, {8, 9, 10}},
		func(st *Stats) int64 { return st.VivifyUnits }, 1,
	},
	{
		"a clause subsumes another one",
		[][]int{{1, 2, 3}, {1, 2, 3, 4}},
		[][]int{{1, 2, 3}},
		func(st *Stats) int64 { return st.VivifySubsumed }, 1,
	},
	{
		"other clauses imply a clause",
		[][]int{{1, 2, 5}, {3, -5, 6}, {4, -6}, {1, 2, 3, 4}, {1, 8, 9}, {2, 8, 10}, {3, 9, 10}},
		[][]int{{1, 2, 5}, {3, -5, 6}, {4, -6}, {1, 8, 9}, {2, 8, 10}, {3, 9, 10}},
		func(st *Stats) int64 { return st.VivifyImplied }, 1,
	},
	{
		"learned clauses do not imply an irredundant one",
		[][]int{{0, 1, 2, 5}, {3, -5, 6}, {4, -6}, {1, 2, 3, 4}, {1, 8, 9}, {2, 8, 10}, {3, 9, 10}},
		[][]int{{0, 1, 2, 5}, {3, -5, 6}, {4, -6}, {1, 2, 3, 4}, {1, 8, 9}, {2, 8, 10}, {3, 9, 10}},
		func(st *Stats) int64 { return st.VivifyImplied }, 0,
	},
	{
		"learned clauses shorten an irredundant one",
		[][]int{{0, 1, -2}, {1, 2, 3, 4}},
		[][]int{{0, 1, -2}, {1, 3, 4}},
		func(st *Stats) int64 { return st.VivifyLits }, 1,
	},
	{
		"a learned clause becomes irredundant",
		[][]int{{0, 1, 2, 3}, {1, 2, 3, 4}},
		[][]int{{1, 2, 3}},
		func(st *Stats) int64 { return st.VivifySubsumed }, 1,
	},
	{
		"a learned binary clause becomes irredundant",
		[][]int{{0, 1, 2}, {1, 2, 3, 4}},
		[][]int{{1, 2}},
		func(st *Stats) int64 { return st.VivifySubsumed }, 1,
	},
	{
		"a learned clause stays learned",
		[][]int{{1, -2}, {0, 1, 2, 3, 4}},
		[][]int{{1, -2}, {0, 1, 3, 4}},
		func(st *Stats) int64 { return st.VivifyLits }, 1,
	},
	{
		"learned clauses imply a learned one",
		[][]int{{0, 1, 2, 5}, {3, -5, 6}, {4, -6}, {0, 1, 2, 3, 4}, {1, 8, 9}, {2, 8, 10}, {3, 9, 10}},
		[][]int{{0, 1, 2, 5}, {3, -5, 6}, {4, -6}, {1, 8, 9}, {2, 8, 10}, {3, 9, 10}},
		func(st *Stats) int64 { return st.VivifyImplied }, 1,
	},
}

func TestVivify(t *testing.T) {
	for _, test := range vivifications {
		s := New(Options{})
		for _, c := range test.given {
			s.give(c)
		}
		if !s.propagateRoot() {
			t.Fatalf("%s: refuted", test.name)
		}
		for _, c := range test.given {
			s.learnGiven(c)
		}
		s.vivify(1e6)
		want := slices.Clone(test.left)
		slices.SortFunc(want, slices.Compare[[]int])
		if got := s.listed(); !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Errorf("%s: of %v\n%v is left, want\n%v", test.name, test.given, got, want)
		}
		if n := test.count(&s.stats); n != test.want {
			t.Errorf("%s: counted %d, want %d", test.name, n, test.want)
		}
	}
}

// give adds a clause of a test unless it is a learned one.
func (s *Solver) give(c []int) {
	if c[0] != 0 {
		s.Add(dimacs.Lits(c...)...)
	}
}

// learnGiven adds a learned clause of a test, at the root.
func (s *Solver) learnGiven(c []int) {
	if c[0] == 0 {
		s.Grow(20)
		s.clauses.addClause(dimacs.Lits(c[1:]...), true, len(c)-2, 0)
	}
}

// listed returns the clauses of two literals and more in the notation of the tests,
// sorted.
func (s *Solver) listed() [][]int {
	var list [][]int
	add := func(redundant bool, c []dimacs.Lit) {
		slices.SortFunc(c, func(a, b dimacs.Lit) int { return cmp.Compare(a>>1, b>>1) })
		var d []int
		if redundant {
			d = append(d, 0)
		}
		for _, l := range c {
			d = append(d, l.Int())
		}
		list = append(list, d)
	}
	for l := range dimacs.Lit(len(s.clauses.watches)) {
		for _, w := range s.clauses.list(l) {
			if w.binary() && l < w.blocker() && s.trail.vals[l] <= 0 && s.trail.vals[w.blocker()] <= 0 {
				add(w.redundant(), []dimacs.Lit{l, w.blocker()})
			}
		}
	}
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&garbageBit == 0 {
			add(s.clauses.arena[r]&redundantBit != 0, slices.Clone(s.clauses.literals(s.clauses.lits(r))))
		}
		return true
	})
	slices.SortFunc(list, slices.Compare[[]int])
	return list
}

// TestVivifyRandom vivifies clauses after some search, several times, and compares
// answers with brute force. The proof is checked.
func TestVivifyRandom(t *testing.T) {
	var total Stats
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0x717))
		vars := 4 + rng.IntN(10)
		f := dimacs.NewFormula(vars)
		for range vars*3 + rng.IntN(vars*2) {
			var c []dimacs.Lit
			for range 2 + rng.IntN(4) {
				c = append(c, dimacs.Lit(rng.IntN(2*vars)))
			}
			f.Add(c...)
		}
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			s := vivified(t, f, p, rng)
			st := &s.stats
			total.VivifyShortened += st.VivifyShortened
			total.VivifyImplied += st.VivifyImplied
			total.VivifySubsumed += st.VivifySubsumed
			total.VivifyKept += st.VivifyKept
			total.VivifyUnits += st.VivifyUnits
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
	if total.VivifyShortened < 1000 || total.VivifyImplied < 100 || total.VivifySubsumed < 100 || total.VivifyKept < 1000 || total.VivifyUnits < 100 {
		t.Errorf("too few clauses were vivified: %+v", total)
	}
}

// vivified returns a solver of f that was vivified after some conflicts, and checks it.
func vivified(t *testing.T, f *dimacs.Formula, p *dplltest.Recorder, rng *rand.Rand) *Solver {
	t.Helper()
	o := plain()
	o.NoVivify, o.Shrink, o.NoMinimize, o.InprocessInterval = false, ShrinkOff, true, 1
	if p != nil {
		o.Proof = p
	}
	s := New(o)
	s.AddFormula(f)
	s.SetLimits(Limits{Conflicts: 1 + rng.Int64N(8)})
	s.Solve(t.Context())
	if s.resetAndComplete(); s.propagateRoot() {
		for range 3 {
			s.decisions.quiet = true
			s.vivify(rng.Int64N(2000))
			s.decisions.quiet = false
			if s.inconsistent {
				break
			}
			s.checkIdle(t)
		}
	}
	s.SetLimits(Limits{})
	status := s.Solve(t.Context())
	if want, _ := dplltest.Brute(f); status != want {
		t.Errorf("%v, want %v", status, want)
	}
	if p != nil {
		if err := p.Verify(status, nil); err != nil {
			t.Error(err)
		}
	}
	return s
}

// checkIdle checks that the solver is propagated at the root, with no marks left.
func (s *Solver) checkIdle(t *testing.T) {
	t.Helper()
	if len(s.trail.levels) != 1 || s.trail.propagated != len(s.trail.lits) || s.clauses.ignored != 0 || slices.Max(s.analysis.marks) != 0 {
		t.Error("the pass has left state behind")
	}
}

// TestVivifyKeepsFormula checks that the irredundant clauses keep the models of the
// formula when random consequences are learned.
func TestVivifyKeepsFormula(t *testing.T) {
	promoted := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0x718))
		vars := 4 + rng.IntN(6)
		f := dimacs.NewFormula(vars)
		for range 2*vars + rng.IntN(vars) {
			var c []dimacs.Lit
			for range 2 + rng.IntN(3) {
				c = append(c, dimacs.Lit(rng.IntN(2*vars)))
			}
			f.Add(c...)
		}
		s := New(Options{})
		s.AddFormula(f)
		s.SetLimits(Limits{Conflicts: 1 + rng.Int64N(8)})
		s.Solve(t.Context())
		if s.resetAndComplete(); !s.propagateRoot() {
			continue
		}
		// Search might learn any clause that the formula implies.
		for range 20 {
			if c := s.consequence(f, rng); c != nil {
				s.clauses.addClause(c, true, rng.IntN(len(c)), 0)
				promoted++
			}
		}
		s.vivify(1e6)
		if s.inconsistent {
			continue
		}
		g := dimacs.NewFormula(vars)
		for _, l := range s.trail.lits {
			g.Add(l)
		}
		for _, c := range s.listed() {
			if c[0] != 0 {
				g.AddInts(c...)
			}
		}
		for a := range 1 << vars {
			m := make(dimacs.Model, vars)
			for v := range m {
				m[v] = dimacs.Value(2*(a>>v&1) - 1)
			}
			if m.Satisfies(f) != m.Satisfies(g) {
				t.Fatalf("seed %d: %v satisfies the formula: %v, the irredundant clauses: %v", seed, m, m.Satisfies(f), m.Satisfies(g))
			}
		}
	}
	if promoted < 500 {
		t.Errorf("only %d learned clauses", promoted)
	}
}

// consequence returns a random clause of unassigned literals that f implies, or nil.
func (s *Solver) consequence(f *dimacs.Formula, rng *rand.Rand) []dimacs.Lit {
	var c, not []dimacs.Lit
	for v := range s.trail.vars {
		if s.trail.vals[2*v] == 0 && rng.IntN(2) == 0 {
			l := dimacs.Lit(2*v + rng.IntN(2))
			c, not = append(c, l), append(not, l^1)
		}
	}
	if status, _ := dplltest.Brute(f, not...); status == dimacs.Satisfiable || len(c) < 2 {
		return nil
	}
	return c
}

// TestVivifyBudget checks that a pass without a budget tries no clause.
func TestVivifyBudget(t *testing.T) {
	s := New(Options{})
	for _, c := range vivifications[2].given {
		s.give(c)
	}
	s.propagateRoot()
	if s.vivify(0); s.stats.VivifyTried != 0 {
		t.Error("clauses were tried without a budget")
	}
}

// TestSortCandidates compares the order of candidates and of their literals with a plain
// sort that compares numbers of occurrences, on few and many clauses, some of them equal.
func TestSortCandidates(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 0x719))
		vars := 5 + rng.IntN(100)
		s := New(Options{})
		s.Grow(vars)
		v := vivifier{s: s, ranks: make([]uint32, 2*vars)}
		counts := make([]int, 2*vars)
		var want [][]dimacs.Lit
		for range 2 { // the second batch finds the ranks of the first one cleared
			v.schedule, want = v.schedule[:0], nil
			clear(counts)
			for range 1 + rng.IntN(300) {
				var c []dimacs.Lit
				for _, x := range rng.Perm(vars)[:3+rng.IntN(3)] {
					l := dimacs.Lit(2*x + rng.IntN(2))
					c = append(c, l)
					counts[l]++
				}
				want = append(want, c)
				v.schedule = append(v.schedule, candidate{ref: s.clauses.addClause(slices.Clone(c), true, 2, 0)})
			}
			before := func(a, b dimacs.Lit) int {
				return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
			}
			for _, c := range want {
				slices.SortFunc(c, before)
			}
			slices.SortFunc(want, func(a, b []dimacs.Lit) int { return slices.CompareFunc(a, b, before) })
			v.sortCandidates()
			for i := range v.schedule {
				c := &v.schedule[i]
				if !slices.Equal(v.litsOf(c), want[i]) {
					t.Fatalf("seed %d: candidate %d is %v, want %v", seed, i, v.litsOf(c), want[i])
				}
				clause := slices.Clone(s.clauses.literals(s.clauses.lits(c.ref)))
				if slices.SortFunc(clause, before); !slices.Equal(clause, want[i]) {
					t.Fatalf("seed %d: candidate %d refers to the clause %v, want %v", seed, i, clause, want[i])
				}
			}
			for _, l := range v.lits {
				v.ranks[l] = 0
			}
		}
	}
}
