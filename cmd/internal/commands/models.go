package commands

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/count"
)

// The common part of enumerate and count.

// modelsFlags returns the flags of both commands.
func modelsFlags() []cli.Flag {
	return []cli.Flag{
		cli.TimeFlag(),
		cli.MemoryFlag(),
		cli.QuietFlag(),
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics at the end; as c lines even with --quiet"},
		cli.OutputFlag(),
		formula.RelaxedFlag(),
		formula.NamesFlag(),
		formula.AssumeFlag(),
		&cli.StringSliceFlag{Name: "project", Category: cli.InputFlags, Usage: "project the models onto `VARIABLES`, as in \"1 2 7..20\""},
		cli.SeedFlag(cli.EngineFlags),
	}
}

// modelsOptions is the common part of the command lines.
type modelsOptions struct {
	files   []string
	output  string
	assume  []dimacs.Lit
	project []dimacs.Var // nil for all variables
	seed    uint64
	stats   bool
}

func modelsOptionsOf(c *cli.Context) (*modelsOptions, error) {
	o := &modelsOptions{
		files:  cli.Operands(c),
		output: c.String("output"),
		seed:   c.Uint64("seed"),
		stats:  c.Bool("stats"),
	}
	switch {
	case c.Bool("names") && cli.AsJSON(c):
		return nil, cli.Exclusive("names", "json")
	case c.Bool("names"):
		return o, nil // the names in flags are known when the formula is read
	}
	return o, o.literals(c, nil)
}

// literals parses --project and --assume, which may have names.
func (o *modelsOptions) literals(c *cli.Context, names *formula.Input) (err error) {
	if c.IsSet("project") {
		if o.project, err = variables(c.StringSlice("project"), names); err != nil {
			return err
		}
	}
	if names != nil {
		o.assume, err = names.Literals("assume", c.StringSlice("assume"))
	} else {
		o.assume, err = formula.Literals(c.StringSlice("assume"))
	}
	return err
}

// variables parses variables, ranges, and names if there are any, separated by blanks or commas,
// and returns each variable once.
func variables(lists []string, names *formula.Input) ([]dimacs.Var, error) {
	var vs []dimacs.Var
	seen := map[dimacs.Var]bool{}
	for _, word := range strings.FieldsFunc(strings.Join(lists, " "), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' }) {
		from, to, isRange := strings.Cut(word, "..")
		a, errA := strconv.Atoi(from)
		b, errB := a, error(nil)
		if names != nil {
			if v, ok := names.Names.Var(word); ok {
				isRange, errA, a, b = false, nil, v.Int(), v.Int()
			}
		}
		if isRange {
			b, errB = strconv.Atoi(to)
		}
		if cmp.Or(errA, errB) != nil || a < 1 || b < a || b > dimacs.MaxVars {
			return nil, cli.Invalid("project", word, "variables and ranges of variables, such as \"1 2 7..20\"")
		}
		for n := a; n <= b; n++ {
			if v := dimacs.Var(n - 1); !seen[v] {
				seen[v] = true
				vs = append(vs, v)
			}
		}
	}
	if len(vs) == 0 {
		return nil, cli.Invalid("project", strings.Join(lists, " "), "at least one variable")
	}
	return vs, nil
}

// A modelsRun is a run of enumerate or count.
type modelsRun struct {
	*cli.Run
	o    *modelsOptions
	in   *formula.Input
	vars int // number of variables of the engine

	last engines.Statistics
}

// read reads the formula.
func (x *modelsRun) read(ctx context.Context) error {
	x.Comment("sator %s", cli.Version())
	r := formula.NewReader(x.Run)
	r.Counting = true
	in, err := r.CNF(ctx, x.o.files...)
	if err != nil {
		return err
	}
	x.in = in
	if in.Names != nil {
		if err := x.o.literals(x.Flags, in); err != nil {
			return err
		}
	}
	if err := in.CheckAssumptions(x.o.assume); err != nil {
		return err
	}
	for _, v := range x.o.project {
		if int(v) >= in.Formula.Vars() {
			return cli.Invalid("project", v.Int(), "a variable of the formula, 1 to %d", in.Formula.Vars())
		}
	}
	x.projectAsRead()
	x.Comment("%s", in.Summary(x.o.files))
	x.vars = in.Occurring(x.o.assume)
	for _, v := range x.o.project {
		x.vars = max(x.vars, int(v)+1)
	}
	x.Progress.Doing("adding clauses")
	return nil
}

// projectAsRead adopts the projection of the input, unless --project replaces it.
func (x *modelsRun) projectAsRead() {
	c := x.in.Counting
	if x.o.project == nil {
		x.o.project = c.Project
		if c.Project != nil {
			x.Comment("projection: %s", cli.Count(len(c.Project), "variable"))
		}
		return
	}
	if same := slices.Equal(slices.Sorted(slices.Values(x.o.project)), c.Project); !same && (c.Project != nil || c.Type != "") {
		x.Say("warning: --project replaces what the input says about projection")
	}
}

// counting returns the options of package count for the input.
func (x *modelsRun) counting() (count.Options, error) {
	weights, err := x.in.Counting.LiteralWeights()
	return count.Options{Project: x.o.project, Weights: weights, Assume: x.o.assume, Seed: x.o.seed, Memory: x.Memory.Limit() / 3}, err
}

// printStatistics prints the statistics with --stats.
func (x *modelsRun) printStatistics() {
	if !x.o.stats || x.JSON || x.last == nil {
		return
	}
	for _, row := range append(x.last.List(), engines.Property{Name: "total_seconds", Value: time.Since(x.Begin).Seconds()}, engines.Property{Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())}).Rows() {
		x.Out.Comment("%s", row)
	}
}
