package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

func convertCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Category:  "Transform",
		Usage:     "rewrite a formula, a circuit, cubes or a solution",
		UsageText: "sator convert [flags] [FILE|-]...",
		Description: `Reads the same inputs as solve and writes them in another compression or format,
with a correct header and without comments, except for those of "sator sudoku
encode" about the variables, and the lines about counting models ("c p show" and
others, see count), which get the form of the competitions. The compression
follows from the name of the output: .gz, .xz or .zst; other names are not
compressed. Several files become one formula. The output is created after all
input was read, has a temporary name until it is complete, and never replaces an
input.

A circuit in AIGER, pseudo-Boolean constraints in OPB and Boolean formulas as
text become formulas, as solve reads them; --bound K unrolls a circuit with
latches, and the names of its inputs and of a text become comments such as
"c 1 door". With --names such comments of a formula are kept, too. --format aag
and aig write a circuit in the ASCII and the binary form of AIGER.

--format cnf writes a formula; of an iCNF file it writes the clauses and omits
the cubes. --format icnf writes a script; a formula gets one empty cube. Without
--format the format follows from the name of the output, .cnf, .icnf, .aag or
.aig; otherwise it is cnf, or icnf if the input is. --cube N writes the clauses
before cube N and the literals of the cube as unit clauses. A solution, of
MiniSat or another solver, becomes "s" and "v" lines.

--normalize removes duplicate literals, tautologies and duplicate clauses.

--substitute and --shuffle make another formula with the same answer, for tests
and benchmarks: the first replaces each variable by a function of new variables,
which makes formulas harder, the second renames variables and changes their
signs and the order of clauses and literals. Both together substitute first. A
solution of the new formula becomes one of the old formula if it is converted
with the same flags and the same seed. A shuffled formula has as many models as
before; of a substituted one, several models may become the same, and lines
about counting are omitted with a warning.

Examples:
  sator convert problem.cnf.bz2 -o problem.cnf.zst
  sator convert --relaxed --normalize broken.cnf -o clean.cnf
  sator convert cubes.icnf --cube 3 | sator solve -
  echo "door -> !(motor | brake)" | sator convert - | sator solve - --names
  sator convert model.aig --bound 20 -o model.cnf
  sator convert php.cnf --substitute xor:2 --shuffle --seed 7 -o hard.cnf
  sator solve hard.cnf | sator convert --substitute xor:2 --shuffle --seed 7`,
		Flags: append(transformFlags(), []cli.Flag{
			cli.OutputFlag(),
			cli.FormatFlag("", "", cli.Names("cnf", "icnf", "aag", "aig")...),
			&cli.IntFlag{Name: "cube", Category: cli.OutputFlags, Usage: "add the literals of cube `N`, from 1, as unit clauses"},
			&cli.BoolFlag{Name: "normalize", Category: cli.OutputFlags, Usage: "remove duplicate literals and clauses; and tautologies"},
			formula.RelaxedFlag(),
			formula.NamesFlag(),
			formula.BoundFlag(),
		}...),
		Action: cli.Action(func(c *cli.Context) error {
			if c.IsSet("cube") && c.String("format") == "icnf" {
				return cli.Exclusive("cube", "format icnf")
			}
			x, err := transformationOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: cli.Operands(c), Outputs: []string{c.String("output")}}
			return e.Run(c, frame, func(r *cli.Run) error { return convert(r, &x) })
		}),
	}
}

func convert(r *cli.Run, x *transformation) error {
	c := r.Flags
	reader := formula.NewReader(r)
	reader.Counting, reader.Circuits = true, circuitFormat(r)
	var err error
	if reader.Unroll, err = formula.BoundOf(c); err != nil {
		return err
	}
	in, err := reader.All(r.Ctx, cli.Operands(c)...)
	if err != nil {
		return err
	}
	in.NameInputs()
	content, err := converted(in, r, x)
	if err != nil {
		return err
	}
	return r.Write(r.Ctx, c.String("output"), content)
}

