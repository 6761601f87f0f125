package study

import (
	"context"
	"fmt"
	"strings"

	"sator/sudoku"
	"sator/sudoku/generate"
)

// Sudoku encodings. The minimal encoding is sufficient; the efficient and the
// extended encoding (Lynce and Ouaknine, "Sudoku as a SAT problem", 2006) add
// redundant clauses, which save search. At-most-one constraints have several
// encodings as well.

func encodingsStudy() *Study {
	amos := names(sudoku.AtMostOnes, func(a sudoku.AtMostOne) string { return a.Name })
	return &Study{
		Name: "encodings",
		Help: "search by Sudoku encoding and at-most-one encoding",
		Description: `Encodes puzzles with each Sudoku encoding and each at-most-one encoding, and
solves them by DPLL and by clause learning (CDCL). Without a FILE, minimal
puzzles are generated.`,
		Factors: []Factor{
			{Name: "engine", Help: "DPLL heuristics, or cdcl for clause learning", Default: []string{"mom", "positive", "cdcl"}, Levels: engineNames()},
			{Name: "amo", Help: "at-most-one (AMO) encoding", Default: []string{"pairs"}, Levels: amos},
			{Name: "encoding", Help: "Sudoku encoding", Default: encodingNames(), Levels: encodingNames()},
		},
		Subject:    "puzzle",
		Attributes: []string{"givens", "vars", "clauses"},
		CountHelp:  "without a FILE, generate `N` puzzles",
		Count:      50,
		Conflicts:  20_000,
		puzzles:    true,
		subjects:   anyPuzzles,
		measure:    measureEncodings,
		answer:     answerEncodings,
		report: func(x *Results, r *Report) error {
			reportFormulas(x, r)
			return x.compare(r, comparison{by: "engine", title: "by heuristic and encoding", horizontal: "heuristic", quantity: "backtracks", of: backtracks, columns: []column{noBacktracks, solved}})
		},
	}
}

// anyPuzzles returns the puzzles of the options as subjects, or generates
// minimal puzzles of size 9.
func anyPuzzles(ctx context.Context, o *Options) ([]*Subject, error) {
	if o.Puzzles == nil {
		made, err := makePuzzles(ctx, generate.Options{Variant: sudoku.Standard(9), Minimal: true, Seed: o.Seed}, o.Count)
		if err != nil {
			return nil, err
		}
		o.Puzzles, o.Source = made, fmt.Sprintf("%d generated minimal puzzles", o.Count)
	}
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}

func measureEncodings(ctx context.Context, b *cache, r *Run, _ *Weights) Outcome {
	return b.puzzleRun(ctx, r, r.level("engine"), sudoku.Coding{Encoding: r.level("encoding"), AtMostOne: r.level("amo")})
}

// puzzleRun solves the puzzle of a run as a formula: by clause learning if the
// engine is cdcl, else by package classic with that heuristic. The attributes of
// the outcome are the numbers of givens, variables and clauses.
func (b *cache) puzzleRun(ctx context.Context, r *Run, engine string, c sudoku.Coding) Outcome {
	f, givens := b.formula(r.subject.Puzzle, c)
	o := r.solve(ctx, engine, f.negative, givens)
	o.Attributes = []string{fmt.Sprint(r.subject.Puzzle.Givens()), fmt.Sprint(f.negative.Vars()), fmt.Sprint(f.negative.Len() + len(givens))}
	return o
}

// reportFormulas adds a table of formula sizes.
func reportFormulas(x *Results, r *Report) {
	r.heading("Size of the formulas")
	var rows [][]string
	varied := x.varied()
	for _, g := range x.groups("engine") {
		rows = append(rows, []string{g.describe(g.rows[0].levels, varied, "engine"),
			number(mean(values(g.rows, attribute("vars")))), number(mean(values(g.rows, attribute("clauses"))))})
	}
	r.table([]string{"encoding", "variables: mean", "clauses with givens: mean"}, rows)
}

// answerEncodings answers the question of the study in three sentences.
func answerEncodings(x *Results) string {
	clauses := attribute("clauses")
	var parts, sizes []string
	for _, g := range x.groups("encoding") {
		of, unit := backtracks, "backtracks"
		if learned(g.rows[0]) {
			of, unit = conflicts, "conflicts"
		}
		var figures []string
		for _, e := range g.levelsOf("encoding") {
			figures = append(figures, number(mean(values(g.only("encoding", e).rows, of)))+" "+e)
		}
		parts = append(parts, fmt.Sprintf("%s: %s (%s)", g.label, strings.Join(figures, ", "), unit))
	}
	for _, e := range x.levelsOf("encoding") {
		sizes = append(sizes, number(mean(values(x.only("encoding", e).rows, clauses)))+" "+e)
	}
	return fmt.Sprintf("The mean search by encoding is: %s. The mean number of clauses is %s. The number of clauses does not determine the search. The search is short if unit propagation finds hidden singles. For that it needs two kinds of clauses together: each house has every digit, and a cell has at most one digit (study \"mechanism\").",
		strings.Join(parts, "; "), strings.Join(sizes, ", "))
}
