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

import (
	"fmt"
	"strings"

	"sator/cmd/internal/cli"
	"sator/sudoku"
)

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
		Description: rulesDescription() + `

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

// rulesDescription describes the commands and the rules of puzzles, which have a table.
func rulesDescription() string {
	var b strings.Builder
	b.WriteString(`The commands read one or many puzzles per file, in any of many forms. Grids have
any size up to 255 and boxes of any shape; lines "# rules ..." or flags set
other rules. The forms are lines of 81 or 256 characters, grids with or without
bars, numbers, letters, CSV, game ids, pencil marks, unit clauses, .sdk, .sdm
and .ss files, links and JSON of f-puzzles and SudokuPad.

Rules begin with the size and "boxes 3x3" or "regions 1,1,2,..."; "cages
15:R1C1+R1C2,..." have sums. Several grids that share cells have "grids" and
their first cells, as in "9 boxes 3x3 grids R1C1,R7C7"; "samurai" stands for
five. They are read as rows, in one line, or in a line for each grid. Rules of
the whole grid:
`)
	for _, w := range new(sudoku.Variant).AllWords() {
		cli.WriteEntry(&b, w.Name, w.Help, 18)
	}
	b.WriteString(`
Relations between cells, as in "thermo R1C1+R1C2+R2C3 sum 10:R5C5+R5C6"; a value
stands before the colon; a usual one (here: at size 9) can be left out:
`)
	for _, k := range sudoku.RelationKinds {
		help := k.Help
		if k.Usual != nil && k.Usual(9) >= 0 {
			help += fmt.Sprintf(" (usual: %d)", k.Usual(9))
		}
		cli.WriteEntry(&b, k.Name, help, 18)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
