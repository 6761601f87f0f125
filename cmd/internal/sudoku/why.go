package sudoku

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"sator/cmd/internal/cli"
	"sator/sudoku"
	"sator/sudoku/explain"
	sudokusolve "sator/sudoku/solve"
	"sator/sudoku/text"
)

func whyCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "why",
		Category:    "Explain",
		Usage:       "find a smallest set of givens that forces a digit",
		UsageText:   "sator sudoku why [flags] CELL [FILE|-]",
		Description: sudokuWhyDescription,
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "effort", Category: cli.LimitFlags, Value: explain.DefaultEffort, Usage: "use at most `N` solver calls; 0: print the first minimal set"},
			cli.TextOrJSON(""), cli.JSONFlag(),
		}, singleFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cli.Usagef("want a cell such as R3C5, or a digit such as R3C5=7 or R3C5<>7")
			}
			if name := c.Args().First(); isFile(name) {
				return &cli.UsageError{Msg: fmt.Sprintf("%q is a file, not a cell such as R3C5", name), Hint: "CELL stands before FILE."}
			}
			o, err := singlePuzzleOf(c, c.Args().Slice()[1:])
			if err != nil {
				return err
			}
			effort := c.Int("effort")
			if effort < 0 {
				return cli.Invalid("effort", effort, "0 or more")
			}
			if effort == 0 {
				effort = -1
			}
			return o.run(e, c, func(ctx context.Context, r *cli.Run, p *puzzle) error {
				return why(ctx, r, p, c.Args().First(), explain.WhyOptions{Effort: effort}, cli.AsJSON(c))
			})
		}),
	}
}

// isFile reports whether an operand names a file and cannot be the name of a cell.
func isFile(operand string) bool {
	_, err := os.Stat(operand)
	return err == nil && !strings.HasPrefix(strings.ToUpper(operand), "R")
}

const sudokuWhyDescription = `Prints a smallest set of givens that forces the digit of a cell: the rules and
these givens exclude all other digits, and no given can be removed from the set.
R3C5 is the cell in row 3 and column 5, whatever its digit; R3C5=7 asks why the
digit is 7, R3C5<>7 why it is not 7. The inference that derives the digit from
the set follows: up unit propagation, fl failed literals, search otherwise.

A proof shows that no set is smaller, which takes milliseconds for most puzzles
of size 9. If --effort is used up first, the answer has a lower bound of the
size; no given of the printed set can be removed even then. After --time or a
signal, the smallest set found so far is printed.

If other digits are possible, two solutions that differ in the cell are printed.
The pencil marks of a puzzle count as rules.

Exit codes: 0 the set is printed; 4 the digit is different, is not forced, or
there is no solution; 1 an input that cannot be read, an output that cannot be
written, or a limit or signal that ended the run; 2 invalid command line, 3
internal error of Sator.

Examples:
  sator sudoku why R3C5 puzzle.txt
  sator sudoku why "R3C5<>7" --nth 12 17clue.txt
  sator sudoku why R1C1=4 --json < puzzle.txt`

// singleFlags returns the flags of the commands that explain one puzzle.
func singleFlags() []cli.Flag {
	return append([]cli.Flag{
		cli.TimeFlag(),
		&cli.IntFlag{Name: "nth", Category: cli.InputFlags, Value: 1, Usage: "use puzzle `N` of the input, from 1"},
		cli.OutputFlag(),
	}, PuzzleFlags()...)
}

// A singlePuzzle is the common part of their command lines.
type singlePuzzle struct {
	input *puzzleInput
	nth   int
}

// singlePuzzleOf reads the command line. The files are the operands that name the input;
// without operands the input is standard input.
func singlePuzzleOf(c *cli.Context, files []string) (*singlePuzzle, error) {
	o := &singlePuzzle{nth: c.Int("nth")}
	if o.nth < 1 {
		return nil, cli.Invalid("nth", o.nth, "1 or more")
	}
	var err error
	if o.input, err = PuzzleInputOf(c); err != nil {
		return nil, err
	}
	switch len(files) {
	case 0:
		files = []string{"-"}
	case 1:
	default:
		return nil, cli.Usagef("unexpected operand %q", files[1])
	}
	o.input.files = files
	return o, nil
}

// run reads the puzzle and calls do. A contradictory puzzle is reported on standard error
// and determines the exit code. After a limit or a signal, do may still print a partial
// result.
func (o *singlePuzzle) run(e *cli.Env, c *cli.Context, do func(context.Context, *cli.Run, *puzzle) error) error {
	frame := cli.RunOptions{Inputs: o.input.files, Redirect: true}
	return e.Run(c, frame, func(r *cli.Run) error { return o.explainPuzzle(r, do) })
}

func (o *singlePuzzle) explainPuzzle(r *cli.Run, do func(context.Context, *cli.Run, *puzzle) error) error {
	p, err := nthPuzzle(NewPuzzles(r, o.input), o.nth)
	if err != nil {
		return err
	}
	late, end := sudokusolve.WithGrace(r.Ctx, grace)
	defer end()
	_, err = cli.Await(late, func() (struct{}, error) { return struct{}{}, do(r.Ctx, r, p) })
	var none *explain.Contradiction
	switch {
	case errors.As(err, &none) && none.Conflict != nil:
		r.Say("%s", p.Contradiction(none.Conflict))
		return cli.ExitCode(cli.CodeWrong)
	case errors.As(err, &none):
		r.Say("%v: %v", p, err)
		return cli.ExitCode(cli.CodeWrong)
	}
	return err
}

