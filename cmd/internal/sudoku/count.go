package sudoku

import (
	"fmt"

	sudokusolve "sator/sudoku/solve"

	"sator/cmd/internal/cli"
)

func countCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "count",
		Category:    "Solve",
		Usage:       "count the solutions of puzzles",
		UsageText:   "sator sudoku count [flags] [FILE|-]...",
		Description: sudokuCountDescription,
		Flags: append(append([]cli.Flag{
			cli.LimitFlag(2, "solutions of a puzzle"),
			&cli.BoolFlag{Name: "all", Category: cli.LimitFlags, Usage: "count all solutions"},
		}, proofFlags()...), solveFlags()...),
		Action: solveAction(e, countPuzzles),
	}
}

const sudokuCountDescription = `Prints the number of solutions of each puzzle on a line: 0, 1, or "2 or more",
unless --limit sets a higher limit or --all asks for the exact number. The
search proves that there are no other solutions. After a time limit or a signal
the number so far is printed, such as "7 or more".

Contradictory givens are reported on standard error; such a puzzle has 0
solutions.

An invalid puzzle is reported on standard error, and has a line "error: " with
the reason in its place; --keep-going=false, and a puzzle typed at a terminal,
ends the run there.

` + proofDescription + `

Exit codes: 0 all solutions were counted; 1 an input, or a puzzle of it, that
cannot be read, an output that cannot be written, or a limit or signal that
ended the run; 2 invalid command line, 3 internal error of Sator, 4 there is
nothing to prove.

Examples:
  sator sudoku count puzzles.txt | grep -vnx 1
  sator sudoku count --all --time 60 puzzle.txt
  sator sudoku count puzzle.txt --cnf unique.cnf --proof unique.drat`

// countPuzzles runs the command.
func countPuzzles(r *puzzleRun) error {
	r.limit = func(*puzzle) int { return r.o.limit }
	r.report = func(p *puzzle, x *puzzleResult) error {
		if x.Conflict != nil {
			r.Say("%s", p.Contradiction(x.Conflict))
		}
		_, err := fmt.Fprintln(r.out, countText(&x.Answer))
		return err
	}
	r.line = func(to []byte, _ *puzzle, x *puzzleResult) []byte {
		if x.Conflict != nil {
			return nil
		}
		return fmt.Appendln(to, countText(&x.Answer))
	}
	return r.run()
}

// countText returns the number of solutions as text.
func countText(a *sudokusolve.Answer) string {
	if a.Complete {
		return fmt.Sprint(a.Count)
	}
	return fmt.Sprintf("%d or more", a.Count)
}
