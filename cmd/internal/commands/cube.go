package commands

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sator/cmd/internal/answer"
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
			cli.OutputFlag(),
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
	quiet    bool
}

func cubeOptionsOf(c *cli.Context) (*cubeOptions, error) {
	o := &cubeOptions{
		files:    cli.Operands(c),
		output:   c.String("output"),
		limits:   cube.Limits{Cubes: c.Int("cubes"), Depth: c.Int("depth"), Free: c.Int("free"), Dynamic: c.Bool("dynamic")},
		simplify: !c.Bool(engines.NoSimplify),
		quiet:    c.Bool("quiet"),
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

// splitFormula runs the command.
func splitFormula(r *cli.Run, o *cubeOptions) error {
	cli.SaveMemory()
	in, err := formula.NewReader(r).CNF(r.Ctx, o.files...)
	if err != nil {
		return err
	}
	f := in.Formula
	if o.simplify {
		if f, err = simplifiedFormula(r, in); err != nil {
			return err
		}
	}
	if !r.Memory.HasRoom(cube.Footprint(f.Vars(), f.Len(), f.Size())) {
		return r.Memory.Stop()
	}
	s := cube.Split(r.Ctx, f, o.limits)
	if r.Signals.Err() != nil {
		return context.Cause(r.Signals)
	}
	script := &dimacs.Script{Formula: in.Formula}
	for _, lits := range s.Cubes {
		script.Cubes = append(script.Cubes, dimacs.Cube{Lits: lits, Clauses: in.Formula.Len()})
	}
	summary := fmt.Sprintf("%s; %s, %d of them refuted, %s", cli.Count(len(s.Cubes), "cube"), cli.Count(s.Nodes, "node"), s.Refuted, cli.Count(s.Failed, "failed literal"))
	if len(s.Cubes) == 0 {
		summary = "refuted by look-ahead: there are no cubes"
	}
	if why, is := cli.Stopped(r.Ctx); is {
		summary += "; stopped: " + why
	}
	err = r.Write(r.Signals, o.output, func(w io.Writer) error {
		return dimacs.WriteScript(w, script, fmt.Sprintf("sator %s cube, of %s", cli.Version(), strings.Join(cli.ShownAll(o.files), ", ")), summary)
	})
	if err == nil && !o.quiet {
		r.Say("%s, after %.2f s", summary, time.Since(r.Begin).Seconds())
	}
	return err
}

// simplifiedFormula returns the formula after one round of simplification, or the
// formula itself if the context ends before its clauses are added.
func simplifiedFormula(r *cli.Run, in *formula.Input) (*dimacs.Formula, error) {
	vars := in.Occurring(nil)
	o := cdcl.DefaultOptions()
	o.Memory = r.Memory.Allows
	if err := engines.CheckMemory(r, vars, in.Formula, &engines.CDCLSetup{Options: o}); err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(vars)
	s := cdcl.New(o)
	err := answer.CatchTableLimit(r, func() {
		if engines.Fill(r.Ctx, s, in.Formula, vars) {
			s.Simplify(r.Ctx, 1)
			for c := range s.Simplified() {
				f.Add(c...)
			}
			if err := s.Err(); err != nil {
				panic(err)
			}
		} else {
			f = in.Formula
		}
	})
	return f, err
}
