package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/count"
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
			&cli.StringSliceFlag{Name: "given", Category: cli.InputFlags, Usage: "count also the models in which these `LITERALS` are true; may be repeated"},
			&cli.BoolFlag{Name: "marginals", Category: cli.OutputFlags, Usage: "count also the models of each literal"},
			cli.Writes(&cli.StringFlag{Name: "ddnnf", Category: cli.OutputFlags, Usage: "write the circuit to `FILE`, in d4's form to .d4; compressed if it ends with .gz, .xz or .zst"}, append(formNames(), "text")...),
			cli.Writes(&cli.StringFlag{Name: "proof", Category: cli.ProofFlags, Usage: "write a certificate to `FILE`, in CPOG; compressed if it ends with .gz, .xz or .zst"}, "cpog", "proof", "text"),
			&cli.BoolFlag{Name: "float", Category: cli.EngineFlags, Usage: "count with floating numbers: about 15 digits are right"},
			&cli.BoolFlag{Name: "exact-keys", Category: cli.EngineFlags, Usage: "compare cached components, not their hashes"},
		}, modelsFlags()...),
		Action: cli.RunAction(e, countOptionsOf, func(o *countOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files, o.circuit, o.proof)
		}, runCount),
	}
}

const countDescription = `Counts the models of a formula, over the variables of its header, exactly
(#SAT). With --project it counts projected models: the assignments of some
variables that can be extended to a model. The file may say so itself, by lines
such as "c p show 1 2 5 0" or "c ind 1 2 5 0", which add up, or by the header "p
pcnf" with lines "vp 1 2 5 0"; --project replaces these with a warning. With
lines such as "c p weight -5 0.25 0" it adds up the weights of the models: the
product of the weights of their literals, 1 for variables that have none. A
type, "c t mc", wmc, pmc or pwmc, must agree with all that. Several files are
one conjunction; without FILE the formula is read from standard input. With
--names, --project, --assume and --given accept names of variables, which stand
in comments such as "c 1 door". The answer has the format of the model counting
competitions:

  s SATISFIABLE
  c s type mc                    or wmc, pmc, pwmc
  c s log10-estimate 3.4817
  c s exact arb int 3032         with weights: arb frac 379/1000

If there is no model, these are "s UNSATISFIABLE", -inf and 0. If a limit or a
signal comes first, the answer is "s UNKNOWN", and a comment has a lower bound.

The formula is split into components without common variables, whose numbers
are multiplied, and kept in a cache for components that come again; decisions
follow a tree decomposition. Where that does not end soon, clauses that others
imply are removed, and variables that others define are eliminated. With
--memory the cache forgets what was not used for long. Components are compared
by hashes of 128 bits: the probability that any two of 10^9 are confused is
below 10^-20, and 0 with --exact-keys.

--given, --marginals, --ddnnf and --proof compile the formula: into a circuit in
deterministic decomposable negation normal form (d-DNNF), which --ddnnf writes
in the form of c2d. Each number is then one pass over the circuit:

  c given 1 -2 arb int 758
  c marginal 1 arb int 2001

--proof writes a certificate of the number in the format CPOG, which sator check
and other checkers accept: the circuit, and a proof that it is equivalent to the
formula, by the solver of sator solve. It needs all variables, no projection.

With --json, standard output is one document with the members version, status,
reason (why unknown), type, models (a string: a number or a fraction; if the
status is UNKNOWN, a lower bound), log10, given and marginals (lists), seconds,
and with --stats statistics.

Exit codes: 10 there are models, 20 there are no models, 0 unknown; 1 an input
that cannot be read or an output that cannot be written, 2 invalid command line,
3 internal error of Sator.

Examples:
  sator count problem.cnf
  sator count problem.cnf --project "1..20" --time 60
  sator count features.cnf --given "1 25" --given "1 -25" --marginals
  sator count features.cnf --ddnnf features.nnf --json`

func formNames() []string { return cli.Of(count.Forms, func(f count.Form) string { return f.Name }) }

// countOptions is the command line of count.
type countOptions struct {
	*modelsOptions
	given     [][]dimacs.Lit
	marginals bool
	circuit   string // name of the file; empty for none
	proof     string // name of the certificate; empty for none
	float     bool
	exactKeys bool
}

func countOptionsOf(c *cli.Context) (*countOptions, error) {
	m, err := modelsOptionsOf(c)
	if err != nil {
		return nil, err
	}
	o := &countOptions{modelsOptions: m, marginals: c.Bool("marginals"), circuit: c.String("ddnnf"), proof: c.String("proof"), float: c.Bool("float"), exactKeys: c.Bool("exact-keys")}
	if !c.Bool("names") {
		err = o.givenLits(c, nil)
	}
	switch {
	case o.float && o.compiles(c):
		return nil, cli.Usagef("--float cannot be used with --given, --marginals, --ddnnf and --proof, whose numbers are exact")
	case o.proof != "" && (c.IsSet("assume") || c.IsSet("project")):
		return nil, cli.Usagef("--proof cannot be used with --assume and --project: the format CPOG is about all models of the formula")
	}
	return o, err
}

