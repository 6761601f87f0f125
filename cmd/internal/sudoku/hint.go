package sudoku

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/text"
)

func hintCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "hint",
		Category:    "Explain",
		Usage:       "explain the next digit of a puzzle",
		UsageText:   "sator sudoku hint [flags] [FILE|-]",
		Description: sudokuHintDescription(),
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Category: cli.OutputFlags, Usage: "print all steps to the solution"},
			cli.Strict(&cli.StringFlag{Name: "technique", Category: cli.OutputFlags, Usage: "print the steps of the technique `NAME` instead"}, func() []cli.Choice { return cli.Names(techniqueNames()...) }),
			&cli.BoolFlag{Name: "full", Category: cli.OutputFlags, Usage: "print all links of chains below their sentence"},
			cli.TextOrJSON("(a document per line, for each step)"), cli.JSONFlag(),
		}, singleFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := singlePuzzleOf(c, c.Args().Slice())
			if err != nil {
				return err
			}
			options := hintOptions{c.Bool("all"), c.Bool("full"), cli.AsJSON(c), ""}
			if i := slices.Index(techniqueNames(), c.String("technique")); i >= 0 {
				if options.all {
					return cli.Usagef("--technique cannot be combined with --all")
				}
				options.technique = explain.ScaleTechniques("all")[i]
			}
			return o.run(e, c, func(ctx context.Context, r *cli.Run, p *puzzle) error {
				return hint(ctx, r, p, options)
			})
		}),
	}
}

func sudokuHintDescription() string {
	var b strings.Builder
	b.WriteString(`Prints the next digit of a puzzle by the easiest technique, with the reason. If
candidates must be excluded first, these steps are printed before it; each of
them is required. With --all, all steps and the solution are printed. R3C5 is
the cell in row 3 and column 5. The techniques, easiest first:

`)
	names, help := explain.Techniques()
	for i, name := range names {
		cli.WriteEntry(&b, name, help[i], 31)
	}
	b.WriteString(`
Hint after hint leads to the solution, and the hardest of the hints is the
rating of "sator sudoku rate --scale all". A hint starts from the digits and the
pencil marks alone; with --all, eliminations that only repeat those of earlier
hints are not printed. R1C78,R3C4<>5 excludes 5 in three cells. --technique
prints the steps of one technique at once, each with all its eliminations; in
its name, hyphens stand for spaces.

A reason has at most 200 characters. --full prints all links of a chain below
it, and all givens of a core. "sator sudoku render --hint" draws the hint.
Techniques that assume one solution are used where that is proved, and only with
houses: not with cages, relations or anti-knight rules. If the givens have one
solution without pencil marks and placed digits, rectangles may lack a candidate
or have a placed digit. Chains are searched for up to size 25, forcing chains up
to 16, nested ones up to 9 and not with relations; beyond, core takes their
place.
Above size 16, singles are printed without a proof that there is one solution;
above size 64 there are only singles and core. With --json, rating is the
difficulty of a step.

Exit codes: 0 the hint is printed; 4 the puzzle has no solution or several; 1 an
input that cannot be read, an output that cannot be written, or a limit or
signal that ended the run; 2 invalid command line, 3 internal error of Sator.

Examples:
  sator sudoku hint puzzle.txt
  sator sudoku hint --full hard.txt
  sator sudoku hint --technique finned-X-wing position.txt
  sator sudoku hint --all --nth 12 17clue.txt`)
	return b.String()
}

// hintOptions are the output flags of hint.
type hintOptions struct {
	all, full, json bool
	technique       string // the only one, "" for all
}

// techniqueNames returns the names of techniques on the command line.
func techniqueNames() []string { return hyphened(explain.ScaleTechniques("all")) }

// hint prints the steps to the next digit, or all steps.
func hint(ctx context.Context, r *cli.Run, p *puzzle, o hintOptions) error {
	find := explain.Hint
	switch {
	case o.all:
		find = explain.Path
	case o.technique != "":
		find = func(ctx context.Context, g *sudoku.Grid) ([]explain.Step, error) {
			return explain.Find(ctx, g, o.technique)
		}
	}
	steps, err := find(ctx, p.Grid)
	if several := (*explain.Ambiguity)(nil); errors.As(err, &several) {
		r.Say("%v: %v", p, err)
		return cli.ExitCode(cli.CodeWrong)
	} else if err != nil {
		return err
	}
	if o.json {
		return hintDocuments(r.Stdout, p, steps, o.full)
	}
	for _, s := range steps {
		if _, err := fmt.Fprintln(r.Stdout, hanging(s.String())); err != nil {
			return err
		}
		for i := 0; o.full && i < len(s.Details); i++ {
			if _, err := fmt.Fprintln(r.Stdout, "    "+s.Details[i]); err != nil {
				return err
			}
		}
	}
	switch {
	case o.technique != "" && len(steps) == 0:
		_, err = fmt.Fprintln(r.Stdout, "no "+o.technique)
		return err
	case o.technique != "" || !p.Full() && !o.all:
		return nil
	}
	if !o.all {
		_, err = fmt.Fprintln(r.Stdout, "the puzzle is solved")
		return err
	}
	if _, err := fmt.Fprintln(r.Stdout); err != nil {
		return err
	}
	return text.Write(r.Stdout, &sudoku.Grid{Rules: p.Rules, Cells: after(p, steps)}, "grid")
}

// hanging wraps a text with hanging indentation.
func hanging(s string) string {
	return strings.ReplaceAll(cli.WrapText(s, cli.HelpWidth-4), "\n", "\n    ")
}

// after returns the digits of a puzzle after the steps.
func after(p *puzzle, steps []explain.Step) []int {
	g := p.Clone()
	for _, s := range steps {
		if s.Placed >= 0 {
			cell, digit := p.Rules.Split(s.Placed)
			g.Cells[cell] = digit
		}
	}
	return g.Cells
}

// A hintDocument is a step in the output of --json.
type hintDocument struct {
	Technique string          `json:"technique"`
	Rating    json.RawMessage `json:"rating,omitempty"`
	Placed    *cellDigit      `json:"placed,omitempty"`
	Struck    []cellDigit     `json:"struck,omitempty"`
	Reason    string          `json:"reason"`
	Cells     []string        `json:"cells,omitempty"`
	Details   []string        `json:"details,omitempty"`
	Givens    []string        `json:"givens,omitempty"`
}

func hintDocuments(w io.Writer, p *puzzle, steps []explain.Step, full bool) error {
	candidate := func(number int) cellDigit {
		cell, digit := p.Rules.Split(number)
		return cellDigit{p.Rules.CellName(cell), digit}
	}
	for _, s := range steps {
		d := &hintDocument{Technique: s.Technique, Reason: s.Text, Cells: cellNames(p.Rules, s.Cells), Givens: cellNames(p.Rules, s.Givens)}
		if s.Rating > 0 {
			d.Rating = json.RawMessage(s.Rating.String())
		}
		if s.Placed >= 0 {
			placed := candidate(s.Placed)
			d.Placed = &placed
		}
		for _, struck := range s.Eliminated {
			d.Struck = append(d.Struck, candidate(struck))
		}
		if full {
			d.Details = s.Details
		}
		if err := cli.WriteJSON(w, d); err != nil {
			return err
		}
	}
	return nil
}
