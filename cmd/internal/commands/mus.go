package commands

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/mus"
)

func musCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "mus",
		Category:    "Evidence",
		Usage:       "find a minimal unsatisfiable subset of the clauses (MUS)",
		UsageText:   "sator mus [flags] [FILE|-]",
		Description: musDescription,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Category: musFlags, Usage: "print all minimal unsatisfiable subsets"},
			&cli.BoolFlag{Name: "mcs", Category: musFlags, Usage: "print a minimal correction set; with --all all of them"},
			cli.Writes(&cli.StringFlag{Name: "core", Category: cli.OutputFlags, Usage: "write the clauses of the subset to `FILE`; a formula in CNF"}, "cnf", "text"),
		}, analysisFlags("check the subset by a refutation; and each group of it by a model of the others")...),
		Action: cli.RunAction(e, musOptionsOf, func(o *musOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files, o.core)
		}, findMUS),
	}
}

// musFlags is the category of the flags that choose subsets.
const musFlags = "subsets"

const musDescription = `Finds a minimal unsatisfiable subset (MUS) of a formula: clauses that have no
model together, while without any one of them they have one. The input is CNF,
or GCNF ("p gcnf VARIABLES CLAUSES GROUPS", clauses such as "{3} 1 -2 0"), where
groups of clauses are left out as a whole and group 0 belongs to every subset.
In WCNF each soft clause is a group, and the hard clauses belong to every
subset; the weights are not used. Without FILE it is read from standard input.
The subset is printed as the numbers of its clauses, from 1, or of its groups:

  c mus: 4 of 9 clauses, minimal
  s UNSATISFIABLE
  v 1 2 5 8 0

If a limit or a signal comes first, the subset is unsatisfiable but perhaps not
minimal, and the comment is "c mus: 40 of 90 clauses, 12 necessary". A
formula with a model has no such subset: "s SATISFIABLE".

With --names the clauses of the subset follow in comments, in names of variables
that stand in comments of the input such as "c 1 door": "c 3: -door motor".

With --core the clauses of the subset are written as a formula, with those of
group 0. So "sator check --core" and "sator mus --core" together minimize the
core of a proof.

With --mcs it is a minimal correction set (MCS): clauses whose removal makes the
formula satisfiable, while no part of them does. With --all each subset is
printed on lines that begin with "v" and end with 0, and the last comment is "c
subsets: N, and no others" or "c subsets: N, there may be others". There can be
exponentially many.

With --verify, a new solver refutes the subset, and a checker confirms each
step; and for each group, a model of the others is evaluated. An answer that a
limit keeps from being verified is "s UNKNOWN". It is not for --all and --mcs.

With --json, standard output is one document with the members version, status,
reason (why incomplete), kind (mus or mcs), groups (the subset), minimal,
necessary, total (number of groups), subsets and complete (with --all), calls
(of the solver), seconds and verified.

Exit codes: 20 the formula is unsatisfiable, 10 it has a model, 0 unknown; 1 an
input that cannot be read or an output that cannot be written, 2 invalid command
line, 3 internal error of Sator.

Examples:
  sator mus problem.cnf
  sator mus problem.cnf --core small.cnf --verify --time 60
  sator mus components.gcnf --mcs --all -q
  sator check f.cnf proof --core core.cnf; sator mus core.cnf --core mus.cnf`

// musOptions is the command line of mus.
type musOptions struct {
	*analysisOptions
	all, mcs bool
	core     string
}

func musOptionsOf(c *cli.Context) (*musOptions, error) {
	a, err := analysisOptionsOf(c)
	if err != nil {
		return nil, err
	}
	o := &musOptions{a, c.Bool("all"), c.Bool("mcs"), c.String("core")}
	if len(a.files) > 1 {
		return nil, cli.Usagef("unexpected operand %q: mus reads one file", a.files[1])
	}
	for _, other := range []string{"mcs", "all"} {
		switch {
		case !c.Bool(other):
		case o.core != "":
			return nil, cli.Exclusive("core", other)
		case a.verify:
			return nil, cli.Exclusive("verify", other)
		}
	}
	return o, cli.CheckOutput(c, "core", "the core", "answer")
}

