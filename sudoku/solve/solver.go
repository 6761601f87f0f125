package solve

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/infer"
)

// Options configure a [Solver]. The zero Options are the fastest.
type Options struct {
	// Engine is a name in [Engines]; "" is the first.
	Engine string

	// Coding says how rules become a formula, for the engines that need one. If
	// its Encoding is empty, they choose.
	Coding sudoku.Coding

	// Heuristic is what the engine dpll decides by, a name in
	// [sator/dpll.Heuristics]; "" is positive.
	Heuristic string

	// Infer says what the engine infer infers.
	Infer infer.Options
}

// An Engine is a way to find solutions.
type Engine struct {
	Name, Help string

	// load makes a worker for puzzles of the rules of g, or for g alone. It is
	// nil for the first engine, which is made of others.
	load func(o *Options, g *sudoku.Grid, alone bool) (worker, error)
}

// Engines lists the engines. The first is the default.
var Engines []Engine

func init() {
	Engines = []Engine{
		{"auto", "infer, and cdcl for what that does not solve soon", nil},
		{"cdcl", "clause learning on a formula of the rules; a puzzle is a set of assumptions", newLearner},
		{"dpll", "search without learning on the same formula, guided by a heuristic", newClassic},
		{"infer", "singles, locked candidates, perhaps the 2SAT rule, and branching; no formula", newInferrer},
	}
}

// A worker looks for solutions of puzzles of some rules, or of one puzzle.
type worker interface {
	// count looks for solutions until it has limit of them, has them all, or ctx
	// is done.
	count(ctx context.Context, g *sudoku.Grid, limit int) tally

	// remembers reports whether what is found first may depend on what was asked
	// before.
	remembers() bool

	// effort returns what all calls took so far.
	effort() Effort
}

// A tally is what a worker found.
type tally struct {
	first    [][]int // the first solutions, at most two
	n        int
	complete bool // there are no others
}

// add takes note of a solution.
func (t *tally) add(cells []int) {
	if t.n++; t.n <= 2 {
		t.first = append(t.first, cells)
	}
}

// An Effort is what search took. What the engine cdcl takes for a puzzle depends
// on what it has learned from others.
type Effort struct {
	Decisions, Conflicts, Propagations int64       // on formulas
	Inference                          infer.Stats // of the engine infer
}

// Add adds what another search took.
func (e *Effort) Add(o Effort) {
	e.Decisions += o.Decisions
	e.Conflicts += o.Conflicts
	e.Propagations += o.Propagations
	e.Inference.Add(o.Inference)
}

// An Answer is what is known of the solutions of a puzzle.
type Answer struct {
	// Status is Satisfiable if there is a solution, Unsatisfiable if there is
	// none, and Unknown if the call ended before that was known.
	Status dimacs.Status

	// Solutions are the digits of the first solutions found, by cell: at most
	// two, which differ.
	Solutions [][]int

	Count    int  // solutions found
	Complete bool // there are no others

	// Conflict tells which givens contradict each other; then there is no
	// solution, and nothing was searched.
	Conflict *sudoku.Conflict

	// Err says why a puzzle could not be given to the engine; then nothing is
	// known.
	Err error
}

// Unique reports whether the puzzle is known to have exactly one solution.
func (a *Answer) Unique() bool { return a.Complete && a.Count == 1 }

// Interrupted reports whether a call of [Solver.Count] with that limit ended
// before it had found limit solutions or all of them.
func (a *Answer) Interrupted(limit int) bool {
	return a.Err == nil && !a.Complete && (limit <= 0 || a.Count < limit)
}

// A Solver answers for puzzles of any rules. It is used by one goroutine at a
// time; different solvers share nothing.
//
// Puzzles of the same rules are cheap: the rules are loaded once. That is not so
// for rules with cages, which hardly ever come twice, for grids so large that a
// formula of their givens is far smaller than one of the rules, and for regions
// as long as they come only once.
type Solver struct {
	options Options
	first   *stable // is asked first and may give a puzzle up; nil if there is none
	main    *stable
}

// Check returns an error if the options name something that there is not.
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

// engine returns the row of the table that the options name.
func (o *Options) engine() (*Engine, error) {
	if o.Engine == "" {
		return &Engines[0], nil
	}
	i := slices.IndexFunc(Engines, func(e Engine) bool { return e.Name == o.Engine })
	if i < 0 {
		return nil, fmt.Errorf("there is no engine %q; there are %s", o.Engine, strings.Join(EngineNames(), ", "))
	}
	return &Engines[i], nil
}

// EngineNames returns the names of the engines, in the order of the table.
func EngineNames() []string {
	var names []string
	for _, e := range Engines {
		names = append(names, e.Name)
	}
	return names
}

// New returns a solver. It panics if the options name something that there is
// not; see [Options.Check].
func New(o Options) *Solver {
	if err := o.Check(); err != nil {
		panic("solve: " + err.Error())
	}
	engine, _ := o.engine()
	if engine.load != nil {
		return &Solver{options: o, main: newStable(engine, &o)}
	}
	return &Solver{
		options: o,
		first:   newStable(&Engine{Name: "infer", load: newTrial}, &o),
		main:    newStable(&Engine{Name: "cdcl", load: newLearner}, &o),
	}
}

// Solve looks for a solution of a puzzle. Of several it finds always the same
// one. Its answer does not say whether there are others.
func (s *Solver) Solve(ctx context.Context, g *sudoku.Grid) Answer {
	a := s.Count(ctx, g, 1)
	a.Complete = a.Count == 0 && a.Complete
	return a
}

// Count looks for solutions until it has found limit of them, or all. A limit
// of 2 proves that a solution is the only one, or finds another that differs; a
// limit of 0 is none.
//
// When ctx is done before, the answer has what was found by then.
func (s *Solver) Count(ctx context.Context, g *sudoku.Grid, limit int) Answer {
	if limit <= 0 {
		limit = math.MaxInt
	}
	if c := g.Conflict(); c != nil {
		return Answer{Status: dimacs.Unsatisfiable, Complete: true, Conflict: c}
	}
	t, err := s.count(ctx, g, limit)
	if err != nil {
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

// count has the engine count; if there are two, the first one, and the other what
// that gave up.
func (s *Solver) count(ctx context.Context, g *sudoku.Grid, limit int) (tally, error) {
	var trial tally
	if s.first != nil {
		t, err := s.first.count(ctx, g, limit)
		if err != nil || t.complete || t.n >= limit || ctx.Err() != nil {
			return t, err
		}
		trial = t
	}
	t, err := s.main.count(ctx, g, limit)
	if ctx.Err() != nil && t.n < trial.n { // out of time: more was known before
		t = trial
	}
	return t, err
}

// Effort returns what all calls took so far.
func (s *Solver) Effort() Effort {
	e := s.main.Effort()
	if s.first != nil {
		e.Add(s.first.Effort())
	}
	return e
}
