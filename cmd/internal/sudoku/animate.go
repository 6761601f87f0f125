package sudoku

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sator/cmd/internal/animate"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/film"
	"sator/dpll/classic"
	"sator/sudoku"
	"sator/sudoku/text"
)

func animateCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "animate",
		Category:    "Draw",
		Usage:       "animate the search for the solution of a Sudoku",
		UsageText:   "sator sudoku animate [flags] -o FILE [PUZZLE|-]",
		Description: animateDescription + "\n\n" + filmHelp() + "\n\n" + animateExamples,
		Flags: append(append([]cli.Flag{
			cli.FormatFlag("", "(default: by the name of the output)", filmChoices()...),
			&cli.IntFlag{Name: "max-frames", Category: cli.OutputFlags, Usage: fmt.Sprintf("write at most `N` frames, at least %d", film.MinFrames)},
			&cli.Float64Flag{Name: "speed", Category: cli.OutputFlags, Usage: fmt.Sprintf("show `N` frames per second, up to %d (default: %d, or up to %d so that the animation lasts a minute at most)", animate.MaxSpeed, animate.DefaultSpeed, 2*animate.DefaultSpeed)},
			&cli.IntFlag{Name: "cell", Category: cli.OutputFlags, Usage: "side of a cell in `N` pixels (default: by the size of the grid)"},
			&cli.IntFlag{Name: "nth", Category: cli.InputFlags, Usage: "animate puzzle `N` of the input, from 1"},
			cli.Strict(&cli.StringFlag{Name: "encoding", Category: encodingFlags, Value: "extended", Usage: "encode the rules by `NAME`; see \"sator help --all sudoku encode\""}, encodingChoices),
			cli.Strict(&cli.StringFlag{Name: "amo", Category: encodingFlags, Usage: "encode at-most-one constraints by `NAME`"}, amoChoices),
			cli.SeedFlag(cli.EngineFlags),
			cli.TimeFlag(),
			cli.OutputFlag("html"),
		}, cli.ClassicFlags()...), PuzzleFlags()...),
		Action: cli.RunAction(e, animateOptionsOf, func(o *animateOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.input.files, Outputs: []string{o.output}}
		}, animatePuzzle),
	}
}

const animateDescription = `Encodes a puzzle as a formula, solves it with the engine dpll, and draws the
search on the grid as an animation. A decided digit is drawn in a filled disc, a
digit assigned by a backtrack in a ring, a pure literal in a diamond, and a
propagated digit without a shape. Remaining candidates are small digits, or dots
in grids larger than 9; a small disc or ring is a decision or a backtrack that
excludes the digit. The cells of a falsified clause are crossed out. Below the
grid are the event, the path from the root (filled circles are first branches,
hollow circles second branches), and counters.

If a search has more events than frames, propagations share frames, as many as
necessary. If that is not enough, propagations are shown in the frame of the
decision or backtrack before them, and then conflicts are as well. A decision or
a backtrack has its own frame unless the search tree has more nodes than frames:
then half of the frames show the first nodes, the other half the last nodes, and
one frame reports the number of omitted nodes. A search ends after 2 million
events.

Without PUZZLE it is read from standard input. If that is a terminal, the
animation shows a hard puzzle that is built in, of which the search has 211
decisions.

Without --max-frames and --speed an animation lasts a minute at most. A frame
that shows more than propagations lasts twice as long. The controls of
an HTML page are buttons, a slider and keys: Space, the arrows, Page Up and Page
Down, Home, End.

The puzzle may have no solution. If a time limit or a signal ends the search,
the animation shows the search so far.

Exit codes: 0 the animation was written; 1 an input that cannot be read or an
output that cannot be written, 2 invalid command line, 3 internal error of
Sator.`

const animateExamples = `Examples:
  sator sudoku animate puzzle.txt -o search.html
  sator sudoku animate puzzle.txt --heuristic jw2 --pure off -o search.gif
  sator sudoku animate puzzles.txt --nth 3 --encoding minimal -o search.svg`