// A musRun is a run of mus.
type musRun struct {
	*analysisRun
	o        *musOptions
	g        *dimacs.Grouped
	names    *dimacs.Names // nil without --names
	cnf      bool          // each clause is a group
	result   *mus.Result
	subsets  [][]int // with --all
	complete bool    // these are all
}

func findMUS(r *cli.Run, o *musOptions) error {
	cli.SaveMemory()
	x := &musRun{analysisRun: &analysisRun{Run: r, o: o.analysisOptions}, o: o, result: &mus.Result{}}
	x.Do("read", x.read)
	x.Do("solve", x.find)
	x.Do("check", x.verify)
	if x.uncertain() && x.result.Status == dimacs.Unsatisfiable {
		x.result = &mus.Result{Calls: x.result.Calls}
	}
	return x.Finish(x.print)
}

// read reads the formula.
func (x *musRun) read(ctx context.Context) (err error) {
	x.Comment("sator %s", cli.Version())
	x.g, x.names, err = formula.NewReader(x.Run).Grouped(ctx, x.o.files[0])
	if err != nil {
		return err
	}
	if slices.ContainsFunc(x.g.Weights, func(w int64) bool { return w != 1 }) {
		x.Say("warning: %s: the weights are not used", cli.Shown(x.o.files[0]))
	}
	x.cnf = x.g.Groups == x.g.Formula.Len()
	for i, group := range x.g.Group {
		x.cnf = x.cnf && group == i+1
	}
	x.Comment("read %s: %s, %s, %s", cli.Shown(x.o.files[0]), cli.Count(x.g.Formula.Vars(), "variable"), cli.Count(x.g.Formula.Len(), "clause"), cli.Count(x.g.Groups, "group"))
	return nil
}

// find finds what the flags ask for.
func (x *musRun) find(ctx context.Context) error {
	o := mus.Options{}
	o.CDCL, o.Conflicts, o.Witnesses = x.cdclOptions(), x.o.conflicts, x.o.verify
	o.Progress = func(p mus.Progress) {
		x.Progress.Doing(fmt.Sprintf("%s, %d of them necessary, %s", cli.Count(p.Groups, "group"), p.Necessary, cli.Count(p.Calls, "call")))
	}
	x.Progress.Doing("refuting")
	switch {
	case x.o.all:
		x.enumerate(ctx, o)
	case x.o.mcs:
		groups, status := mus.Correct(ctx, x.g, o)
		x.result = &mus.Result{Groups: groups, Minimal: status == dimacs.Satisfiable}
		switch {
		case status == dimacs.Satisfiable && len(groups) == 0:
			x.result.Status = dimacs.Satisfiable
		case status != dimacs.Unknown:
			x.result.Status = dimacs.Unsatisfiable
		}
	default:
		x.result = mus.Extract(ctx, x.g, o)
	}
	return nil
}

// enumerate collects all subsets, and prints them as they are found.
func (x *musRun) enumerate(ctx context.Context, o mus.Options) {
	e := mus.NewEnumerator(x.g, o)
	for s := range e.Subsets(ctx) {
		x.result.Status = dimacs.Unsatisfiable
		if s.Correction && len(s.Groups) == 0 {
			x.result.Status = dimacs.Satisfiable
		}
		if s.Correction != x.o.mcs || x.result.Status == dimacs.Satisfiable {
			continue
		}
		x.subsets = append(x.subsets, s.Groups)
		if !x.JSON {
			x.printGroups(s.Groups)
		}
		if x.Out.Err != nil {
			break
		}
	}
	x.complete, x.result.Calls = e.Exhausted(), e.Calls()
}

// verify checks the result, with --verify.
func (x *musRun) verify(ctx context.Context) error {
	if x.result.Status != dimacs.Unsatisfiable {
		return nil
	}
	return x.check(ctx, func() error { return x.result.Verify(ctx, x.g) })
}

// writeCore writes the clauses of the subset, with --core.
func (x *musRun) writeCore() error {
	if x.o.core == "" || x.result.Status != dimacs.Unsatisfiable {
		return nil
	}
	in := map[int]bool{0: true}
	for _, group := range x.result.Groups {
		in[group] = true
	}
	core := dimacs.NewFormula(x.g.Formula.Vars())
	for i, c := range x.g.Formula.Clauses() {
		if in[x.g.Group[i]] {
			core.Add(c...)
		}
	}
	return x.Write(x.Signals, x.o.core, func(w io.Writer) error { return dimacs.Write(w, core) })
}

