package sudoku

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/sudoku"
)

func encodeCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "encode",
		Category:    "Formulas",
		Usage:       "encode a puzzle as a formula, for any solver",
		UsageText:   "sator sudoku encode [flags] [FILE|-]...",
		Description: encodeDescription + "\n\n" + codingHelp() + "\n\n" + encodeExamples,
		Flags: append(slices.Concat(codingFlags(), PuzzleFlags()),
			&cli.IntFlag{Name: "nth", Category: cli.InputFlags, Usage: "encode puzzle `N` of the input, from 1"},
			batchFlag(),
			cli.FormatFlag("cnf", "(about cells)", cli.Choice{Name: "cnf", Help: "DIMACS CNF"}, cli.Choice{Name: "formula", Help: "inequalities of cells"}),
			&cli.BoolFlag{Name: "explain", Category: cli.OutputFlags, Usage: "group the clauses by kind; with a comment before each group that says what its clauses mean"},
			cli.Writes(&cli.StringFlag{Name: "rules", Category: cli.OutputFlags, Usage: "write only the clauses of the rules to `FILE`"}, "cnf", "text"),
			cli.Writes(&cli.StringFlag{Name: "givens", Category: cli.OutputFlags, Usage: "write only the givens, as unit clauses, to `FILE`"}, "cnf", "text"),
			cli.OutputFlag()),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := encodeOptionsOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: o.input.files, Outputs: []string{o.output, o.rules, o.givens}}
			return e.Run(c, frame, func(r *cli.Run) error {
				_, err := cli.Await(r.Ctx, func() (struct{}, error) { return struct{}{}, encode(r, o) })
				return err
			})
		}),
	}
}

const encodeDescription = `Encodes a puzzle as a formula in DIMACS CNF; the models of the formula are the
solutions of the puzzle. Comments in the file describe the variables, so that
"sator sudoku decode" needs only the file and the answer of a solver. Without
FILE the puzzle is read from standard input.

If there are several puzzles, --nth chooses one, or the name of the output
contains %d, which is replaced by the number of each puzzle. Then an invalid
puzzle is reported on standard error and has no file, and the others are
encoded, unless --keep-going=false is given.

--rules and --givens write the two parts of the formula to separate files; one
rules file serves all puzzles. Sator accepts both files together; for solvers
that read one file, "sator convert rules.cnf givens.cnf -o both.cnf" joins them.
To decode a model, pass both files.

--format formula writes a conjunction of inequalities between cells and
disjunctions of digits, "v11 = 8 * v12 = 1 + v12 = 2 * v11 != v12"; in grids
larger than 9 the indices are separated, as in v1_12. Such a file may also be
FILE.

--explain is for readers, as in a course. Before the clauses of each kind (of
cells, rows, columns, boxes, other rules, givens) a comment has their number,
their meaning, and the first of them in words. The clauses are the same, but
grouped by kind; any solver and decode read the file.

Contradictory givens cause a warning; the formula then has no model.

Exit codes: 0 the formula was written; 1 an input, or a puzzle of it, that
cannot be read or an output that cannot be written; 2 invalid command line, 3
internal error of Sator.`

const encodeExamples = `Examples:
  sator sudoku encode puzzle.txt -o puzzle.cnf
  sator sudoku encode --encoding reduced --nth 3 puzzles.txt | sator solve -
  sator sudoku encode --rules rules.cnf --givens givens.cnf puzzle.txt
  sator sudoku encode --explain puzzle.txt | grep -v "^[-0-9]"
  sator sudoku encode puzzles.txt -o puzzle-%d.cnf`

// encodingFlags is the category of the flags for the encoding.
const encodingFlags = "encoding"

