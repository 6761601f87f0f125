package commands

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/classic"
)

func traceCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "trace",
		Category:  "Explore",
		Usage:     "show a search: DPLL's tree, or CDCL step by step",
		UsageText: "sator trace [flags] [FILE|-]...",
		Description: `Solves a formula and shows the search: the search tree of the engine dpll, or
the steps of the engine cdcl. The output is text, JSON, Graphviz DOT for
"dot -Tsvg", or SVG; the name of the output selects the format, too. Several
files are one conjunction; without FILE the formula is read from standard input.

Of dpll, each node of the tree is a line in the text, followed by its branches:
the decision literal, the propagated literals, each with the number of its
clause or "pure" or "assumed", and the end of the node: a conflict with its
clause, or a solution. In the drawings, branches are labeled with the decision
literals, squares are conflicts, rings solutions and dashed circles unfinished
nodes; a tooltip has the other details. The last line, or the caption, has the
answer and the size of the tree. The format json has every step, a document a
line. --heuristics compares decision heuristics in a table.

Of cdcl, with plain search as by "sator solve --engine cdcl --plain", the text
has decisions, implied literals with their reasons, conflicts, the resolution
steps from the falsified clause to the learned one with the first unique
implication point (UIP), backtracking and restarts. The format json adds the
clauses, the literals whose watches are visited, and the watches that move. With
--conflict N the drawing is the implication graph of conflict N with the cut of
its learned clause, otherwise the resolution proof of the last learned clause,
which is the empty one of a refutation. --decide takes other first decisions
than the engine.

The search ends when the tree has --limit nodes (as json it has no limit unless
one is given), or the trace of cdcl so many steps. After a time limit or a
signal, too, the search so far is shown.

Examples:
  sator trace problem.cnf
  sator trace problem.cnf --heuristic positive -o tree.svg
  sator trace problem.cnf --pure off --assume "1 -2" --format dot | dot -Tpdf
  sator trace problem.cnf --heuristics all
  sator trace problem.cnf --engine cdcl --decide "3 -1"
  sator trace problem.cnf --engine cdcl --conflict 3 -o graph.svg`,
		Flags: append([]cli.Flag{
			cli.Strict(&cli.StringFlag{Name: "engine", Category: cli.EngineFlags, Value: "dpll", Usage: "`NAME` of the engine: " + cli.ChoiceHelp(traceEngines())}, traceEngines),
			cli.TimeFlag(),
			&cli.Int64Flag{Name: "limit", Category: cli.LimitFlags, DefaultText: "500, 100000", Usage: "stop after `N` nodes of dpll, or steps of cdcl"},
			cli.FormatFlag("text", "", cli.Names("text", "json", "dot", "svg")...),
			cli.OutputFlag(),
			&cli.IntFlag{Name: "conflict", Category: cli.OutputFlags, Usage: "of cdcl: draw the implication graph of conflict `N`"},
			&cli.StringSliceFlag{Name: "decide", Category: cli.EngineFlags, Usage: "of cdcl: decide `LITERALS` first, as in \"1 -2\""},
			formula.RelaxedFlag(),
			formula.AssumeFlag(),
			cli.SeedFlag(cli.EngineFlags),
			&cli.StringFlag{Name: "heuristics", Category: cli.DpllOptions, Usage: "compare the heuristics `NAMES`, or all, in a table"},
		}, cli.ClassicFlags()...),
		Action: cli.RunAction(e, traceOptionsOf, func(o *traceOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.files, Outputs: []string{o.output}}
		}, runTrace),
	}
}

// traceEngines returns the values of --engine.
func traceEngines() []cli.Choice {
	return []cli.Choice{{Name: "dpll", Help: "without learning"}, {Name: "cdcl", Help: "with clause learning"}}
}

// drawings lists the formats of a search tree.
var drawings = map[string]func(*classic.Tree, io.Writer, *dimacs.Formula) error{
	"text": (*classic.Tree).Text,
	"dot":  (*classic.Tree).DOT,
	"svg":  (*classic.Tree).SVG,
}

// traceOptions is the command line of trace.
type traceOptions struct {
	files      []string
	output     string
	format     string
	limit      int // nodes or steps
	assume     []dimacs.Lit
	engine     classic.Options
	heuristics []string // to be compared; none for a tree
	cdcl       *learningOptions
}

func traceOptionsOf(c *cli.Context) (o *traceOptions, err error) {
	o = &traceOptions{files: cli.Operands(c), output: c.String("output")}
	limit, err := cli.Positive(c, "limit", 1)
	if err != nil {
		return nil, err
	}
	o.limit = int(min(limit, math.MaxInt))
	if o.format, err = cli.FormatOf(c); err != nil {
		return nil, err
	}
	if o.assume, err = formula.Literals(c.StringSlice("assume")); err != nil {
		return nil, err
	}
	if c.String("engine") == "cdcl" {
		o.cdcl, err = learningOptionsOf(c, o)
		return o, err
	}
	for _, f := range []string{"conflict", "decide"} {
		if c.IsSet(f) {
			return nil, cli.Useless(f, "engine cdcl")
		}
	}
	if o.engine, err = cli.ClassicOptionsOf(c); err != nil {
		return nil, err
	}
	if c.IsSet("heuristics") {
		err = o.readHeuristics(c)
	}
	return o, err
}

