package cdcl_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// An allDifferent is a propagator of all-different constraints over variables that say which
// value an item has. The clauses say that each item has a value.
type allDifferent struct {
	mirror
	cdcl.PassivePropagator
	groups [][][]dimacs.Lit // by constraint, item and value
	at     map[dimacs.Lit][]place
	by     map[dimacs.Lit]dimacs.Lit // the literal that implies each implied one
}

// A place is where a literal occurs.
type place struct{ group, item, value int }

func newAllDifferent(vars int, groups ...[][]dimacs.Lit) *allDifferent {
	p := &allDifferent{mirror: newMirror(vars), groups: groups, at: map[dimacs.Lit][]place{}, by: map[dimacs.Lit]dimacs.Lit{}}
	for g, items := range groups {
		for i, values := range items {
			for v, l := range values {
				p.at[l] = append(p.at[l], place{g, i, v})
			}
		}
	}
	return p
}

// observed returns the literals of all constraints.
func (p *allDifferent) observed() []dimacs.Lit {
	var lits []dimacs.Lit
	for _, items := range p.groups {
		lits = append(lits, slices.Concat(items...)...)
	}
	return lits
}

func (p *allDifferent) Assigned(lits []dimacs.Lit) { p.mirror.Assigned(lits) }
func (p *allDifferent) NewLevel()                  { p.mirror.NewLevel() }
func (p *allDifferent) Backtrack(level int)        { p.mirror.Backtrack(level) }

// Propagate excludes the value of an item from the other items.
func (p *allDifferent) Propagate() (dimacs.Lit, bool) {
	for _, level := range slices.Backward(p.levels) {
		for _, l := range level {
			for _, x := range p.at[l] {
				for i, values := range p.groups[x.group] {
					if other := values[x.value]; i != x.item && p.vals.Lit(other) != dimacs.False {
						p.by[other.Not()] = l
						return other.Not(), true
					}
				}
			}
		}
	}
	return 0, false
}

func (p *allDifferent) Reason(l dimacs.Lit) []dimacs.Lit { return []dimacs.Lit{l, p.by[l].Not()} }

// encode adds the constraints to f as clauses.
func (p *allDifferent) encode(f *dimacs.Formula) {
	for _, items := range p.groups {
		for i, values := range items {
			for _, others := range items[:i] {
				for v := range values {
					f.Add(values[v].Not(), others[v].Not())
				}
			}
		}
	}
}

// grid returns literals of n items with as many values, from a variable on, and adds clauses
// that each item has a value, exactly one if single is true.
func grid(f *dimacs.Formula, items, values int, single bool) [][]dimacs.Lit {
	all := make([][]dimacs.Lit, items)
	next := f.Vars()
	for i := range all {
		for range values {
			all[i] = append(all[i], dimacs.Var(next).Lit())
			next++
		}
		f.Add(all[i]...)
		for v := range all[i] {
			for w := range v {
				if single {
					f.Add(all[i][v].Not(), all[i][w].Not())
				}
			}
		}
	}
	return all
}

// TestAllDifferentPigeons refutes pigeonhole formulas whose holes are a propagator's, with a
// proof in which the propagator's clauses are clauses of the formula.
func TestAllDifferentPigeons(t *testing.T) {
	for holes := 1; holes <= 6; holes++ {
		for extra := range 2 {
			f := dimacs.NewFormula(0)
			items := grid(f, holes+extra, holes, false)
			p := newAllDifferent(f.Vars(), items)
			o := cdcl.Options{}
			o.Chrono, o.InprocessInterval = 1, 10
			record := dplltest.NewRecorder(true)
			o.Proof = record
			s := cdcl.New(o)
			s.AddFormula(f)
			s.Observe(p.observed()...)
			s.Connect(p)
			whole := dimacs.NewFormula(0)
			whole.Append(f)
			p.encode(whole)
			got, want := s.Solve(context.Background()), dimacs.Satisfiable
			if extra == 1 {
				want = dimacs.Unsatisfiable
			}
			if got != want {
				t.Fatalf("%d pigeons in %d holes: %v", holes+extra, holes, got)
			}
			if err := record.Verify(got, nil); err != nil {
				t.Errorf("%d pigeons in %d holes: %v", holes+extra, holes, err)
			}
			for _, c := range record.Originals() {
				if !contains(whole, c) {
					t.Errorf("clause %v of the proof is not of the formula", c)
				}
			}
			if got == dimacs.Satisfiable && s.Model().Falsified(whole) >= 0 {
				t.Errorf("%d pigeons in %d holes: wrong model", holes+extra, holes)
			}
		}
	}
}

// latin returns a formula of the cells of a Latin square and the constraints of its rows and
// columns.
func latin(n int) (*dimacs.Formula, *allDifferent) {
	f := dimacs.NewFormula(0)
	cells := grid(f, n*n, n, true)
	var groups [][][]dimacs.Lit
	for i := range n {
		var row, column [][]dimacs.Lit
		for j := range n {
			row = append(row, cells[n*i+j])
			column = append(column, cells[n*j+i])
		}
		groups = append(groups, row, column)
	}
	return f, newAllDifferent(f.Vars(), groups...)
}

