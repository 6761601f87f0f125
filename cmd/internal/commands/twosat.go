package commands

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/internal/diagram"
	"sator/twosat"
)

func twosatCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "twosat",
		Category:    "Explore",
		Usage:       "decide a 2-SAT formula and explain the answer",
		UsageText:   "sator twosat [flags] [FILE|-]...",
		Description: twosatDescription,
		Flags:       twosatFlags(),
		Action: cli.RunAction(e, twosatOptionsOf, func(o *twosatOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files)
		}, decideTwoSAT),
	}
}

const twosatDescription = `Decides a 2-SAT formula (clauses of at most two different literals) in linear
time, explains the answer, and finds the properties that all models share.
Several files are one conjunction; without FILE the formula is read from
standard input. The answer is printed as by solve: an "s" line, "v" lines with a
checked model, and the exit code. "c" lines before it explain it:

  c contradiction: 1 -> 2 -> -1 -> 3 -> 1
  c   1 -> 2: clause 4, -1 2 0
  ...
                    if there is no model: a literal that implies its complement
                    and is implied by it, with the clause of each step; or why
                    the assumptions are inconsistent
  c forced 2 -7 0   with --forced: the backbone, literals that are true in every
                    model; as with "v", the list may take several lines and ends
                    with 0
  c equivalent 1 -4 0
                    with --equivalent, for each class of equivalent literals
                    that are not forced
  c why 5: -5 -> 1 -> 2 -> 5
                    with --why 5: a shortest chain of implications that forces
                    literal 5 or its complement, with the clauses; or that
                    neither is forced

Clauses are numbered from 1 across all files. In explanations, assumptions count
as clauses.

With --format dot or svg, or an --output that ends with .dot or .svg, the output
is a drawing of the implication graph instead. It has a vertex for each literal
that occurs, or with --condensed for each strongly connected component (SCC).
Components of several literals are outlined, green literals are true and gray
ones false in every model, a contradiction is red, and the chains above are
highlighted. Graphs of more than 400 vertices or 1000 edges are not drawn.

A formula with longer clauses is an error. --binary-part ignores longer clauses.
A refutation and forced literals of the other clauses then hold for the whole
formula, but a model does not: the answer is "s UNKNOWN" unless the model
satisfies the longer clauses too.

With --json, standard output is one document with the members version, status,
reason (why unknown), model, failed_assumptions, contradiction, forced,
free_variables (their number), equivalent, why (for each literal: literal, holds
and because, where holds is always, never or sometimes), files, variables,
clauses, longer_clauses, times, memory, statistics. The values of contradiction
and because have the members chain (literals) and clauses (number and literals
of each step; an assumption has no number).

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown; 1 an input that cannot
be read or has longer clauses, an output that cannot be written or a graph that
is too large, 2 invalid command line, 3 internal error of Sator.

Examples:
  sator twosat problem.cnf
  sator twosat problem.cnf --forced --equivalent --no-model
  sator twosat problem.cnf --assume "1 -2" --why "5 7"
  sator twosat problem.cnf --why 5 -o why.svg
  sator twosat problem.cnf --format dot --condensed | dot -Tpdf -o graph.pdf
  sator twosat sudoku.cnf --binary-part --forced --json | jq .forced`

func twosatFlags() []cli.Flag {
	const questions = "questions"
	return []cli.Flag{
		&cli.BoolFlag{Name: "forced", Category: questions, Usage: "print the literals that are true in every model (backbone)"},
		&cli.BoolFlag{Name: "equivalent", Category: questions, Usage: "print the classes of equivalent literals"},
		&cli.StringSliceFlag{Name: "why", Category: questions, Usage: "print the implications that force `LITERALS`; as in \"5 -7\""},
		&cli.BoolFlag{Name: "condensed", Category: questions, Usage: "draw one vertex per strongly connected component"},
		cli.TimeFlag(),
		cli.MemoryFlag(),
		&cli.BoolFlag{Name: "no-model", Category: cli.OutputFlags, Usage: "print no v lines"},
		cli.QuietFlag(),
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics, as c lines even with --quiet"},
		cli.TextOrJSON("(the implication graph)", cli.Names("dot", "svg")...), cli.JSONFlag(),
		cli.OutputFlag(),
		&cli.BoolFlag{Name: "binary-part", Category: cli.InputFlags, Usage: "ignore clauses of more than two literals"},
		formula.RelaxedFlag(),
		formula.AssumeFlag(),
	}
}

// graphs lists the formats of --format that are drawings.
var graphs = map[string]func(*diagram.Diagram, io.Writer) error{
	"dot": (*diagram.Diagram).DOT,
	"svg": (*diagram.Diagram).SVG,
}

// twosatOptions is the command line of twosat.
type twosatOptions struct {
	files  []string
	output string
	assume []dimacs.Lit
	why    []dimacs.Lit
	draw   func(*diagram.Diagram, io.Writer) error // nil for no drawing

	forced, equivalent, condensed, binary bool
	noModel, stats                        bool
}

func twosatOptionsOf(c *cli.Context) (*twosatOptions, error) {
	o := &twosatOptions{
		files:      cli.Operands(c),
		output:     c.String("output"),
		forced:     c.Bool("forced"),
		equivalent: c.Bool("equivalent"),
		condensed:  c.Bool("condensed"),
		binary:     c.Bool("binary-part"),
		noModel:    c.Bool("no-model"),
		stats:      c.Bool("stats"),
	}
	return o, cmp.Or(o.parse(c), o.parseGraph(c))
}

