package cdcl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// A mirror keeps the assignment as the notifications of a propagator report it.
type mirror struct {
	levels [][]dimacs.Lit // literals reported at each level
	vals   dimacs.Model
}

func newMirror(vars int) mirror {
	return mirror{levels: [][]dimacs.Lit{nil}, vals: make(dimacs.Model, vars)}
}

func (m *mirror) Assigned(lits []dimacs.Lit) {
	for _, l := range lits {
		if m.vals.Lit(l) == dimacs.False {
			panic(fmt.Sprint(l, " was reported, and its complement before"))
		}
		if m.vals.Lit(l) == dimacs.True {
			panic(fmt.Sprint(l, " was reported twice"))
		}
		m.vals.Set(l)
		top := len(m.levels) - 1
		m.levels[top] = append(m.levels[top], l)
	}
}

func (m *mirror) NewLevel() { m.levels = append(m.levels, nil) }

func (m *mirror) Backtrack(level int) {
	if level >= len(m.levels)-1 {
		panic(fmt.Sprintf("backtracking from level %d to %d was reported", len(m.levels)-1, level))
	}
	for _, lits := range m.levels[level+1:] {
		for _, l := range lits {
			m.vals[l.Var()] = dimacs.Unassigned
		}
	}
	m.levels = m.levels[:level+1]
}

// A hider is a propagator of clauses that the solver does not know. It gives them away now
// and then, in all the ways in which a propagator can.
type hider struct {
	mirror
	rng      *rand.Rand
	hidden   *dimacs.Formula // over observed variables
	axioms   *dimacs.Formula // over all variables; Clause alone gives them away
	observed []dimacs.Var
	reasons  map[dimacs.Lit][]dimacs.Lit
	rejected []dimacs.Lit // the clause that the last rejected model falsifies

	propagates, adds, forgets, decides int // in percent of the calls
	explained, implied                 int
	conflicts, added, refused          int
	stats                              cdcl.Stats
}

// A full model must be known to the hider as it is to the solver.
func (h *hider) Check(m dimacs.Model) bool {
	for _, v := range h.observed {
		if h.vals[v] == dimacs.Unassigned || h.vals[v] != m[v] {
			panic(fmt.Sprintf("variable %d is %v in the model, and was reported as %v", v+1, m[v], h.vals[v]))
		}
	}
	h.rejected = nil
	for _, f := range []*dimacs.Formula{h.hidden, h.axioms} {
		if i := m.Falsified(f); i >= 0 {
			h.rejected = f.Clause(i)
			if h.refused++; h.refused > 10_000 {
				panic("the solver finds the same models again and again")
			}
			return false
		}
	}
	return true
}

func (h *hider) percent(p int) bool { return h.rng.IntN(100) < p }

func (h *hider) Clause() (c []dimacs.Lit, forgettable, ok bool) {
	if c := h.rejected; c != nil {
		h.rejected = nil
		return c, h.percent(h.forgets), true
	}
	f := h.hidden
	if h.percent(30) {
		f = h.axioms
	}
	if f.Len() == 0 || !h.percent(h.adds) {
		return nil, false, false
	}
	h.added++
	c = f.Clause(h.rng.IntN(f.Len()))
	if h.percent(10) { // with a literal twice
		c = append(slices.Clone(c), c...)
	}
	return c, h.percent(h.forgets), true
}

// Propagate returns the last literal of a hidden clause that is not false, or some literal of
// a clause that is falsified. It may miss clauses, and implies literals late.
func (h *hider) Propagate() (dimacs.Lit, bool) {
	if !h.percent(h.propagates) {
		return 0, false
	}
	for _, i := range h.rng.Perm(h.hidden.Len()) {
		c := h.hidden.Clause(i)
		open, satisfied := -1, false
		n := 0
		for at, l := range c {
			switch h.vals.Lit(l) {
			case dimacs.True:
				satisfied = true
			case dimacs.Unassigned:
				open = at
				n++
			}
		}
		switch {
		case satisfied || n > 1 || len(c) == 0:
			continue
		case n == 0:
			open = h.rng.IntN(len(c))
			h.conflicts++
		default:
			h.implied++
		}
		h.reasons[c[open]] = c
		return c[open], true
	}
	return 0, false
}

