package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/sudoku"
	"sator/sudoku/solve"
	"sator/twosat"
)

// RateOptions say what is counted. The zero value counts the runs of both
// engines on the three encodings of the literature.
type RateOptions struct {
	// Encodings are names in [sudoku.Encodings]; nil for minimal, efficient and
	// extended. An empty slice that is not nil has no engine run.
	Encodings []string

	// Engines are names in [Engines]; nil for all.
	Engines []string

	// Heuristic is that of the engine dpll, a name in [dpll.Heuristics]; "" for
	// positive, which takes a cell, or in the longer encodings a house, where
	// fewest candidates are left. Others are lost in the negative clauses.
	Heuristic string

	// Conflicts ends a run of an engine; 0 for [DefaultConflicts].
	Conflicts int64
}

// DefaultConflicts is more than nearly every puzzle of size 9 takes.
const DefaultConflicts = 10_000

// Check returns an error if a name is in none of the tables.
func (o *RateOptions) Check() error {
	for _, name := range o.Encodings {
		if !slices.Contains(RateEncodings(), name) {
			return fmt.Errorf("no encoding is called %q; there are %s", name, strings.Join(RateEncodings(), ", "))
		}
	}
	for _, name := range o.Engines {
		if engineOf(name) == nil {
			return fmt.Errorf("no engine is called %q; there are %s", name, strings.Join(Engines(), ", "))
		}
	}
	if _, ok := dpll.FindHeuristic(o.Heuristic); o.Heuristic != "" && !ok {
		return fmt.Errorf("no heuristic is called %q", o.Heuristic)
	}
	return nil
}

// RateEncodings returns the names of the encodings that a puzzle can be rated
// with: those whose models are its solutions.
func RateEncodings() []string {
	var names []string
	for _, e := range sudoku.Encodings {
		if !strings.HasPrefix(e.Name, "2sat") {
			names = append(names, e.Name)
		}
	}
	return names
}

// A Rating says how hard a puzzle is. It depends on the puzzle and the options
// alone: not on other puzzles, the machine or time.
type Rating struct {
	Class Class
	Cells int // without a digit

	// How many of these are found by unit propagation, by unit propagation with
	// failed literals, and by unit propagation with the 2SAT rule; 0 if that
	// meets a contradiction.
	Propagation, Probing, TwoSAT int

	Solutions int              // none, one, or two for more than one
	Conflict  *sudoku.Conflict // givens that break a rule as they stand, nil if none do

	Runs []Run // by encoding, and for each of them by engine
}

// A Run is what an engine that starts afresh takes to find a solution, or that
// there is none.
type Run struct {
	Encoding, Engine     string
	Status               dimacs.Status // Unknown if the limit of conflicts was reached
	Decisions, Conflicts int64
}

// Rate rates one puzzle. For many, [Rater] is faster. The error is that of ctx
// or of options that do not pass their Check.
func Rate(ctx context.Context, g *sudoku.Grid, o RateOptions) (*Rating, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	return NewRater(g.Rules, o).Rate(ctx, g)
}

// A Rater rates puzzles of one set of rules, whose formulas it keeps. It is used
// by one goroutine at a time.
type Rater struct {
	rules    *sudoku.Rules
	options  RateOptions
	prober   *Prober
	c        *sudoku.Candidates
	solver   *solve.Solver
	formulas map[string]*sudoku.CNF // of the rules alone, by encoding
}

