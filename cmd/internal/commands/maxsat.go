package commands

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/opb"
	"sator/dpll/maxsat"
)

func maxsatCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "maxsat",
		Category:    "Solve",
		Usage:       "find a model of least cost (weighted MaxSAT)",
		UsageText:   "sator maxsat [flags] [FILE|-]",
		Description: maxsatDescription,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "no-model", Category: cli.OutputFlags, Usage: "print no v lines"},
			&cli.BoolFlag{Name: "literals", Category: cli.OutputFlags, Usage: "print the model as literals, not as bits"},
			&cli.BoolFlag{Name: "mcs", Category: cli.OutputFlags, Usage: "print the correction set: the numbers of the falsified soft clauses"},
		}, analysisFlags("evaluate the model again and refute a lower cost; by a checked proof")...),
		Action: cli.RunAction(e, maxsatOptionsOf, func(o *maxsatOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files)
		}, solveMaxSAT),
	}
}

const maxsatDescription = `Finds a model of the hard clauses that falsifies soft clauses of the least total
weight (weighted partial MaxSAT). The input is WCNF in the form since 2022
(lines such as "h 1 2 0" and "5 -1 0") or with the older header "p wcnf
VARIABLES CLAUSES TOP"; in CNF each clause is soft with the weight 1. Without
FILE it is read from standard input. A pseudo-Boolean problem in OPB is read,
too: the costs are then values of its objective, which may be negative and fall
or, with "max:", rise, and the model is "v x1 -x2".

The output is that of the MaxSAT Evaluations: an "o" line with the cost of each
model that is better than all before, an "s" line, and the model.

  o 12
  o 7
  s OPTIMUM FOUND
  v 01101

The v line has a bit for each variable; with --literals, v lines have literals
and end with 0; with --names, literals of the variables that have names in
comments such as "c 1 door". If a limit or a signal comes before the optimum is
proved, the answer is "s SATISFIABLE" with the best model, or "s UNKNOWN"; a
comment has the lower bound. With --mcs a comment before the s line has the
numbers of the soft clauses that the model falsifies, such as "c falsified: 2
5"; soft clauses are numbered from 1 in their order in the file.

Weights are integers from 1 on that add up to 9223372036854775807 at most. A
formula without clauses has the cost 0.

The algorithm is core-guided (OLL, as in RC2) with stratification and hardening.
Each core is minimized, and replaced by a totalizer in the objective.

With --verify, the cost of the model is computed again from the clauses as read.
Then a new solver refutes the hard clauses with a constraint that the cost is
lower, and a checker confirms each step. That can take much longer than the
search. An answer that a limit keeps from being verified is "s UNKNOWN".

With --json, standard output is one document with the members version, status,
reason (why not optimal), cost, lower (bound of the cost), falsified (numbers of
soft clauses), model (literals),
calls (of the solver), cores, seconds and verified.

Exit codes: 30 optimum found, 10 a model that may not be optimal, 20 the hard
clauses have no model, 0 unknown; 1 an input that cannot be read or an output
that cannot be written, 2 invalid command line, 3 internal error of Sator.

Examples:
  sator maxsat problem.wcnf
  sator maxsat problem.wcnf.xz --time 300 --literals -o answer
  sator maxsat problem.wcnf --verify --json | jq .cost`

// codeOptimum is the exit code of the MaxSAT Evaluations for an optimum.
const codeOptimum = 30

// maxsatOptions is the command line of maxsat.
type maxsatOptions struct {
	*analysisOptions
	noModel, literals, falsified bool
}

func maxsatOptionsOf(c *cli.Context) (*maxsatOptions, error) {
	a, err := analysisOptionsOf(c)
	if err == nil && len(a.files) > 1 {
		err = cli.Usagef("unexpected operand %q: maxsat reads one file", a.files[1])
	}
	for _, x := range [][2]string{{"literals", "json"}, {"literals", "no-model"}, {"mcs", "json"}, {"names", "literals"}, {"names", "no-model"}} {
		if err == nil && c.Bool(x[0]) && (c.Bool(x[1]) || x[1] == "json" && cli.AsJSON(c)) {
			err = cli.Exclusive(x[0], x[1])
		}
	}
	return &maxsatOptions{a, c.Bool("no-model"), c.Bool("literals"), c.Bool("mcs")}, err
}

