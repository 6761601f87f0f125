package sudoku

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/text"
)

func decodeCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "decode",
		Category:    "Formulas",
		Usage:       "decode a model into a solution, and check it",
		UsageText:   "sator sudoku decode [flags] [FORMULA]... [MODEL|-]",
		Description: decodeDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "puzzle", Category: cli.InputFlags, Usage: "check the solution against the puzzle in `FILE`"},
			&cli.StringFlag{Name: "variant", Category: cli.InputFlags, Usage: "`RULES` of a formula without comments about them; as \"9 boxes 3x3\""},
			cli.Strict(&cli.StringFlag{Name: "numbering", Category: cli.InputFlags, Value: "dense", Usage: "with --variant: numbering `NAME` of variables; as for encode"}, numberingChoices),
			cli.FormatFlag("", "(default: digits in a line)", formatChoices()...),
			cli.OutputFlag(),
		},
		Action: cli.Action(func(c *cli.Context) error {
			o, err := decodeOptionsOf(c)
			if err != nil {
				return err
			}
			inputs := append(slices.Clone(o.formulas), o.model)
			if o.puzzle != "" {
				inputs = append(inputs, o.puzzle)
			}
			if err := cli.CheckStdin(inputs); err != nil {
				return err
			}
			return e.Run(c, cli.RunOptions{Inputs: inputs, Outputs: []string{o.output}}, func(r *cli.Run) error {
				solution, err := decode(r, o)
				if wrong := (*modelError)(nil); errors.As(err, &wrong) {
					r.Say("%v", err)
					return cli.ExitCode(cli.CodeWrong)
				} else if err != nil {
					return err
				}
				return r.Write(r.Ctx, o.output, func(w io.Writer) error { return printSolution(w, solution, r.Format) })
			})
		}),
	}
}

const decodeDescription = `Decodes a model of an encoded puzzle into a solution and checks it. FORMULA is
the output of "sator sudoku encode": its comments describe the variables, and
its unit clauses are the givens. It may be the rules only, or rules and givens
in several files. A formula about cells is accepted too, with the variables of
encode without flags. For other formulas, --variant and --numbering supply the
missing description. A file that does not match its header, and may be
truncated, causes a warning.

Without FORMULA the comments of MODEL describe the variables: "sator convert",
"simplify", "solve" and "extend" keep those of encode. Such a solution is
checked against the rules; --puzzle checks it against the givens, too.

MODEL is the output of any solver, "-" for standard input: "s" and "v" lines,
the output file of MiniSat, a list of literals, or a formula of unit clauses. It
may list only the true variables, or only the variables of candidates.

The solution is checked against the rules, the givens of FORMULA and the puzzle
of --puzzle before it is printed.

Exit codes: 0 the solution was printed; 4 the model is not a solution, or
reports that there is no solution (standard error has the reason); 1 an input
that cannot be read, a formula without a description of its variables, or an
output that cannot be written; 2 invalid command line, 3 internal error of
Sator.

Examples:
  minisat puzzle.cnf model; sator sudoku decode puzzle.cnf model
  sator sudoku encode puzzle.txt | sator solve | sator sudoku decode
  cadical -q puzzle.cnf | sator sudoku decode puzzle.cnf -
  sator sudoku decode --variant "9 boxes 3x3" --numbering rcd rules.cnf model`

// decodeOptions is the command line of decode.
type decodeOptions struct {
	formulas      []string
	model, puzzle string
	variant       *sudoku.Rules
	numbering     string
	output        string
}

func decodeOptionsOf(c *cli.Context) (*decodeOptions, error) {
	o := &decodeOptions{
		puzzle: c.String("puzzle"), numbering: c.String("numbering"),
		output: c.String("output"),
	}
	args := cli.Operands(c)
	o.formulas, o.model = args[:len(args)-1], args[len(args)-1]
	var err error
	if o.variant, err = variantOf(c); err != nil {
		return nil, err
	}
	return o, nil
}

// printSolution writes a solution, with or without a format.
func printSolution(w io.Writer, g *sudoku.Grid, format string) error {
	if format != "" {
		return text.Write(w, g, format)
	}
	_, err := fmt.Fprintln(w, text.Line(g))
	return err
}

// A modelError is the error of a model that is not a solution.
type modelError struct {
	name string
	err  error
}

func (w *modelError) Error() string { return w.name + ": " + w.err.Error() }

