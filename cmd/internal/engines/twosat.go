package engines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/twosat"
)

// noFlags returns no flags: the engine has no options.
func noFlags() []cli.Flag { return nil }

// A TwoSATSetup is the engine twosat.
type TwoSATSetup struct{}

func readTwoSAT(*cli.Context) (Setup, error) { return TwoSATSetup{}, nil }

func (TwoSATSetup) List() Properties { return nil }

func (TwoSATSetup) Footprint(vars, clauses, _ int) int64 { return twosat.Footprint(vars, clauses) }

// Choose returns an error if the formula has clauses of more than two literals.
func (u TwoSATSetup) Choose(in *formula.Input) (Choice, error) {
	return Choice{"twosat", "", u}, TooLong(in.Formula)
}

// TooLong returns an error if a formula has a clause of more than two literals.
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

// An autoSetup chooses the engine by the formula. The embedded setup is that of
// clause learning.
type autoSetup struct {
	Setup
	given bool // the command line has an option of clause learning
}

func readAuto(c *cli.Context) (Setup, error) {
	learning, err := readLearning(c)
	if err != nil {
		return nil, err
	}
	u := &autoSetup{Setup: learning}
	given := cli.GivenFlags(c)
	for _, f := range CDCLFlags() {
		u.given = u.given || slices.Contains(given, cli.FlagName(f))
	}
	return u, nil
}

// Choose returns the engine that portfolio.Choose names, or a splitSetup for a
// formula of several components. It chooses clause learning if one of its
// options is given, since the other engines have no such options, and for the
// components of a script together, since a cube may be about several.
func (u *autoSetup) Choose(in *formula.Input) (Choice, error) {
	if !u.given {
		switch portfolio.Choose(in.Formula) {
		case portfolio.TwoSAT:
			return Choice{"twosat", "no clause has more than 2 different literals", TwoSATSetup{}}, nil
		case portfolio.HornSAT:
			return Choice{"horn", "every clause is a fact, a rule or a constraint", hornSetup{in.Formula}}, nil
		}
	}
	if len(in.Cubes) == 0 {
		if parts := portfolio.Components(in.Formula, in.Memory); parts != nil {
			return (&splitSetup{u.Setup, parts}).Choose(in)
		}
	}
	return u.Setup.Choose(in)
}

func (TwoSATSetup) Start(w Hooks) Solver {
	return &twosatSolver{Solver: twosat.New(w.Proof), hooks: w, began: time.Now()}
}

// A twosatSolver is the engine twosat as a [Solver].
type twosatSolver struct {
	*twosat.Solver
	hooks Hooks
	began time.Time
	added time.Duration // time to add the clauses
}

func (s *twosatSolver) Reserve(clauses, _ int) { s.Solver.Reserve(clauses) }

func (s *twosatSolver) Load(ctx context.Context, f *dimacs.Formula, vars, from, to int) bool {
	return Fill(ctx, s, f, vars, from, to)
}

// Limit has no effect: the engine has no conflicts.
func (s *twosatSolver) Limit(int64) {}

func (s *twosatSolver) Statistics() Statistics { return &TwoSATStatistics{s.Stats(), s.added} }

// Solve calls the engine and reports the beginning and the end.
func (s *twosatSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if s.added == 0 {
		s.added = time.Since(s.began)
	}
	return s.hooks.around("twosat", s, func() dimacs.Status { return s.Solver.Solve(ctx, assumptions...) })
}

// TwoSATStatistics are the statistics of the engine twosat and the time to add
// the clauses.
type TwoSATStatistics struct {
	twosat.Stats
	Added time.Duration
}

// List returns the counters, with times in seconds.
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
	return []string{cli.Count(s.Vars, "variable"), cli.Count(s.Clauses, "clause")}
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