// codingFlags returns the flags for the encoding.
func codingFlags() []cli.Flag {
	return []cli.Flag{
		cli.Strict(&cli.StringFlag{Name: "encoding", Category: encodingFlags, Value: "extended", Usage: "encode the rules by `NAME`; see above"}, encodingChoices),
		cli.Strict(&cli.StringFlag{Name: "amo", Category: encodingFlags, Usage: "encode at-most-one constraints by `NAME` (default: pairs; mixed for reduced and above size 32)"}, amoChoices),
		cli.Strict(&cli.StringFlag{Name: "numbering", Category: encodingFlags, Value: "dense", Usage: "number the variables by `NAME`"}, numberingChoices),
		&cli.BoolFlag{Name: "repeat", Category: encodingFlags, Usage: "repeat the clauses of cell pairs that two houses share"},
	}
}

// codingHelp returns the help text of the encodings and numberings.
func codingHelp() string {
	return strings.Join([]string{
		choiceHelp("Encodings", encodingChoices(), 18),
		choiceHelp("At most one (--amo)", amoChoices(), 18),
		choiceHelp("Numberings", numberingChoices(), 18),
	}, "\n\n")
}

// codingOf returns the coding of the flags. Flags that a command does not have are empty.
func codingOf(c *cli.Context) sudoku.Coding {
	return sudoku.Coding{
		Encoding:  c.String("encoding"),
		AtMostOne: c.String("amo"),
		Numbering: c.String("numbering"),
		Repeat:    c.Bool("repeat"),
	}
}

// encodeOptions is the command line of encode.
type encodeOptions struct {
	coding        sudoku.Coding
	formula       bool // --format formula
	explain       bool
	nth           int // 0 without --nth
	input         *puzzleInput
	output        string
	parts         bool          // rules and givens have separate files
	rules, givens string        // names of files, or empty
	written       *sudoku.Rules // rules in the file of the rules
}

func encodeOptionsOf(c *cli.Context) (*encodeOptions, error) {
	o := &encodeOptions{
		coding:  codingOf(c),
		formula: c.String("format") == "formula", nth: c.Int("nth"), output: c.String("output"), explain: c.Bool("explain"),
		parts: c.IsSet("rules") || c.IsSet("givens"), rules: c.String("rules"), givens: c.String("givens"),
	}
	var err error
	if o.input, err = PuzzleInputOf(c); err != nil {
		return nil, err
	}
	if err := o.check(c); err != nil {
		return nil, err
	}
	if o.parts {
		o.output = ""
	}
	if o.parts && o.givens == "" && o.nth == 0 && !numbered(o.rules) {
		o.nth = 1 // --rules alone writes the rules of the first puzzle
	}
	return o, nil
}

// check returns an error for flags that do not fit together.
func (o *encodeOptions) check(c *cli.Context) error {
	switch {
	case c.IsSet("nth") && o.nth < 1:
		return cli.Invalid("nth", o.nth, "1 or more")
	case o.explain && o.formula:
		return cli.Exclusive("explain", "format formula")
	case o.parts && c.IsSet("output"):
		return cli.Usagef("--rules and --givens exclude --output")
	case o.parts && o.formula:
		return cli.Usagef("--rules and --givens exclude --format formula")
	case o.parts && propagatesGivens(o.coding):
		return cli.Usagef("the encoding %s applies the givens to the rules; --rules and --givens cannot separate them", o.coding.Encoding)
	}
	for _, flag := range []string{"encoding", "amo", "numbering"} {
		if o.formula && c.IsSet(flag) {
			return cli.Exclusive(flag, "format formula")
		}
	}
	return nil
}

// propagatesGivens reports whether a coding applies the givens to the rules.
func propagatesGivens(c sudoku.Coding) bool {
	for _, e := range sudoku.Encodings {
		if e.Name == c.Encoding {
			return e.PropagatesGivens
		}
	}
	return false
}

// each reports whether every puzzle is written, to a file of its own. One file of rules
// serves all givens.
func (o *encodeOptions) each() bool {
	return o.nth == 0 && numbered(cmp.Or(o.output, o.givens, o.rules))
}

// numbered reports whether the name of an output contains the number of the puzzle.
func numbered(name string) bool { return strings.Contains(name, "%d") }

// nthName returns the name of an output for puzzle n.
func nthName(pattern string, n int) string {
	return strings.ReplaceAll(pattern, "%d", strconv.Itoa(n))
}