// NewRater returns a rater. It panics if the options do not pass their Check.
func NewRater(r *sudoku.Rules, o RateOptions) *Rater {
	if err := o.Check(); err != nil {
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
	return &Rater{
		rules: r, options: o, prober: NewProber(r), c: sudoku.NewCandidates(r),
		solver: solve.New(solve.Options{}), formulas: make(map[string]*sudoku.CNF),
	}
}

// Rate rates a puzzle, which must be of the rater's rules. The error is that of
// ctx, or of a formula too large to be made. The time is that of the engines, 1
// to 2 ms for each of them and each encoding at size 9, most of it for adding
// the clauses.
func (r *Rater) Rate(ctx context.Context, g *sudoku.Grid) (*Rating, error) {
	rating := &Rating{Cells: r.rules.Cells() - g.Givens(), Conflict: g.Conflict()}
	for _, find := range []func(context.Context, *sudoku.Grid, *Rating) error{r.infer, r.count, r.run} {
		if err := find(ctx, g, rating); err != nil {
			return nil, err
		}
	}
	return rating, nil
}

// infer finds the class, and what each inference finds.
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
		rating.settle(r.c)
		return nil
	}
	consistent, err := r.twosat(ctx)
	if err != nil {
		return err
	}
	rating.TwoSAT = found(consistent)
	// What follows from binary clauses follows from failed literals too, so
	// that these can go on from there.
	consistent, err = r.prober.Probe(ctx, r.c)
	rating.Probing, rating.Class = found(consistent), ByProbing
	if consistent && !r.c.Solved() {
		rating.Class, rating.Solutions = BySearch, -1
		return err
	}
	rating.settle(r.c)
	return err
}

// settle notes how many solutions there are when inference has found out.
func (rating *Rating) settle(c *sudoku.Candidates) {
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

// instance returns what the candidates left imply of each other, as the 2SAT
// rule has it. Its variables are the candidates.
func instance(c *sudoku.Candidates, trivalue bool) *twosat.Solver {
	r := c.Rules()
	s := twosat.New(nil)
	s.Grow(r.Cells() * r.Size())
	c.Implications(trivalue, s.Imply)
	return s
}

// count finds out how many solutions there are, unless it is known.
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

// run has the engines run.
func (r *Rater) run(ctx context.Context, g *sudoku.Grid, rating *Rating) error {
	for _, encoding := range r.options.Encodings {
		f, givens, err := r.formula(g, encoding)
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

// formula returns the formula of a puzzle: that of the rules, and the givens, or
// of the encodings that spend these the formula of the puzzle alone.
func (r *Rater) formula(g *sudoku.Grid, encoding string) (*dimacs.Formula, []dimacs.Lit, error) {
	coding := sudoku.Coding{Encoding: encoding}
	if spends(encoding) {
		cnf, err := g.Encode(coding)
		if err != nil {
			return nil, nil, err
		}
		return cnf.Formula, nil, nil
	}
	cnf := r.formulas[encoding]
	if cnf == nil {
		var err error
		if cnf, err = r.rules.Encode(coding); err != nil {
			return nil, nil, err
		}
		r.formulas[encoding] = cnf
	}
	return cnf.Formula, cnf.Map.Givens(g), nil
}

func spends(encoding string) bool {
	return slices.ContainsFunc(sudoku.Encodings, func(e sudoku.Encoding) bool { return e.Name == encoding && e.PropagatesGivens })
}

// engines are the engines that run, by name.
var engines = []struct {
	name string
	run  func(ctx context.Context, f *dimacs.Formula, units []dimacs.Lit, o *RateOptions) Run
}{
	{"cdcl", runCDCL},
	{"dpll", runDPLL},
}

// Engines returns the names of the engines that a puzzle can be rated with.
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
	s := cdcl.New(cdcl.DefaultOptions())
	s.SetLimits(cdcl.Limits{Conflicts: o.Conflicts})
	s.AddFormula(f)
	for _, l := range units {
		s.Add(l)
	}
	status := s.Solve(ctx)
	return Run{Status: status, Decisions: s.Stats().Decisions, Conflicts: s.Stats().Conflicts}
}

func runDPLL(ctx context.Context, f *dimacs.Formula, units []dimacs.Lit, o *RateOptions) Run {
	options := dpll.DefaultOptions()
	options.Heuristic = o.Heuristic
	options.Pure = dpll.PureOff // in these formulas it finds next to nothing
	s := dpll.New(options)
	s.SetLimits(dpll.Limits{Conflicts: o.Conflicts})
	s.AddFormula(f)
	for _, l := range units {
		s.Add(l)
	}
	status := s.Solve(ctx)
	return Run{Status: status, Decisions: s.Stats().Decisions, Conflicts: s.Stats().Conflicts}
}