// TestAllDifferentLatin counts Latin squares with a propagator and with clauses.
func TestAllDifferentLatin(t *testing.T) {
	for n, want := range []int{1: 1, 2: 2, 3: 12, 4: 576} {
		if n == 0 {
			continue
		}
		count := func(encoded bool) int {
			f, p := latin(n)
			s := cdcl.New(cdcl.Options{})
			if encoded {
				p.encode(f)
			} else {
				s.Connect(p)
				s.Observe(p.observed()...)
			}
			s.AddFormula(f)
			e := s.Enumerate(nil)
			models := 0
			for e.Next(context.Background()) == dimacs.Satisfiable {
				models++
			}
			return models
		}
		if got, encoded := count(false), count(true); got != want || encoded != want {
			t.Errorf("order %d: %d Latin squares with a propagator, %d with clauses, want %d", n, got, encoded, want)
		}
	}
}

// TestDisconnect disconnects a propagator: its constraints end, and its clauses stay.
func TestDisconnect(t *testing.T) {
	f := dimacs.NewFormula(0)
	items := grid(f, 3, 3, true)
	p := newAllDifferent(f.Vars(), items)
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	s.Connect(p)
	s.Observe(p.observed()...)
	same := dimacs.Lits(1, 4) // items 0 and 1 have value 0
	if got := s.Solve(context.Background(), same...); got != dimacs.Unsatisfiable {
		t.Fatalf("with the propagator: %v", got)
	}
	if len(s.Failed()) != 2 {
		t.Errorf("failed assumptions %v", s.Failed())
	}
	s.Connect(nil)
	other := dimacs.Lits(2, 8)
	if got := s.Solve(context.Background(), other...); got != dimacs.Satisfiable {
		t.Errorf("without it: %v", got)
	}
}

// A grower observes variables from callbacks, and adds clauses with new variables.
type grower struct {
	mirror
	cdcl.PassivePropagator
	s     *cdcl.Solver
	steps int
}

func (g *grower) Assigned(lits []dimacs.Lit) { g.mirror.Assigned(lits) }
func (g *grower) NewLevel()                  { g.mirror.NewLevel() }
func (g *grower) Backtrack(level int)        { g.mirror.Backtrack(level) }

// Clause chains a new variable to the last one: each implies the next.
func (g *grower) Clause() (c []dimacs.Lit, forgettable, ok bool) {
	if g.steps == 10 {
		return nil, false, false
	}
	g.steps++
	last, next := dimacs.FromInt(g.steps), dimacs.FromInt(g.steps+1)
	g.s.Observe(next)
	return []dimacs.Lit{last.Not(), next}, false, true
}

func (g *grower) Check(m dimacs.Model) bool {
	if g.steps < 10 {
		return false
	}
	for v := range 11 {
		if g.vals[v] != m[v] || m[v] != dimacs.True {
			panic(fmt.Sprintf("variable %d is %v and was reported as %v", v+1, m[v], g.vals[v]))
		}
	}
	return true
}

// TestObserveFromCallback lets a propagator grow the formula.
func TestObserveFromCallback(t *testing.T) {
	s := cdcl.New(cdcl.Options{})
	g := &grower{mirror: newMirror(20), s: s}
	s.Add(dimacs.Lits(1)...)
	s.Connect(g)
	s.Observe(dimacs.Lits(1)...)
	if got := s.Solve(context.Background()); got != dimacs.Satisfiable || len(s.Model()) != 11 {
		t.Fatalf("%v, %d variables", got, len(s.Model()))
	}
	if got := s.Solve(context.Background(), dimacs.Lits(-11)...); got != dimacs.Unsatisfiable {
		t.Errorf("%v under the complement of the last variable", got)
	}
}

// A wrong propagator breaks its contract in a way that the solver must detect.
type wrong struct {
	cdcl.PassivePropagator
	decide, propagate dimacs.Lit
	reason, clause    []dimacs.Lit
	reject            bool
	call              func()
	asked, levels     int
	late              bool // it implies nothing at the root
}

func (w *wrong) Decide() (dimacs.Lit, bool) { return w.decide, w.decide != 0 }
func (w *wrong) Propagate() (dimacs.Lit, bool) {
	return w.propagate, w.propagate != 0 && (w.levels > 0 || !w.late)
}
func (w *wrong) Reason(dimacs.Lit) []dimacs.Lit { return w.reason }
func (w *wrong) Check(dimacs.Model) bool        { return !w.reject }
func (w *wrong) Clause() (c []dimacs.Lit, forgettable, ok bool) {
	w.asked++
	return w.clause, false, w.clause != nil && w.asked%2 == 0 // after a call of Check
}
func (w *wrong) NewLevel() {
	w.levels++
	if w.call != nil {
		w.call()
	}
}

