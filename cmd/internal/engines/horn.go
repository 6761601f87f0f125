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
)

// A hornSetup is the engine horn, unit propagation for Horn formulas. Choose sets
// the formula.
type hornSetup struct{ formula *dimacs.Formula }

func readHorn(*cli.Context) (Setup, error) { return hornSetup{}, nil }

func (hornSetup) List() Properties { return nil }

// Footprint counts all variables of the header, since the solver has tables for each.
func (u hornSetup) Footprint(vars, clauses, _ int) int64 {
	if u.formula != nil {
		vars = max(vars, u.formula.Vars())
	}
	return portfolio.HornFootprint(vars, clauses)
}

// Choose returns an error if the formula is not a Horn formula.
func (u hornSetup) Choose(in *formula.Input) (Choice, error) {
	if !portfolio.IsHorn(in.Formula) {
		return Choice{}, errors.New("the engine horn needs a formula with at most one positive literal per clause, or at most one negative literal per clause")
	}
	return Choice{"horn", "", hornSetup{in.Formula}}, nil
}

func (u hornSetup) Start(w Hooks) Solver { return &hornSolver{hooks: w} }

// A hornSolver is the engine horn as a [Solver].
type hornSolver struct {
	*portfolio.Horn // nil before Load
	hooks           Hooks
}

func (s *hornSolver) Limit(int64) {} // the engine has no conflicts

// Load reads the whole formula.
func (s *hornSolver) Load(ctx context.Context, f *dimacs.Formula, _, _, _ int) bool {
	if s.Horn == nil {
		s.Horn = portfolio.NewHorn(f, s.hooks.Proof)
	}
	return ctx.Err() == nil
}

// Solve calls the engine and reports the beginning and the end.
func (s *hornSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	return s.hooks.around("horn", s, func() dimacs.Status { return s.Horn.Solve(ctx, assumptions...) })
}

func (s *hornSolver) Statistics() Statistics {
	if s.Horn == nil {
		return &hornStatistics{}
	}
	return &hornStatistics{s.Stats()}
}

type hornStatistics struct{ portfolio.HornStats }

func (s *hornStatistics) List() Properties { return FieldsOf(&s.HornStats) }

func (s *hornStatistics) Work() (conflicts, propagations int64) { return 0, s.Propagated }

func (s *hornStatistics) Fields(time.Duration) []string {
	return []string{cli.Count(s.Vars, "variable"), cli.Count(s.Clauses, "clause")}
}

func (s *hornStatistics) Header() string {
	return `
     time   memory     clauses    premises  propagated
        s       MB`
}

func (s *hornStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %11d %11d %11d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Clauses, s.Premises, s.Propagated)
}