func (h *hider) Reason(l dimacs.Lit) []dimacs.Lit {
	h.explained++
	return h.reasons[l]
}

func (h *hider) Decide() (dimacs.Lit, bool) {
	if !h.percent(h.decides) {
		return 0, false
	}
	for _, i := range h.rng.Perm(len(h.observed)) {
		if v := h.observed[i]; h.vals[v] == dimacs.Unassigned {
			return v.Lit() ^ dimacs.Lit(h.rng.IntN(2)), true
		}
	}
	return 0, false
}

// randomClauses calls add with random clauses over the variables, of three literals if there
// are many variables.
func randomClauses(rng *rand.Rand, n int, vars []dimacs.Var, add func(...dimacs.Lit)) {
	for range n {
		var c []dimacs.Lit
		size := 1 + min(rng.IntN(20), 1) + rng.IntN(3)
		if len(vars) > 20 {
			size = 3
		}
		for range size {
			c = append(c, vars[rng.IntN(len(vars))].Lit()^dimacs.Lit(rng.IntN(2)))
		}
		add(c...)
	}
}

// quickOptions returns random options with which chronological backtracking, restarts,
// reductions and inprocessing take place on small formulas.
func quickOptions(rng *rand.Rand) cdcl.Options {
	o := cdcl.Options{}
	for _, s := range dplltest.RandomSettings(rng, cdcltest.Knobs()) {
		o.Set(s.Name, s.Value)
	}
	if rng.IntN(4) != 0 {
		o.Chrono = 1
	}
	if rng.IntN(2) == 0 {
		o.InprocessInterval = 1
	}
	if rng.IntN(2) == 0 {
		o.ReduceInterval = 1 // collections while literals have reasons of the propagator
	}
	o.Seed = rng.Uint64()
	return o
}

// TestPropagator compares solvers whose propagators hide random clauses with brute force,
// over several calls with assumptions and with clauses added between them.
func TestPropagator(t *testing.T) {
	var explained, implied, conflicts, added, refused int
	var search, rounds, chronological int64
	answers := map[dimacs.Status]int{}
	seeds := effort.Seeds(1000, 60_000)
	for _, seed := range seeds {
		vars := 3 + int(seed%15)
		if seed%20 == 0 {
			vars = 30 + int(seed/20%40)
		}
		h, err := runHider(seed, vars, answers)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		explained += h.explained
		implied += h.implied
		conflicts += h.conflicts
		added += h.added
		refused += h.refused
		search += h.stats.Conflicts
		rounds += h.stats.Rounds
		chronological += h.stats.Chronological
	}
	t.Logf("%v; %d implied, %d conflicts, %d explained, %d added, %d models refused", answers, implied, conflicts, explained, added, refused)
	t.Logf("%d conflicts of the solvers, %d rounds, %d chronological backtrackings", search, rounds, chronological)
	least := min(answers[dimacs.Satisfiable], answers[dimacs.Unsatisfiable], conflicts, added, refused, int(search), int(rounds), int(chronological))
	if least < len(seeds)/4 || explained < len(seeds) || explained >= implied+conflicts {
		t.Errorf("too few of a kind, or no reason was left out")
	}
	if answers[dimacs.Unknown] > len(seeds)/1000 {
		t.Error("the solver or the oracle gave up too often")
	}
}

