package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/sudoku"
	"sator/sudoku/solve"
	"sator/sudoku/technique"
	"sator/twosat"
)

// RateOptions select the engines and encodings of a rating. The zero value selects
// both engines and the three encodings of the literature.
type RateOptions struct {
	// Encodings are names in [sudoku.Encodings]; nil for minimal, efficient and
	// extended. With an empty slice that is not nil, no engine runs.
	Encodings []string

	// Engines are names in [Engines]; nil for all.
	Engines []string

	// Heuristic is the decision heuristic of the engine dpll, a name in
	// [classic.Heuristics]; "" for positive. The heuristic positive branches on a
	// cell, or in the longer encodings on a digit of a house, with the fewest
	// candidates. Other heuristics perform badly, since most clauses have
	// negative literals only.
	Heuristic string

	// Scale is the name of the scale of [Rating.People], one of [Scales]; "" for se.
	Scale string

	// Without has the names of techniques that the scale leaves out, see
	// [ScaleTechniques].
	Without []string

	// Conflicts is the number of conflicts at which a run of an engine ends; 0
	// for [DefaultConflicts].
	Conflicts int64
}

// DefaultConflicts is enough for nearly every puzzle of size 9.
const DefaultConflicts = 10_000

// check returns an error if the options have an unknown name.
func (o *RateOptions) check() error {
	for _, name := range o.Encodings {
		if !slices.Contains(RateEncodings(), name) {
			return fmt.Errorf("unknown encoding %q: want %s", name, strings.Join(RateEncodings(), ", "))
		}
	}
	for _, name := range o.Engines {
		if engineOf(name) == nil {
			return fmt.Errorf("unknown engine %q: want %s", name, strings.Join(Engines(), ", "))
		}
	}
	if o.Scale != "" && !slices.Contains(Scales(), o.Scale) {
		return fmt.Errorf("unknown scale %q: want %s", o.Scale, strings.Join(Scales(), ", "))
	}
	for _, name := range o.Without {
		if !slices.Contains(ScaleTechniques(o.Scale), name) {
			return fmt.Errorf("unknown technique %q", name)
		}
	}
	if _, ok := classic.FindHeuristic(o.Heuristic); o.Heuristic != "" && !ok {
		return fmt.Errorf("unknown heuristic %q", o.Heuristic)
	}
	return nil
}

// RateEncodings returns the names of the encodings for ratings. The models of
// these encodings are the solutions of the puzzle.
func RateEncodings() []string {
	var names []string
	for _, e := range sudoku.Encodings {
		if !strings.HasPrefix(e.Name, "2sat") {
			names = append(names, e.Name)
		}
	}
	return names
}

// A Rating measures how hard a puzzle is. It depends on the puzzle and the options
// alone: not on other puzzles, the machine or time.
type Rating struct {
	Class Class
	Cells int // number of cells without a given

	// Propagation, Probing and TwoSAT are the numbers of cells without a given
	// that an inference fills: unit propagation, failed literals, and the 2SAT
	// rule with unit propagation. A number is 0 if the inference finds a
	// contradiction.
	Propagation, Probing, TwoSAT int

	Solutions int              // 0, 1, or 2 for more than one
	Conflict  *sudoku.Conflict // the rule that the givens break; nil if they break no rule

	// People is the difficulty for people. It is nil unless the puzzle has one solution, and
	// the options and the rules allow a scale.
	People *technique.Rating
	Scale  string // the scale of People

	Runs []Run // by encoding, and for each encoding by engine
}

// A Run has the search steps of one engine on one encoding, until it finds a
// solution or proves that there is no solution. The engine starts without
// learned clauses.
type Run struct {
	Encoding, Engine     string
	Status               dimacs.Status // Unknown if the limit of conflicts was reached
	Decisions, Conflicts int64
}

// Rate rates one puzzle. For many puzzles a [Rater] is faster. The error is the
// cause of ctx, or reports an unknown name in the options.
func Rate(ctx context.Context, g *sudoku.Grid, o RateOptions) (*Rating, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return NewRater(g.Rules, o).Rate(ctx, g)
}

