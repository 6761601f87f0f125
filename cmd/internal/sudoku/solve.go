package sudoku

import (
	"fmt"
	"io"
	"slices"

	"sator/cmd/internal/cli"
	"sator/sudoku"
	"sator/sudoku/render"
	"sator/sudoku/text"
)

func solveCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "solve",
		Category:    "Solve",
		Usage:       "print the solutions of puzzles",
		UsageText:   "sator sudoku solve [flags] [FILE|-]...",
		Description: sudokuSolveDescription,
		Flags: append([]cli.Flag{
			formatFlag(),
			&cli.BoolFlag{Name: "unique", Category: cli.OutputFlags, Usage: "require that the solution is unique"},
		}, solveFlags()...),
		Action: solveAction(e, solvePuzzles),
	}
}

const sudokuSolveDescription = `Reads puzzles in any form, one or many per file, and prints their solutions in
order: a line with one character per cell, or from size 36 on numbers between
commas. On a terminal a grid is drawn, with the givens in bold or another color.
Without FILE the puzzles are read from standard input.

A puzzle without a solution has the line "no solution"; standard error reports
its place and any contradictory givens. If a puzzle has several solutions, one
is printed, always the same. With --unique its line is "several solutions", and
standard error reports its place.

An invalid puzzle is reported on standard error, and has a line "error: " with
the reason in its place; --keep-going=false, and a puzzle typed at a terminal,
ends the run there.

Up to size 16 uniqueness is always checked, and the last line of standard error
has the numbers. In larger grids it is checked only with --unique.

The engine cdcl loads the rules once and solves each puzzle with its givens as
assumptions; clauses learned from one puzzle help with the next. The solutions
depend neither on these clauses nor on --jobs.

Exit codes: 0 all puzzles have a solution, with --unique exactly one; 4 some
puzzles do not; 1 an input, or a puzzle of it, that cannot be read, an output
that cannot be written, or a limit or signal that ended the run; 2 invalid
command line, 3 internal error of Sator.

Examples:
  sator sudoku solve puzzles.txt > solutions.txt
  sator sudoku solve --unique -j 2 17clue.txt | sort | uniq -c
  sator sudoku generate -n 5 | sator sudoku solve --format unicode
  sator sudoku solve --variant "boxes 2x3 x" puzzle.txt`

// solutionFormats returns the names of the formats of solutions: the text formats and the
// drawings in text.
func solutionFormats() []string {
	names := text.OutputFormatNames()
	for _, s := range render.Styles {
		if !isImage(&s) {
			names = append(names, s.Name)
		}
	}
	return names
}

// formatFlag returns the flag --format for these formats.
func formatFlag() cli.Flag {
	styles := slices.DeleteFunc(styleChoices(), func(s cli.Choice) bool { return !slices.Contains(solutionFormats(), s.Name) })
	return cli.FormatFlag("", "", append(formatChoices(), styles...)...)
}

// mostSize is the size of grids up to which uniqueness is always checked.
const mostSize = 16

// solvePuzzles runs the command.
func solvePuzzles(r *puzzleRun) error {
	format, unique := r.Format, r.Flags.Bool("unique")
	write, err := r.solutionWriter(format)
	if err != nil {
		return err
	}
	r.limit = func(p *puzzle) int {
		if unique || p.Rules.Size() <= mostSize {
			return 2
		}
		return 1
	}
	r.report = func(p *puzzle, a *puzzleResult) error {
		switch {
		case a.Conflict != nil:
			r.fail("%s", p.Contradiction(a.Conflict))
		case a.Count == 0:
			r.fail("%v: no solution", p)
		case unique && a.Count > 1:
			r.fail("%v: several solutions", p)
		case unique && !a.Complete:
			return fmt.Errorf("%v: stopped before uniqueness was decided", p)
		default:
			return write(p, a.Solutions[0])
		}
		verdict := "no solution"
		if a.Count > 0 {
			verdict = "several solutions"
		}
		_, err := fmt.Fprintln(r.out, verdict)
		return err
	}
	if format == "" && !cli.OnTerminal(r.Stdout) {
		r.line = func(to []byte, _ *puzzle, a *puzzleResult) []byte {
			if a.Count == 0 || unique && !a.Unique() {
				return nil
			}
			return appendDigits(to, a.Solutions[0])
		}
	}
	if format == "json" {
		r.invalid = func(p *puzzle) error { return cli.WriteJSON(r.out, errorDocument{p.Err.Error()}) }
	}
	return r.run()
}

// An errorDocument stands for an invalid puzzle in an output of JSON documents.
type errorDocument struct {
	Error string `json:"error"`
}

// solutionWriter returns a function that writes the solution of a puzzle in a format. An
// empty format is a drawing on a terminal and a line elsewhere.
func (r *puzzleRun) solutionWriter(format string) (func(p *puzzle, cells []int) error, error) {
	if format == "" && cli.OnTerminal(r.Stdout) {
		format = "ansi"
	}
	if draw := drawing(r.out, format, r.PageWidth()); draw != nil {
		r.out.Reset(cli.Raw(r.Stdout))
		return func(p *puzzle, cells []int) error { return draw(p.Grid, cells) }, nil
	}
	if format == "" {
		return func(p *puzzle, cells []int) (err error) {
			if p.Symbols == "" && len(cells) == 81 {
				_, err = r.out.Write(appendDigits(r.out.AvailableBuffer(), cells))
			} else {
				_, err = fmt.Fprintln(r.out, p.Text(cells))
			}
			return err
		}, nil
	}
	w, err := text.NewWriter(struct{ io.Writer }{r.out}, format)
	if err != nil {
		return nil, err
	}
	return func(p *puzzle, cells []int) error {
		if format == "csv" {
			q := *p.Puzzle
			q.Solution = cells
			return w.WritePuzzle(&q)
		}
		g := &sudoku.Grid{Rules: p.Rules, Cells: cells}
		return w.Write(g)
	}, nil
}

// appendDigits appends a line of digits up to 9.
func appendDigits(to []byte, cells []int) []byte {
	for _, digit := range cells {
		to = append(to, '0'+byte(digit))
	}
	return append(to, '\n')
}