// decode decodes and checks the model.
func decode(r *cli.Run, o *decodeOptions) (*sudoku.Grid, error) {
	var f formulas
	for _, name := range o.formulas {
		if err := f.read(r, name); err != nil {
			return nil, err
		}
	}
	src, err := r.Open(r.Ctx, o.model)
	if err != nil {
		return nil, err
	}
	s, comments, err := sudoku.ReadModel(src, cli.Shown(o.model))
	if err := cmp.Or(err, src.Close()); err != nil {
		return nil, err
	}
	if len(o.formulas) == 0 {
		f.comments = comments
	}
	m, err := f.mapping(o)
	if err != nil {
		return nil, err
	}
	wrong := func(err error) error { return &modelError{cli.Shown(o.model), err} }
	switch {
	case s.Status == dimacs.Unsatisfiable:
		return nil, wrong(errors.New("the solver reports that there is no solution"))
	case !s.HasModel:
		return nil, wrong(errors.New("the file has no model"))
	}
	g, err := m.Decode(s.Model)
	switch {
	case err != nil && strings.HasPrefix(m.Coding.Encoding, "2sat"):
		return nil, wrong(fmt.Errorf("%w; not every model of the encoding %s is a solution", err, m.Coding.Encoding))
	case err != nil:
		return nil, wrong(err)
	}
	if o.puzzle == "" {
		return g, nil
	}
	puzzle, err := puzzleOf(r, o.puzzle, m.Rules)
	if err != nil {
		return nil, err
	}
	if err := g.Solves(puzzle); err != nil {
		return nil, wrong(fmt.Errorf("%s: %w", cli.Shown(o.puzzle), err))
	}
	return g, nil
}

// puzzleOf reads the puzzle of --puzzle.
func puzzleOf(run *cli.Run, file string, r *sudoku.Rules) (*sudoku.Grid, error) {
	source := NewPuzzles(run, &puzzleInput{files: []string{file}, rules: r})
	p, second, err := source.Only()
	if err != nil {
		return nil, err
	}
	if second != nil {
		return nil, fmt.Errorf("%s: the file has several puzzles; --puzzle needs a file with one", cli.Shown(file))
	}
	return p.Grid, nil
}

// mapping returns the description of the variables, and the givens.
func (f *formulas) mapping(o *decodeOptions) (*sudoku.Map, error) {
	if f.cells != nil {
		m, err := sudoku.NewMap(f.cells.Rules, sudoku.Coding{Numbering: o.numbering})
		if err == nil {
			m.Puzzle = f.cells
		}
		return m, err
	}
	m, err := sudoku.ReadMap(f.comments)
	switch none := errors.Is(err, sudoku.ErrNoMap); {
	case none && o.variant != nil:
		m, err = sudoku.NewMap(o.variant, sudoku.Coding{Numbering: o.numbering})
	case none:
		err = fmt.Errorf("%w; set the rules with --variant", err)
	case err == nil && o.variant != nil && o.variant.String() != m.Rules.String():
		err = fmt.Errorf("the rules are %q, not those of --variant", m.Rules)
	}
	if err == nil {
		m.Puzzle, err = m.Units(&f.clauses)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.Shown(append(o.formulas, o.model)[0]), err)
	}
	return m, nil
}

// formulas are the contents of the files FORMULA.
type formulas struct {
	clauses  dimacs.Formula
	comments []string
	cells    *sudoku.Grid // of a formula about cells; else nil
}

// read reads one file.
func (f *formulas) read(run *cli.Run, name string) error {
	src, err := run.Open(run.Ctx, name)
	if err != nil {
		return err
	}
	buffered := bufio.NewReader(src)
	if head, _ := buffered.Peek(256); sudoku.IsCellFormula(head) {
		f.cells, err = sudoku.ReadCellFormula(buffered, cli.Shown(name))
		return cmp.Or(err, src.Close())
	}
	r := &dimacs.Reader{Name: cli.Shown(name), Relaxed: true, Keep: sudoku.CommentWord, Warn: func(w *dimacs.SyntaxError) {
		if run.Ctx.Err() == nil {
			run.Warn(w)
		}
	}}
	err = r.ReadInto(&f.clauses, buffered)
	f.comments = append(f.comments, r.Kept...)
	return cmp.Or(err, src.Close())
}

// variantOf returns the rules of --variant, or nil without it.
func variantOf(c *cli.Context) (*sudoku.Rules, error) {
	if !c.IsSet("variant") {
		return nil, nil
	}
	v, err := parseVariant(c.String("variant"))
	if err != nil {
		return nil, cli.Invalid("variant", c.String("variant"), "%v", err)
	}
	return sudoku.Must(v), nil
}