// why runs the command.
func why(ctx context.Context, r *cli.Run, p *puzzle, question string, o explain.WhyOptions, asJSON bool) error {
	q, err := explain.ParseQuestion(p.Rules, question)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	reason, err := explain.Why(ctx, p.Grid, q, o)
	if notForced := (*explain.NotForced)(nil); errors.As(err, &notForced) {
		return printNotForced(r.Env, p, notForced, asJSON)
	} else if reason == nil {
		return err
	}
	if asJSON {
		return cmp.Or(cli.WriteJSON(r.Stdout, whyDocumentOf(p, reason)), err)
	}
	return cmp.Or(printReason(r.Stdout, p, reason, err != nil), err)
}

// printReason prints a set of givens as a list and as a grid.
func printReason(w io.Writer, p *puzzle, reason *explain.Reason, stopped bool) error {
	force := fmt.Sprintf("these %d of %s force it", len(reason.Givens), cli.Count(p.Grid.Givens(), "given"))
	switch len(reason.Givens) {
	case 0:
		force = "the rules alone force it"
	case 1:
		force = fmt.Sprintf("this one of %s forces it", cli.Count(p.Grid.Givens(), "given"))
	}
	class := fmt.Sprintf(" (%v)", reason.Class)
	if stopped {
		class = ""
	}
	out := bufio.NewWriter(w) // it keeps the first error
	fmt.Fprintf(out, "%s%s: %s%s\n", reason.Statement(p.Rules), class, force, proved(reason))
	var list []string
	for _, cell := range reason.Givens {
		list = append(list, fmt.Sprintf("%s=%d", p.Rules.CellName(cell), p.Cells[cell]))
	}
	fmt.Fprintf(out, "%s\n\n", cli.WrapText(strings.Join(list, " "), cli.HelpWidth))
	few := &sudoku.Grid{Rules: p.Rules, Cells: reason.Puzzle(p.Grid).Cells}
	return cmp.Or(text.Write(out, few, "grid"), out.Flush())
}

// proved returns the proved properties of a set: its size and its minimality.
func proved(reason *explain.Reason) string {
	switch {
	case len(reason.Givens) == 0:
		return ""
	case reason.Smallest():
		return ", and no smaller set does"
	case !reason.Minimal:
		return "; some may be redundant"
	case reason.AtLeast > 0:
		return fmt.Sprintf("; none is redundant, but %s may suffice", cli.Count(reason.AtLeast, "other given"))
	}
	return "; none is redundant, but fewer other givens may suffice"
}

// printNotForced prints the reason why the digit is not forced.
func printNotForced(e *cli.Env, p *puzzle, n *explain.NotForced, asJSON bool) error {
	var err error
	if asJSON {
		err = cli.WriteJSON(e.Stdout, notForcedDocumentOf(p, n))
	} else {
		out := bufio.NewWriter(e.Stdout)
		fmt.Fprintln(out, n)
		for _, solution := range n.Solutions {
			fmt.Fprintln(out, p.Text(solution))
		}
		err = out.Flush()
	}
	if err != nil {
		return err
	}
	return cli.ExitCode(cli.CodeWrong)
}

// A whyDocument is the output of --json.
type whyDocument struct {
	Asked    string      `json:"asked"`
	Forced   bool        `json:"forced"`
	Cell     string      `json:"cell"`
	Digit    int         `json:"digit"`
	Givens   []cellDigit `json:"givens,omitempty"`
	AtLeast  *int        `json:"at_least,omitempty"`
	Minimal  *bool       `json:"minimal,omitempty"`
	Smallest *bool       `json:"smallest,omitempty"`
	Class    string      `json:"class,omitempty"`
	Puzzle   string      `json:"puzzle,omitempty"` // the givens of the set
	Reason   string      `json:"reason,omitempty"` // why the digit is not forced
	Witness  []string    `json:"solutions,omitempty"`
}

// A cellDigit is a cell with a digit, in the output of --json.
type cellDigit struct {
	Cell  string `json:"cell"`
	Digit int    `json:"digit"`
}

func whyDocumentOf(p *puzzle, reason *explain.Reason) *whyDocument {
	minimal, smallest := reason.Minimal, reason.Smallest()
	d := &whyDocument{
		Asked: reason.Statement(p.Rules), Forced: true, Cell: p.Rules.CellName(reason.Cell), Digit: reason.Digit,
		AtLeast: &reason.AtLeast, Minimal: &minimal, Smallest: &smallest, Class: reason.Class.String(), Puzzle: text.Line(reason.Puzzle(p.Grid)),
	}
	for _, cell := range reason.Givens {
		d.Givens = append(d.Givens, cellDigit{p.Rules.CellName(cell), p.Cells[cell]})
	}
	return d
}

func notForcedDocumentOf(p *puzzle, n *explain.NotForced) *whyDocument {
	d := &whyDocument{Asked: n.Question.Statement(p.Rules), Cell: p.Rules.CellName(n.Question.Cell), Digit: n.Question.Digit, Reason: n.Error()}
	for _, solution := range n.Solutions {
		d.Witness = append(d.Witness, p.Text(solution))
	}
	return d
}