// readHeuristics reads --heuristics.
func (o *traceOptions) readHeuristics(c *cli.Context) error {
	switch {
	case c.IsSet("heuristic"):
		return cli.Exclusive("heuristics", "heuristic")
	case o.format != "text":
		return cli.Exclusive("heuristics", "format "+o.format)
	}
	all := cli.Of(classic.Heuristics, func(h classic.Heuristic) string { return h.Name })
	o.heuristics = cli.NamesOf(c.String("heuristics"))
	if c.String("heuristics") == "all" {
		o.heuristics = all
	}
	for i, name := range o.heuristics {
		h, ok := classic.FindHeuristic(name)
		if !ok {
			return cli.InvalidName("heuristics", name, append(all, "all"))
		}
		o.heuristics[i] = h.Name
	}
	if len(o.heuristics) == 0 {
		return cli.InvalidName("heuristics", c.String("heuristics"), append(all, "all"))
	}
	return nil
}

// runTrace solves the formula and shows the search.
func runTrace(r *cli.Run, o *traceOptions) error {
	cli.SaveMemory()
	in, err := formula.NewReader(r).CNF(r.Ctx, o.files...)
	if err != nil {
		return err
	}
	if err := in.CheckAssumptions(o.assume); err != nil {
		return err
	}
	var show func(io.Writer) error
	switch {
	case o.cdcl != nil:
		show, err = showLearning(r, in, o)
	case len(o.heuristics) > 0:
		show, err = compareHeuristics(r, in, o)
	default:
		show, err = showTree(r, in, o)
	}
	if err != nil {
		return err
	}
	// A limit or a signal that ended the search must not end the output.
	return r.Write(context.Background(), o.output, show)
}

// showTree runs the search and returns a function that writes its tree.
func showTree(r *cli.Run, in *formula.Input, o *traceOptions) (func(io.Writer) error, error) {
	if o.format == "json" {
		return func(w io.Writer) error { return writeEvents(r, in, o, w) }, nil
	}
	nodes := o.limit
	if nodes == 0 {
		nodes = 500
	}
	tree := classic.NewTree(nodes)
	_, status, err := runClassic(r, in, o, tree)
	if err != nil {
		return nil, err
	}
	tree.Caption = fmt.Sprintf("%s, heuristic %s, pure literals %v: nodes %d, conflicts %d, solutions %d, depth %d",
		ending(r, status, tree.Truncated(), cli.Count(nodes, "node")), o.engine.Heuristic, o.engine.Pure, tree.Nodes(), tree.Count(classic.Conflict), tree.Count(classic.Solution), tree.Depth())
	return func(w io.Writer) error { return drawings[o.format](tree, w, in.Formula) }, nil
}

// writeEvents runs the search and writes each step as a line of JSON.
func writeEvents(r *cli.Run, in *formula.Input, o *traceOptions, w io.Writer) error {
	t := classic.NewJSONTracer(w)
	o.engine.Trace = t.Event
	var tree *classic.Tree
	if o.limit > 0 {
		tree = classic.NewTree(o.limit)
	}
	_, _, err := runClassic(r, in, o, tree)
	return cmp.Or(err, t.Err())
}

// ending returns the answer of a search in lower case, or why it has none.
func ending(r *cli.Run, status dimacs.Status, full bool, limit string) string {
	switch stop := r.Why(); {
	case full:
		return "stopped after " + limit
	case status == dimacs.Unknown && stop != "":
		return "stopped: " + stop
	}
	return strings.ToLower(status.String())
}

// runClassic runs the engine dpll until it ends, or the tree, if there is one, is full.
func runClassic(r *cli.Run, in *formula.Input, o *traceOptions, tree *classic.Tree) (*classic.Solver, dimacs.Status, error) {
	vars := in.Occurring(o.assume)
	if err := engines.CheckMemory(r, vars, in.Formula, &engines.DPLLSetup{}); err != nil {
		return nil, 0, err
	}
	searching, cut := context.WithCancel(r.Ctx)
	defer cut()
	if tree != nil {
		further := o.engine.Trace
		o.engine.Trace = func(e classic.Event) {
			if tree.Event(e); tree.Truncated() {
				cut()
			} else if further != nil {
				further(e)
			}
		}
	}
	s := classic.New(o.engine)
	s.Grow(vars)
	for _, c := range in.Formula.Clauses() {
		s.Add(c...)
	}
	status := s.Solve(searching, o.assume...)
	if status == dimacs.Satisfiable {
		return s, status, answer.CheckModel(s.Model(), in.Formula)
	}
	return s, status, nil
}

// compareHeuristics runs the search with each heuristic, and returns a function that writes a
// table.
func compareHeuristics(r *cli.Run, in *formula.Input, o *traceOptions) (func(io.Writer) error, error) {
	rows := []string{"heuristic\tanswer\tnodes\tconflicts\tpropagations\tdepth\tseconds"}
	answers := make(map[dimacs.Status]bool)
	for _, o.engine.Heuristic = range o.heuristics {
		var tree *classic.Tree
		if o.limit > 0 {
			tree = classic.NewTree(o.limit)
		}
		began := time.Now()
		s, status, err := runClassic(r, in, o, tree)
		if err != nil {
			return nil, err
		}
		answers[status] = true
		x, seconds := s.Stats(), time.Since(began).Seconds()
		row := fmt.Sprintf("%d\t%d\t%d\t%d\t%.3f", x.Nodes, x.Conflicts, x.Propagations, x.Depth, seconds)
		if status == dimacs.Unknown {
			row = fmt.Sprintf("%d\t\t\t\t%.3f", x.Nodes, seconds)
		}
		if tree != nil && tree.Truncated() { // the engine has gone on for a while
			row, status = fmt.Sprintf(">%d\t\t\t\t%.3f", o.limit, seconds), dimacs.Unknown
		}
		rows = append(rows, o.engine.Heuristic+"\t"+strings.ToLower(status.String())+"\t"+row)
	}
	if answers[dimacs.Satisfiable] && answers[dimacs.Unsatisfiable] {
		return nil, internalError(fmt.Errorf("the answer depends on the heuristic"))
	}
	return func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, strings.Join(rows, "\n"))
		return t.Flush()
	}, nil
}
