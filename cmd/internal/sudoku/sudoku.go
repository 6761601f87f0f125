// Package sudoku implements the commands of sator for Sudoku puzzles: "sator sudoku" with
// its subcommands.
//
// Rules: a command parses its flags, calls the packages in sator/sudoku, and prints. The
// output depends neither on the number of workers nor on the time, apart from statistics.
// Package cli has the exit codes; 4 means that a puzzle fails the
// check of the command, such as a unique solution.
//
// Files:
//   - commands: sudoku.go lists them
//   - input: input.go (files and rules), decode.go, convert.go, encode.go
//   - solving: run.go (the run over all puzzles), solve.go, count.go, check.go, proof.go
//     (--cnf and --proof)
//   - explanations: hint.go, why.go, rate.go
//   - new puzzles: generate.go, minimize.go
//   - drawings: render.go, animate.go
//   - values of flags: choices.go
package sudoku

import "sator/cmd/internal/cli"

// commands lists the subcommands of sudoku in the order of its help text.
var commands = []func(*cli.Env) *cli.Command{
	solveCommand,
	countCommand,
	checkCommand,
	hintCommand,
	whyCommand,
	rateCommand,
	generateCommand,
	minimizeCommand,
	convertCommand,
	encodeCommand,
	decodeCommand,
	renderCommand,
	animateCommand,
}

// Command returns the command "sudoku" with its subcommands.
func Command(e *cli.Env) *cli.Command {
	c := &cli.Command{
		Name:      "sudoku",
		Category:  "Sudoku",
		Usage:     "solve, encode, explain and generate Sudoku puzzles",
		UsageText: "sator sudoku COMMAND [flags] [FILE|-]...",
		Description: `The commands read one or many puzzles per file, in any of many forms. Grids have
any size up to 255 and boxes of any shape; lines "# rules ..." or flags set
other rules. The forms are lines of 81 or 256 characters, grids with or without
bars, numbers, letters, CSV, game ids, pencil marks, unit clauses, .sdk, .sdm
and .ss files.

Examples:
  sator sudoku generate -n 3 --seed 7 | sator sudoku solve
  sator sudoku encode puzzle.txt -o puzzle.cnf
  minisat puzzle.cnf model; sator sudoku decode puzzle.cnf model
  sator help sudoku solve`,
	}
	for _, command := range commands {
		c.Subcommands = append(c.Subcommands, command(e))
	}
	c.Action = cli.Action(func(*cli.Context) error {
		var names []string
		for _, sub := range c.Subcommands {
			names = append(names, sub.Name)
		}
		return cli.Usagef("want a command of sudoku: %s", cli.OneOf(names))
	})
	return c
}