// runHider makes a random solver of this many variables with a hider and checks its answers.
func runHider(seed uint64, vars int, answers map[dimacs.Status]int) (h *hider, err error) {
	rng := rand.New(rand.NewPCG(seed, 22))
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(fmt.Sprint(r))
		}
	}()
	all := make([]dimacs.Var, vars)
	for v := range all {
		all[v] = dimacs.Var(v)
	}
	observed := slices.Clone(all)
	rng.Shuffle(vars, func(i, j int) { observed[i], observed[j] = observed[j], observed[i] })
	observed = observed[:2+rng.IntN(vars-1)]
	calls := 1 + rng.IntN(4)
	known, hidden := rng.IntN(3*vars/2), rng.IntN(3*vars/2) // clauses before each call, at most
	if vars >= 30 {
		observed = observed[:max(len(observed), 21)]
		known = rng.IntN(9 * vars / 2 / calls)
		hidden = 9*vars/2/calls - known // some 4 clauses for a variable at the last call
	}

	record := dplltest.NewRecorder(rng.IntN(2) == 0)
	o := quickOptions(rng)
	if rng.IntN(2) == 0 {
		o.Proof = record
	}
	s := cdcl.New(o)
	s.Grow(vars)
	whole := dimacs.NewFormula(vars) // clauses of the solver and hidden ones
	h = &hider{
		mirror: newMirror(vars), rng: rng, hidden: dimacs.NewFormula(vars), axioms: dimacs.NewFormula(vars), observed: observed, reasons: map[dimacs.Lit][]dimacs.Lit{},
		propagates: rng.IntN(101), adds: rng.IntN(2) * rng.IntN(40), forgets: rng.IntN(2) * rng.IntN(101), decides: rng.IntN(2) * rng.IntN(101),
	}
	var lits []dimacs.Lit
	for _, v := range observed {
		lits = append(lits, v.Lit()^dimacs.Lit(rng.IntN(2)))
	}
	switch rng.IntN(3) { // before or after clauses
	case 0:
		s.Connect(h)
		s.Observe(lits...)
	case 1:
		s.Observe(lits...)
		s.Connect(h)
	default:
		randomClauses(rng, rng.IntN(vars), all, func(c ...dimacs.Lit) { s.Add(c...); whole.Add(c...) })
		if s.Solve(context.Background()) != dimacs.Unknown {
			s.Connect(h)
			s.Observe(lits...)
		}
	}
	for range calls {
		randomClauses(rng, known-rng.IntN(1+known/3), all, func(c ...dimacs.Lit) { s.Add(c...); whole.Add(c...) })
		randomClauses(rng, hidden-rng.IntN(1+hidden/3), observed, func(c ...dimacs.Lit) { h.hidden.Add(c...); whole.Add(c...) })
		if rng.IntN(3) == 0 {
			randomClauses(rng, rng.IntN(4), all, func(c ...dimacs.Lit) { h.axioms.Add(c...); whole.Add(c...) })
		}
		var assumptions []dimacs.Lit
		for range rng.IntN(4) {
			assumptions = append(assumptions, all[rng.IntN(vars)].Lit()^dimacs.Lit(rng.IntN(2)))
		}
		want, _ := dplltest.Oracle(whole, assumptions...)
		if err := preludes(rng, s, whole, want, assumptions); err != nil {
			return h, err
		}
		got := s.Solve(context.Background(), assumptions...)
		answers[got]++
		switch want {
		case dimacs.Unknown: // the oracle gave up
			answers[want]++
		case got:
		default:
			return h, fmt.Errorf("got %v, want %v", got, want)
		}
		var failed []dimacs.Lit
		if got == dimacs.Satisfiable {
			m := s.Model()
			if i := m.Falsified(whole); i >= 0 {
				return h, fmt.Errorf("the model falsifies %v", whole.Clause(i))
			}
			for _, l := range assumptions {
				if m.Lit(l) != dimacs.True {
					return h, fmt.Errorf("the model falsifies assumption %v", l)
				}
			}
		} else {
			failed = s.Failed()
			if !subset(failed, assumptions) {
				return h, fmt.Errorf("failed assumptions %v are not all of %v", failed, assumptions)
			}
			if again, _ := dplltest.Oracle(whole, failed...); again == dimacs.Satisfiable {
				return h, fmt.Errorf("a model has all failed assumptions %v", failed)
			}
		}
		if o.Proof != nil {
			// Clauses of the proof must be ones of the formula, hidden or not.
			if err := record.Verify(got, failed); err != nil && !(len(failed) == 2 && failed[0] == failed[1]^1) {
				return h, err
			}
			for _, c := range record.Originals() {
				if !contains(whole, c) {
					return h, fmt.Errorf("clause %v of the proof is not of the formula", c)
				}
			}
		}
	}
	h.stats = s.Stats()
	return h, nil
}

