package engines

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// A splitSetup solves the components of a formula one by one, each with the
// engine that fits. inner is the setup for components that need clause learning.
type splitSetup struct {
	inner Setup
	parts []*portfolio.Component
}

// why describes the components.
func (u *splitSetup) why() string {
	least, most := u.parts[0].Formula.Len(), 0
	for _, p := range u.parts {
		least, most = min(least, p.Formula.Len()), max(most, p.Formula.Len())
	}
	return fmt.Sprintf("%s of %d to %s, each by itself", cli.Count(len(u.parts), "part"), least, cli.Count(most, "clause"))
}

func (u *splitSetup) List() Properties { return u.inner.List() }

// Footprint adds the memory of a copy of the formula.
func (u *splitSetup) Footprint(vars, clauses, literals int) int64 {
	return u.inner.Footprint(vars, clauses, literals) + 12*int64(clauses) + 4*int64(literals)
}

// Choose returns the setup itself.
func (u *splitSetup) Choose(*formula.Input) (Choice, error) { return Choice{"cdcl", u.why(), u}, nil }

func (u *splitSetup) Start(w Hooks) Solver {
	s := &splitSolver{setup: u, hooks: w}
	if w.Record != nil {
		s.firsts = u.firsts()
	}
	return s
}

// names returns the names of the solvers of all components, for a recording. A component
// that another engine solves has one name.
func (u *splitSetup) names() []string {
	var names []string
	for i, p := range u.parts {
		of := solverNames(u.choose(p.Formula))
		if len(of) == 0 {
			of = []string{"in linear time"}
		}
		for _, name := range of {
			names = append(names, fmt.Sprintf("part %d, %s", i+1, name))
		}
	}
	return names
}

// firsts returns for each component the index in names of its first solver.
func (u *splitSetup) firsts() map[*portfolio.Component]int {
	at, n := map[*portfolio.Component]int{}, 0
	for _, p := range u.parts {
		at[p] = n
		n += max(1, len(solverNames(u.choose(p.Formula))))
	}
	return at
}

// choose returns the setup for a component, by its formula.
func (u *splitSetup) choose(f *dimacs.Formula) Setup {
	switch portfolio.Choose(f) {
	case portfolio.TwoSAT:
		return TwoSATSetup{}
	case portfolio.HornSAT:
		return hornSetup{f}
	}
	return u.inner
}

// A splitSolver has a solver for each component.
type splitSolver struct {
	*portfolio.ComponentSolver // nil before Load
	setup                      *splitSetup
	hooks                      Hooks
	learners                   []Solver                     // solvers of the components
	recorded                   []int                        // by solver: index in the recording of its first cdcl solver
	firsts                     map[*portfolio.Component]int // the same by component, nil without a recording
	most                       int64                        // limit on conflicts of the call; 0 for no limit
	spent                      int64                        // conflicts before the call
}

// Load reads the whole formula. If ctx ends first, it returns false, and
// clauses are missing.
func (s *splitSolver) Load(ctx context.Context, f *dimacs.Formula, _, from, to int) bool {
	if s.ComponentSolver != nil && from == to {
		return true
	}
	s.ComponentSolver = portfolio.NewComponentSolver(f, s.setup.parts, portfolio.ComponentOptions{
		Proof: s.hooks.Proof,
		Start: func(p *portfolio.Component, proof dimacs.Proof) portfolio.Solver { return s.begin(ctx, p, proof) },
		Limit: s.limited,
	})
	return ctx.Err() == nil
}

// begin returns the solver of a component.
func (s *splitSolver) begin(ctx context.Context, p *portfolio.Component, proof dimacs.Proof) portfolio.Solver {
	w := s.hooks
	w.Proof = proof
	w.First = s.firsts[p]
	one := s.setup.choose(p.Formula).Start(w)
	one.Load(ctx, p.Formula, p.Formula.Vars(), 0, p.Formula.Len())
	s.learners = append(s.learners, one)
	s.recorded = append(s.recorded, w.First)
	return one
}

func (s *splitSolver) Limit(conflicts int64) {
	s.most = conflicts
	s.spent, _ = s.Statistics().Work()
}

// limited sets the limit on conflicts of a component, at most the rest of the
// limit for all.
func (s *splitSolver) limited(part portfolio.Solver, conflicts int64) bool {
	if s.most > 0 {
		now, _ := s.Statistics().Work()
		left := s.most - (now - s.spent)
		if left <= 0 {
			return false
		}
		if conflicts == 0 || left < conflicts {
			conflicts = left
		}
	}
	part.(Solver).Limit(conflicts)
	return true
}

func (s *splitSolver) Statistics() Statistics {
	all := splitStatistics{first: s.recorded}
	for _, one := range s.learners {
		all.parts = append(all.parts, one.Statistics())
	}
	return &all
}

// splitStatistics are the statistics of the components.
type splitStatistics struct {
	parts []Statistics
	first []int // by part: index in the recording of its first solver
}

// recorded returns the statistics of the solvers in a recording. The statistics of a part that
// was not begun are empty.
func (s *splitStatistics) recorded() []map[string]any {
	all := []map[string]any{}
	for i, part := range s.parts {
		for len(all) < s.first[i] {
			all = append(all, map[string]any{})
		}
		of, _ := recordedStatistics(part)
		all = append(all, of...)
	}
	return all
}

// List returns the sums of the counters of all components, in the order of the
// first component that has them.
func (s *splitStatistics) List() Properties {
	ps := Properties{{"parts", len(s.parts)}}
	at := map[string]int{}
	for _, part := range s.parts {
		for _, p := range part.List() {
			i, known := at[p.Name]
			if !known {
				at[p.Name] = len(ps)
				ps = append(ps, p)
				continue
			}
			ps[i].Value = added(ps[i].Value, p.Value)
		}
	}
	return ps
}

// added returns the sum of two counters, and the first of two other values.
func added(a, b any) any {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.CanInt() || !y.CanInt() {
		return a
	}
	return x.Int() + y.Int()
}

func (s *splitStatistics) Work() (conflicts, propagations int64) {
	for _, part := range s.parts {
		c, p := part.Work()
		conflicts, propagations = conflicts+c, propagations+p
	}
	return conflicts, propagations
}

func (s *splitStatistics) Fields(time.Duration) []string { return nil }
func (s *splitStatistics) Header() string                { return "" }
func (s *splitStatistics) Line(time.Duration) string     { return "" }