// filmHelp returns the help text of the formats.
func filmHelp() string {
	return choiceHelp("Formats (--format)", cli.Of(animate.Formats, func(f animate.Format) cli.Choice {
		return cli.Choice{Name: f.Name, Help: fmt.Sprintf("%s, %s; up to %d frames without --max-frames", f.Help, f.Extension, f.Frames)}
	}), 12)
}

// animateOptions is the command line of animate.
type animateOptions struct {
	input  *puzzleInput
	format *animate.Format
	frames int
	speed  float64
	cell   int
	nth    int
	coding sudoku.Coding
	engine classic.Options
	output string
}

func animateOptionsOf(c *cli.Context) (*animateOptions, error) {
	o := &animateOptions{
		frames: c.Int("max-frames"), speed: c.Float64("speed"), cell: c.Int("cell"), nth: c.Int("nth"),
		coding: codingOf(c), output: c.String("output"),
	}
	for _, name := range []string{"nth", "cell"} {
		if _, err := cli.Positive(c, name, 1); err != nil {
			return nil, err
		}
	}
	switch {
	case c.IsSet("max-frames") && o.frames < film.MinFrames:
		return nil, cli.Invalid("max-frames", o.frames, "%d or more", film.MinFrames)
	case math.IsNaN(o.speed) || c.IsSet("speed") && o.speed < 0.01 || o.speed > animate.MaxSpeed:
		return nil, cli.Invalid("speed", o.speed, "0.01 to %d", animate.MaxSpeed)
	case o.cell > mostCell:
		return nil, cli.Invalid("cell", o.cell, "1 to %d", mostCell)
	}
	var err error
	if o.format, err = filmFormatOf(c); err != nil {
		return nil, err
	}
	if o.engine, err = cli.ClassicOptionsOf(c); err != nil {
		return nil, err
	}
	o.input, err = PuzzleInputOf(c)
	return o, err
}

// filmFormatOf returns the format of --format or of the name of the output.
func filmFormatOf(c *cli.Context) (*animate.Format, error) {
	name, err := cli.FormatOf(c)
	i := slices.IndexFunc(animate.Formats, func(f animate.Format) bool { return f.Name == name })
	if err != nil {
		return nil, err
	}
	if i < 0 {
		names := cli.Of(animate.Formats, func(f animate.Format) string { return f.Name })
		return nil, cli.Invalid("output", c.String("output"), "a file name with the extension of a format, or --format %s", cli.OneOf(names))
	}
	return &animate.Formats[i], nil
}

// animatePuzzle runs the command.
func animatePuzzle(r *cli.Run, o *animateOptions) error {
	src := NewPuzzles(r, o.input)
	if r.Typing && r.Flags.NArg() == 0 {
		src = builtIn(r, o.input)
	}
	p, err := onlyPuzzle(src, o.nth, "")
	if err != nil {
		return err
	}
	if p.Given() != p.Grid {
		r.Warn(fmt.Errorf("%v: placed digits count as givens", p))
	}
	shown, err := animate.Record(r.Ctx, p.Grid, o.coding, o.engine)
	if wrong := (*film.ModelError)(nil); errors.As(err, &wrong) {
		return &cli.InternalError{Msg: wrong.Error()}
	}
	if err != nil {
		return fmt.Errorf("%v: %w", p, err)
	}
	shown.Frames, shown.Speed, shown.Cell = o.frames, o.speed, o.cell
	// A limit or a signal that ended the search must not end the output.
	return r.Write(context.Background(), o.output, func(w io.Writer) error { return o.format.Write(shown, cli.Raw(w)) })
}

// hardPuzzle is the puzzle that is animated if there is no other: by Arto Inkala, 2012. Its
// rating is 10.6, and dpll has 211 decisions and 205 conflicts with the default options.
const hardPuzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

// builtIn returns a reader of hardPuzzle, with the rules of a command line.
func builtIn(r *cli.Run, how *puzzleInput) *text.FileReader {
	r.Say("no puzzle is given: the animation shows a hard one, %s", hardPuzzle)
	src := text.NewFileReader(r.Ctx, []string{"built-in puzzle"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(hardPuzzle)), nil
	})
	src.Rules, src.Adapt = how.rules, how.change
	return src
}