// preludes sometimes makes calls before the call of Solve that has this answer: propagation
// alone, and searches that are stopped. What they answer must be right for the whole formula.
func preludes(rng *rand.Rand, s *cdcl.Solver, whole *dimacs.Formula, want dimacs.Status, assumptions []dimacs.Lit) error {
	if rng.IntN(3) == 0 {
		implied, status := s.Propagate(assumptions...)
		if status == dimacs.Unsatisfiable && want == dimacs.Satisfiable {
			return fmt.Errorf("propagation refutes %v", assumptions)
		}
		for _, l := range implied {
			if got, _ := dplltest.Oracle(whole, append(slices.Clone(assumptions), l.Not())...); got == dimacs.Satisfiable {
				return fmt.Errorf("literal %v is not implied under %v", l, assumptions)
			}
		}
	}
	if rng.IntN(3) == 0 {
		ctx, cancel := dplltest.CancelAfter(1 + rng.IntN(10))
		defer cancel()
		s.SetLimits(cdcl.Limits{Conflicts: int64(rng.IntN(3)), Decisions: int64(rng.IntN(10))})
		defer s.SetLimits(cdcl.Limits{})
		if got := s.Solve(ctx, assumptions...); got != dimacs.Unknown && want != dimacs.Unknown && got != want {
			return fmt.Errorf("got %v with limits, want %v", got, want)
		}
	}
	return nil
}

// contains reports whether f has the clause c, up to order and repeated literals.
func contains(f *dimacs.Formula, c []dimacs.Lit) bool {
	for _, k := range f.Clauses() {
		if subset(c, k) && subset(k, c) {
			return true
		}
	}
	return false
}

func subset(a, b []dimacs.Lit) bool {
	return !slices.ContainsFunc(a, func(l dimacs.Lit) bool { return !slices.Contains(b, l) })
}

// A teller adds one clause of three literals.
type teller struct {
	cdcl.PassivePropagator
	forgettable, told bool
}

func (p *teller) Clause() (c []dimacs.Lit, forgettable, ok bool) {
	ok, p.told = !p.told, true
	return dimacs.Lits(1, 2, 3), p.forgettable, ok
}

// TestForgettable checks that a forgettable clause is stored with the learned ones, at the root
// and above it, and another one with those of the formula.
func TestForgettable(t *testing.T) {
	for _, forgettable := range []bool{false, true} {
		for _, root := range []bool{false, true} {
			s := cdcl.New(cdcl.Options{NoSimplify: true, Lucky: cdcl.LuckyOff, Phase: cdcl.PhaseFalse})
			s.Grow(3)
			p := &teller{forgettable: forgettable, told: !root}
			s.Connect(p)
			s.Observe(dimacs.Lits(1, 2, 3)...)
			if !root {
				s.Solve(t.Context())
				p.told = false
				s.Solve(t.Context(), dimacs.Lits(-1)...)
			} else {
				s.Solve(t.Context())
			}
			st := s.Stats()
			if want := map[bool][2]int{false: {1, 0}, true: {0, 1}}[forgettable]; st.Irredundant != want[0] || st.Redundant != want[1] {
				t.Errorf("forgettable %v, at the root %v: %d irredundant and %d redundant clauses", forgettable, root, st.Irredundant, st.Redundant)
			}
		}
	}
}
