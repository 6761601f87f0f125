package sudoku

import (
	"fmt"

	sudokusolve "sator/sudoku/solve"

	"sator/cmd/internal/cli"
)

func countCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "count",
		Usage:       "count the solutions of puzzles",
		UsageText:   "sator sudoku count [flags] [FILE|-]...",
		Description: sudokuCountDescription,
		Flags: append(append([]cli.Flag{
			&cli.IntFlag{Name: "limit", Category: cli.LimitFlags, Value: 2, Usage: "stop at `N` solutions of a puzzle"},
			&cli.BoolFlag{Name: "all", Category: cli.LimitFlags, Usage: "count them all"},
		}, proofFlags()...), solveFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := solveOptionsOf(c)
			if err != nil {
				return err
			}
			limit := c.Int("limit")
			switch {
			case limit < 1:
				return cli.Invalid("limit", limit, "a positive number")
			case c.Bool("all") && c.IsSet("limit"):
				return cli.Exclusive("all", "limit")
			case c.Bool("all"):
				limit = 0
			}
			proving, err := proofOptionsOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: o.input.files, Outputs: proving.outputs(), Redirect: true, Status: true}
			return e.Run(c, frame, func(r *cli.Run) error { return countPuzzles(r, o, proving, limit) })
		}),
	}
}

const sudokuCountDescription = `Prints for each puzzle, on a line, how many solutions it has: 0, 1, or "2 or
more", unless --limit asks for another number, or --all for the exact one. That
there is no other solution is proved, by search to the end. What a limit of time
or a signal ends is printed as far as it is known, "7 or more".

Contradictory givens are told on standard error; such a puzzle has 0 solutions.

` + proofDescription + `

Exit codes: 0 all were counted; 1 an input that cannot be read, an output that
cannot be written, or a limit or signal that came first; 2 bad command line, 3
an error of Sator itself, 4 there is nothing to prove.

Examples:
  sator sudoku count puzzles.txt | grep -vnx 1
  sator sudoku count --all --time 60 puzzle.txt
  sator sudoku count puzzle.txt --cnf unique.cnf --proof unique.drat`

// countPuzzles runs the command.
func countPuzzles(run *cli.Run, o *solveOptions, proving *proofOptions, limit int) error {
	r := newPuzzleRun(run, o)
	r.limit = func(*puzzle) int { return limit }
	r.report = func(p *puzzle, x *examined) error {
		if x.Conflict != nil {
			r.Say("%s", p.Contradiction(x.Conflict))
		}
		_, err := fmt.Fprintln(r.out, countText(&x.Answer))
		return err
	}
	r.proving = proving
	return r.run()
}

// countText says how many solutions there are.
func countText(a *sudokusolve.Answer) string {
	if a.Complete {
		return fmt.Sprint(a.Count)
	}
	return fmt.Sprintf("%d or more", a.Count)
}