// A maxsatRun is a run of maxsat.
type maxsatRun struct {
	*analysisRun
	o       *maxsatOptions
	formula *dimacs.Weighted
	problem *opb.Problem // nil unless the input is in OPB
	names   *dimacs.Names
	result  *maxsat.Result
}

func solveMaxSAT(r *cli.Run, o *maxsatOptions) error {
	cli.SaveMemory()
	x := &maxsatRun{analysisRun: &analysisRun{Run: r, o: o.analysisOptions}, o: o, result: &maxsat.Result{}}
	x.Do("read", x.read)
	x.Do("solve", x.solve)
	x.Do("check", x.verify)
	if x.uncertain() && x.result.Status != dimacs.Unknown {
		x.result = &maxsat.Result{Calls: x.result.Calls, Cores: x.result.Cores}
	}
	return x.Finish(x.print)
}

// read reads the formula.
func (x *maxsatRun) read(ctx context.Context) (err error) {
	x.Comment("sator %s", cli.Version())
	x.formula, x.problem, x.names, err = formula.NewReader(x.Run).Weighted(ctx, x.o.files[0])
	if err == nil && x.problem != nil && x.o.literals {
		err = cli.Usagef("--literals is for formulas; the variables of OPB have names of their own")
	}
	if err == nil {
		w := x.formula
		x.Comment("read %s: %s, %s, %s of weight %d", cli.Shown(x.o.files[0]), cli.Count(w.Vars(), "variable"), cli.Count(w.Hard.Len(), "hard clause"), cli.Count(w.Soft.Len(), "soft clause"), w.Total())
		if w.Hard.Len()+w.Soft.Len() == 0 {
			x.Say("warning: %s has no clauses", cli.Shown(x.o.files[0]))
		}
	}
	return err
}

// solve finds the optimum, and checks that the model has its cost.
func (x *maxsatRun) solve(ctx context.Context) error {
	o := maxsat.Options{}
	o.CDCL.Seed, o.CDCL.Memory, o.Conflicts = x.o.seed, x.Memory.Allows, x.o.conflicts
	o.Improved = func(cost int64, _ dimacs.Model) {
		if !x.JSON {
			x.Out.Line(fmt.Sprint("o ", x.value(cost)))
		}
	}
	o.Progress = func(p maxsat.Progress) {
		x.Progress.Doing(fmt.Sprintf("cost %d to %d, %s, %s", p.Lower, min(p.Upper, x.formula.Total()), cli.Count(p.Cores, "core"), cli.Count(p.Calls, "call")))
	}
	x.Progress.Doing("searching for a model")
	x.result = maxsat.Solve(ctx, x.formula, o)
	if cost, hard := x.formula.Cost(x.result.Model); x.result.Status == dimacs.Satisfiable && (!hard || cost != x.result.Cost) {
		return &cli.InternalError{Msg: "the model does not have its cost"}
	}
	if p := x.problem; p != nil && x.result.Status == dimacs.Satisfiable && (p.Violated(x.result.Model) >= 0 || opb.Value(p.Objective, x.result.Model) != x.value(x.result.Cost)) {
		return &cli.InternalError{Msg: "the model is no solution of the problem with its value"}
	}
	return nil
}

// verify checks the result, with --verify.
func (x *maxsatRun) verify(ctx context.Context) error {
	if x.result.Status == dimacs.Unknown {
		return nil
	}
	return x.check(ctx, func() error { return x.result.Verify(ctx, x.formula) })
}

// status returns the text of the s line.
func (x *maxsatRun) status() string {
	if x.result.Optimal {
		return "OPTIMUM FOUND"
	}
	return x.result.Status.String()
}

// print prints the result and returns its exit code.
func (x *maxsatRun) print() error {
	m := x.result
	if x.JSON {
		x.Out.Err = cli.WriteJSON(x.Stdout, x.document())
	} else {
		x.printLines()
	}
	if x.Out.Err == nil && m.Optimal {
		return cli.ExitCode(codeOptimum)
	}
	return answer.Exit(m.Status, x.Out.Err)
}