func (o *countOptions) compiles(c *cli.Context) bool {
	return c.IsSet("given") || o.marginals || o.circuit != "" || o.proof != ""
}

// givenLits reads --given, which may have names.
func (o *countOptions) givenLits(c *cli.Context, names *formula.Input) (err error) {
	for _, list := range c.StringSlice("given") {
		var ls []dimacs.Lit
		if names != nil {
			ls, err = names.Literals("given", []string{list})
		} else {
			ls, err = formula.LiteralsOf("given", []string{list})
		}
		if err != nil {
			return err
		}
		o.given = append(o.given, ls)
	}
	return nil
}

// A countRun is a run of count.
type countRun struct {
	*modelsRun
	o       *countOptions
	options count.Options
	result  *count.Result
	circuit *count.Circuit
	done    float64   // of the search, at the last report
	began   time.Time // the search, at its first report
}

func runCount(r *cli.Run, o *countOptions) error {
	cli.SaveMemory()
	x := &countRun{modelsRun: &modelsRun{Run: r, o: o.modelsOptions}, o: o, result: &count.Result{Models: new(big.Rat), Log10: math.Inf(-1)}}
	x.Do("read", x.read)
	x.Do("solve", x.count)
	x.Do("write", x.writeCircuit)
	x.Do("prove", x.certify)
	return x.Finish(x.end)
}

// read reads the formula, the weights and the literals that are given.
func (x *countRun) read(ctx context.Context) (err error) {
	if err := x.modelsRun.read(ctx); err != nil {
		return err
	}
	if x.in.Names != nil {
		if err := x.o.givenLits(x.Flags, x.in); err != nil {
			return err
		}
	}
	for _, ls := range x.o.given {
		if err := x.in.CheckLiterals("given", ls); err != nil {
			return err
		}
		for _, l := range ls {
			if x.o.project != nil && !slices.Contains(x.o.project, l.Var()) {
				return cli.Invalid("given", l, "literals of the variables of the projection")
			}
		}
	}
	if x.o.proof != "" && x.o.project != nil {
		return errors.New("--proof needs a formula without a projection: the format CPOG is about all its models")
	}
	x.options, err = x.counting()
	return err
}

// count counts or compiles.
func (x *countRun) count(ctx context.Context) error {
	if x.o.compiles(x.Flags) {
		x.vars = x.in.Formula.Vars()
	}
	if err := engines.CheckMemory(x.Run, x.vars, x.in.Formula, &engines.CDCLSetup{}); err != nil {
		return err
	}
	o := x.options
	o.Float, o.Exact, o.Progress = x.o.float, x.o.exactKeys, x.progress
	if x.o.compiles(x.Flags) {
		x.circuit, x.result = count.Compile(ctx, x.in.Formula, o)
	} else {
		x.result = count.Count(ctx, x.in.Formula, o)
	}
	return nil
}

// progress shows how much of the search is done, and how long the rest would take at this rate. Parts
// of the same share can take very different times.
func (x *countRun) progress(s count.Stats) {
	if s.Done < x.done || x.began.IsZero() { // another search
		x.began = time.Now()
	}
	x.done = s.Done
	x.Progress.Doing(fmt.Sprintf("counting, %.2f%% done, %s left, %s, %.0f%% from the cache of %.0f MB", 100*s.Done,
		cli.Remaining(time.Since(x.began), s.Done, 1-s.Done), cli.Count(s.Components, "component"), 100*float64(s.Hits)/float64(max(1, s.Components)), cli.Megabytes(s.CacheBytes)))
}

// writeCircuit writes the file of --ddnnf.
func (x *countRun) writeCircuit(context.Context) error {
	if x.o.circuit == "" || x.circuit == nil {
		return nil
	}
	form := count.Forms[max(0, slices.Index(formNames(), cli.FormatByName(x.o.circuit, formNames())))]
	return x.Write(x.Signals, x.o.circuit, func(w io.Writer) error { return form.Write(w, x.circuit, x.in.Formula.Vars()) })
}

// certify writes the file of --proof.
func (x *countRun) certify(ctx context.Context) error {
	if x.o.proof == "" || x.circuit == nil {
		return nil
	}
	x.Progress.Doing("proving the number")
	return x.Write(x.Signals, x.o.proof, func(w io.Writer) error { return x.circuit.Certify(ctx, x.in.Formula, w) })
}

// end prints the answer and returns the exit code.
func (x *countRun) end() error {
	d := &countDocument{Version: cli.Version(), Type: "mc", Status: x.result.Status.String(), Log10: logText(x.result.Log10), Seconds: time.Since(x.Begin).Seconds()}
	if x.o.project != nil {
		d.Type = "pmc"
	}
	if x.weighted() {
		d.Type = map[string]string{"mc": "wmc", "pmc": "pwmc"}[d.Type]
	}
	if x.result.Models != nil {
		d.Models = x.result.Models.RatString()
	}
	if x.result.Status == dimacs.Unknown {
		d.Reason = x.Why()
	}
	if x.circuit != nil {
		x.query(d)
		if x.o.proof != "" && x.Err() != nil {
			x.Say("warning: %s: no certificate was written: %s", cli.Shown(x.o.proof), x.Why())
		}
	}
	if x.o.stats {
		d.Stats = x.statistics()
	}
	if x.JSON {
		x.Out.Write(func(w io.Writer) error { return cli.WriteJSON(w, d) })
	} else {
		x.printLines(d)
	}
	return answer.Exit(x.result.Status, x.Out.Err)
}

