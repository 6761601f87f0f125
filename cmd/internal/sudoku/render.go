package sudoku

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/render"
	sudokusolve "sator/sudoku/solve"
)

func renderCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "render",
		Category:    "Draw",
		Usage:       "draw puzzles and solutions",
		UsageText:   "sator sudoku render [flags] [FILE|-]...",
		Description: renderDescription + "\n\n" + styleHelp() + "\n\n" + renderExamples,
		Flags: append([]cli.Flag{
			cli.FormatFlag("", "(default: by the name of the output)", styleChoices()...),
			&cli.BoolFlag{Name: "solve", Category: cli.OutputFlags, Usage: "draw the solution"},
			&cli.BoolFlag{Name: "marks", Category: cli.OutputFlags, Usage: "draw the candidates of empty cells"},
			&cli.BoolFlag{Name: "hint", Category: cli.OutputFlags, Usage: "draw the candidates and mark those of the next hint; see above"},
			&cli.IntFlag{Name: "step", Category: cli.OutputFlags, Usage: "with --hint, draw step `N` of it alone, from 1"},
			&cli.IntFlag{Name: "nth", Category: cli.InputFlags, Usage: "draw only puzzle `N` of the input, from 1"},
			&cli.IntFlag{Name: "cell", Category: cli.OutputFlags, Usage: "side of a cell in `N` pixels, for svg and png (default: 40, less in large grids)"},
			cli.TimeFlag(),
			cli.OutputFlag(),
		}, PuzzleFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := renderOptionsOf(c, cli.OnTerminal(e.Stdout))
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: o.input.files, Outputs: []string{o.output}}
			return e.Run(c, frame, func(r *cli.Run) error { return renderPuzzles(r, o) })
		}),
	}
}

const renderDescription = `Draws each puzzle with its boxes, regions and cages. Every style distinguishes
givens from found digits; ansi does so without color if the variable NO_COLOR is
set. The pencil marks of a puzzle are drawn, and with --marks the candidates of
one without pencil marks. --hint marks in them what
"sator sudoku hint" says: the cells of the pattern have another background, and
a sign precedes *5 a candidate of the pattern, -5 one that is eliminated, and +5
the digit that is placed; images use colors, and arrows for the links of chains,
solid to a digit that becomes true and dashed to one that becomes false. The
sentences of the hint follow the drawing; in svg they are its title. --step N
draws one step of several.

Without --format the style follows from the name of the output; otherwise it is
ansi on a terminal and text elsewhere. On a terminal that is narrower than the
grid the cells are narrower too, with letters for the digits above 9 if
necessary. An image shows one puzzle: if there are several, --nth chooses one,
or the name of the output contains %d, which is replaced by the number of each
puzzle.

Exit codes: 0 all puzzles were drawn; 4 a puzzle has no solution to draw, or no
hint since it has several; 1 an input that cannot be read or an output that
cannot be written, 2 invalid command line, 3 internal error of Sator.`

const renderExamples = `Examples:
  sator sudoku render puzzle.txt
  sator sudoku render --solve --format unicode puzzle.txt
  sator sudoku render --marks -o puzzle.svg puzzle.txt
  sator sudoku render --hint -o hint.svg puzzle.txt
  sator sudoku render --solve -o solution-%d.png puzzles.txt`

// styleHelp returns the help text of the styles.
func styleHelp() string {
	return choiceHelp("Styles (--format)", cli.Of(render.Styles, func(s render.Style) cli.Choice {
		return cli.Choice{Name: s.Name, Help: s.Help + ", " + s.Extension}
	}), 12)
}

