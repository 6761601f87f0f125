package commands

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/dpll/count"
	"sator/dpll/enumerate"
)

func enumerateCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "enumerate",
		Category:    "Solve",
		Usage:       "enumerate the models of a formula (all-SAT)",
		UsageText:   "sator enumerate [flags] [FILE|-]...",
		Description: enumerateDescription,
		Flags: append([]cli.Flag{
			cli.LimitFlag(0, "models"),
			&cli.Int64Flag{Name: "sample", Category: cli.LimitFlags, Usage: "draw `N` models, each independently"},
			cli.TextOrJSON("(a document per line: the models and a summary)"), cli.JSONFlag(),
			cli.Choices(&cli.StringFlag{Name: "engine", Category: cli.EngineFlags, Value: "auto", Usage: "`NAME` of the engine: " + cli.ChoiceHelp(enumerateEngines())}, enumerateEngines),
		}, append(modelsFlags(), cli.BranchingFlags()...)...),
		Action: cli.RunAction(e, enumerateOptionsOf, func(o *enumerateOptions) cli.RunOptions {
			return cli.AnswerOptions(o.files)
		}, runEnumerate),
	}
}

const enumerateDescription = `Enumerates the models of a formula (all-SAT), over the variables of its header:
prints "s SATISFIABLE" before the first model, then the literals of each model
on "v" lines that end with 0, and at the end a comment with their number.
Several files are one conjunction; without FILE the formula is read from
standard input. Each model is evaluated on the formula as read before it is
printed.

With --project the models are projected onto some variables: each assignment of
these variables that can be extended to a model is printed once. Lines in the
file that project models mean the same as for count; weights need --sample.
With --names the models have the names of variables, which stand in comments
such as "c 1 door", and no 0 at their ends; --project and --assume accept names.

With --sample N models are drawn at random, with --seed: each independently, all
with the same probability, or by the weights in the file (see count). For that
the formula is compiled as by count --marginals, and the last line is "c models:
N, drawn from M".

Otherwise the last line is "c models: N, and no others", or "c models: N, there
may be others" after a limit or a signal; --quiet does not suppress it. The
order of the models is the same in every run.

The engine dpll backtracks after a model as after a conflict. It is fast if
models are easy to find, and does not slow down with their number. The engine
cdcl learns clauses and adds a blocking clause for each model, which makes it
slower with each model; it finds models that dpll does not. auto starts with
dpll and switches to cdcl if dpll finds fewer than one model per ten conflicts
after its first ten thousand conflicts.

With --json each line is a document: {"model":[1,-2]} for a model, and a last
one with the members version, status, models (their number), complete (whether
these are all) and reason (why not).

Exit codes: 10 there is a model, 20 there is no model, 0 a limit or a signal
came before the first model; 1 an input that cannot be read or an output that
cannot be written, 2 invalid command line, 3 internal error of Sator.

Examples:
  sator enumerate problem.cnf
  sator enumerate problem.cnf --limit 1000 --project "1..20" -q
  sator enumerate sudoku.cnf --limit 2 --assume "1 25" --json
  sator enumerate problem.cnf --sample 100 --seed 7 -o models`

// enumerateEngines returns the values of --engine.
func enumerateEngines() []cli.Choice {
	return cli.Of(enumerate.Engines, func(e enumerate.Engine) cli.Choice { return cli.Choice{Name: e.Name, Help: e.Help} })
}

// enumerateOptions is the command line of enumerate.
type enumerateOptions struct {
	*modelsOptions
	limit   int64 // 0 for no limit
	sample  int64 // the number of models to draw; 0 for an enumeration
	engine  string
	classic classic.Options
}

func enumerateOptionsOf(c *cli.Context) (*enumerateOptions, error) {
	m, err := modelsOptionsOf(c)
	if err != nil {
		return nil, err
	}
	o := &enumerateOptions{modelsOptions: m}
	if o.limit, err = cli.Positive(c, "limit", 1); err != nil {
		return nil, err
	}
	if o.sample, err = cli.Positive(c, "sample", 1); err != nil {
		return nil, err
	}
	if o.sample > 0 && o.limit > 0 {
		return nil, cli.Exclusive("sample", "limit")
	}
	if o.classic, err = cli.ClassicOptionsOf(c); err != nil {
		return nil, err
	}
	o.engine = c.String("engine")
	if _, ok := enumerate.FindEngine(o.engine); !ok {
		return nil, cli.InvalidName("engine", o.engine, cli.Of(enumerate.Engines, func(e enumerate.Engine) string { return e.Name }))
	}
	if o.sample > 0 && c.IsSet("engine") {
		return nil, cli.Exclusive("sample", "engine")
	}
	if o.engine == "cdcl" || o.sample > 0 {
		for _, f := range cli.BranchingFlags() {
			if n := f.Names()[0]; c.IsSet(n) && o.sample > 0 {
				return nil, cli.Exclusive("sample", n)
			} else if c.IsSet(n) {
				return nil, &cli.UsageError{Msg: fmt.Sprintf("the engine cdcl has no option --%s", n), Hint: "It is an option of --engine dpll and auto."}
			}
		}
	}
	return o, nil
}

