package sudoku

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dpll"
	"sator/sudoku"
	"sator/sudoku/animate"
	"sator/sudoku/text"
)

func AnimateCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "animate",
		Usage:       "show a search for the solution of a Sudoku as a film",
		UsageText:   "sator animate [flags] -o FILE PUZZLE|-",
		Description: animateDescription + "\n\n" + filmHelp() + "\n\n" + animateExamples,
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "format", Category: cli.OutputFlags, Usage: "write the film as `NAME`, see above; the name of the output decides without it"},
			&cli.IntFlag{Name: "max-frames", Category: cli.OutputFlags, Usage: fmt.Sprintf("make at most `N` frames, at least %d", animate.MinFrames)},
			&cli.Float64Flag{Name: "speed", Category: cli.OutputFlags, Value: animate.DefaultSpeed, Usage: fmt.Sprintf("show `N` frames a second, up to %d", animate.MaxSpeed)},
			&cli.IntFlag{Name: "cell", Category: cli.OutputFlags, Usage: "cells have a side of `N` pixels; it depends on the size without it"},
			&cli.IntFlag{Name: "nth", Category: cli.InputFlags, Usage: "take puzzle `N` of the input, from 1"},
			&cli.StringFlag{Name: "encoding", Category: encodingFlags, Value: "extended", Usage: "write the puzzle as a formula by the encoding `NAME`, see \"sator help sudoku encode\""},
			&cli.StringFlag{Name: "amo", Category: encodingFlags, Usage: "write that at most one of some literals is true by `NAME`"},
			&cli.Uint64Flag{Name: "seed", Category: cli.EngineFlags, Usage: "start the random generator with `N`"},
			cli.TimeFlag(),
			cli.OutputFlag(),
		}, cli.ClassicFlags()...), PuzzleFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := animateOptionsOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: o.input.files, Outputs: []string{o.output}}
			return e.Run(c, frame, func(r *cli.Run) error { return animatePuzzle(r, o) })
		}),
	}
}

const animateDescription = `Writes the puzzle as a formula, solves that with the engine dpll, and shows on
the grid what the engine does. A digit that was decided stands in a filled disc,
one that a backtrack put there in a ring, a pure literal in a diamond, and one
that propagation found stands bare. Digits that are still possible are small, in
grids beyond 9 dots; a small disc or ring is a decision or a backtrack by which
the digit is not there. The cells of a falsified clause are crossed out. Below
the grid are the event, the path from the root (filled circles are first
branches, hollow ones second branches), and counters.

A search may have more events than frames. Then propagations share frames, more
and more of them as is needed; if they are still too many they are in the frame
of the decision or backtrack that they follow, then conflicts are, too. A
decision or a backtrack always has a frame, unless there are fewer frames than
nodes of the tree: then half of the frames are the first nodes, half the last
ones, and one says how many are left out. A search ends after 2 million events.

A frame with more than propagations stays twice as long. A page is played by
buttons, a slider, or keys: Space, the arrows, Page Up and Page Down, Home, End.

A puzzle without a solution can be shown, too. A limit of time or a signal ends
the search, and the film shows it as far as it got.

Exit codes: 0 the film was written; 1 an input that cannot be read or an output
that cannot be written, 2 bad command line, 3 an error of Sator itself.`

const animateExamples = `Examples:
  sator animate puzzle.txt -o search.html
  sator animate puzzle.txt --heuristic jw2 --pure off -o search.gif
  sator animate puzzles.txt --nth 3 --encoding minimal -o search.svg`

// filmHelp lists the formats.
func filmHelp() string {
	var b strings.Builder
	b.WriteString("Formats (--format):\n")
	for _, f := range animate.Formats {
		cli.WriteEntry(&b, f.Name, fmt.Sprintf("%s, %s; up to %d frames without --max-frames", f.Help, f.Extension, f.Frames), 12)
	}
	return strings.TrimRight(b.String(), "\n")
}

// animateOptions are the command line of animate.
type animateOptions struct {
	input  *puzzleInput
	format *animate.Format
	frames int
	speed  float64
	cell   int
	nth    int
	coding sudoku.Coding
	engine dpll.Options
	output string
}

func animateOptionsOf(c *cli.Context) (*animateOptions, error) {
	o := &animateOptions{
		frames: c.Int("max-frames"), speed: c.Float64("speed"), cell: c.Int("cell"), nth: c.Int("nth"),
		coding: sudoku.Coding{Encoding: c.String("encoding"), AtMostOne: c.String("amo")},
		output: c.String("output"),
	}
	for _, name := range []string{"nth", "cell"} {
		if _, err := cli.Positive(c, name, 1); err != nil {
			return nil, err
		}
	}
	switch {
	case c.IsSet("max-frames") && o.frames < animate.MinFrames:
		return nil, cli.Invalid("max-frames", o.frames, "%d or more", animate.MinFrames)
	case math.IsNaN(o.speed) || o.speed < 0.01 || o.speed > animate.MaxSpeed:
		return nil, cli.Invalid("speed", o.speed, "0.01 to %d", animate.MaxSpeed)
	case o.cell > mostCell:
		return nil, cli.Invalid("cell", o.cell, "1 to %d", mostCell)
	}
	if err := o.coding.Check(); err != nil {
		return nil, cli.Usagef("%v", err)
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

// filmFormatOf returns the format that the flags ask for.
func filmFormatOf(c *cli.Context) (*animate.Format, error) {
	name, ext := c.String("format"), cli.Extension(c.String("output"))
	var names []string
	for i := range animate.Formats {
		f := &animate.Formats[i]
		if f.Name == name || name == "" && f.Extension == ext {
			return f, nil
		}
		names = append(names, f.Name)
	}
	if name == "" {
		return nil, cli.Invalid("output", c.String("output"), "a name that implies a format, or --format %s", cli.OneOf(names))
	}
	return nil, cli.InvalidName("format", name, names)
}

// animatePuzzle runs the command.
func animatePuzzle(r *cli.Run, o *animateOptions) error {
	p, err := onlyPuzzle(NewPuzzles(r, o.input), o.nth)
	if err != nil {
		return err
	}
	film, err := animate.Record(r.Ctx, p.Grid, o.coding, o.engine)
	if wrong := (*animate.ModelError)(nil); errors.As(err, &wrong) {
		return &cli.InternalError{Msg: wrong.Error()}
	}
	if err != nil {
		return fmt.Errorf("%v: %w", p, err)
	}
	film.Frames, film.Speed, film.Cell = o.frames, o.speed, o.cell
	// What there is of the film is shown also at a limit or signal.
	return r.Write(context.Background(), o.output, func(w io.Writer) error { return o.format.Write(film, w) })
}

// onlyPuzzle reads the nth puzzle of the input, or if nth is 0 the only one.
func onlyPuzzle(src *text.FileReader, nth int) (*puzzle, error) {
	if nth > 0 {
		return nthPuzzle(src, nth)
	}
	only, second, err := src.Only()
	if second != nil {
		return nil, fmt.Errorf("%s: there are several puzzles; choose one with --nth N", second.File)
	}
	return only, err
}
