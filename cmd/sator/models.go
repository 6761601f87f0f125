package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/dpll/enumerate"
)

// What enumerate and count have in common.

// modelsFlags are the flags of both.
func modelsFlags() []cli.Flag {
	return append([]cli.Flag{
		cli.TimeFlag(),
		cli.MemoryFlag(),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: cli.OutputFlags, Usage: "print no c lines but those of the answer, and no status line"},
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics at the end, as c lines even with --quiet"},
		cli.OutputFlagOf("write to `FILE` what goes to standard output otherwise"),
		formula.RelaxedFlag(),
		formula.AssumeFlag(),
		&cli.StringSliceFlag{Name: "project", Category: cli.InputFlags, Usage: "tell models apart by `VARIABLES` alone, as in \"1 2 7..20\""},
		&cli.Uint64Flag{Name: "seed", Category: cli.EngineFlags, Usage: "start the random generator with `N`"},
	}, cli.BranchingFlags()...)
}

// modelsOptions are the command line of both.
type modelsOptions struct {
	files   []string
	output  string
	time    time.Duration
	memory  int64 // bytes
	assume  []dimacs.Lit
	project []dimacs.Var // nil for all
	seed    uint64
	classic dpll.Options

	json, quiet, stats, relaxed bool
}

func modelsOptionsOf(c *cli.Context) (*modelsOptions, error) {
	o := &modelsOptions{
		files:   cli.Operands(c),
		output:  c.String("output"),
		seed:    c.Uint64("seed"),
		json:    c.Bool("json"),
		quiet:   c.Bool("quiet"),
		stats:   c.Bool("stats"),
		relaxed: c.Bool("relaxed"),
	}
	return o, o.parse(c)
}

// parse reads the flags whose values need reading.
func (o *modelsOptions) parse(c *cli.Context) (err error) {
	if o.time, err = cli.Duration(c); err != nil {
		return err
	}
	if o.memory, err = cli.Positive(c, "memory", 1<<20); err != nil {
		return err
	}
	if o.classic, err = cli.ClassicOptionsOf(c); err != nil {
		return err
	}
	if c.IsSet("project") {
		if o.project, err = variables(c.StringSlice("project")); err != nil {
			return err
		}
	}
	o.assume, err = formula.Literals(c.StringSlice("assume"))
	return err
}

// variables reads variables and ranges of them between blanks or commas, and
// returns each once.
func variables(lists []string) ([]dimacs.Var, error) {
	var vs []dimacs.Var
	seen := map[dimacs.Var]bool{}
	for _, word := range strings.FieldsFunc(strings.Join(lists, " "), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' }) {
		from, to, isRange := strings.Cut(word, "..")
		a, errA := strconv.Atoi(from)
		b, errB := a, error(nil)
		if isRange {
			b, errB = strconv.Atoi(to)
		}
		if cmp.Or(errA, errB) != nil || a < 1 || b < a || b > dimacs.MaxVars {
			return nil, cli.Usagef("--project: %q is no variable, nor a range of them", word)
		}
		for n := a; n <= b; n++ {
			if v := dimacs.Var(n - 1); !seen[v] {
				seen[v] = true
				vs = append(vs, v)
			}
		}
	}
	if len(vs) == 0 {
		return nil, cli.Usagef("--project names no variable")
	}
	return vs, nil
}

// A survey is a run of enumerate or count.
type survey struct {
	e        *cli.Env
	o        *modelsOptions
	command  string
	begin    time.Time
	out      *cli.Printer
	progress *cli.Progress
	in       *formula.Input
	vars     int // that the engine gets

	ctx    context.Context
	last   engines.Statistics
	all    bool   // models were visited
	reason string // if not, why, unless ctx tells
	wrong  error  // an internal error that ended the search
}

func newSurvey(e *cli.Env, o *modelsOptions, command string) *survey {
	x := &survey{e: e, o: o, command: command, begin: time.Now(), out: cli.NewPrinter(e.Stdout)}
	x.progress = cli.NewProgress(e, o.quiet, false, x.begin, x.out)
	x.out.Before = x.progress.Hide
	return x
}

// comment prints "c" lines where they are wanted.
func (x *survey) comment(format string, args ...any) {
	if !x.o.quiet && !x.o.json {
		x.out.Comment(format, args...)
	}
}

