package engines

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/twosat"
)

// noFlags are the options of the engine twosat: there is nothing to choose.
func noFlags() []cli.Flag { return nil }

// A TwoSATSetup is the engine for clauses of up to two literals.
type TwoSATSetup struct{}

func readTwoSAT(*cli.Context) (Setup, error) { return TwoSATSetup{}, nil }

func (TwoSATSetup) List() Properties { return nil }

func (TwoSATSetup) Footprint(vars, clauses, _ int) int64 { return twosat.Footprint(vars, clauses) }

// Settle returns an error if the formula has longer clauses.
func (u TwoSATSetup) Settle(in *formula.Input) (Chosen, error) {
	return Chosen{"twosat", "", u}, TooLong(in.Formula)
}

// TooLong returns an error if a formula has a clause that is too long for the
// engine.
func TooLong(f *dimacs.Formula) error {
	if twosat.Is2SAT(f) {
		return nil
	}
	_, err := twosat.From(f, nil)
	if long := (*twosat.LongClauseError)(nil); errors.As(err, &long) {
		return fmt.Errorf("clause %d, %s, is too long for the engine twosat, which takes up to two different literals", long.Index+1, formula.ClauseText(long.Clause))
	}
	return err
}

// An autoSetup leaves the choice of the engine to the formula. It is clause
// learning with its options until that is known.
type autoSetup struct {
	Setup
	given bool // some option of clause learning is on the command line
}

func readAuto(c *cli.Context) (Setup, error) {
	learning, err := readLearning(c)
	if err != nil {
		return nil, err
	}
	u := &autoSetup{Setup: learning}
	for _, f := range CDCLFlags() {
		u.given = u.given || c.IsSet(f.Names()[0])
	}
	return u, nil
}

// Settle returns the engine that portfolio.Choose names, or one for each part of a
// formula that is better split. Options of clause learning would mean nothing to
// other engines, and those take all clauses at once, or begin anew after new ones, so
// that a script with clauses between its cubes is none for them.
func (u *autoSetup) Settle(in *formula.Input) (Chosen, error) {
	if !u.given && !in.Interleaved() {
		switch portfolio.Choose(in.Formula) {
		case portfolio.TwoSAT:
			return Chosen{"twosat", "no clause has more than 2 different literals", TwoSATSetup{}}, nil
		case portfolio.HornSAT:
			return Chosen{"horn", "every clause is a fact, a rule or a constraint", hornSetup{in.Formula}}, nil
		}
	}
	if !in.Interleaved() {
		if parts := portfolio.Components(in.Formula); parts != nil {
			s := &splitSetup{u.Setup, parts}
			return Chosen{"cdcl", s.why(), s}, nil
		}
	}
	if r, is := u.Setup.(*raceSetup); is {
		return Chosen{"cdcl", fmt.Sprintf("%d threads", r.race.Threads), r}, nil
	}
	return Chosen{"cdcl", "", u.Setup}, nil
}

func (TwoSATSetup) Start(w Hooks) Solver {
	return &twosatSolver{Solver: twosat.New(w.Proof), wires: w, began: time.Now()}
}

// A twosatSolver is the engine as the program sees it.
type twosatSolver struct {
	*twosat.Solver
	wires Hooks
	began time.Time
	added time.Duration // until clauses were there
}

func (s *twosatSolver) Reserve(clauses, _ int) { s.Solver.Reserve(clauses) }

// Limit has nothing to do: there are no conflicts.
func (s *twosatSolver) Limit(int64) {}

func (s *twosatSolver) Statistics() Statistics { return &TwoSATStatistics{s.Stats(), s.added} }

// Solve reports the beginning and the end; between them little time passes.
func (s *twosatSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if s.added == 0 {
		s.added = time.Since(s.began)
	}
	return s.wires.around(s, func() dimacs.Status { return s.Solver.Solve(ctx, assumptions...) })
}

// Twosat statistics are those of the engine and the time that its clauses took
// to arrive.
type TwoSATStatistics struct {
	twosat.Stats
	Added time.Duration
}

// List has times in seconds.
func (s *TwoSATStatistics) List() Properties {
	ps := FieldsOf(&s.Stats)
	for i, p := range ps {
		if d, is := p.Value.(time.Duration); is {
			ps[i] = Property{p.Name + "_seconds", d.Seconds()}
		}
	}
	return append(ps, Property{"add_seconds", s.Added.Seconds()})
}

func (s *TwoSATStatistics) Work() (conflicts, propagations int64) { return 0, int64(s.Propagated) }

func (s *TwoSATStatistics) Fields(time.Duration) []string {
	return []string{fmt.Sprintf("%d variables", s.Vars), fmt.Sprintf("%d clauses", s.Clauses)}
}

func (s *TwoSATStatistics) Header() string {
	return `
     time   memory     clauses  rounds    kernel  propagated  unassigned
        s       MB`
}

func (s *TwoSATStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %11d %7d %9d %11d %11d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Clauses, s.Rounds, s.KernelClauses, s.Propagated, s.Unassigned)
}