// numberHint completes the error of an input with several puzzles for one output.
const numberHint = ", or put %d, the number of the puzzle, into the name of the output"

// encode runs the command.
func encode(r *cli.Run, o *encodeOptions) error {
	source := NewPuzzles(r, o.input)
	if !o.each() {
		source.KeepGoing = false
		p, err := onlyPuzzle(source, o.nth, numberHint)
		if err != nil {
			return err
		}
		return o.write(r, p)
	}
	for p, err := range source.All() {
		if err != nil {
			return err
		}
		if p.Err != nil {
			r.Say("%v", p.Err)
			continue
		}
		if err := o.write(r, p); err != nil {
			return err
		}
	}
	return readCode(source)
}

// write writes the formula of a puzzle.
func (o *encodeOptions) write(r *cli.Run, p *puzzle) error {
	g := p.Grid
	if conflict := g.Conflict(); conflict != nil {
		r.Say("warning: %s", p.Contradiction(conflict))
	}
	switch {
	case o.formula && !g.Rules.OnlyDiffer():
		return fmt.Errorf("%v: %w", p, sudoku.ErrRelations)
	case o.formula:
		return r.Write(r.Ctx, nthName(o.output, p.Number), func(w io.Writer) error { return g.WriteCellFormula(w, o.coding.Repeat) })
	case o.parts:
		return o.writeParts(r, p)
	}
	return o.writeGrid(r, nthName(o.output, p.Number), p, g)
}

// writeGrid writes the formula of a grid, the puzzle or a grid with its rules.
func (o *encodeOptions) writeGrid(r *cli.Run, output string, p *puzzle, g *sudoku.Grid) (err error) {
	var cnf *sudoku.CNF
	var notes []dimacs.Note
	if o.explain {
		cnf, notes, err = g.EncodeNotes(r.Ctx, o.coding)
	} else {
		cnf, err = g.EncodeContext(r.Ctx, o.coding)
	}
	switch {
	case err != nil && r.Ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("%v: %w", p, err)
	}
	return writeCNF(r, output, cnf.Formula, cnf.Map, notes)
}

// writeParts writes the rules and the givens. A single file of rules is written once.
func (o *encodeOptions) writeParts(r *cli.Run, p *puzzle) error {
	switch {
	case o.rules == "" || o.written != nil && o.written.String() == p.Rules.String():
	case o.written != nil:
		return fmt.Errorf("%v: the rules are %q; those of the puzzles before are %q", p, p.Rules, o.written)
	default:
		if err := o.writeGrid(r, nthName(o.rules, p.Number), p, sudoku.NewGrid(p.Rules)); err != nil {
			return err
		}
		if !numbered(o.rules) {
			o.written = p.Rules
		}
	}
	if o.givens == "" {
		return nil
	}
	m, err := sudoku.NewMap(p.Rules, o.coding)
	if err != nil {
		return err
	}
	f := givensOf(m, p.Grid)
	var notes []dimacs.Note
	if o.explain {
		notes = m.GivensNotes(f)
	}
	return writeCNF(r, nthName(o.givens, p.Number), f, m, notes)
}

// writeCNF writes a formula with the description of the variables in comments, and with
// notes.
func writeCNF(r *cli.Run, output string, f *dimacs.Formula, m *sudoku.Map, notes []dimacs.Note) error {
	comments := append(preface(m), m.Comments()...)
	return r.Write(r.Ctx, output, func(w io.Writer) error { return dimacs.WriteNotes(w, f, notes, comments...) })
}

// givensOf returns the givens as unit clauses.
func givensOf(m *sudoku.Map, g *sudoku.Grid) *dimacs.Formula {
	f := dimacs.NewFormula(m.Vars())
	for _, l := range m.Givens(g) {
		f.Add(l)
	}
	return f
}

// preface returns the first comments of a file.
func preface(m *sudoku.Map) []string {
	return []string{
		"Sudoku as CNF, written by Sator; sator sudoku decode reads a model of it.",
		"Variables: " + m.DescribeVariables() + ".",
	}
}
