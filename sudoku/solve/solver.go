package solve

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/internal/infer"
	"sator/sudoku"
	"sator/sudoku/internal/bands"
)

// Options configure a [Solver]. The zero Options are the fastest.
type Options struct {
	// Engine is a name in [Engines]; "" is the first.
	Engine string

	// Coding selects the encoding for the engines that solve a formula. With an
	// empty Encoding, an engine uses the one that is fastest for it.
	Coding sudoku.Coding

	// Heuristic is the decision heuristic of the engine dpll, a name in
	// [sator/dpll/classic.Heuristics]; "" is positive.
	Heuristic string

	// Infer selects the inference rules of the engines infer and auto. Package bands has
	// no such options: with a schedule of the 2SAT rule other than Auto, or without locked
	// candidates, the engine auto uses infer for plain grids of size 9 too.
	Infer infer.Options
}

// An Engine is a method to find solutions.
type Engine struct {
	Name, Help string

	// load returns an adapter for all puzzles with the rules of g or, if alone is
	// true, for g only. If ctx ends first, the error is the cause of ctx. The engine auto
	// combines other engines and has no function load.
	load func(ctx context.Context, o *Options, g *sudoku.Grid, alone bool) (adapter, error)
}

// Engines lists the engines. The first is the default.
var Engines []Engine

func init() {
	Engines = []Engine{
		{"auto", "operations on bits for plain puzzles of size 9; for others infer, then cdcl if there are many dead ends", nil},
		{"cdcl", "clause learning on a formula of the rules; a puzzle is a set of assumptions", newCDCL},
		{"dpll", "search without learning on the same formula, guided by a heuristic", newDPLL},
		{"infer", "singles, locked candidates, perhaps the 2SAT rule, and branching; no formula", newInfer},
	}
}

// An adapter finds solutions with one engine: of all puzzles with some rules, or
// of one puzzle.
type adapter interface {
	// count finds solutions until there are limit of them, all are found, or ctx
	// is done.
	count(ctx context.Context, g *sudoku.Grid, limit int) tally

	// stateful reports whether the order in which solutions are found may depend
	// on earlier calls.
	stateful() bool

	// effort returns the effort of all calls.
	effort() Effort
}

// A tally is the result of [adapter.count].
type tally struct {
	first    [][]int // the first two solutions, or as many as were found
	n        int     // solutions found
	complete bool    // there are no other solutions
}

// add adds a solution.
func (t *tally) add(cells []int) {
	if t.n++; t.n <= 2 {
		t.first = append(t.first, cells)
	}
}

// An Effort counts search steps. The effort of the engine cdcl for a puzzle
// depends on the clauses that it learned from earlier puzzles.
type Effort struct {
	Decisions, Conflicts, Propagations int64       // search steps of cdcl and dpll
	Inference                          infer.Stats // search steps of infer
	Bands                              bands.Stats // search steps of package bands
}

// add adds the effort of another search.
func (e *Effort) add(o Effort) {
	e.Decisions += o.Decisions
	e.Conflicts += o.Conflicts
	e.Propagations += o.Propagations
	e.Inference.Add(o.Inference)
	e.Bands.Add(o.Bands)
}

// An Answer holds the solutions that were found for a puzzle.
type Answer struct {
	// Status is Satisfiable if a solution was found, Unsatisfiable if there is no
	// solution, and Unknown if the search ended before either was certain.
	Status dimacs.Status

	// Solutions holds the first two different solutions, or the only one: the
	// digits by cell.
	Solutions [][]int

	Count    int  // solutions found
	Complete bool // there are no other solutions

	// Conflict is the rule that the givens break, nil if they break no rule. With
	// a conflict there is no solution, and no search takes place.
	Conflict *sudoku.Conflict

	// Err is the reason why the puzzle has no encoding. Then all other fields are
	// zero.
	Err error
}

// Unique reports whether the puzzle is known to have exactly one solution.
func (a *Answer) Unique() bool { return a.Complete && a.Count == 1 }

// Interrupted reports whether a call of [Solver.Count] with that limit ended
// before it had found limit solutions or all of them.
func (a *Answer) Interrupted(limit int) bool {
	return a.Err == nil && !a.Complete && (limit <= 0 || a.Count < limit)
}

// A Solver solves puzzles with any rules. It may be used by one goroutine at a
// time; different solvers share nothing.
//
// A solver loads rules once, so further puzzles with the same rules are cheap. Some
// puzzles get a formula of their own, which takes longer: grids of size 25 and
// larger, puzzles with cages, the first of several puzzles with the same irregular
// regions, and all puzzles with the encoding reduced.
type Solver struct {
	// plain solves plain grids of size 9 in the engine auto. It is nil for other engines,
	// and if Options.Infer has options that package bands lacks.
	plain *bandsAdapter

	// trial is the engine infer with a limit of dead ends, which the engine auto tries
	// before main. It is nil for other engines.
	trial *cache

	// many counts many solutions in the engine auto. It is nil before it has to, and replaced for
	// other rules.
	many *counter

	// main is the engine of the options, or cdcl for the engine auto.
	main *cache
}

