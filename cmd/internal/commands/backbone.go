package commands

import (
	"context"
	"fmt"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/backbone"
)

func backboneCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "backbone",
		Category:    "Evidence",
		Usage:       "find the literals that are true in every model",
		UsageText:   "sator backbone [flags] [FILE|-]...",
		Description: backboneDescription,
		Flags:       analysisFlags("check the backbone by a refutation; the other literals by models"),
		Action: cli.RunAction(e, analysisOptionsOf, func(o *analysisOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files)
		}, findBackbone),
	}
}

const backboneDescription = `Finds the backbone of a formula: the literals that are true in every model.
Prints them on "b" lines, one a line and ordered by variable, and a line "b 0";
then "s SATISFIABLE". Several files are one conjunction; without FILE the
formula is read from standard input.

  c backbone: 2 literals, and no others
  b 1
  b -4
  b 0
  s SATISFIABLE

If a limit or a signal comes first, the literals printed are in the backbone,
but others may be too: "c backbone: 2 literals, 17 others open". Before the
first model the answer is "s UNKNOWN". With --names, variables that have names
in comments such as "c 1 door" are printed as these: "b -door". A formula
without models has no backbone: the answer is "s UNSATISFIABLE".

The algorithm is that of CadiBack: models and flipped literals remove
candidates, and the solver is asked to falsify one of a growing chunk of the
others. For clauses of at most two literals, sator twosat --forced finds the
backbone in linear time.

With --verify, a new solver refutes the formula with the clause of the
complements of the backbone, and a checker confirms each step; and for every
other variable two assignments with both values are evaluated on the formula. An
answer that a limit keeps from being verified is "s UNKNOWN".

With --json, standard output is one document with the members version, status,
reason (why incomplete), complete, backbone, open (literals that are not known),
calls (of the solver), seconds and verified.

Exit codes: 10 there is a model, 20 there is no model, 0 unknown; 1 an input
that cannot be read or an output that cannot be written, 2 invalid command line,
3 internal error of Sator.

Examples:
  sator backbone problem.cnf
  sator backbone problem.cnf --verify --time 60 -o literals
  sator backbone problem.cnf --json | jq .backbone`

// A backboneRun is a run of backbone.
type backboneRun struct {
	*analysisRun
	in     *formula.Input
	result *backbone.Result
}

func findBackbone(r *cli.Run, o *analysisOptions) error {
	cli.SaveMemory()
	x := &backboneRun{&analysisRun{Run: r, o: o}, nil, &backbone.Result{}}
	x.Do("read", x.read)
	x.Do("solve", x.find)
	x.Do("check", x.verify)
	if x.uncertain() && x.result.Status != dimacs.Unknown {
		x.result = &backbone.Result{Calls: x.result.Calls}
	}
	return x.Finish(x.print)
}

// read reads the formula.
func (x *backboneRun) read(ctx context.Context) (err error) {
	x.Comment("sator %s", cli.Version())
	if x.in, err = formula.NewReader(x.Run).CNF(ctx, x.o.files...); err != nil {
		return err
	}
	x.Comment("%s", x.in.Summary(x.o.files))
	return engines.CheckMemory(x.Run, x.in.Formula.Vars(), x.in.Formula, &engines.CDCLSetup{})
}

// find finds the backbone.
func (x *backboneRun) find(ctx context.Context) error {
	o := backbone.Options{CDCL: x.cdclOptions(), Conflicts: x.o.conflicts, Witnesses: x.o.verify}
	o.Progress = func(p backbone.Progress) {
		x.Progress.Doing(fmt.Sprintf("%s of the backbone, %s, %s", cli.Count(p.Backbone, "literal"), cli.Count(p.Candidates, "candidate"), cli.Count(p.Calls, "call")))
	}
	x.Progress.Doing("searching for a model")
	x.result = backbone.Find(ctx, x.in.Formula, o)
	return nil
}

// verify checks the result, with --verify.
func (x *backboneRun) verify(ctx context.Context) error {
	if x.result.Status == dimacs.Unknown {
		return nil
	}
	return x.check(ctx, func() error { return x.result.Verify(ctx, x.in.Formula) })
}

// print prints the result.
func (x *backboneRun) print() error {
	if x.JSON {
		return answer.Exit(x.result.Status, cli.WriteJSON(x.Stdout, x.document()))
	}
	b := x.result
	switch {
	case b.Status == dimacs.Unknown:
		x.Comment("stopped after %.2f s: %s", x.seconds(), x.why())
	case b.Status == dimacs.Unsatisfiable:
		x.Comment("refuted after %.2f s", x.seconds())
	case b.Complete():
		x.Comment("finished after %.2f s, %s", x.seconds(), cli.Count(b.Calls, "call"))
		x.Comment("backbone: %s, and no others", cli.Count(len(b.Backbone), "literal"))
	default:
		x.Comment("stopped after %.2f s, %s: %s", x.seconds(), cli.Count(b.Calls, "call"), x.why())
		x.Out.Comment("backbone: %s, %s open", cli.Count(len(b.Backbone), "literal"), cli.Count(len(b.Open), "other"))
	}
	if x.verified {
		x.Comment("verified")
	}
	if b.Status == dimacs.Satisfiable {
		for _, word := range formula.Named(x.in.Names, b.Backbone) {
			x.Out.Gather(fmt.Appendf(nil, "b %s\n", word))
		}
		x.Out.Line("b 0")
	}
	x.Out.Line("s " + b.Status.String())
	return answer.Exit(b.Status, x.Out.Err)
}

// A backboneDocument is the output of --json.
type backboneDocument struct {
	Version  string  `json:"version"`
	Status   string  `json:"status"`
	Reason   string  `json:"reason,omitempty"`
	Complete bool    `json:"complete"`
	Backbone []int   `json:"backbone"`
	Open     []int   `json:"open"`
	Calls    int     `json:"calls"`
	Seconds  float64 `json:"seconds"`
	Verified bool    `json:"verified"`
}

func (x *backboneRun) document() *backboneDocument {
	b := x.result
	d := &backboneDocument{
		Version: cli.Version(), Status: b.Status.String(), Complete: b.Complete(),
		Backbone: dimacs.Ints(b.Backbone), Open: dimacs.Ints(b.Open), Calls: b.Calls, Seconds: x.seconds(), Verified: x.verified,
	}
	if b.Status == dimacs.Unknown || len(b.Open) > 0 {
		d.Reason = x.why()
	}
	return d
}
