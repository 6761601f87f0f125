package sudoku

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/sudoku/text"
)

func convertCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "convert",
		Usage:       "convert puzzles to another format",
		UsageText:   "sator sudoku convert [flags] [FILE|-]...",
		Description: sudokuConvertDescription + "\n\n" + textFormHelp() + "\n" + textFormatHelp() + "\n\n" + sudokuConvertExamples,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "to", Category: cli.OutputFlags, Usage: "write `FORMAT`, see above"},
			cli.OutputFlag(),
		}, PuzzleFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			format, err := textFormat(c)
			if err != nil {
				return err
			}
			how, err := PuzzleInputOf(c)
			if err != nil {
				return err
			}
			output := c.String("output")
			return e.Run(c, cli.RunOptions{Inputs: how.files, Outputs: []string{output}}, func(r *cli.Run) error {
				return r.Write(r.Ctx, output, func(w io.Writer) error {
					return rewrite(bufio.NewWriter(w), NewPuzzles(r, how), format)
				})
			})
		}),
	}
}

const sudokuConvertDescription = `Reads puzzles in any form and writes all of them in one format, each as soon as
it is read. Without --to the format follows from the name of the output: .csv,
.sdk, .sdm, .ss, .json, .cnf (unit clauses); the default is line.

Where a format cannot express the rules of a puzzle and they are not the rules
that a reader assumes, a comment such as "# rules 9 boxes 3x3 x" states them. It
is an error if a format supports neither, or has no pencil marks.

Exit codes: 0 all puzzles were written; 1 an input that cannot be read, a puzzle
that the format cannot express, or an output that cannot be written; 2 invalid
command line, 3 internal error of Sator.`

const sudokuConvertExamples = `Examples:
  sator sudoku convert puzzles.sdk
  sator sudoku convert --to csv *.txt -o puzzles.csv
  sator sudoku convert --x --to sgt diagonal.txt
  sator sudoku convert --to numbers --from grid -`

// textFormHelp returns the help text of the input forms.
func textFormHelp() string {
	var b strings.Builder
	b.WriteString("Forms, recognized by content unless --from names one:\n")
	for _, f := range text.InputFormats {
		cli.WriteEntry(&b, f.Name, f.Help, 14)
	}
	return b.String()
}

// textFormatHelp returns the help text of the output formats.
func textFormatHelp() string {
	var b strings.Builder
	b.WriteString("Formats (--to):\n")
	for _, f := range text.OutputFormats {
		cli.WriteEntry(&b, f.Name, f.Help, 14)
	}
	return strings.TrimRight(b.String(), "\n")
}

// textFormat returns the format of the output.
func textFormat(c *cli.Context) (string, error) {
	names := text.OutputFormatNames()
	switch to, ext := c.String("to"), strings.TrimPrefix(cli.Extension(c.String("output")), "."); {
	case slices.Contains(names, to):
		return to, nil
	case to != "":
		return "", cli.InvalidName("to", to, names)
	case slices.Contains([]string{"csv", "sdk", "sdm", "ss", "json"}, ext):
		return ext, nil
	case ext == "cnf":
		return "units", nil
	}
	return "line", nil
}

// rewrite writes each puzzle as soon as it is read. It flushes the output before it waits
// for more input.
func rewrite(w *bufio.Writer, src *text.FileReader, format string) error {
	src.BeforeRead = w.Flush
	out, err := text.NewWriter(w, format)
	if err != nil {
		return err
	}
	for p, err := range src.All() {
		if err != nil {
			return err
		}
		if err := out.WritePuzzle(p.Puzzle); err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
	}
	return w.Flush()
}