// TestWrongPropagators checks that misuse panics with the broken contract.
func TestWrongPropagators(t *testing.T) {
	l := dimacs.FromInt
	for _, c := range []struct {
		name string
		p    wrong
		want string
	}{
		{"unobserved decision", wrong{decide: l(3)}, "cdcl: Decide of a propagator returned 3, which is not observed"},
		{"unknown decision", wrong{decide: l(9)}, "cdcl: Decide of a propagator returned 9, which is not observed"},
		{"assigned decision", wrong{decide: l(2)}, "cdcl: Decide of a propagator returned 2, which is assigned"},
		{"unobserved literal", wrong{propagate: l(-3)}, "cdcl: Propagate of a propagator returned -3, which is not observed"},
		{"no reason", wrong{propagate: l(-2)}, "cdcl: Reason of a propagator returned a clause without -2"},
		{"true literal", wrong{propagate: l(-2), reason: dimacs.Lits(-2, 1)}, "cdcl: Reason of a propagator returned for -2 a clause with 1, which was not false"},
		{"unobserved reason", wrong{propagate: l(-2), reason: dimacs.Lits(-2, 3)}, "cdcl: Reason of a propagator returned 3, which is not observed"},
		{"no clause", wrong{reject: true}, "cdcl: Check of a propagator returned false, and Clause returned no clause"},
		{"true clause", wrong{reject: true, clause: dimacs.Lits(1, 3)}, "cdcl: Check of a propagator returned false, and Clause returned a clause that the model satisfies"},
		{"assigned without end", wrong{propagate: l(2)}, "cdcl: Propagate of a propagator returns literals that are true without end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := cdcl.New(cdcl.Options{})
			s.Add(dimacs.Lits(1, 2)...)
			s.Add(dimacs.Lits(3, 4, 5)...)
			s.Observe(dimacs.Lits(1, 2)...)
			s.Connect(&c.p)
			if strings.HasPrefix(c.name, "assigned") {
				s.Add(dimacs.Lits(2)...)
			}
			defer func() {
				if r := recover(); r != c.want {
					t.Errorf("panic %v, want %q", r, c.want)
				}
			}()
			s.Solve(context.Background(), dimacs.Lits(1, 2)...)
		})
	}
	t.Run("call of the solver", func(t *testing.T) {
		s := cdcl.New(cdcl.Options{})
		s.Add(dimacs.Lits(1, 2)...)
		s.Connect(&wrong{call: func() { s.Add(dimacs.Lits(1)...) }})
		defer func() {
			if r := recover(); r != "cdcl: called while solving" {
				t.Errorf("panic %v", r)
			}
		}()
		s.Solve(context.Background())
	})
	for name, call := range map[string]func(s *cdcl.Solver){
		"Grow":     func(s *cdcl.Solver) { s.Grow(9) },
		"NewVar":   func(s *cdcl.Solver) { s.NewVar() },
		"Reserve":  func(s *cdcl.Solver) { s.Reserve(1000, 3000) },
		"SetPhase": func(s *cdcl.Solver) { s.SetPhase(l(1)) },
		"Clone":    func(s *cdcl.Solver) { s.Clone() },
		"Solve":    func(s *cdcl.Solver) { s.Solve(context.Background(), l(9)) },
	} {
		t.Run(name+" from a callback", func(t *testing.T) {
			s := cdcl.New(cdcl.Options{})
			s.Add(dimacs.Lits(1, 2)...)
			s.Connect(&wrong{call: func() { call(s) }})
			for _, want := range []string{"cdcl: called while solving", "cdcl: called after a call that panicked"} {
				func() {
					defer func() {
						if r := recover(); r != want {
							t.Errorf("panic %v, want %s", r, want)
						}
					}()
					s.Solve(context.Background())
				}()
			}
		})
	}
	for name, reason := range map[string][]dimacs.Lit{"-2": dimacs.Lits(2, -2), "-3": dimacs.Lits(2, -3)} {
		t.Run("late reason with "+name, func(t *testing.T) {
			s := cdcl.New(cdcl.Options{})
			s.Connect(&wrong{propagate: l(2), reason: reason, late: true})
			s.Observe(dimacs.Lits(1, 2, 3)...)
			s.Add(dimacs.Lits(-1, -2, 3)...)
			s.Add(dimacs.Lits(-1, -2, -3, 4)...)
			s.Add(dimacs.Lits(-1, -2, -3, -4)...)
			want := "cdcl: Reason of a propagator returned for 2 a clause with " + name + ", which was not false"
			defer func() {
				if r := recover(); r != want {
					t.Errorf("panic %v, want %s", r, want)
				}
			}()
			t.Error(s.Solve(context.Background(), l(1)))
		})
	}
	t.Run("one shot", func(t *testing.T) {
		o := cdcl.Options{}
		o.OneShot = true
		defer func() {
			if r := recover(); r != "cdcl: Connect called for a solver with Exchange or OneShot" {
				t.Errorf("panic %v", r)
			}
		}()
		cdcl.New(o).Connect(&wrong{})
	})
}
