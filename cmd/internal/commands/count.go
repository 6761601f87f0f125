package commands

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dimacs"
	"sator/dpll/enumerate"
)

func countCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "count",
		Category:    "Solve",
		Usage:       "count the models of a formula (#SAT)",
		UsageText:   "sator count [flags] [FILE|-]...",
		Description: countDescription,
		Flags: append([]cli.Flag{
			cli.TextOrJSON(""), cli.JSONFlag(),
		}, modelsFlags()...),
		Action: cli.RunAction(e, modelsOptionsOf, func(o *modelsOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files)
		}, count),
	}
}

const countDescription = `Counts the models of a formula, over the variables of its header, exactly
(#SAT). With --project it counts projected models: the assignments of some
variables that can be extended to a model. The file may say so itself, by lines
such as "c p show 1 2 5 0" or "c ind 1 2 5 0", which add up, or by the header "p
pcnf" with lines "vp 1 2 5 0"; --project replaces these with a warning. A type,
"c t mc" or "c t pmc", must agree with them. Weights of literals (types wmc and
pwmc) are not supported and an error. Several files are one conjunction; without
FILE the formula is read from standard input. With --names, --project and
--assume accept names of variables, which stand in comments such as "c 1 door".
The answer has the format of the model counting competitions:

  s SATISFIABLE
  c s type mc                    or pmc, with --project
  c s log10-estimate 3.4817
  c s exact arb int 3032

If there is no model, these are "s UNSATISFIABLE", -inf and 0. If a limit or a
signal comes first, the answer is "s UNKNOWN", and a comment reports the number
of models found so far.

The engine is dpll, which backtracks after a model as after a conflict. It
groups models that differ only in variables that no clause needs into a cube,
and evaluates each cube on the formula as read. It has neither component
splitting nor a component cache, unlike model counters: its time grows with the
number of cubes. Use it for formulas that are small or have few models.

With --json, standard output is one document with the members version, status,
reason (why unknown), type, models (a string of digits; if the status is
UNKNOWN, the number found so far), cubes, seconds, and with --stats statistics.

Exit codes: 10 there are models, 20 there are no models, 0 unknown; 1 an input
that cannot be read or an output that cannot be written, 2 invalid command line,
3 internal error of Sator.

Examples:
  sator count problem.cnf
  sator count problem.cnf --project "1..20" --time 60
  sator count sudoku.cnf --assume "1 25" --json`

// A countRun is a run of count.
type countRun struct {
	*modelsRun
	counter enumerate.Counter
}

func count(r *cli.Run, o *modelsOptions) error {
	cli.SaveMemory()
	x := &countRun{modelsRun: &modelsRun{Run: r, o: o}}
	x.Do("read", x.read)
	x.Do("solve", x.search)
	return x.Finish(x.end)
}

// search counts the models of the model sets.
func (x *countRun) search(ctx context.Context) error {
	if err := x.checkMemory(); err != nil {
		return err
	}
	if x.o.project == nil {
		x.counter.Unused = x.in.Formula.Vars() - x.vars
	}
	return x.findModels(ctx, "dpll", func(set *enumerate.ModelSet) bool { x.counter.Add(set); return true }, x.progress)
}

// end prints the answer and returns the exit code.
func (x *countRun) end() error {
	n := x.counter.Models()
	d := &countDocument{Version: cli.Version(), Type: "mc", Models: n.String(), Cubes: x.counter.Sets(), Seconds: time.Since(x.Begin).Seconds()}
	if x.o.project != nil {
		d.Type = "pmc"
	}
	status := dimacs.Unknown
	switch {
	case !x.exhausted:
		d.Reason = x.Why()
	case n.Sign() > 0:
		status = dimacs.Satisfiable
	default:
		status = dimacs.Unsatisfiable
	}
	d.Status = status.String()
	if x.o.stats && x.last != nil {
		d.Stats = x.last.List()
	}
	x.printStatistics()
	if x.JSON {
		x.Out.Write(func(w io.Writer) error { return cli.WriteJSON(w, d) })
	} else {
		x.printLines(d, n)
	}
	return answer.Exit(status, x.Out.Err)
}

// A countDocument is the output of --json.
type countDocument struct {
	Version string             `json:"version"`
	Status  string             `json:"status"`
	Reason  string             `json:"reason,omitempty"`
	Type    string             `json:"type"`
	Models  string             `json:"models"`
	Cubes   int64              `json:"cubes"`
	Seconds float64            `json:"seconds"`
	Stats   engines.Properties `json:"statistics,omitempty"`
}

// printLines prints the lines of the model counting competitions.
func (x *countRun) printLines(d *countDocument, n *big.Int) {
	if !x.exhausted {
		x.Comment("stopped after %.2f s: %s", d.Seconds, d.Reason)
		x.Comment("models found: %d, in %s", n, cli.Count(x.counter.Sets(), "cube"))
		x.Out.Line("s " + d.Status)
		return
	}
	x.Comment("counted after %.2f s, in %s", d.Seconds, cli.Count(x.counter.Sets(), "cube"))
	x.Out.Line("s " + d.Status)
	x.Out.Line("c s type " + d.Type)
	x.Out.Line(fmt.Sprintf("c s log10-estimate %s", logText(n)))
	x.Out.Line("c s exact arb int " + d.Models)
}

// logText returns the decimal logarithm of a number as text.
func logText(n *big.Int) string {
	if n.Sign() == 0 {
		return "-inf"
	}
	fraction := new(big.Float)
	exponent := new(big.Float).SetInt(n).MantExp(fraction)
	x, _ := fraction.Float64()
	return fmt.Sprintf("%.12g", math.Log10(x)+float64(exponent)*math.Log10(2))
}
