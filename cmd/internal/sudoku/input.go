package sudoku

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dpll/classic"
	"sator/sudoku"
	"sator/sudoku/text"
)

// The input of the commands that read puzzles.

// variantFlags is the category of the flags for the rules of puzzles.
const variantFlags = "rules of the puzzles (default: from the input)"

// PuzzleFlags returns the flags for reading puzzles.
func PuzzleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "variant", Category: variantFlags, Usage: "`RULES` as in \"9 boxes 3x3 x\"; size, boxes RxC, regions R,R,..., x, hyper, anti-knight, cages SUM:R1C1+R1C2,..."},
		&cli.IntFlag{Name: "size", Category: variantFlags, Usage: "number `N` of digits, rows and columns"},
		&cli.StringFlag{Name: "boxes", Category: variantFlags, Usage: "`RxC` rows and columns of a box, as in 2x3"},
		&cli.StringFlag{Name: "regions", Category: variantFlags, Usage: "jigsaw: `REGIONS` of the cells, row by row; as 1 to 9 and A to Z, or as numbers between commas"},
		&cli.BoolFlag{Name: "latin", Category: variantFlags, Usage: "no boxes: a Latin square"},
		&cli.BoolFlag{Name: "x", Category: variantFlags, Usage: "each diagonal contains every digit once"},
		&cli.BoolFlag{Name: "hyper", Category: variantFlags, Usage: "each window (hyper box) contains every digit once"},
		&cli.BoolFlag{Name: "anti-knight", Category: variantFlags, Usage: "cells a knight's move apart differ"},
		cli.Choices(&cli.StringFlag{Name: "from", Category: cli.InputFlags, Usage: "read puzzles in the form `NAME` (default: by content): " + strings.Join(text.InputFormatNames(), ", ")}, func() []cli.Choice {
			return cli.Of(text.InputFormats, func(f text.InputFormat) cli.Choice { return cli.Choice{Name: f.Name, Help: f.Help} })
		}),
		&cli.BoolFlag{Name: "zero", Category: cli.InputFlags, Usage: "0 is the first digit, not a blank"},
	}
}

// batchFlag returns the flag of the commands that read many puzzles.
func batchFlag() cli.Flag {
	return &cli.BoolFlag{Name: "keep-going", Category: cli.InputFlags, Usage: "print an error for an invalid puzzle, and read on; --keep-going=false ends the run there (default: keep going unless a terminal is read)"}
}

// A puzzleInput is the input of a command: its files and the flags for reading them.
type puzzleInput struct {
	files []string
	form  string
	zero  bool
	rules *sudoku.Rules // of all puzzles; nil for the rules in the input
	going going

	// change, if not nil, adds rules to the variant of a puzzle.
	change func(sudoku.Variant) sudoku.Variant
}

// PuzzleInputOf reads these flags and the operands.
func PuzzleInputOf(c *cli.Context) (*puzzleInput, error) {
	r := &puzzleInput{files: cli.Operands(c), form: c.String("from"), zero: c.Bool("zero"), going: goingOf(c)}
	if err := cli.CheckStdin(r.files); err != nil {
		return nil, err
	}
	if err := checkNames("from", text.InputFormatNames(), r.form); err != nil {
		return nil, err
	}
	return r, r.variant(c)
}

// A going tells whether a command reads on behind an invalid puzzle.
type going int

const (
	stops   going = iota // never: the command has no such flag, or it is off
	batches              // unless a terminal is read
	goesOn               // always
)

// goingOf reads the flag of batchFlag, if the command has it.
func goingOf(c *cli.Context) going {
	switch {
	case cli.Find(c.Command.Flags, "keep-going") == nil || c.IsSet("keep-going") && !c.Bool("keep-going"):
		return stops
	case c.IsSet("keep-going"):
		return goesOn
	}
	return batches
}

// variant reads the flags for the rules.
func (r *puzzleInput) variant(c *cli.Context) error {
	more := func(v sudoku.Variant) sudoku.Variant {
		if c.Bool("latin") {
			v.BoxRows, v.BoxCols, v.Regions = 0, 0, nil
		}
		v.X = v.X || c.Bool("x")
		v.Hyper = v.Hyper || c.Bool("hyper")
		v.AntiKnight = v.AntiKnight || c.Bool("anti-knight")
		return v
	}
	v, sized, err := sizedVariant(c)
	if err != nil {
		return err
	}
	if sized {
		if r.rules, err = sudoku.New(more(v)); err != nil {
			return cli.Usagef("%v", err)
		}
		return nil
	}
	if c.Bool("latin") || c.Bool("x") || c.Bool("hyper") || c.Bool("anti-knight") {
		r.change = more
	}
	return nil
}

// sizedVariant reads the flags that determine the size. If there is no such flag, sized
// is false.
func sizedVariant(c *cli.Context) (v sudoku.Variant, sized bool, err error) {
	names := []string{"variant", "size", "boxes", "regions"}
	if c.Bool("latin") {
		for _, name := range []string{"boxes", "regions"} {
			if c.IsSet(name) {
				return v, false, cli.Exclusive("latin", name)
			}
		}
	}
	for i, name := range names {
		if !c.IsSet(name) {
			continue
		}
		for _, other := range names[i+1:] {
			// A matching --size may accompany --boxes and --regions.
			if c.IsSet(other) && name != "size" {
				return v, false, cli.Exclusive(name, other)
			}
		}
		if v, err = variantReaders[name](c); err != nil {
			return v, false, cli.Invalid(name, c.Value(name), "%v", err)
		}
		sized = true
	}
	if sized && c.IsSet("size") && v.Size != c.Int("size") {
		return v, false, cli.Invalid("size", c.Int("size"), "%d, the size that the other flags determine", v.Size)
	}
	return v, sized, nil
}