// A Rater rates puzzles with the same rules. It encodes the rules once. It may be
// used by one goroutine at a time.
type Rater struct {
	rules    *sudoku.Rules
	options  RateOptions
	prober   *Prober
	c        *sudoku.Candidates
	solver   *solve.Solver
	formulas map[string]*sudoku.CNF // by encoding: the formula of the rules
	people   *PeopleRater
}

// NewRater returns a rater. It panics if the options have an unknown name.
func NewRater(r *sudoku.Rules, o RateOptions) *Rater {
	if err := o.check(); err != nil {
		panic("explain: " + err.Error())
	}
	if o.Encodings == nil {
		o.Encodings = []string{"minimal", "efficient", "extended"}
	}
	if o.Engines == nil {
		o.Engines = Engines()
	}
	if o.Heuristic == "" {
		o.Heuristic = "positive"
	}
	if o.Conflicts == 0 {
		o.Conflicts = DefaultConflicts
	}
	rater := &Rater{
		rules: r, options: o, prober: NewProber(r), c: sudoku.NewCandidates(r),
		solver: solve.New(solve.Options{}), formulas: make(map[string]*sudoku.CNF),
	}
	rater.people = NewPeopleRater(r, o.Scale, o.Without)
	return rater
}

// Rate rates a puzzle, which must have the rules of the rater. The error is the
// cause of ctx, or reports an encoding that is too large. At size 9 each run of
// an engine takes 1 to 2 ms, most of it for adding the clauses.
func (r *Rater) Rate(ctx context.Context, g *sudoku.Grid) (*Rating, error) {
	rating := &Rating{Cells: r.rules.Cells() - g.Givens(), Conflict: g.Conflict()}
	for _, find := range []func(context.Context, *sudoku.Grid, *Rating) error{r.infer, r.count, r.rate, r.run} {
		if err := find(ctx, g, rating); err != nil {
			return nil, err
		}
	}
	return rating, nil
}

// infer finds the class of the puzzle and the number of cells that each inference
// fills.
func (r *Rater) infer(ctx context.Context, g *sudoku.Grid, rating *Rating) error {
	found := func(consistent bool) int {
		if !consistent {
			return 0
		}
		return rating.Cells - r.c.Open()
	}
	consistent := r.c.Load(g) && r.c.Singles()
	rating.Propagation = found(consistent)
	if !consistent || r.c.Solved() {
		rating.TwoSAT, rating.Probing = rating.Propagation, rating.Propagation
		rating.setSolutions(r.c)
		return nil
	}
	consistent, err := r.twosat(ctx)
	if err != nil {
		return err
	}
	rating.TwoSAT = found(consistent)
	// Failed literals find everything that the 2SAT rule finds, so the probing can
	// start from its candidates.
	consistent, err = r.prober.probe(ctx, r.c)
	rating.Probing, rating.Class = found(consistent), ByProbing
	if consistent && !r.c.Solved() {
		rating.Class, rating.Solutions = BySearch, -1
		return err
	}
	rating.setSolutions(r.c)
	return err
}

// setSolutions sets the number of solutions of a puzzle that inference decided.
func (rating *Rating) setSolutions(c *sudoku.Candidates) {
	rating.Solutions = 0
	if c.Solved() {
		rating.Solutions = 1
	}
}

// twosat applies the 2SAT rule and singles until nothing changes. It returns
// false at a contradiction.
func (r *Rater) twosat(ctx context.Context) (consistent bool, err error) {
	for r.c.Singles() && !r.c.Solved() {
		forced, status := instance(r.c, false).Forced(ctx)
		switch {
		case status == dimacs.Unknown:
			return true, context.Cause(ctx)
		case status == dimacs.Unsatisfiable:
			return false, nil
		case len(forced.Lits()) == 0:
			return true, nil
		}
		for _, l := range forced.Lits() {
			if l.Neg() {
				r.c.Eliminate(int(l.Var()))
			} else {
				r.c.Place(int(l.Var()))
			}
		}
	}
	return r.c.Solved(), nil
}

// instance returns the 2SAT instance of the implications between the remaining
// candidates. Its variables are the candidates.
func instance(c *sudoku.Candidates, trivalue bool) *twosat.Solver {
	r := c.Rules()
	s := twosat.New(nil)
	s.Grow(r.Cells() * r.Size())
	c.Implications(trivalue, s.Imply)
	return s
}

