package sudoku

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sator/cmd/internal/cli"
	"sator/internal/pipeline"
	"sator/sudoku"
	sudokumaker "sator/sudoku/generate"
)

func minimizeCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "minimize",
		Category:    "Make",
		Usage:       "remove redundant givens from puzzles",
		UsageText:   "sator sudoku minimize [flags] [FILE|-]...",
		Description: minimizeDescription + "\n\n" + symmetryHelp() + "\n\n" + minimizeExamples,
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "best", Category: makeFlags, Value: 1, Usage: "try `N` random orders; print the first result with the fewest givens"},
			&cli.StringFlag{Name: "order", Category: makeFlags, Usage: "try the givens of `CELLS` first; as R1C1,R1C2, then the others in random order"},
			cli.Strict(&cli.StringFlag{Name: "symmetry", Category: makeFlags, Value: sudokumaker.Symmetries[0].Name, Usage: "remove givens in groups that are symmetric by `NAME`; see above"}, symmetryChoices),
			cli.SeedFlag(makeFlags),
			cli.TimeFlag(),
			cli.JobsFlag("; the output does not depend on it"),
			batchFlag(),
			formatFlag(),
			cli.OutputFlag(),
		}, PuzzleFlags()...),
		Action: cli.RunAction(e, minimizeOptionsOf, func(o *minimizeOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.input.files, Outputs: []string{o.output}}
		}, minimizePuzzles),
	}
}

const minimizeDescription = `Minimizes puzzles: removes givens one by one in random order while the solution
stays unique, and prints the resulting puzzle: a line for each puzzle, or a
drawing on a terminal. The result is minimal: no given of it can be removed. It
is not the minimum over all orders; --best N tries several orders. The same seed
gives the same result.

A puzzle with no solution, several solutions or contradictory givens is reported
on standard error and omitted from the output. "sator sudoku check" prints the
redundant givens.

An invalid puzzle is reported on standard error, and has a line "error: " with
the reason in its place; --keep-going=false, and a puzzle typed at a terminal,
ends the run there.

Exit codes: 0 all puzzles have one solution; 4 some puzzles do not; 1 an input,
or a puzzle of it, that cannot be read, an output that cannot be written, or a
limit or signal that ended the run; 2 invalid command line, 3 internal error of
Sator.`

const minimizeExamples = `Examples:
  sator sudoku minimize puzzles.txt
  sator sudoku minimize --best 100 --seed 7 puzzle.txt
  sator sudoku minimize --symmetry rotate180 solution.txt
  sator sudoku minimize --order R5C5,R1C1 puzzle.txt`

// minimizeOptions is the command line of minimize.
type minimizeOptions struct {
	sudokumaker.MinimizeOptions
	order  string // names of cells, parsed for each puzzle
	input  *puzzleInput
	jobs   int
	output string
}

func minimizeOptionsOf(c *cli.Context) (*minimizeOptions, error) {
	o := &minimizeOptions{
		MinimizeOptions: sudokumaker.MinimizeOptions{Best: c.Int("best"), Seed: c.Uint64("seed")},
		order:           c.String("order"), output: c.String("output"),
	}
	var err error
	if o.Symmetry, err = sudokumaker.ParseSymmetry(c.String("symmetry")); err != nil {
		return nil, err
	}
	if o.jobs, err = cli.JobsOf(c); err != nil {
		return nil, err
	}
	if _, err := cli.Positive(c, "best", 1); err != nil {
		return nil, err
	}
	o.input, err = PuzzleInputOf(c)
	return o, err
}

// A minimizeResult is the result for a puzzle: a grid, a conflict or an error.
type minimizeResult struct {
	grid     *sudoku.Grid
	conflict *sudoku.Conflict
	err      error
}

// minimizePuzzles runs the command.
func minimizePuzzles(r *cli.Run, o *minimizeOptions) error {
	wrong, warned := false, false
	src := NewPuzzles(r, o.input)
	err := r.Write(r.Ctx, o.output, func(w io.Writer) error {
		write, err := puzzleWriter(r, w, o.output)
		if err != nil {
			return err
		}
		run := pipeline.Map[*puzzle, minimizeResult]{
			Jobs:      o.jobs,
			Next:      src.Next,
			NewWorker: o.worker,
			Deliver: func(p *puzzle, m minimizeResult) error {
				var not *sudokumaker.NotUnique
				switch {
				case p.Err != nil:
					r.Say("%v", p.Err)
					_, err := io.WriteString(w, errorLine(p))
					return err
				case m.conflict != nil:
					wrong = true
					r.Say("%s", p.Contradiction(m.conflict))
					return nil
				case errors.As(m.err, &not):
					wrong = true
					r.Say("%v: %v", p, m.err)
					return nil
				case m.err != nil:
					return m.err
				}
				if !warned && p.Given() != p.Grid {
					warned = true
					r.Warn(fmt.Errorf("%v: placed digits count as givens", p))
				}
				return write(m.grid, nil)
			},
		}
		if err := run.Run(r.Ctx); err != nil || src.Failed() < src.Count() {
			return err
		}
		return readCode(src) // there is no result to keep
	})
	if err == nil {
		err = readCode(src)
	}
	if err == nil && wrong {
		return cli.ExitCode(cli.CodeWrong)
	}
	return err
}

// worker returns a function that minimizes puzzles. It reuses its solver while the rules
// stay the same.
func (o *minimizeOptions) worker() func(context.Context, *puzzle) minimizeResult {
	var rules *sudoku.Rules
	var counter sudokumaker.Counter
	return func(ctx context.Context, p *puzzle) (m minimizeResult) {
		if p.Err != nil {
			return m
		}
		if p.Rules != rules {
			rules, counter = p.Rules, sudokumaker.CounterFor(p.Rules)
		}
		with := o.MinimizeOptions
		if with.Order, m.err = cellsNamed(p.Rules, o.order); m.err != nil {
			m.err = cli.Invalid("order", o.order, "cells such as R1C1,R1C2: %v", m.err)
			return m
		}
		if m.conflict = p.Conflict(); m.conflict == nil {
			m.grid, m.err = sudokumaker.Minimize(ctx, counter, p.Grid, with)
		}
		return m
	}
}

// cellsNamed parses names of cells separated by commas.
func cellsNamed(r *sudoku.Rules, text string) ([]int, error) {
	var list []int
	for name := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		cell, err := r.Cell(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		list = append(list, cell)
	}
	return list, nil
}