// print prints the result.
func (x *musRun) print() error {
	m := x.result
	if err := x.writeCore(); err != nil {
		return err
	}
	if x.JSON {
		return answer.Exit(m.Status, cli.WriteJSON(x.Stdout, x.document()))
	}
	switch {
	case m.Status == dimacs.Unknown, !m.Minimal && m.Status == dimacs.Unsatisfiable && !x.o.all, x.o.all && !x.complete:
		x.Comment("stopped after %.2f s: %s", x.seconds(), x.why())
	default:
		x.Comment("finished after %.2f s, %s", x.seconds(), cli.Count(m.Calls, "call"))
	}
	if x.verified {
		x.Comment("verified")
	}
	x.printSummary()
	x.Out.Line("s " + m.Status.String())
	if m.Status == dimacs.Unsatisfiable && !x.o.all && (m.Minimal || !x.o.mcs) {
		x.printGroups(m.Groups)
	}
	return answer.Exit(m.Status, x.Out.Err)
}

// printNamed prints the clauses of groups, with --names.
func (x *musRun) printNamed(groups []int) {
	if x.names == nil {
		return
	}
	for i, c := range x.g.Formula.Clauses() {
		if slices.Contains(groups, x.g.Group[i]) {
			x.Out.Comment("%d: %s", x.g.Group[i], strings.Join(formula.Named(x.names, c), " "))
		}
	}
}

// printSummary prints the comment about the subsets.
func (x *musRun) printSummary() {
	m := x.result
	switch what := x.unit(); {
	case x.o.all && x.complete:
		x.Out.Comment("subsets: %d, and no others", len(x.subsets))
	case x.o.all:
		x.Out.Comment("subsets: %d, there may be others", len(x.subsets))
	case m.Status != dimacs.Unsatisfiable:
	case x.o.mcs && m.Minimal:
		x.Out.Comment("mcs: %d of %d %s, minimal", len(m.Groups), x.g.Groups, what)
	case x.o.mcs:
		x.Out.Comment("mcs: the background has no model")
	case m.Minimal:
		x.Out.Comment("mus: %d of %d %s, minimal", len(m.Groups), x.g.Groups, what)
	default:
		x.Out.Comment("mus: %d of %d %s, %d necessary", len(m.Groups), x.g.Groups, what, len(m.Necessary))
	}
}

// unit returns the name of the parts of a subset.
func (x *musRun) unit() string {
	if x.cnf {
		return "clauses"
	}
	return "groups"
}

// printGroups prints numbers on "v" lines that end with 0.
func (x *musRun) printGroups(groups []int) {
	words := append(strings.Fields(strings.Trim(fmt.Sprint(groups), "[]")), "0")
	x.Out.Line(strings.TrimSuffix(string(cli.AppendWords(nil, words)), "\n"))
	x.printNamed(groups)
}

// A musDocument is the output of --json.
type musDocument struct {
	Version   string  `json:"version"`
	Status    string  `json:"status"`
	Reason    string  `json:"reason,omitempty"`
	Kind      string  `json:"kind"`
	Groups    []int   `json:"groups,omitempty"`
	Minimal   bool    `json:"minimal"`
	Necessary []int   `json:"necessary,omitempty"`
	Total     int     `json:"total"`
	Subsets   [][]int `json:"subsets,omitempty"`
	Complete  bool    `json:"complete"`
	Calls     int     `json:"calls"`
	Seconds   float64 `json:"seconds"`
	Verified  bool    `json:"verified"`
}

func (x *musRun) document() *musDocument {
	m := x.result
	d := &musDocument{
		Version: cli.Version(), Status: m.Status.String(), Kind: "mus", Groups: m.Groups, Minimal: m.Minimal, Necessary: m.Necessary,
		Subsets: x.subsets, Complete: x.complete, Calls: m.Calls, Seconds: x.seconds(), Verified: x.verified,
	}
	if x.g != nil {
		d.Total = x.g.Groups
	}
	if x.o.mcs {
		d.Kind = "mcs"
	}
	if m.Status == dimacs.Unknown || x.o.all && !x.complete || m.Status == dimacs.Unsatisfiable && !x.o.all && !m.Minimal {
		d.Reason = x.why()
	}
	return d
}