// parseVariant parses the value of --variant.
func parseVariant(rules string) (sudoku.Variant, error) {
	v, err := sudoku.ParseVariant(rules)
	if err != nil {
		err = fmt.Errorf(`rules such as "9 boxes 3x3 x": %w`, err)
	}
	return v, err
}

// variantReaders read the flags that determine the size. The text of an error follows
// "want" in the message of the command.
var variantReaders = map[string]func(*cli.Context) (sudoku.Variant, error){
	"variant": func(c *cli.Context) (sudoku.Variant, error) { return parseVariant(c.String("variant")) },
	"size": func(c *cli.Context) (sudoku.Variant, error) {
		n := c.Int("size")
		if n < 1 || n > sudoku.MaxSize {
			return sudoku.Variant{}, fmt.Errorf("1 to %d", sudoku.MaxSize)
		}
		return sudoku.Standard(n), nil
	},
	"boxes":   func(c *cli.Context) (sudoku.Variant, error) { return boxVariant(c.String("boxes")) },
	"regions": func(c *cli.Context) (sudoku.Variant, error) { return regionVariant(c.String("regions")) },
}

// boxVariant returns the variant for boxes such as 2x3.
func boxVariant(shape string) (v sudoku.Variant, err error) {
	high, wide, found := strings.Cut(strings.ToLower(shape), "x")
	rows, errRows := strconv.Atoi(high)
	cols, errCols := strconv.Atoi(wide)
	if !found || errRows != nil || errCols != nil || rows < 1 || cols < 1 || rows > sudoku.MaxSize || cols > sudoku.MaxSize/rows {
		return v, fmt.Errorf("rows and columns of a box such as 2x3, with a product up to %d", sudoku.MaxSize)
	}
	return sudoku.Variant{Size: rows * cols, BoxRows: rows, BoxCols: cols}, nil
}

// regionVariant returns the variant for a list of the regions of the cells.
func regionVariant(cells string) (v sudoku.Variant, err error) {
	var words []string
	if strings.Contains(cells, ",") {
		words = strings.Split(cells, ",")
	} else {
		words = strings.Split(cells, "")
	}
	n := int(math.Sqrt(float64(len(words))))
	if n*n != len(words) || n == 0 {
		return v, fmt.Errorf("the regions of a square grid, not of %s", cli.Count(len(words), "cell"))
	}
	v = sudoku.Latin(n)
	for _, w := range words {
		region, err := strconv.Atoi(strings.TrimSpace(w))
		if len(w) == 1 && w >= "A" {
			region, err = int(strings.ToUpper(w)[0]-'A')+10, nil
		}
		if err != nil {
			return v, fmt.Errorf("regions as digits, letters or numbers, not %q", w)
		}
		v.Regions = append(v.Regions, region-1)
	}
	return v, nil
}

// checkNames returns an error if a value of a flag is not one of the names. An empty
// value is the default.
func checkNames(flag string, names []string, values ...string) error {
	for _, v := range values {
		if v != "" && !slices.Contains(names, v) {
			return cli.InvalidName(flag, v, names)
		}
	}
	return nil
}

// checkHeuristic returns an error if the value of --heuristic is not a heuristic.
func checkHeuristic(name string) error {
	if _, ok := classic.FindHeuristic(name); ok {
		return nil
	}
	var names []string
	for _, h := range classic.Heuristics {
		names = append(names, h.Name)
	}
	return cli.InvalidName("heuristic", name, names)
}

// A puzzle is a puzzle with its position in the input.
type puzzle = text.FilePuzzle

// NewPuzzles returns a reader of the puzzles of a command line. It prints warnings to
// standard error.
func NewPuzzles(run *cli.Run, how *puzzleInput) *text.FileReader {
	r := text.NewFileReader(run.Ctx, how.files, func(name string) (io.ReadCloser, error) {
		src, err := run.Open(run.Ctx, name)
		if err != nil {
			return nil, err
		}
		return src, nil
	})
	r.Rules, r.Format, r.Zero, r.Adapt, r.DisplayName = how.rules, how.form, how.zero, how.change, cli.Shown
	r.KeepGoing = how.going == goesOn || how.going == batches && !(run.Typing && slices.Contains(how.files, "-"))
	r.Warn = func(warning *dimacs.SyntaxError) { run.Warn(warning) }
	return r
}

// errorLine returns the line that stands for an invalid puzzle in an output of lines.
// The readers of puzzles report it as an error, so that it stays in its place.
func errorLine(p *puzzle) string { return fmt.Sprintf("error: %v\n", p.Err) }

// readCode returns the error of a command that has read all puzzles: the exit code of
// invalid ones, if there were any, or nil.
func readCode(src *text.FileReader) error {
	if src.Failed() > 0 {
		return cli.ExitCode(cli.CodeInput)
	}
	return nil
}

// nthPuzzle returns puzzle n of an input, counting from 1.
func nthPuzzle(src *text.FileReader, n int) (*puzzle, error) {
	p, err := src.Nth(n)
	if err == io.EOF {
		return nil, fmt.Errorf("there is no puzzle %d; the input has %d", n, src.Count())
	}
	return p, err
}