// An enumerateRun is a run of enumerate.
type enumerateRun struct {
	*modelsRun
	o         *enumerateOptions
	models    int64
	exhausted bool   // all models were visited
	from      string // the number or weight of the models from which --sample draws
	line      []byte
	flushed   time.Time
}

// flushInterval is the time after which models are printed, so that many are written at
// once.
const flushInterval = 50 * time.Millisecond

func runEnumerate(r *cli.Run, o *enumerateOptions) error {
	cli.SaveMemory()
	x := &enumerateRun{modelsRun: &modelsRun{Run: r, o: o.modelsOptions}, o: o}
	x.Do("read", x.read)
	if o.sample > 0 {
		x.Do("solve", x.draw)
	} else {
		x.Do("solve", x.search)
	}
	x.Out.Write(func(io.Writer) error { return nil }) // the models before an error
	return x.Finish(x.end)
}

// search visits the models.
func (x *enumerateRun) search(ctx context.Context) error {
	if x.o.project == nil {
		x.vars = x.in.Formula.Vars() // models are over the variables of the header
	}
	if err := cmp.Or(x.in.Counting.Unweighted(), engines.CheckMemory(x.Run, x.vars, x.in.Formula, &engines.DPLLSetup{})); err != nil {
		return err
	}
	err := x.findModels(ctx, x.o.engine, x.visit, func(s engines.Statistics) { x.progress(s); x.flush() })
	if err == nil && x.models == x.o.limit && x.models > 0 {
		err = &cli.StoppedError{Why: fmt.Sprintf("limit of %s", cli.Count(x.o.limit, "model"))}
	}
	return cmp.Or(x.Out.Err, err)
}

// draw prints models that are drawn at random. Each is extended beyond a projection by a solver, and evaluated.
func (x *enumerateRun) draw(ctx context.Context) error {
	o, err := x.counting()
	if err := cmp.Or(err, engines.CheckMemory(x.Run, x.in.Formula.Vars(), x.in.Formula, &engines.CDCLSetup{})); err != nil {
		return err
	}
	circuit, result := count.Compile(ctx, x.in.Formula, o)
	if circuit == nil {
		return nil
	}
	x.from = result.Models.RatString()
	x.exhausted = result.Status == dimacs.Unsatisfiable
	solver := cdcl.New(cdcl.Options{Memory: x.Memory.Allows})
	solver.AddFormula(x.in.Formula)
	sample := circuit.Sampler(rand.New(rand.NewPCG(x.o.seed, 1)))
	for x.models < x.o.sample && ctx.Err() == nil && x.Out.Err == nil {
		m := sample()
		if m == nil {
			break
		}
		switch solver.Solve(ctx, append(m.Lits(), x.o.assume...)...) {
		case dimacs.Unsatisfiable:
			return internalError(fmt.Errorf("the model that was drawn, %v, falsifies the formula", m.Lits()))
		case dimacs.Satisfiable:
			if i := solver.Model().Falsified(x.in.Formula); i >= 0 {
				return internalError(fmt.Errorf("the model that was drawn falsifies clause %d", i+1))
			}
			x.begin()
			x.models++
			x.print(m)
		}
	}
	return x.Out.Err
}

// progress stores and shows the statistics of the engine.
func (x *enumerateRun) progress(s engines.Statistics) {
	x.last = s
	x.Progress.Event(cli.NoLine, s)
}

