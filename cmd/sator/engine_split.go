package main

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
	inner setup
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

func (u *splitSetup) list() properties { return u.inner.list() }

// footprint is the same as without splitting, and that of a copy of the formula.
func (u *splitSetup) footprint(vars, clauses, literals int) int64 {
	return u.inner.footprint(vars, clauses, literals) + 12*int64(clauses) + 4*int64(literals)
}

func (u *splitSetup) start(w wires) solver { return &splitSolver{setup: u, wires: w} }

// choose returns the setup of the solver of a part.
func (u *splitSetup) choose(f *dimacs.Formula) setup {
	switch portfolio.Choose(f) {
	case portfolio.TwoSAT:
		return twosatSetup{}
	case portfolio.HornSAT:
		return hornSetup{f}
	}
	return u.inner
}

// A splitSolver is the solvers of the parts.
type splitSolver struct {
	*portfolio.ComponentSolver // nil until the clauses are there
	setup                      *splitSetup
	wires                      wires
	learners                   []solver // of the parts
	most                       int64    // conflicts of the call, 0 for no limit
	spent                      int64    // before it
}

func (s *splitSolver) Grow(int)          {}
func (s *splitSolver) Reserve(int, int)  {}
func (s *splitSolver) Add(...dimacs.Lit) { panic("clauses come at once") }

// load takes the whole formula. If ctx ends, solvers lack clauses.
func (s *splitSolver) load(ctx context.Context, f *dimacs.Formula, _, _ int) bool {
	s.ComponentSolver = portfolio.NewComponentSolver(f, s.setup.parts, portfolio.ComponentOptions{
		Proof: s.wires.proof,
		Start: func(p *portfolio.Component, proof dimacs.Proof) portfolio.Solver { return s.begin(ctx, p, proof) },
		Limit: s.limited,
	})
	return ctx.Err() == nil
}

// begin makes the solver of a part.
func (s *splitSolver) begin(ctx context.Context, p *portfolio.Component, proof dimacs.Proof) portfolio.Solver {
	w := s.wires
	w.proof = proof
	one := s.setup.choose(p.Formula).start(w)
	one.Grow(p.Formula.Vars())
	if l, is := one.(loader); is {
		l.load(ctx, p.Formula, 0, p.Formula.Len())
	} else {
		fill(ctx, one, p.Formula, p.Formula.Vars())
	}
	s.learners = append(s.learners, one)
	return one
}

func (s *splitSolver) limit(conflicts int64) {
	s.most = conflicts
	s.spent, _ = s.statistics().work()
}

// limited gives a part so many conflicts, or as many as are left.
func (s *splitSolver) limited(part portfolio.Solver, conflicts int64) bool {
	if s.most > 0 {
		now, _ := s.statistics().work()
		left := s.most - (now - s.spent)
		if left <= 0 {
			return false
		}
		if conflicts == 0 || left < conflicts {
			conflicts = left
		}
	}
	part.(solver).limit(conflicts)
	return true
}

func (s *splitSolver) statistics() statistics {
	var all splitStatistics
	for _, one := range s.learners {
		all.parts = append(all.parts, one.statistics())
	}
	return &all
}

// Split statistics are those of the parts.
type splitStatistics struct{ parts []statistics }

// list has the sums of what several parts count, in the order in which the first of
// them has it.
func (s *splitStatistics) list() properties {
	ps := properties{{"parts", len(s.parts)}}
	at := map[string]int{}
	for _, part := range s.parts {
		for _, p := range part.list() {
			i, known := at[p.name]
			if !known {
				at[p.name] = len(ps)
				ps = append(ps, p)
				continue
			}
			ps[i].value = added(ps[i].value, p.value)
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

func (s *splitStatistics) work() (conflicts, propagations int64) {
	for _, part := range s.parts {
		c, p := part.work()
		conflicts, propagations = conflicts+c, propagations+p
	}
	return conflicts, propagations
}

func (s *splitStatistics) Fields(time.Duration) []string { return nil }
func (s *splitStatistics) Header() string                { return "" }
func (s *splitStatistics) Line(time.Duration) string     { return "" }
