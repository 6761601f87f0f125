package sudoku

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/sudoku"
	"sator/sudoku/explain"
	sudokumaker "sator/sudoku/generate"
	"sator/sudoku/technique"
	"sator/sudoku/text"
)

func generateCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "generate",
		Category:    "Make",
		Usage:       "generate puzzles",
		UsageText:   "sator sudoku generate [flags]",
		Description: generateDescription + "\n\n" + symmetryHelp() + "\n\n" + generateExamples,
		Flags: append([]cli.Flag{
			&cli.Uint64Flag{Name: "count", Aliases: []string{"n"}, Category: makeFlags, Value: 1, Usage: "generate `N` puzzles; 0: until the run is stopped"},
			&cli.StringFlag{Name: "givens", Category: makeFlags, Usage: "number `N` of givens, or a range N-M"},
			&cli.BoolFlag{Name: "minimal", Category: makeFlags, Usage: "only puzzles without redundant givens"},
			cli.Strict(&cli.StringFlag{Name: "symmetry", Category: makeFlags, Value: sudokumaker.Symmetries[0].Name, Usage: "symmetry `NAME` of the pattern of givens, see above"}, symmetryChoices),
			cli.Strict(&cli.StringFlag{Name: "class", Category: makeFlags, Usage: "`CLASS` of difficulty; see \"sator help --all sudoku rate\": " + strings.Join(explain.ClassNames(), ", ")}, func() []cli.Choice { return cli.Names(explain.ClassNames()...) }),
			&cli.StringFlag{Name: "rating", Category: makeFlags, Usage: "rating `N` by techniques; or a range N..M such as 3.0..4.5, see \"sator help --all sudoku rate\""},
			cli.SeedFlag(makeFlags),
			cli.TimeFlag(),
			&cli.IntFlag{Name: "effort", Category: cli.LimitFlags, Value: sudokumaker.DefaultEffort, Usage: "abandon a puzzle after `N` solver calls; or equivalent work"},
			cli.JobsFlag("; the output does not depend on it"),
			formatFlag(),
			cli.OutputFlag(),
		}, ruleFlags()...),
		Action: cli.RunAction(e, generateOptionsOf, func(o *generateOptions) cli.RunOptions {
			return cli.RunOptions{Outputs: []string{o.output}}
		}, generatePuzzles),
	}
}

// makeFlags is the category of the flags for new puzzles.
const makeFlags = "puzzles"

const generateDescription = `Generates puzzles with exactly one solution, which is proved, and prints each as
soon as it is generated: as a line, or drawn on a terminal. The csv format
includes the solutions. The same seed and flags give the same puzzles.

The generator fills a grid at random and removes givens in random order while
the solution stays unique. Puzzles therefore have nearly as few givens as
possible, 24 or 25 at size 9, unless --givens sets the number; fewer than 20 are
rarely found. Without --symmetry such puzzles are minimal, apart from an
occasional redundant given in large grids; with --symmetry, givens are removed
in symmetric groups. --minimal guarantees that no single given can be removed.
With --class up (solvable by naked and hidden singles) or fl (with failed
literals too), givens are removed while the puzzle stays in the class. Class
search is what neither solves; such puzzles need dynamic forcing chains + or
nested ones, or patterns such as hidden triples. In plain grids of size 9
without --symmetry they are made around a pattern that failed literals do not
see (a trivalue oddagon), in a fraction of a second; elsewhere puzzles are
rejected until one fits, which may take more than the effort. Above size 16
puzzles have class up unless --class or --minimal asks for more; up to 100x100
and beyond this takes a second.

--rating rejects puzzles until one fits; about one puzzle in 25 is rated above
8, one in 180 at 8.5 or more. For 9.5 and more add --class search.

The rules are set by --variant or the other rule flags; the default is size 9
with boxes of 3x3. With --jigsaw each puzzle has random regions, with --killer
random cages. Killer puzzles have no givens unless --givens or --minimal is set.
A line "# rules" before a puzzle states rules that a reader would not assume.

Exit codes: 0 all puzzles were generated; 1 no puzzle was found within the
effort (it may not exist), a limit or signal ended the run, or an output cannot
be written; the puzzles so far are printed; 2 invalid command line, 3 internal
error of Sator.`

const generateExamples = `Examples:
  sator sudoku generate
  sator sudoku generate -n 100 --symmetry rotate180 --seed 7 -o puzzles.txt
  sator sudoku generate --class fl --minimal
  sator sudoku generate --class search -n 10 --seed 1
  sator sudoku generate --rating 3.0..4.5
  sator sudoku generate --givens 20-22 -f grid
  sator sudoku generate --variant "16 boxes x"
  sator sudoku generate --killer --jigsaw | sator sudoku render -o puzzle.svg`

func symmetryHelp() string { return choiceHelp("Symmetries", symmetryChoices(), 18) }

