package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/twosat"
)

// noFlags are the options of the engine twosat: there is nothing to choose.
func noFlags() []cli.Flag { return nil }

// A twosatSetup is the engine for clauses of up to two literals.
type twosatSetup struct{}

func readTwoSAT(*cli.Context) (setup, error) { return twosatSetup{}, nil }

func (twosatSetup) list() properties { return nil }

func (twosatSetup) footprint(vars, clauses, _ int) int64 { return twosat.Footprint(vars, clauses) }

// settle returns an error if the formula has longer clauses.
func (u twosatSetup) settle(in *input) (chosen, error) {
	return chosen{"twosat", "", u}, tooLong(in.formula)
}

// tooLong returns an error if a formula has a clause that is too long for the
// engine.
func tooLong(f *dimacs.Formula) error {
	if twosat.Is2SAT(f) {
		return nil
	}
	_, err := twosat.From(f, nil)
	if long := (*twosat.LongClauseError)(nil); errors.As(err, &long) {
		return fmt.Errorf("clause %d, %s, is too long for the engine twosat, which takes up to two different literals", long.Index+1, clauseText(long.Clause))
	}
	return err
}

// An autoSetup leaves the choice of the engine to the formula. It is clause
// learning with its options until that is known.
type autoSetup struct {
	setup
	given bool // some option of clause learning is on the command line
}

func readAuto(c *cli.Context) (setup, error) {
	learning, err := readLearning(c)
	if err != nil {
		return nil, err
	}
	u := &autoSetup{setup: learning}
	for _, f := range cdclFlags() {
		u.given = u.given || c.IsSet(f.Names()[0])
	}
	return u, nil
}

// settle returns the engine that portfolio.Choose names, or one for each part of a
// formula that is better split. Options of clause learning would mean nothing to
// other engines, and those take all clauses at once, or begin anew after new ones, so
// that a script with clauses between its cubes is none for them.
func (u *autoSetup) settle(in *input) (chosen, error) {
	if !u.given && !in.interleaved() {
		switch portfolio.Choose(in.formula) {
		case portfolio.TwoSAT:
			return chosen{"twosat", "no clause has more than 2 different literals", twosatSetup{}}, nil
		case portfolio.HornSAT:
			return chosen{"horn", "every clause is a fact, a rule or a constraint", hornSetup{in.formula}}, nil
		}
	}
	if !in.interleaved() {
		if parts := portfolio.Components(in.formula); parts != nil {
			s := &splitSetup{u.setup, parts}
			return chosen{"cdcl", s.why(), s}, nil
		}
	}
	if r, is := u.setup.(*raceSetup); is {
		return chosen{"cdcl", fmt.Sprintf("%d threads", r.race.Threads), r}, nil
	}
	return chosen{"cdcl", "", u.setup}, nil
}

// interleaved reports whether there are clauses after a cube.
func (in *input) interleaved() bool {
	return len(in.cubes) > 0 && in.cubes[0].Clauses < in.formula.Len()
}

func (twosatSetup) start(w wires) solver {
	return &twosatSolver{Solver: twosat.New(w.proof), wires: w, began: time.Now()}
}

// A twosatSolver is the engine as the program sees it.
type twosatSolver struct {
	*twosat.Solver
	wires wires
	began time.Time
	added time.Duration // until clauses were there
}

func (s *twosatSolver) Reserve(clauses, _ int) { s.Solver.Reserve(clauses) }

// limit has nothing to do: there are no conflicts.
func (s *twosatSolver) limit(int64) {}

func (s *twosatSolver) statistics() statistics { return &twosatStatistics{s.Stats(), s.added} }

// Solve reports the beginning and the end; between them little time passes.
func (s *twosatSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if s.added == 0 {
		s.added = time.Since(s.began)
	}
	return s.wires.around(s, func() dimacs.Status { return s.Solver.Solve(ctx, assumptions...) })
}

// Twosat statistics are those of the engine and the time that its clauses took
// to arrive.
type twosatStatistics struct {
	twosat.Stats
	added time.Duration
}

// list has times in seconds.
func (s *twosatStatistics) list() properties {
	ps := fieldsOf(&s.Stats)
	for i, p := range ps {
		if d, is := p.value.(time.Duration); is {
			ps[i] = property{p.name + "_seconds", d.Seconds()}
		}
	}
	return append(ps, property{"add_seconds", s.added.Seconds()})
}

func (s *twosatStatistics) work() (conflicts, propagations int64) { return 0, int64(s.Propagated) }

func (s *twosatStatistics) Fields(time.Duration) []string {
	return []string{fmt.Sprintf("%d variables", s.Vars), fmt.Sprintf("%d clauses", s.Clauses)}
}

func (s *twosatStatistics) Header() string {
	return `
     time   memory     clauses  rounds    kernel  propagated  unassigned
        s       MB`
}

func (s *twosatStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %11d %7d %9d %11d %11d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Clauses, s.Rounds, s.KernelClauses, s.Propagated, s.Unassigned)
}