// count counts the solutions, unless inference has decided the puzzle.
func (r *Rater) count(ctx context.Context, g *sudoku.Grid, rating *Rating) error {
	if rating.Solutions >= 0 {
		return nil
	}
	found := r.solver.Count(ctx, g, 2)
	rating.Solutions = found.Count
	if found.Err == nil && found.Count < 2 && !found.Complete {
		return context.Cause(ctx)
	}
	return found.Err
}

// rate rates the difficulty for people.
func (r *Rater) rate(ctx context.Context, g *sudoku.Grid, rating *Rating) error {
	if r.people == nil || rating.Solutions != 1 {
		return nil
	}
	people, err := r.people.Rate(ctx, g)
	rating.People, rating.Scale = &people, r.people.Scale
	return err
}

// run runs the engines.
func (r *Rater) run(ctx context.Context, g *sudoku.Grid, rating *Rating) error {
	for _, encoding := range r.options.Encodings {
		f, givens, err := r.formula(ctx, g, encoding)
		if err != nil {
			return err
		}
		for _, name := range r.options.Engines {
			run := engineOf(name)(ctx, f, givens, &r.options)
			if run.Status == dimacs.Unknown && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			run.Encoding, run.Engine = encoding, name
			rating.Runs = append(rating.Runs, run)
		}
	}
	return nil
}

// formula returns a formula of a puzzle and its givens as unit clauses. Most
// encodings share the formula of the rules among all puzzles; encodings that
// propagate the givens have one for each puzzle, without unit clauses.
func (r *Rater) formula(ctx context.Context, g *sudoku.Grid, encoding string) (*dimacs.Formula, []dimacs.Lit, error) {
	coding := sudoku.Coding{Encoding: encoding}
	if propagatesGivens(encoding) {
		cnf, err := g.EncodeContext(ctx, coding)
		if err != nil {
			return nil, nil, err
		}
		return cnf.Formula, nil, nil
	}
	cnf := r.formulas[encoding]
	if cnf == nil {
		var err error
		if cnf, err = sudoku.NewGrid(r.rules).EncodeContext(ctx, coding); err != nil {
			return nil, nil, err
		}
		r.formulas[encoding] = cnf
	}
	return cnf.Formula, cnf.Map.Givens(g), nil
}

// propagatesGivens reports whether an encoding propagates the givens.
func propagatesGivens(encoding string) bool {
	return slices.ContainsFunc(sudoku.Encodings, func(e sudoku.Encoding) bool { return e.Name == encoding && e.PropagatesGivens })
}

// engines has the engines for ratings, by name.
var engines = []struct {
	name string
	run  func(ctx context.Context, f *dimacs.Formula, units []dimacs.Lit, o *RateOptions) Run
}{
	{"cdcl", runCDCL},
	{"dpll", runDPLL},
}

// Engines returns the names of the engines for ratings.
func Engines() []string {
	var names []string
	for _, e := range engines {
		names = append(names, e.name)
	}
	return names
}

// engineOf returns the engine of that name, or nil.
func engineOf(name string) func(context.Context, *dimacs.Formula, []dimacs.Lit, *RateOptions) Run {
	for _, e := range engines {
		if e.name == name {
			return e.run
		}
	}
	return nil
}

func runCDCL(ctx context.Context, f *dimacs.Formula, units []dimacs.Lit, o *RateOptions) Run {
	s := cdcl.New(cdcl.Options{})
	s.SetLimits(cdcl.Limits{Conflicts: o.Conflicts})
	s.AddFormula(f)
	for _, l := range units {
		s.Add(l)
	}
	status := s.Solve(ctx)
	return Run{Status: status, Decisions: s.Stats().Decisions, Conflicts: s.Stats().Conflicts}
}

func runDPLL(ctx context.Context, f *dimacs.Formula, units []dimacs.Lit, o *RateOptions) Run {
	options := classic.DefaultOptions()
	options.Heuristic = o.Heuristic
	options.Pure = classic.PureOff // these formulas have hardly any pure literals
	s := classic.New(options)
	s.SetLimits(classic.Limits{Conflicts: o.Conflicts})
	s.AddFormula(f)
	for _, l := range units {
		s.Add(l)
	}
	status := s.Solve(ctx)
	return Run{Status: status, Decisions: s.Stats().Decisions, Conflicts: s.Stats().Conflicts}
}