// ruleFlags returns the flags for the rules of new puzzles.
func ruleFlags() []cli.Flag {
	const category = "rules"
	return []cli.Flag{
		&cli.BoolFlag{Name: "jigsaw", Category: category, Usage: "random regions for each puzzle"},
		&cli.BoolFlag{Name: "killer", Category: category, Usage: "random cages for each puzzle"},
		variantFlag(category),
	}
}

// ruledVariant returns the variant of these flags.
func ruledVariant(c *cli.Context) (sudoku.Variant, error) {
	var r puzzleInput
	if err := r.variant(c); err != nil {
		return sudoku.Variant{}, err
	}
	switch {
	case r.rules != nil:
		return r.rules.Variant(), nil
	case r.change != nil:
		return r.change(sudoku.Standard(9)), nil
	}
	return sudoku.Standard(9), nil
}

// generateOptions is the command line of generate.
type generateOptions struct {
	generator *sudokumaker.Generator
	count     uint64
	jobs      int
	output    string
}

func generateOptionsOf(c *cli.Context) (*generateOptions, error) {
	if err := cli.NoOperands(c); err != nil {
		return nil, err
	}
	v, err := ruledVariant(c)
	if err != nil {
		return nil, err
	}
	o := sudokumaker.Options{
		Variant: v, Jigsaw: c.Bool("jigsaw"), Killer: c.Bool("killer"),
		Minimal: c.Bool("minimal"), Class: c.String("class"), Seed: c.Uint64("seed"), Effort: c.Int("effort"),
	}
	if o.Symmetry, err = sudokumaker.ParseSymmetry(c.String("symmetry")); err != nil {
		return nil, err
	}
	if o.MinGivens, o.MaxGivens, err = rangeOf(c.String("givens"), "-", strconv.Atoi); err != nil && c.IsSet("givens") {
		return nil, cli.Invalid("givens", c.String("givens"), "a number or a range such as 22-25")
	}
	if cells := v.Plan().Cells(); o.MinGivens > o.MaxGivens || o.MaxGivens > cells {
		return nil, cli.Invalid("givens", c.String("givens"), "a number or a range such as 22-25, up to %d", cells)
	}
	o.MinRating, o.MaxRating, err = rangeOf(c.String("rating"), "..", technique.ParseDifficulty)
	if c.IsSet("rating") && (err != nil || o.MinRating > o.MaxRating) {
		return nil, cli.Invalid("rating", c.String("rating"), "a rating such as 4.5 or a range such as 3.0..4.5")
	}
	o.LimitGivens = c.IsSet("givens") || o.Killer && !o.Minimal
	jobs, err := cli.JobsOf(c)
	if err != nil {
		return nil, err
	}
	if _, err := cli.Positive(c, "effort", 1); err != nil {
		return nil, err
	}
	g, err := sudokumaker.New(o)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return &generateOptions{g, c.Uint64("count"), jobs, c.String("output")}, nil
}

// rangeOf parses a value, or two values with a separator between them.
func rangeOf[T any](text, separator string, parse func(string) (T, error)) (least, most T, err error) {
	low, high, isRange := strings.Cut(text, separator)
	if !isRange {
		high = low
	}
	least, err1 := parse(low)
	most, err2 := parse(high)
	return least, most, errors.Join(err1, err2)
}

// generatePuzzles runs the command.
func generatePuzzles(r *cli.Run, o *generateOptions) error {
	// The puzzles generated before a limit remain in the output, so the context of the run
	// must not end the output.
	var ended error
	err := r.Write(context.Background(), o.output, func(w io.Writer) error {
		write, err := puzzleWriter(r, w, o.output)
		if err != nil {
			return err
		}
		ended = o.generator.Each(r.Ctx, 0, o.count, o.jobs, func(p *sudokumaker.Puzzle) error {
			return write(p.Grid, p.Solution)
		})
		var exhausted *sudokumaker.Exhausted
		if r.Why() != "" || errors.As(ended, &exhausted) {
			return nil
		}
		return ended
	})
	var exhausted *sudokumaker.Exhausted
	if errors.As(ended, &exhausted) && o.count != 1 {
		ended = fmt.Errorf("puzzle %d: %w", exhausted.Number+1, ended)
	}
	if err == nil {
		err = ended
	}
	return err
}

// puzzleWriter returns a function that writes puzzles to an output, unbuffered, in a format of
// solutionFormats. An empty format is a drawing on a terminal and a line elsewhere.
func puzzleWriter(r *cli.Run, w io.Writer, output string) (func(g *sudoku.Grid, solution []int) error, error) {
	format := r.Format
	if format == "" && output == "-" && cli.OnTerminal(r.Stdout) {
		format = "ansi"
	}
	if draw := drawing(w, format, columnsOf(r, output)); draw != nil {
		return func(g *sudoku.Grid, _ []int) error { return draw(g, nil) }, nil
	}
	if format == "" {
		format = "line"
	}
	out, err := text.NewWriter(w, format)
	if err != nil {
		return nil, err
	}
	return func(g *sudoku.Grid, solution []int) error {
		return out.WritePuzzle(&text.Puzzle{Grid: g, Solution: solution})
	}, nil
}