// Check returns an error if the options have an unknown name, or an encoding with
// more models than the puzzle has solutions.
func (o *Options) Check() error {
	if _, err := o.engine(); err != nil {
		return err
	}
	if strings.HasPrefix(o.Coding.Encoding, "2sat") {
		return fmt.Errorf("the encoding %s has more models than the puzzle has solutions", o.Coding.Encoding)
	}
	if _, err := sudoku.Must(sudoku.Latin(1)).Encode(o.Coding); err != nil {
		return err
	}
	_, err := o.heuristic()
	return err
}

// engine returns the row of [Engines] that the options name.
func (o *Options) engine() (*Engine, error) {
	if o.Engine == "" {
		return &Engines[0], nil
	}
	i := slices.IndexFunc(Engines, func(e Engine) bool { return e.Name == o.Engine })
	if i < 0 {
		var names []string
		for _, e := range Engines {
			names = append(names, e.Name)
		}
		return nil, fmt.Errorf("unknown engine %q: want %s", o.Engine, strings.Join(names, ", "))
	}
	return &Engines[i], nil
}

// New returns a solver. It panics if [Options.Check] returns an error.
func New(o Options) *Solver {
	if err := o.Check(); err != nil {
		panic("solve: " + err.Error())
	}
	engine, _ := o.engine()
	if engine.load != nil {
		return &Solver{main: newCache(engine, &o)}
	}
	s := &Solver{
		trial: newCache(&Engine{Name: "infer", load: newLimitedInfer}, &o),
		main:  newCache(&Engine{Name: "cdcl", load: newCDCL}, &o),
	}
	if o.Infer.Rule == infer.Auto && !o.Infer.NoLocked {
		s.plain = new(bandsAdapter)
	}
	return s
}

// Solve returns one solution of a puzzle, if it has any. For a puzzle with several
// solutions it is always the same one. The answer is not complete if there is a
// solution, since Solve does not search for others.
func (s *Solver) Solve(ctx context.Context, g *sudoku.Grid) Answer {
	a := s.Count(ctx, g, 1)
	a.Complete = a.Count == 0 && a.Complete
	return a
}

// Count finds solutions until there are limit of them or all are found; a limit of
// 0 is the largest int. With limit 2 it either proves that a solution is unique or
// returns two different ones.
//
// If ctx ends before that, the answer has the solutions found so far.
func (s *Solver) Count(ctx context.Context, g *sudoku.Grid, limit int) Answer {
	return s.CountReusing(ctx, g, limit, Answer{})
}

// CountReusing is like Count, and may overwrite the solutions of an old answer in order to
// reuse their memory.
func (s *Solver) CountReusing(ctx context.Context, g *sudoku.Grid, limit int, old Answer) Answer {
	if limit <= 0 {
		limit = math.MaxInt
	}
	if c := g.Conflict(); c != nil {
		return Answer{Status: dimacs.Unsatisfiable, Solutions: old.Solutions[:0], Complete: true, Conflict: c}
	}
	t, err := s.count(ctx, g, limit, old.Solutions)
	if err != nil && ctx.Err() == nil {
		return Answer{Err: err}
	}
	a := Answer{Solutions: t.first, Count: t.n, Complete: t.complete}
	switch {
	case t.n > 0:
		a.Status = dimacs.Satisfiable
	case t.complete:
		a.Status = dimacs.Unsatisfiable
	}
	return a
}

// count counts with plain if it is set and applies to the puzzle, else with trial if it is
// set, with many if there are many solutions, and with main if trial reached its limit of dead ends. The argument
// memory has slices that plain may overwrite.
func (s *Solver) count(ctx context.Context, g *sudoku.Grid, limit int, memory [][]int) (tally, error) {
	if s.plain != nil && g.Rules.Plain9() {
		return s.plain.count(ctx, g, limit, memory), nil
	}
	var trial tally
	if s.trial != nil {
		most := limit
		if g.Rules.OnlyDiffer() {
			most = min(limit, manySolutions)
		}
		t, err := s.trial.count(ctx, g, most)
		if err != nil || t.complete || t.n >= limit || ctx.Err() != nil {
			return t, err
		}
		if t.n == most {
			return s.countMany(ctx, g, limit, t), nil
		}
		trial = t
	}
	t, err := s.main.count(ctx, g, limit)
	if ctx.Err() != nil && t.n < trial.n { // ctx ended before main found as much as trial
		t = trial
	}
	return t, err
}

// countMany counts with a memory, and returns a tally with the first solutions of t.
func (s *Solver) countMany(ctx context.Context, g *sudoku.Grid, limit int, t tally) tally {
	if s.many == nil || s.many.rules != g.Rules {
		old := s.many
		if s.many = newCounter(g.Rules); old != nil {
			s.many.stats = old.stats
		}
	}
	n, complete := s.many.count(ctx, g, limit)
	t.n, t.complete = max(t.n, n), complete
	return t
}

// Effort returns the effort of all calls.
func (s *Solver) Effort() Effort {
	e := s.main.effort()
	if s.trial != nil {
		e.add(s.trial.effort())
	}
	if s.many != nil {
		e.add(Effort{Inference: s.many.stats})
	}
	if s.plain != nil {
		e.add(Effort{Bands: s.plain.solver.Stats()})
	}
	return e
}