// converted returns a function that writes the input in the format of the flags.
func converted(in *formula.Input, r *cli.Run, x *transformation) (func(io.Writer) error, error) {
	c := r.Flags
	switch {
	case c.IsSet("bound") && (in.Circuit == nil || circuitFormat(r)):
		return nil, cli.Usagef("--bound is for circuits (AIGER) that become formulas")
	case circuitFormat(r) && in.Circuit == nil:
		return nil, fmt.Errorf("the input is no circuit; --format %s needs one", r.Format)
	case circuitFormat(r) && (x.given() || c.Bool("normalize") || c.IsSet("cube")):
		return nil, cli.Usagef("--normalize, --cube, --substitute and --shuffle are for formulas; --format %s is a circuit", r.Format)
	case circuitFormat(r):
		return func(w io.Writer) error { return in.Circuit.WriteAIGER(rawFor(r.Format, w), r.Format == "aig") }, nil
	}
	if in.Solution != nil {
		if c.IsSet("format") || c.IsSet("cube") || c.Bool("normalize") {
			return nil, errors.New("the input is a solution; --format, --cube and --normalize need a formula")
		}
		if r.Format != "" {
			return nil, fmt.Errorf("the input is a solution; a .%s file needs a formula", r.Format)
		}
		m := in.Solution.Model
		if x.given() && in.Solution.Status == dimacs.Satisfiable {
			var err error
			if m, err = x.restore(m); err != nil {
				return nil, err
			}
		}
		return func(w io.Writer) error { return dimacs.WriteSolution(w, in.Solution.Status, m, in.Comments...) }, nil
	}
	if x.given() {
		if err := x.apply(in, r); err != nil {
			return nil, err
		}
	}
	if c.Bool("normalize") {
		if err := normalize(in); err != nil {
			return nil, err
		}
	}
	if c.IsSet("cube") {
		n := c.Int("cube")
		if n < 1 || n > len(in.Cubes) {
			return nil, cli.Invalid("cube", n, "a cube of the input, which has %d", len(in.Cubes))
		}
		return single(in, n-1), nil
	}
	if format(r, in) == "icnf" {
		return func(w io.Writer) error { return writeScript(in, w) }, nil
	}
	if len(in.Cubes) > 0 {
		r.Say("warning: %s omitted", cli.Count(len(in.Cubes), "cube"))
	}
	return func(w io.Writer) error { return dimacs.Write(w, in.Formula, in.About()...) }, nil
}

// circuitFormat reports whether the output is a circuit.
func circuitFormat(r *cli.Run) bool { return r.Format == "aag" || r.Format == "aig" }

// rawFor returns a writer for a format, which is binary if it is aig.
func rawFor(format string, w io.Writer) io.Writer {
	if format == "aig" {
		return cli.Raw(w)
	}
	return w
}

// format returns the format of the output.
func format(r *cli.Run, in *formula.Input) string {
	if in.Script {
		return cmp.Or(r.Format, "icnf")
	}
	return cmp.Or(r.Format, "cnf")
}

// normalize normalizes the formula. It returns an error for cubes between clauses, whose
// position would be lost.
func normalize(in *formula.Input) error {
	n := in.Formula.Len()
	in.Formula = in.Formula.Normalize()
	for i := range in.Cubes {
		if in.Cubes[i].Clauses != n {
			return fmt.Errorf("cube %d is before the last clause; such a script cannot be normalized", i+1)
		}
		in.Cubes[i].Clauses = in.Formula.Len()
	}
	return nil
}

// single returns a function that writes the clauses before cube i, and the literals of
// the cube as unit clauses.
func single(in *formula.Input, i int) func(io.Writer) error {
	cube := in.Cubes[i]
	f := dimacs.NewFormula(in.Formula.Vars())
	for n := range cube.Clauses {
		f.Add(in.Formula.Clause(n)...)
	}
	for _, l := range cube.Lits {
		f.Add(l)
	}
	return func(w io.Writer) error { return dimacs.Write(w, f, in.About()...) }
}

// writeScript writes the input as a script. If it has no cubes, the script gets the
// empty cube, so that it has something to solve.
func writeScript(in *formula.Input, w io.Writer) error {
	cubes := in.Cubes
	if len(cubes) == 0 {
		cubes = []dimacs.Cube{{Clauses: in.Formula.Len()}}
	}
	return dimacs.WriteScript(w, &dimacs.Script{Formula: in.Formula, Cubes: cubes}, in.About()...)
}