func (x *maxsatRun) printLines() {
	m := x.result
	switch {
	case m.Optimal, m.Status == dimacs.Unsatisfiable:
		x.Comment("finished after %.2f s, %s, %s", x.seconds(), cli.Count(m.Calls, "call"), cli.Count(m.Cores, "core"))
	case m.Status == dimacs.Satisfiable:
		x.Comment("stopped after %.2f s, %s, %s: %s", x.seconds(), cli.Count(m.Calls, "call"), cli.Count(m.Cores, "core"), x.why())
		x.Comment("the cost is at %s %d", x.side(), x.value(m.Lower))
	default:
		x.Comment("stopped after %.2f s: %s", x.seconds(), x.why())
	}
	if x.verified {
		x.Comment("verified")
	}
	if x.o.falsified && m.Status == dimacs.Satisfiable {
		x.Out.Comment("falsified: %s", strings.Trim(fmt.Sprint(x.falsified()), "[]"))
	}
	x.Out.Line("s " + x.status())
	switch {
	case m.Status != dimacs.Satisfiable || x.o.noModel:
	case x.problem != nil:
		x.printWords(x.problem.Values(m.Model))
	case x.names != nil:
		x.printWords(formula.NamedValues(x.names, m.Model))
	case x.o.literals:
		x.Out.Write(func(w io.Writer) error {
			_, err := w.Write(dimacs.AppendModel(nil, m.Model))
			return err
		})
	default:
		x.Out.Line("v " + bitsOf(m.Model))
	}
}

// printWords prints v lines.
func (x *maxsatRun) printWords(words []string) {
	x.Out.Line(strings.TrimSuffix(string(cli.AppendWords(nil, words)), "\n"))
}

// value returns the cost as the input means it: the value of the objective in OPB.
func (x *maxsatRun) value(cost int64) int64 {
	if x.problem != nil {
		return x.problem.ValueOf(cost)
	}
	return cost
}

// side returns the side on which the bound of an incomplete search is.
func (x *maxsatRun) side() string {
	if x.problem != nil && x.problem.Maximize {
		return "most"
	}
	return "least"
}

// falsified returns the numbers of the soft clauses that the model falsifies.
func (x *maxsatRun) falsified() []int {
	numbers := []int{}
	for i, c := range x.formula.Soft.Clauses() {
		if x.result.Model.Clause(c) != dimacs.True {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// bitsOf returns a model as a bit for each variable.
func bitsOf(m dimacs.Model) string {
	bits := make([]byte, len(m))
	for v := range m {
		bits[v] = '0'
		if m[v] == dimacs.True {
			bits[v] = '1'
		}
	}
	return string(bits)
}

// A maxsatDocument is the output of --json.
type maxsatDocument struct {
	Version   string  `json:"version"`
	Status    string  `json:"status"`
	Reason    string  `json:"reason,omitempty"`
	Cost      *int64  `json:"cost,omitempty"`
	Lower     int64   `json:"lower"`
	Falsified []int   `json:"falsified,omitzero"`
	Model     []int   `json:"model,omitempty"`
	Calls     int     `json:"calls"`
	Cores     int     `json:"cores"`
	Seconds   float64 `json:"seconds"`
	Verified  bool    `json:"verified"`
}

func (x *maxsatRun) document() *maxsatDocument {
	m := x.result
	d := &maxsatDocument{
		Version: cli.Version(), Status: x.status(), Lower: x.value(m.Lower),
		Calls: m.Calls, Cores: m.Cores, Seconds: x.seconds(), Verified: x.verified,
	}
	if m.Status == dimacs.Satisfiable {
		cost := x.value(m.Cost)
		d.Cost, d.Falsified = &cost, x.falsified()
		if !x.o.noModel {
			d.Model = dimacs.Ints(m.Model.Lits())
		}
	}
	if !m.Optimal && m.Status != dimacs.Unsatisfiable {
		d.Reason = x.why()
	}
	return d
}