// findModels calls visit for each model set of the engine until visit returns false, and
// progress with statistics. It evaluates each model set on the formula and the assumptions.
func (x *enumerateRun) findModels(ctx context.Context, engine string, visit func(*enumerate.ModelSet) bool, progress func(engines.Statistics)) error {
	o := enumerate.Options{
		Engine: engine, Project: x.o.project, Assume: x.o.assume, DPLL: x.o.classic,
	}
	o.DPLL.Progress = func(s classic.Stats) { progress(&engines.DPLLStatistics{Stats: s}) }
	o.CDCL.Progress = func(_ cdcl.Event, s cdcl.Stats) { progress(&engines.CDCLStatistics{Stats: s}) }
	o.CDCL.Seed, o.CDCL.Memory = x.o.seed, x.Memory.Allows
	models := enumerate.New(x.in.Formula, o)
	for set := range models.ModelSets(ctx) {
		if err := x.checkModelSet(set); err != nil {
			return err
		}
		if !visit(set) {
			break
		}
	}
	x.exhausted = models.Exhausted()
	return nil
}

// checkModelSet returns an internal error if a model set is wrong.
func (x *enumerateRun) checkModelSet(set *enumerate.ModelSet) error {
	return internalError(set.Check(x.in.Formula, x.o.assume))
}

// visit prints the models of a set. It returns false to end the search.
func (x *enumerateRun) visit(set *enumerate.ModelSet) bool {
	x.begin()
	for m := range set.Models() {
		x.models++
		x.print(m)
		if x.models == x.o.limit || x.Out.Err != nil || x.models%1024 == 0 && x.Ctx.Err() != nil {
			return false
		}
	}
	x.flush()
	return x.Out.Err == nil
}

// begin prints the answer before the first model.
func (x *enumerateRun) begin() {
	if x.models == 0 {
		x.flushed = time.Now()
		if !x.JSON {
			x.Out.Line("s " + dimacs.Satisfiable.String())
		}
	}
}

// print adds a model to the buffered output.
func (x *enumerateRun) print(m dimacs.Model) {
	if x.JSON {
		x.line = append(x.line[:0], `{"model":[`...)
		for _, l := range m.Lits() {
			x.line = fmt.Append(x.line, l, ",")
		}
		x.line = append([]byte(strings.TrimSuffix(string(x.line), ",")), "]}\n"...)
	} else if x.in.Names != nil {
		x.line = cli.AppendWords(x.line[:0], formula.Named(x.in.Names, m.Lits()))
	} else {
		x.line = dimacs.AppendModel(x.line[:0], m)
	}
	x.Out.Gather(x.line)
}

// flush writes the buffered models, at most once per flushInterval.
func (x *enumerateRun) flush() {
	if now := time.Now(); now.Sub(x.flushed) >= flushInterval {
		x.flushed = now
		x.Out.Write(func(io.Writer) error { return nil })
	}
}

// end prints the summary and returns the exit code.
func (x *enumerateRun) end() error {
	status := dimacs.Unknown
	switch {
	case x.models > 0:
		status = dimacs.Satisfiable
	case x.exhausted:
		status = dimacs.Unsatisfiable
	}
	x.printStatistics()
	switch {
	case x.JSON:
		x.Out.Write(func(w io.Writer) error { return cli.WriteJSON(w, x.document(status)) })
	case x.models > 0 && x.models == x.o.sample:
		x.Out.Comment("models: %d, drawn from %s", x.models, x.from)
	case x.exhausted:
		x.Comment("finished after %.2f s", time.Since(x.Begin).Seconds())
		x.Out.Comment("models: %d, and no others", x.models)
	default:
		x.Comment("stopped after %.2f s: %s", time.Since(x.Begin).Seconds(), x.Why())
		x.Out.Comment("models: %d, there may be others", x.models)
	}
	if x.models == 0 && !x.JSON {
		x.Out.Line("s " + status.String())
	}
	return answer.Exit(status, x.Out.Err)
}

// An enumerateDocument is the last line of the output of --json.
type enumerateDocument struct {
	Version  string             `json:"version"`
	Status   string             `json:"status"`
	Models   int64              `json:"models"`
	Complete bool               `json:"complete"`
	Reason   string             `json:"reason,omitempty"`
	Stats    engines.Properties `json:"statistics,omitempty"`
}

func (x *enumerateRun) document(status dimacs.Status) *enumerateDocument {
	d := &enumerateDocument{Version: cli.Version(), Status: status.String(), Models: x.models, Complete: x.exhausted}
	if !x.exhausted && (x.o.sample == 0 || x.models < x.o.sample) {
		d.Reason = x.Why()
	}
	if x.o.stats && x.last != nil {
		d.Stats = x.last.List()
	}
	return d
}