// read reads the formula.
func (x *survey) read(ctx context.Context) error {
	x.comment("sator %s", cli.Version())
	r := &formula.Reading{E: x.e, Relaxed: x.o.relaxed, Warn: func(err error) {
		x.progress.Hide()
		fmt.Fprintf(x.e.Stderr, "sator %s: warning: %v\n", x.command, err)
	}}
	in, err := r.Formula(ctx, x.o.files...)
	if err != nil {
		return err
	}
	x.in = in
	if err := cmp.Or(in.Alone(x.o.files[0]), in.Knows(x.o.assume)); err != nil {
		return err
	}
	for _, v := range x.o.project {
		if int(v) >= in.Formula.Vars() {
			return cli.Usagef("--project: there is no variable %d; the formula has %d", v.Int(), in.Formula.Vars())
		}
	}
	var names []string
	for _, name := range x.o.files {
		names = append(names, cli.Shown(name))
	}
	x.comment("read %s in %.2f s: %d variables, %d clauses, %d literals", strings.Join(names, ", "),
		in.Took.Seconds(), in.Formula.Vars(), in.Formula.Len(), in.Formula.Size())
	x.vars = in.Occurring(x.o.assume)
	for _, v := range x.o.project {
		x.vars = max(x.vars, int(v)+1)
	}
	x.progress.Doing("adding clauses")
	return nil
}

// run reads the formula and calls search, which visits the models and keeps in x
// what came of it. It returns why that did not come to its end, empty if it did.
func (x *survey) run(search func(context.Context) error) (why string, err error) {
	cli.SetCollector()
	ctx, release := cli.OnSignal(context.Background())
	defer release()
	ctx, stop := cli.OnLimits(ctx, x.o.time, x.o.memory)
	defer stop()
	err = x.read(ctx)
	if x.ctx = ctx; err == nil {
		err = search(ctx)
	}
	x.progress.Close()
	if x.wrong != nil {
		return "", x.wrong
	}
	if why, is := cli.Stopped(ctx); is && !x.all {
		return why, nil
	}
	return "", err
}

// room says whether there is memory for the tables.
func (x *survey) room() (reason string, err error) {
	return engines.CheckMemory(x.e, x.vars, x.in.Formula, &engines.DpllSetup{}, x.o.memory)
}

// note takes note of an engine's statistics.
func (x *survey) note(s engines.Statistics) {
	x.last = s
	x.progress.Event(cli.NoLine, s)
}

// findModels calls visit for the model sets that the engine finds, as long as
// visit returns true, and note for its statistics.
func (x *survey) findModels(ctx context.Context, engine string, visit func(*enumerate.ModelSet) bool, note func(engines.Statistics)) {
	o := enumerate.Options{
		Engine: engine, Project: x.o.project, Assume: x.o.assume,
		OccurringOnly: x.vars < x.in.Formula.Vars(), DPLL: x.o.classic, CDCL: cdcl.DefaultOptions(),
	}
	o.DPLL.Progress = func(s dpll.Stats) { note(&engines.DpllStatistics{Stats: s}) }
	o.CDCL.Progress = func(_ cdcl.Event, s cdcl.Stats) { note(&engines.CdclStatistics{Stats: s}) }
	o.CDCL.Seed = x.o.seed
	models := enumerate.New(x.in.Formula, o)
	err := withinTables(func() {
		for set := range models.ModelSets(ctx) {
			if !visit(set) {
				break
			}
		}
		x.all = models.Exhausted()
	})
	if err != nil {
		x.reason = err.Error()
	}
}

// check evaluates the model set on the formula and the assumptions. It reports
// false, and the search ends, if the set is wrong.
func (x *survey) check(set *enumerate.ModelSet) bool {
	if err := set.Check(x.in.Formula, x.o.assume); err != nil {
		x.wrong = &cli.InternalError{Msg: err.Error()}
	}
	return x.wrong == nil
}

// stats prints the statistics, if they are wanted.
func (x *survey) stats() {
	if !x.o.stats || x.o.json || x.last == nil {
		return
	}
	for _, p := range append(x.last.List(), engines.Property{Name: "total_seconds", Value: time.Since(x.begin).Seconds()}, engines.Property{Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())}) {
		x.out.Comment("%-20s %15s", strings.ReplaceAll(p.Name, "_", " "), p.Text())
	}
}

// withinTables calls f. An engine that meets a limit of its tables panics with an
// error value, which is returned.
func withinTables(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			panic(p)
		case error:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}