// drawing returns a function that draws puzzles, with found digits unless they are nil, in the
// style with the given name, or nil if there is no such style. An empty line separates two
// drawings. The columns are the width of a terminal, or 0.
func drawing(w io.Writer, name string, columns int) func(g *sudoku.Grid, found []int) error {
	i := slices.IndexFunc(render.Styles, func(s render.Style) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	w = cli.Raw(w)
	separate := separator(w)
	return func(g *sudoku.Grid, found []int) error {
		if err := separate(); err != nil {
			return err
		}
		return render.Styles[i].Draw(&render.Picture{Puzzle: g, Found: found, NoColor: noColor(), Columns: columns}, w)
	}
}

// separator returns a function that writes an empty line, except when it is called first.
func separator(w io.Writer) func() error {
	line := ""
	return func() error {
		_, err := io.WriteString(w, line)
		line = "\n"
		return err
	}
}

// columnsOf returns the width of the terminal of an output, or 0.
func columnsOf(r *cli.Run, output string) int {
	if output != "-" {
		return 0
	}
	return r.PageWidth()
}

// noColor reports whether NO_COLOR is set (no-color.org).
func noColor() bool { return os.Getenv("NO_COLOR") != "" }

// renderOptions is the command line of render.
type renderOptions struct {
	input        *puzzleInput
	style        *render.Style
	solve, marks bool
	hint         bool
	step         int // of the hint, 0 for all
	nth, cell    int
	output       string
}

func renderOptionsOf(c *cli.Context, terminal bool) (*renderOptions, error) {
	o := &renderOptions{
		solve: c.Bool("solve"), marks: c.Bool("marks"), nth: c.Int("nth"), cell: c.Int("cell"),
		output: c.String("output"), hint: c.Bool("hint"), step: c.Int("step"), style: styleOf(c, terminal),
	}
	if o.hint && o.solve {
		return nil, cli.Exclusive("hint", "solve")
	}
	if o.step > 0 && !o.hint {
		return nil, cli.Useless("step", "hint")
	}
	for _, name := range []string{"nth", "cell", "step"} {
		if _, err := cli.Positive(c, name, 1); err != nil {
			return nil, err
		}
	}
	if o.cell > mostCell {
		return nil, cli.Invalid("cell", o.cell, "1 to %d", mostCell)
	}
	if !isImage(o.style) && o.cell > 0 {
		return nil, cli.Useless("cell", "format svg or png")
	}
	var err error
	o.input, err = PuzzleInputOf(c)
	return o, err
}

// mostCell is the maximum side of a cell in pixels.
const mostCell = 1000

// styleOf returns the style of --format or of the name of the output.
func styleOf(c *cli.Context, terminal bool) *render.Style {
	name, _ := cli.FormatOf(c) // without --json there is no error
	if name == "" && c.String("output") == "-" && terminal {
		name = "ansi"
	}
	i := slices.IndexFunc(render.Styles, func(s render.Style) bool { return s.Name == name })
	return &render.Styles[max(i, 0)]
}

// isImage reports whether a style is an image format, whose files cannot be concatenated.
func isImage(s *render.Style) bool { return s.Name == "svg" || s.Name == "png" }

// renderPuzzles runs the command.
func renderPuzzles(r *cli.Run, o *renderOptions) error {
	d := drawer{Run: r, o: o, solver: sudokusolve.New(sudokusolve.Options{})}
	err := d.all()
	var none *unsolvableError
	if errors.As(err, &none) {
		r.Say("%v", err)
		return cli.ExitCode(cli.CodeWrong)
	}
	return err
}

// An unsolvableError is the error of a puzzle without a solution to draw.
type unsolvableError struct{ msg string }

func (u *unsolvableError) Error() string { return u.msg }

// A drawer draws the puzzles of a command line.
type drawer struct {
	*cli.Run
	o      *renderOptions
	solver *sudokusolve.Solver
}

// all draws the puzzles.
func (d *drawer) all() error {
	if numbered(d.o.output) {
		return d.each(func(p *puzzle) error {
			return d.Write(d.Ctx, nthName(d.o.output, p.Number), func(w io.Writer) error { return d.draw(w, p) })
		})
	}
	if isImage(d.o.style) {
		return d.single()
	}
	return d.Write(d.Ctx, d.o.output, func(w io.Writer) error {
		separate := separator(w)
		return d.each(func(p *puzzle) error {
			if err := separate(); err != nil {
				return err
			}
			return d.draw(w, p)
		})
	})
}

// single draws one puzzle.
func (d *drawer) single() error {
	src := NewPuzzles(d.Run, d.o.input)
	only, err := onlyPuzzle(src, d.o.nth, numberHint)
	if err != nil {
		return err
	}
	return d.Write(d.Ctx, d.o.output, func(w io.Writer) error { return d.draw(w, only) })
}

// each calls draw for each puzzle.
func (d *drawer) each(draw func(*puzzle) error) error {
	src := NewPuzzles(d.Run, d.o.input)
	if d.o.nth > 0 {
		p, err := nthPuzzle(src, d.o.nth)
		if err != nil {
			return err
		}
		return draw(p)
	}
	for p, err := range src.All() {
		if err != nil {
			return err
		}
		if err := draw(p); err != nil {
			return err
		}
	}
	return nil
}

// draw draws a puzzle.
func (d *drawer) draw(w io.Writer, p *puzzle) error {
	picture := render.Picture{Puzzle: p.Given(), Found: p.Cells, NoColor: noColor(), Cell: d.o.cell, Columns: columnsOf(d.Run, d.o.output)}
	if d.o.solve {
		a := d.solver.Solve(d.Ctx, p.Grid)
		switch {
		case a.Err != nil:
			return fmt.Errorf("%v: %w", p, a.Err)
		case a.Conflict != nil:
			return &unsolvableError{p.Contradiction(a.Conflict)}
		case a.Status == dimacs.Unsatisfiable:
			return &unsolvableError{fmt.Sprintf("%v: no solution", p)}
		case len(a.Solutions) == 0:
			return context.Cause(d.Ctx)
		}
		picture.Found = a.Solutions[0]
	}
	if d.o.marks || p.Marks != nil {
		picture.Marks = marksLeft(p.Grid)
	}
	if !d.o.hint {
		return d.o.style.Draw(&picture, cli.Raw(w))
	}
	steps, err := explain.Hint(d.Ctx, p.Grid)
	var several *explain.Ambiguity
	var none *explain.Contradiction
	switch {
	case errors.As(err, &none) && none.Conflict != nil:
		return &unsolvableError{p.Contradiction(none.Conflict)}
	case errors.As(err, &several), errors.As(err, &none):
		return &unsolvableError{fmt.Sprintf("%v: %v", p, err)}
	case err != nil:
		return err
	}
	picture.Marks = marksLeft(p.Grid)
	if n := d.o.step; n > len(steps) {
		return cli.Usagef("there is no step %d: the hint of %v has %s", n, p, cli.Count(len(steps), "step"))
	} else if n > 0 {
		for _, s := range steps[:n-1] {
			for _, candidate := range s.Eliminated {
				picture.Marks[candidate] = false
			}
		}
		steps = steps[n-1 : n]
	}
	return d.drawHint(w, &picture, steps)
}

// drawHint draws a puzzle with the steps of a hint.
func (d *drawer) drawHint(w io.Writer, picture *render.Picture, steps []explain.Step) error {
	picture.Highlight = &render.Highlight{}
	var lines []string
	for _, s := range steps {
		h := picture.Highlight
		h.Cells, h.Candidates = append(h.Cells, s.Cells...), append(h.Candidates, s.Candidates...)
		h.Eliminated = append(h.Eliminated, s.Eliminated...)
		h.Strong, h.Weak = append(h.Strong, s.Strong...), append(h.Weak, s.Weak...)
		if s.Placed >= 0 {
			h.Placed = append(h.Placed, s.Placed)
		}
		lines = append(lines, s.String())
	}
	picture.Title = strings.Join(lines, "; ")
	if err := d.o.style.Draw(picture, cli.Raw(w)); err != nil || isImage(d.o.style) {
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, hanging(line)); err != nil {
			return err
		}
	}
	return nil
}

// marksLeft reports for each candidate whether the givens leave it.
func marksLeft(g *sudoku.Grid) []bool {
	c := sudoku.NewCandidates(g.Rules)
	c.Load(g)
	marks := make([]bool, g.Rules.Cells()*g.Rules.Size())
	for candidate := range marks {
		marks[candidate] = c.Has(candidate)
	}
	return marks
}
