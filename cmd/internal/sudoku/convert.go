package sudoku

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"sator/cmd/internal/cli"
	"sator/sudoku/text"
)

func convertCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "convert",
		Category:    "Make",
		Usage:       "convert puzzles to another format",
		UsageText:   "sator sudoku convert [flags] [FILE|-]...",
		Description: sudokuConvertDescription + "\n\n" + choiceHelp("Forms, recognized by content unless --from names one", formChoices(), 14) + "\n\n" + choiceHelp("Formats (--format)", formatChoices(), 14) + "\n\n" + sudokuConvertExamples,
		Flags: append([]cli.Flag{
			batchFlag(),
			cli.FormatFlag("", "(default: by the name of the output)", formatChoices()...),
			cli.OutputFlag(),
		}, PuzzleFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			how, err := PuzzleInputOf(c)
			if err != nil {
				return err
			}
			output := c.String("output")
			return e.Run(c, cli.RunOptions{Inputs: how.files, Outputs: []string{output}}, func(r *cli.Run) error {
				src := NewPuzzles(r, how)
				err := r.Write(r.Ctx, output, func(w io.Writer) error { return rewrite(r, bufio.NewWriter(w), src, cmp.Or(r.Format, "line")) })
				return cmp.Or(err, readCode(src))
			})
		}),
	}
}

const sudokuConvertDescription = `Reads puzzles in any form and writes all of them in one format, each as soon as
it is read. Without --format the format follows from the name of the output:
.csv, .sdk, .sdm, .ss, .tex, .json, .cnf (unit clauses); the default is line.

Where a format cannot express the rules of a puzzle and they are not the rules
that a reader assumes, a comment such as "# rules 9 boxes 3x3 x" states them. It
is an error if a format supports neither, or has no pencil marks. A warning
tells of labels, solutions and placed digits that the format has not.

An invalid puzzle is reported on standard error, and has a line "error: " with
the reason in its place, in a comment of DIMACS or a JSON document where the
format has them. Other commands report such a line as an invalid puzzle again.
--keep-going=false, and a puzzle typed at a terminal, ends the run there. An
output file is written if at least one puzzle is valid.

Exit codes: 0 all puzzles were written; 1 an input, or a puzzle of it, that
cannot be read, a puzzle that the format cannot express, or an output that
cannot be written; 2 invalid command line, 3 internal error of Sator.`

const sudokuConvertExamples = `Examples:
  sator sudoku convert puzzles.sdk
  sator sudoku convert --format csv *.txt -o puzzles.csv
  sator sudoku convert --variant x --format sgt diagonal.txt
  sator sudoku convert --format numbers --from grid -`

// rewrite writes each puzzle as soon as it is read. It flushes the output before it waits
// for more input. It returns an error if all puzzles are invalid.
func rewrite(r *cli.Run, w *bufio.Writer, src *text.FileReader, format string) error {
	src.BeforeRead = w.Flush
	out, err := text.NewWriter(w, format)
	if err != nil {
		return err
	}
	var p *puzzle
	out.Warn = func(msg string) { r.Warn(fmt.Errorf("%v: %s", p, msg)) }
	for next, err := range src.All() {
		if err != nil {
			return err
		}
		p = next
		if p.Err != nil {
			r.Say("%v", p.Err)
			if err := writeInvalid(w, p, format); err != nil {
				return err
			}
			continue
		}
		if err := out.WritePuzzle(p.Puzzle); err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
	}
	if err := w.Flush(); err != nil || src.Failed() < src.Count() {
		return err
	}
	return readCode(src)
}

// writeInvalid writes the placeholder of a format for an invalid puzzle.
func writeInvalid(w *bufio.Writer, p *puzzle, format string) (err error) {
	switch format {
	case "json":
		return cli.WriteJSON(w, errorDocument{p.Err.Error()})
	case "units":
		_, err = w.WriteString("c " + errorLine(p))
	default:
		_, err = w.WriteString(errorLine(p))
	}
	return err
}