// parse parses and checks --why and --assume.
func (o *twosatOptions) parse(c *cli.Context) (err error) {
	if o.why, err = formula.LiteralsOf("why", c.StringSlice("why")); err != nil {
		return err
	}
	if c.IsSet("why") && len(o.why) == 0 {
		return cli.Invalid("why", strings.Join(c.StringSlice("why"), " "), "at least one literal")
	}
	o.assume, err = formula.Literals(c.StringSlice("assume"))
	return err
}

// parseGraph parses and checks the flags for drawings. Flags for lines exclude drawings.
func (o *twosatOptions) parseGraph(c *cli.Context) error {
	format, err := cli.FormatOf(c)
	if err != nil {
		return err
	}
	switch o.draw = graphs[format]; {
	case o.draw == nil && o.condensed:
		return cli.Useless("condensed", "format dot or svg")
	case o.draw == nil:
		return nil
	}
	for _, name := range []string{"forced", "equivalent", "no-model", "stats"} {
		if c.Bool(name) {
			return cli.Exclusive(name, "format "+format)
		}
	}
	return nil
}

// hasQuestions reports whether more than the answer is asked for.
func (o *twosatOptions) hasQuestions() bool {
	return o.forced || o.equivalent || len(o.why) > 0 || o.draw != nil
}

// A twosatRun is a run of twosat.
type twosatRun struct {
	*cli.Run
	o       *twosatOptions
	in      *formula.Input
	solver  *twosat.Solver
	explain *twosat.Explainer
	longer  int // number of ignored longer clauses

	status       dimacs.Status // of the formula
	model        dimacs.Model
	failed       []dimacs.Lit        // failed assumptions, if unsatisfiable under assumptions
	conflict     *twosat.Explanation // of the refutation; nil if two assumptions are complements
	forced       *twosat.Forced
	reasons      []*twosat.Reason // of --why
	stats        engines.TwoSATStatistics
	solveTime    time.Duration // includes adding clauses
	questionTime time.Duration // time of the forced literals and reasons
}

// decideTwoSAT runs the command. It returns the answer as an exit code.
func decideTwoSAT(r *cli.Run, o *twosatOptions) error {
	cli.SaveMemory()
	x := &twosatRun{Run: r, o: o}
	x.Do("read", x.read)
	x.Do("solve", x.solve)
	if x.Err() != nil {
		x.status = dimacs.Unknown
	}
	return x.Finish(x.end)
}

// solve solves the formula, checks the model or explains the refutation, and answers the
// questions.
func (x *twosatRun) solve(ctx context.Context) error {
	x.Progress.Doing("solving")
	begin := time.Now()
	x.solver, x.longer = twosat.BinaryPart(ctx, x.in.Formula)
	if x.solver == nil {
		return context.Cause(ctx)
	}
	x.solver.Grow(max(formula.Highest(x.o.assume), formula.Highest(x.o.why)))
	x.explain = &twosat.Explainer{Solver: x.solver, Formula: x.in.Formula, Assumptions: x.o.assume}
	x.stats.Added = time.Since(begin)
	x.status = x.solver.Solve(ctx, x.o.assume...)
	x.solveTime, x.stats.Stats = time.Since(begin), x.solver.Stats()
	switch x.status {
	case dimacs.Satisfiable:
		return cmp.Or(x.satisfied(), x.answerQuestions(ctx))
	case dimacs.Unsatisfiable:
		return x.refuted()
	}
	return context.Cause(ctx)
}

// read reads the formula and checks that it is in 2-CNF, unless --binary-part is given.
func (x *twosatRun) read(ctx context.Context) error {
	x.Comment("sator %s", cli.Version())
	in, err := formula.NewReader(x.Run).CNF(ctx, x.o.files...)
	if err != nil {
		return err
	}
	x.in = in
	if err := cmp.Or(in.CheckAssumptions(x.o.assume), in.CheckLiterals("why", x.o.why)); err != nil {
		return err
	}
	if err := engines.TooLong(in.Formula); err != nil && !x.o.binary {
		return fmt.Errorf("%s: %w; --binary-part ignores such clauses", strings.Join(cli.ShownAll(x.o.files), ", "), err)
	}
	x.Comment("%s", in.Summary(x.o.files))
	return engines.CheckMemory(x.Run, in.Occurring(x.o.assume), in.Formula, engines.TwoSATSetup{})
}

// refuted stores the explanation of the refutation.
func (x *twosatRun) refuted() error {
	if x.solver.Refutation() == nil {
		x.failed = inOrder(x.o.assume, x.solver.Failed())
	}
	var err error
	x.conflict, err = x.explain.Conflict()
	return internalError(err)
}

// satisfied checks the model. If it falsifies a longer clause the status is unknown.
func (x *twosatRun) satisfied() error {
	x.model = x.solver.Model()
	ok, err := x.explain.CheckModel(x.model)
	if err == nil && !ok {
		x.status = dimacs.Unknown
	}
	return internalError(err)
}

// answerQuestions finds the forced literals and the reasons of --why.
func (x *twosatRun) answerQuestions(ctx context.Context) error {
	if !x.o.hasQuestions() {
		return nil
	}
	x.Progress.Doing("finding forced literals")
	begin := time.Now()
	defer func() { x.questionTime = time.Since(begin) }()
	var status dimacs.Status
	if x.forced, status = x.explain.Forced(ctx); status != dimacs.Satisfiable {
		return context.Cause(ctx)
	}
	for _, l := range x.o.why {
		r, err := x.explain.Reason(x.forced, l)
		if err != nil {
			return internalError(err)
		}
		x.reasons = append(x.reasons, r)
	}
	return nil
}

// internalError returns an error of the solver as an internal error.
func internalError(err error) error {
	if err == nil {
		return nil
	}
	return &cli.InternalError{Msg: err.Error()}
}
