package commands

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
)

func cubeCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "cube",
		Category:    "Solve",
		Usage:       "split a formula into cubes by look-ahead",
		UsageText:   "sator cube [flags] [FILE|-]... -o F.icnf",
		Description: cubeDescription,
		Flags: []cli.Flag{
			cli.TimeFlag(),
			&cli.IntFlag{Name: "cubes", Category: cli.LimitFlags, Usage: "stop at `N` cubes; the largest cubes are split first"},
			&cli.IntFlag{Name: "depth", Category: cli.LimitFlags, Usage: "do not split cubes of `N` decisions"},
			&cli.IntFlag{Name: "free", Category: cli.LimitFlags, Usage: "do not split cubes with at most `N` unassigned variables"},
			&cli.BoolFlag{Name: "dynamic", Category: cli.LimitFlags, Usage: "adapt the cutoff to the depth of refuted nodes"},
			cli.OutputFlag("icnf", "text"),
			cli.QuietFlag(),
			&cli.BoolFlag{Name: engines.NoSimplify, Category: cli.EngineFlags, Usage: "do not simplify the formula before look-ahead"},
			formula.RelaxedFlag(),
		},
		Action: cli.RunAction(e, cubeOptionsOf, func(o *cubeOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.files, Outputs: []string{o.output}}
		}, splitFormula),
	}
}

const cubeDescription = `Splits a formula into cubes by look-ahead and writes both as iCNF, for
"sator conquer". A cube is a conjunction of literals; the cubes cover all
assignments that look-ahead does not refute. Several files are one conjunction.
Look-ahead propagates both values of a variable, and branches on the variable
for which both branches reduce the formula most. A branch that look-ahead
refutes gets no cube; conquer derives these refutations again.

The formula is simplified first, and look-ahead works on the simplified formula
and its variables; the written clauses are the original ones. The comment
"c p variables N" keeps variables above the largest literal, which the header of
iCNF has no number for.

A cube is split until a limit is reached: --depth, --free, --cubes, or
--dynamic. With --dynamic the limit is a threshold on the product of decisions
and assigned variables, which adapts to the nodes where cubes are refuted. The
default is --cubes 300. A few cubes are enough for conquer, which splits hard
cubes further.

If --time ends the run, the cubes so far are written; they still cover all
assignments. A signal ends the run without a file. The same formula and flags
give the same cubes.

A line on standard error reports the number of cubes.

Examples:
  sator cube problem.cnf -o problem.icnf
  sator cube problem.cnf --depth 8 -o problem.icnf
  sator cube problem.cnf | sator conquer - -j 8`

// defaultCubes is the limit on the number of cubes if no limit is given.
const defaultCubes = 300

// cubeOptions is the command line of cube.
type cubeOptions struct {
	files    []string
	output   string
	limits   cube.Limits
	simplify bool
}

func cubeOptionsOf(c *cli.Context) (*cubeOptions, error) {
	o := &cubeOptions{
		files:    cli.Operands(c),
		output:   c.String("output"),
		limits:   cube.Limits{Cubes: c.Int("cubes"), Depth: c.Int("depth"), Free: c.Int("free"), Dynamic: c.Bool("dynamic")},
		simplify: !c.Bool(engines.NoSimplify),
	}
	for _, name := range []string{"cubes", "depth", "free"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return nil, cli.Invalid(name, c.Int(name), "a positive number")
		}
	}
	if o.limits == (cube.Limits{}) {
		o.limits.Cubes = defaultCubes
	}
	return o, nil
}

// A cubeRun is a run of cube.
type cubeRun struct {
	*cli.Run
	o     *cubeOptions
	in    *formula.Input
	split *cube.Result
}

// splitFormula runs the command.
func splitFormula(r *cli.Run, o *cubeOptions) error {
	cli.SaveMemory()
	x := &cubeRun{Run: r, o: o}
	x.Do("read", x.read)
	x.Do("split", x.look)
	if x.Err() != nil {
		return x.Err()
	}
	return x.write()
}

func (x *cubeRun) read(ctx context.Context) (err error) {
	x.in, err = formula.NewReader(x.Run).CNF(ctx, x.o.files...)
	return err
}

// look splits the formula after one round of simplification, or the formula itself if the
// context ends before.
func (x *cubeRun) look(ctx context.Context) error {
	f := x.in.Formula
	if x.o.simplify {
		s, err := simplified(ctx, x.Run, x.in, cdcl.Options{}, 1, nil)
		if err != nil {
			return err
		}
		if s != nil {
			f = collect(s.Stats().Vars, s.Simplified())
			if err := s.Err(); err != nil {
				return err
			}
		}
	}
	if !x.Memory.HasRoom(cube.Footprint(f.Vars(), f.Len(), f.Size())) {
		return x.Memory.Stop()
	}
	x.split = cube.Split(ctx, f, x.o.limits)
	return context.Cause(x.Signals)
}

// write writes the formula with the cubes, and a line on standard error.
func (x *cubeRun) write() error {
	s := x.split
	script := &dimacs.Script{Formula: x.in.Formula}
	for _, lits := range s.Cubes {
		script.Cubes = append(script.Cubes, dimacs.Cube{Lits: lits, Clauses: x.in.Formula.Len()})
	}
	summary := fmt.Sprintf("%s; %s, %d of them refuted, %s", cli.Count(len(s.Cubes), "cube"), cli.Count(s.Nodes, "node"), s.Refuted, cli.Count(s.Failed, "failed literal"))
	if len(s.Cubes) == 0 {
		summary = "refuted by look-ahead: there are no cubes"
	}
	if why := x.Why(); why != "" {
		summary += "; stopped: " + why
	}
	err := x.Write(x.Signals, x.o.output, func(w io.Writer) error {
		return dimacs.WriteScript(w, script, fmt.Sprintf("sator %s cube, of %s", cli.Version(), strings.Join(cli.ShownAll(x.o.files), ", ")), summary)
	})
	if err == nil {
		x.Note("%s, after %.2f s", summary, time.Since(x.Begin).Seconds())
	}
	return err
}
