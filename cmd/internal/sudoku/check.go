package sudoku

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/sudoku"
	sudokumaker "sator/sudoku/generate"
	sudokusolve "sator/sudoku/solve"
)

func checkCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "check",
		Category:    "Solve",
		Usage:       "check whether puzzles have exactly one solution",
		UsageText:   "sator sudoku check [flags] [FILE|-]...",
		Description: sudokuCheckDescription,
		Flags: append(append([]cli.Flag{
			cli.TextOrJSON("(a document per line, for each puzzle)"), cli.JSONFlag(),
		}, proofFlags()...), solveFlags()...),
		Action: solveAction(e, checkPuzzles),
	}
}

const sudokuCheckDescription = `Checks whether each puzzle has exactly one solution, and prints its place and
the result:

  exactly one solution: prints the solution and the redundant givens, each of
  which could be removed alone. A puzzle without redundant givens is minimal.
  Redundant givens are computed up to size 16. Digits that are placed in the
  puzzle but not given count for the result, and not for the redundant givens.

  several solutions: prints two solutions and the cells in which they differ.

  A solution beside the puzzle in the input that is not this one is a warning.

  no solution.

  contradictory givens: prints the cells, the broken rule, and the places of the
  cells in the file.

  invalid: prints the error with its place, also on standard error.
  --keep-going=false, and a puzzle typed at a terminal, ends the run there.

With --json there is a document for each puzzle, with the members file, line,
label (the text beside the puzzle), rules, givens (their number), status
(unique, several, none, contradiction, invalid; or solved, if a limit ended the
search for a second solution), solutions, differ (cells, as R1C2), redundant
(cells), conflict (cells, places, what), error (of an invalid puzzle, which has
no line).

` + proofDescription + `

Exit codes: 0 all puzzles have exactly one solution, 4 some puzzles do not; 1 an
input, or a puzzle of it, that cannot be read, an output that cannot be written,
or a limit or signal that ended the run; 2 invalid command line, 3 internal
error of Sator.

Examples:
  sator sudoku check puzzles.txt
  sator sudoku check --json puzzles.txt | jq 'select(.status != "unique").line'
  sator sudoku check puzzle.txt --cnf unique.cnf --proof unique.drat`

// checkPuzzles runs the command.
func checkPuzzles(r *puzzleRun) error {
	r.limit = func(*puzzle) int { return 2 }
	r.examine = findRedundant
	r.report = func(p *puzzle, x *puzzleResult) error {
		if !x.Unique() && x.Complete || x.Count > 1 {
			r.failed = true
		}
		if x.Unique() && p.Solution != nil && !slices.Equal(p.Solution, x.Solutions[0]) {
			r.Warn(fmt.Errorf("%v: the input has another solution beside the puzzle: %s", p, p.Text(p.Solution)))
		}
		d := puzzleVerdictOf(p, x)
		if r.JSON {
			return cli.WriteJSON(r.out, d)
		}
		_, err := r.out.WriteString(d.String())
		return err
	}
	r.invalid = func(p *puzzle) error {
		if r.JSON {
			return cli.WriteJSON(r.out, &puzzleVerdict{File: p.File, Status: "invalid", Solutions: []string{}, Error: p.Err.Error()})
		}
		_, err := fmt.Fprintf(r.out, "%v: invalid\n", p.Err)
		return err
	}
	return r.run()
}

// findRedundant finds the redundant givens of a puzzle with one solution.
func findRedundant(ctx context.Context, s *sudokusolve.Solver, p *puzzle, x *puzzleResult) {
	if !x.Unique() || p.Rules.Size() > mostSize {
		return
	}
	redundant, err := sudokumaker.Redundant(ctx, sudokumaker.SolverCounter(s), p.Given())
	x.redundant, x.compared = redundant, err == nil
}

// A puzzleVerdict is the result of check for a puzzle.
type puzzleVerdict struct {
	File      string          `json:"file"`
	Line      int             `json:"line,omitempty"`
	Label     string          `json:"label,omitempty"`
	Rules     string          `json:"rules"`
	Givens    int             `json:"givens"`
	Status    string          `json:"status"`
	Solutions []string        `json:"solutions"`
	Differ    []string        `json:"differ,omitempty"`
	Redundant *[]string       `json:"redundant,omitempty"` // nil if not known
	Conflict  *contradictions `json:"conflict,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// contradictions describes givens that break a rule.
type contradictions struct {
	Cells  []string `json:"cells"`
	Places []string `json:"places"`
	What   string   `json:"what"`
}

// puzzleVerdictOf returns the result for a puzzle.
func puzzleVerdictOf(p *puzzle, x *puzzleResult) *puzzleVerdict {
	d := &puzzleVerdict{File: p.File, Line: p.Line, Label: p.Label, Rules: p.Rules.String(), Givens: p.Givens(), Solutions: []string{}}
	switch {
	case x.Conflict != nil:
		d.Status = "contradiction"
		d.Conflict = &contradictions{Cells: cellNames(p.Rules, x.Conflict.Cells), What: x.Conflict.Msg}
		for _, cell := range x.Conflict.Cells {
			d.Conflict.Places = append(d.Conflict.Places, p.CellPosition(cell))
		}
	case x.Unique():
		d.Status = "unique"
	case x.Count > 1:
		d.Status = "several"
		d.Differ = cellNames(p.Rules, differing(x.Solutions[0], x.Solutions[1]))
	case x.Count == 1:
		d.Status = "solved"
	default:
		d.Status = "none"
	}
	for _, cells := range x.Solutions {
		d.Solutions = append(d.Solutions, p.Text(cells))
	}
	if x.compared {
		names := cellNames(p.Rules, x.redundant)
		d.Redundant = &names
	}
	return d
}

// cellNames returns the names of cells. The result is never nil.
func cellNames(r *sudoku.Rules, cells []int) []string {
	names := make([]string, 0, len(cells))
	for _, cell := range cells {
		names = append(names, r.CellName(cell))
	}
	return names
}

// differing returns the cells where two solutions differ.
func differing(a, b []int) []int {
	var cells []int
	for cell := range a {
		if a[cell] != b[cell] {
			cells = append(cells, cell)
		}
	}
	return cells
}

// statusTexts are the texts of the statuses.
var statusTexts = map[string]string{
	"unique":        "exactly one solution",
	"several":       "several solutions",
	"solved":        "a solution, possibly not unique",
	"none":          "no solution",
	"contradiction": "contradictory givens",
}

// String returns the result as text.
func (d *puzzleVerdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: line %d: %s", d.File, d.Line, statusTexts[d.Status])
	if d.Conflict != nil {
		fmt.Fprintf(&b, ": %s (%s)", d.Conflict.What, strings.Join(d.Conflict.Places, " and "))
	}
	b.WriteByte('\n')
	for _, s := range d.Solutions {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	switch {
	case d.Differ != nil:
		fmt.Fprintf(&b, "  differ in %s: %s\n", cli.Count(len(d.Differ), "cell"), strings.Join(d.Differ, " "))
	case d.Redundant == nil:
	case len(*d.Redundant) == 0:
		b.WriteString("  minimal: no given is redundant\n")
	default:
		fmt.Fprintf(&b, "  redundant givens (each alone): %s\n", strings.Join(*d.Redundant, " "))
	}
	return b.String()
}
