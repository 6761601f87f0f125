package engines

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"sator/dimacs"
	"sator/dpll/portfolio"
)

// A splitSetup has each part of a formula solved by itself: by the engine that is
// chosen for it, which is inner if that is clause learning.
type splitSetup struct {
	inner Setup
	parts []*portfolio.Component
}

// why says what a formula was split into.
func (u *splitSetup) why() string {
	least, most := u.parts[0].Formula.Len(), 0
	for _, p := range u.parts {
		least, most = min(least, p.Formula.Len()), max(most, p.Formula.Len())
	}
	return fmt.Sprintf("%d parts of %d to %d clauses, each by itself", len(u.parts), least, most)
}

func (u *splitSetup) List() Properties { return u.inner.List() }

// Footprint is the same as without splitting, and that of a copy of the formula.
func (u *splitSetup) Footprint(vars, clauses, literals int) int64 {
	return u.inner.Footprint(vars, clauses, literals) + 12*int64(clauses) + 4*int64(literals)
}

func (u *splitSetup) Start(w Hooks) Solver { return &splitSolver{setup: u, wires: w} }

// choose returns the setup of the solver of a part.
func (u *splitSetup) choose(f *dimacs.Formula) Setup {
	switch portfolio.Choose(f) {
	case portfolio.TwoSAT:
		return TwoSATSetup{}
	case portfolio.HornSAT:
		return hornSetup{f}
	}
	return u.inner
}

// A splitSolver is the solvers of the parts.
type splitSolver struct {
	*portfolio.ComponentSolver // nil until the clauses are there
	setup                      *splitSetup
	wires                      Hooks
	learners                   []Solver // of the parts
	most                       int64    // conflicts of the call, 0 for no limit
	spent                      int64    // before it
}

func (s *splitSolver) Grow(int)          {}
func (s *splitSolver) Reserve(int, int)  {}
func (s *splitSolver) Add(...dimacs.Lit) { panic("clauses come at once") }

// Load takes the whole formula. If ctx ends, solvers lack clauses.
func (s *splitSolver) Load(ctx context.Context, f *dimacs.Formula, _, _ int) bool {
	s.ComponentSolver = portfolio.NewComponentSolver(f, s.setup.parts, portfolio.ComponentOptions{
		Proof: s.wires.Proof,
		Start: func(p *portfolio.Component, proof dimacs.Proof) portfolio.Solver { return s.begin(ctx, p, proof) },
		Limit: s.limited,
	})
	return ctx.Err() == nil
}

// begin makes the solver of a part.
func (s *splitSolver) begin(ctx context.Context, p *portfolio.Component, proof dimacs.Proof) portfolio.Solver {
	w := s.wires
	w.Proof = proof
	one := s.setup.choose(p.Formula).Start(w)
	one.Grow(p.Formula.Vars())
	if l, is := one.(Loader); is {
		l.Load(ctx, p.Formula, 0, p.Formula.Len())
	} else {
		Fill(ctx, one, p.Formula, p.Formula.Vars())
	}
	s.learners = append(s.learners, one)
	return one
}

func (s *splitSolver) Limit(conflicts int64) {
	s.most = conflicts
	s.spent, _ = s.Statistics().Work()
}

// limited gives a part so many conflicts, or as many as are left.
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
	var all splitStatistics
	for _, one := range s.learners {
		all.parts = append(all.parts, one.Statistics())
	}
	return &all
}

// Split statistics are those of the parts.
type splitStatistics struct{ parts []Statistics }

// List has the sums of what several parts count, in the order in which the first of
// them has it.
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

// added returns the sum of counts, and of other values the first.
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
