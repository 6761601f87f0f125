package commands

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

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
		Usage:     "draw the search tree of the engine dpll",
		UsageText: "sator trace [flags] [FILE|-]...",
		Description: `Solves a formula with the engine dpll and draws its search tree: as text, as
Graphviz DOT for "dot -Tsvg", or as SVG; the name of the output selects the
format, too. Several files are one conjunction; without FILE the formula is read
from standard input.

In the text, each node is a line, followed by its branches: the decision
literal, the propagated literals, each with the number of its clause or "pure"
or "assumed", and the end of the node: a conflict with its clause, or a
solution. In the drawings, branches are labeled with the decision literals,
squares are conflicts, rings solutions and dashed circles unfinished nodes; a
tooltip has the other details. The last line, or the caption, has the answer and
the size of the tree.

The search ends when the tree has --limit nodes. After a time limit or a
signal, too, the tree so far is drawn. "sator solve --engine dpll --trace FILE"
writes every step instead.

Examples:
  sator trace problem.cnf
  sator trace problem.cnf --heuristic positive -o tree.svg
  sator trace problem.cnf --pure off --assume "1 -2" --format dot | dot -Tpdf`,
		Flags: append([]cli.Flag{
			cli.TimeFlag(),
			cli.LimitFlag(500, "nodes"),
			cli.FormatFlag("text", "", cli.Names("text", "dot", "svg")...),
			cli.OutputFlag(),
			formula.RelaxedFlag(),
			formula.AssumeFlag(),
			cli.SeedFlag(cli.EngineFlags),
		}, cli.ClassicFlags()...),
		Action: cli.RunAction(e, traceOptionsOf, func(o *traceOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.files, Outputs: []string{o.output}}
		}, trace),
	}
}

// drawings lists the formats of --format.
var drawings = map[string]func(*classic.Tree, io.Writer, *dimacs.Formula) error{
	"text": (*classic.Tree).Text,
	"dot":  (*classic.Tree).DOT,
	"svg":  (*classic.Tree).SVG,
}

// traceOptions is the command line of trace.
type traceOptions struct {
	files  []string
	output string
	draw   func(*classic.Tree, io.Writer, *dimacs.Formula) error
	nodes  int
	assume []dimacs.Lit
	engine classic.Options
}

func traceOptionsOf(c *cli.Context) (o *traceOptions, err error) {
	o = &traceOptions{files: cli.Operands(c), output: c.String("output")}
	limit, err := cli.Positive(c, "limit", 1)
	if err != nil {
		return nil, err
	}
	o.nodes = int(min(limit, math.MaxInt))
	format, err := cli.FormatOf(c)
	if err != nil {
		return nil, err
	}
	o.draw = drawings[format]
	if o.engine, err = cli.ClassicOptionsOf(c); err != nil {
		return nil, err
	}
	o.assume, err = formula.Literals(c.StringSlice("assume"))
	return o, err
}

// trace solves the formula and draws the tree.
func trace(r *cli.Run, o *traceOptions) error {
	cli.SaveMemory()
	in, err := formula.NewReader(r).CNF(r.Ctx, o.files...)
	if err != nil {
		return err
	}
	if err := in.CheckAssumptions(o.assume); err != nil {
		return err
	}
	vars := in.Occurring(o.assume)
	if err := engines.CheckMemory(r, vars, in.Formula, &engines.DPLLSetup{}); err != nil {
		return err
	}
	tree, err := growTree(r, in, o, vars)
	if err != nil {
		return err
	}
	// A limit or a signal that ended the search must not end the output.
	return r.Write(context.Background(), o.output, func(w io.Writer) error { return o.draw(tree, w, in.Formula) })
}

// growTree runs the search and returns its tree with a caption.
func growTree(r *cli.Run, in *formula.Input, o *traceOptions, vars int) (*classic.Tree, error) {
	tree := classic.NewTree(o.nodes)
	searching, cut := context.WithCancel(r.Ctx)
	defer cut()
	o.engine.Trace = func(e classic.Event) {
		if tree.Event(e); tree.Truncated() {
			cut()
		}
	}
	s := classic.New(o.engine)
	s.Grow(vars)
	for _, c := range in.Formula.Clauses() {
		s.Add(c...)
	}
	status := s.Solve(searching, o.assume...)
	why := strings.ToLower(status.String())
	if stop := r.Why(); status == dimacs.Unknown && stop != "" {
		why = "stopped: " + stop
	}
	if tree.Truncated() {
		why = fmt.Sprintf("stopped after %s", cli.Count(o.nodes, "node"))
	}
	tree.Caption = fmt.Sprintf("%s, heuristic %s, pure literals %v: nodes %d, conflicts %d, solutions %d, depth %d",
		why, o.engine.Heuristic, o.engine.Pure, tree.Nodes(), tree.Count(classic.Conflict), tree.Count(classic.Solution), tree.Depth())
	if status == dimacs.Satisfiable {
		return tree, answer.CheckModel(s.Model(), in.Formula)
	}
	return tree, nil
}
