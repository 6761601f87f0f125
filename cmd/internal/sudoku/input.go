package sudoku

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/text"
)

// The input of the commands that read puzzles.

// PuzzleFlags returns the flags for reading puzzles, and for their rules.
func PuzzleFlags() []cli.Flag {
	return []cli.Flag{
		variantFlag("rules of the puzzles (default: from the input)"),
		cli.Strict(&cli.StringFlag{Name: "from", Category: cli.InputFlags, Usage: "read puzzles in the form `NAME` (default: by content): " + strings.Join(text.InputFormatNames(), ", ")}, formChoices),
		&cli.BoolFlag{Name: "zero", Category: cli.InputFlags, Usage: "0 is the first digit, not a blank"},
	}
}

// variantFlag returns the flag for the rules of puzzles.
func variantFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "variant", Category: category, Usage: "`RULES` as in \"9 boxes 3x3 x\"; the words are a size, boxes RxC (or boxes: the squarest), latin (no boxes), samurai or grids R1C1,R7C7,... (several that share cells), regions R,R,... of the cells, cages SUM:R1C1+R1C2,..., relations such as thermo R1C1+R1C2,..., and rules of the whole grid such as x; sator help sudoku lists them; latin and rules of the whole grid alone change the rules of the input"}
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

// variant reads --variant. Words that need no size change the rules of the input.
func (r *puzzleInput) variant(c *cli.Context) error {
	if !c.IsSet("variant") {
		return nil
	}
	text := c.String("variant")
	words := strings.Fields(text)
	whole := func(word string) bool { return word != "latin" && !new(sudoku.Variant).Set(word, true) }
	if len(words) > 0 && !slices.ContainsFunc(words, whole) {
		r.change = func(v sudoku.Variant) sudoku.Variant {
			for _, word := range words {
				if !v.Set(word, true) { // latin
					v.BoxRows, v.BoxCols, v.Regions = 0, 0, nil
				}
			}
			return v
		}
		return nil
	}
	v, err := parseVariant(text)
	if err != nil {
		return cli.Invalid("variant", text, "%v", err)
	}
	if r.rules, err = sudoku.New(v); err != nil {
		return cli.Usagef("%v", err)
	}
	return nil
}

// parseVariant parses the value of --variant. It adds what [sudoku.ParseVariant] demands: the
// size, which boxes or regions determine, or the shape of boxes, which the size determines.
func parseVariant(text string) (v sudoku.Variant, err error) {
	words, size := strings.Fields(text), ""
	if len(words) > 0 && strings.Trim(words[0], "0123456789") == "" {
		size, words = words[0], words[1:]
	}
	latin := slices.Contains(words, "latin")
	words = slices.DeleteFunc(words, func(word string) bool { return word == "latin" })
	for i := 0; i < len(words) && err == nil; i++ {
		if latin && (words[i] == "boxes" || words[i] == "regions") {
			return v, fmt.Errorf("latin, which has no boxes, or %s", words[i])
		}
		value := strings.Join(words[i+1:min(i+2, len(words))], "")
		switch words[i] {
		case "boxes":
			var rows, cols int
			_, failed := fmt.Sscanf(value, "%dx%d", &rows, &cols)
			n, _ := strconv.Atoi(size)
			switch {
			case failed == nil && size == "":
				size = strconv.Itoa(rows * cols)
			case failed != nil && 0 < n && n <= sudoku.MaxSize:
				v := sudoku.Standard(n)
				words = slices.Insert(words, i+1, fmt.Sprintf("%dx%d", v.BoxRows, v.BoxCols))
			}
		case "samurai":
			if size = cmp.Or(size, "9"); !slices.Contains(words, "boxes") {
				words = slices.Insert(words, i, "boxes")
				i--
			}
		case "regions":
			var regions []string
			if regions, err = regionsOf(value); err == nil {
				words[i+1] = strings.Join(regions, ",")
				size = cmp.Or(size, strconv.Itoa(int(math.Sqrt(float64(len(regions))))))
			}
		}
	}
	if err == nil {
		v, err = sudoku.ParseVariant(strings.Join(append([]string{size}, words...), " "))
	}
	if err != nil {
		err = fmt.Errorf(`rules such as "9 boxes 3x3 x": %w`, err)
	}
	return v, err
}

// regionsOf returns the numbers of the regions of the cells, which are numbers between commas, or
// digits and letters.
func regionsOf(cells string) ([]string, error) {
	regions := strings.Split(cells, ",")
	if len(regions) == 1 {
		regions = strings.Split(cells, "")
	}
	if n := int(math.Sqrt(float64(len(regions)))); n*n != len(regions) || n == 0 {
		return nil, fmt.Errorf("the regions of a square grid, not of %s", cli.Count(len(regions), "cell"))
	}
	for i, r := range regions {
		if len(r) == 1 && r >= "A" {
			regions[i] = strconv.Itoa(int(strings.ToUpper(r)[0]-'A') + 10)
		}
	}
	return regions, nil
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

// onlyPuzzle returns puzzle nth of the input, or the only puzzle if nth is 0. The hint
// completes the error of an input with several puzzles.
func onlyPuzzle(src *text.FileReader, nth int, hint string) (*puzzle, error) {
	if nth > 0 {
		return nthPuzzle(src, nth)
	}
	only, second, err := src.Only()
	if second != nil {
		return nil, fmt.Errorf("%s: the input has several puzzles; choose one with --nth N%s", second.File, hint)
	}
	return only, err
}