// weighted reports whether the input has weights, or says so.
func (x *countRun) weighted() bool {
	if x.in == nil {
		return false // the run ended before
	}
	c := x.in.Counting
	return len(c.Weights) > 0 || c.Type == "wmc" || c.Type == "pwmc"
}

// query evaluates the circuit.
func (x *countRun) query(d *countDocument) {
	for _, ls := range x.o.given {
		d.Given = append(d.Given, countOf{dimacs.Ints(ls), x.circuit.Count(ls...).RatString()})
	}
	if x.o.marginals {
		x.circuit.Marginals(func(l dimacs.Lit, n *big.Rat) {
			d.Marginals = append(d.Marginals, countOf{[]int{l.Int()}, n.RatString()})
		})
	}
}

// A countDocument is the output of --json.
type countDocument struct {
	Version   string             `json:"version"`
	Status    string             `json:"status"`
	Reason    string             `json:"reason,omitempty"`
	Type      string             `json:"type"`
	Models    string             `json:"models,omitempty"`
	Log10     string             `json:"log10"`
	Given     []countOf          `json:"given,omitempty"`
	Marginals []countOf          `json:"marginals,omitempty"`
	Seconds   float64            `json:"seconds"`
	Stats     engines.Properties `json:"statistics,omitempty"`
}

// A countOf is the number of models in which literals are true.
type countOf struct {
	Lits   []int  `json:"literals"`
	Models string `json:"models"`
}

// statistics returns the counts of --stats.
func (x *countRun) statistics() engines.Properties {
	s := x.result.Stats
	return engines.Properties{
		{Name: "variables", Value: s.Vars}, {Name: "long_clauses", Value: s.Clauses}, {Name: "decisions", Value: s.Decisions},
		{Name: "conflicts", Value: s.Conflicts}, {Name: "propagations", Value: s.Propagations}, {Name: "learned", Value: s.Learned},
		{Name: "components", Value: s.Components}, {Name: "cache_hits", Value: s.Hits}, {Name: "cached", Value: s.Cached},
		{Name: "forgotten", Value: s.Forgotten}, {Name: "cache_megabytes", Value: cli.Megabytes(s.CacheBytes)},
		{Name: "total_seconds", Value: time.Since(x.Begin).Seconds()}, {Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())},
	}
}

// printLines prints the lines of the model counting competitions.
func (x *countRun) printLines(d *countDocument) {
	for _, row := range d.Stats.Rows() {
		x.Out.Comment("%s", row)
	}
	for _, g := range d.Given {
		x.Out.Gather(fmt.Appendf(nil, "c given %s %s\n", x.words(g.Lits), x.exact(g.Models)))
	}
	for _, g := range d.Marginals {
		x.Out.Gather(fmt.Appendf(nil, "c marginal %s %s\n", x.words(g.Lits), x.exact(g.Models)))
	}
	if x.result.Status == dimacs.Unknown {
		x.Comment("stopped after %.2f s: %s", d.Seconds, d.Reason)
		x.Comment("models: at least %s", cmp.Or(d.Models, "10^"+d.Log10))
		x.Out.Line("s " + d.Status)
		return
	}
	x.Comment("counted after %.2f s, in %s", d.Seconds, cli.Count(x.result.Stats.Components, "component"))
	x.Out.Line("s " + d.Status)
	x.Out.Line("c s type " + d.Type)
	x.Out.Line("c s log10-estimate " + d.Log10)
	x.Out.Line("c s exact " + x.exact(d.Models))
}

// words returns literals with the names of their variables, if they have any.
func (x *countRun) words(lits []int) string {
	if x.in.Names == nil {
		return strings.Trim(fmt.Sprint(lits), "[]")
	}
	return strings.Join(formula.Named(x.in.Names, dimacs.Lits(lits...)), " ")
}

// exact returns a number with its form; an empty one is floating.
func (x *countRun) exact(models string) string {
	switch {
	case models == "":
		return "double prec-sci " + scientific(x.result.Log10)
	case x.weighted():
		return "arb frac " + models
	}
	return "arb int " + models
}

// logText returns a logarithm as text.
func logText(log float64) string {
	if math.IsInf(log, -1) {
		return "-inf"
	}
	return fmt.Sprintf("%.12g", log)
}

// scientific returns 10^log as a decimal number with an exponent.
func scientific(log float64) string {
	if math.IsInf(log, -1) {
		return "0"
	}
	exponent := math.Floor(log)
	return fmt.Sprintf("%.12ge%+d", math.Pow(10, log-exponent), int(exponent))
}
