package study

import (
	"context"
	"fmt"

	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/sudoku"
	"sator/sudoku/generate"
)

// The minimal encoding of Sudoku says enough, the efficient and the extended one
// more than that (Lynce and Ouaknine, "Sudoku as a SAT problem", 2006); what is
// more costs clauses and saves search. At most one of many can be said in many
// ways besides.

func encodingsStudy() *Study {
	var amos []string
	for _, a := range sudoku.AtMostOnes {
		amos = append(amos, a.Name)
	}
	return &Study{
		Name: "encodings",
		Help: "what the encoding of Sudoku has to do with search",
		Description: `Puzzles are solved as formulas by each encoding and each way to say that at most
one of several literals is true, by DPLL and by clause learning. Without a FILE
puzzles are made, with as few givens as come out.`,
		Factors: []Factor{
			{Name: "engine", Help: "heuristics of DPLL, and cdcl for clause learning", Default: []string{"mom", "positive", "cdcl"}, Levels: append(heuristicNames(), "cdcl")},
			{Name: "amo", Help: "how at most one is said", Default: []string{"pairs"}, Levels: amos},
			{Name: "encoding", Help: "how rules become a formula", Default: encodingNames(), Levels: encodingNames()},
		},
		Subject:   "puzzle",
		About:     []string{"givens", "vars", "clauses"},
		CountHelp: "make `N` puzzles, if there is no FILE",
		Count:     50,
		Conflicts: 20_000,
		puzzles:   true,
		subjects:  anyPuzzles,
		measure:   measureEncodings,
		tell: func(x *Results, r *Report) error {
			tellFormulas(x, r)
			return x.compare(r, comparison{by: "engine", what: "backtracks", of: backtracks, bounded: true, columns: []column{straight, solved, meanSeconds}})
		},
	}
}

// anyPuzzles takes the puzzles of files or makes some of size 9.
func anyPuzzles(ctx context.Context, o *Options) ([]*Subject, error) {
	if o.Puzzles == nil {
		made, err := makePuzzles(ctx, generate.Options{Variant: sudoku.Standard(9), Minimal: true, Seed: o.Seed}, o.Count)
		if err != nil {
			return nil, err
		}
		o.Puzzles, o.Source = made, fmt.Sprintf("%d minimal puzzles made", o.Count)
	}
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}

func measureEncodings(ctx context.Context, b *bench, r *Run, _ *Weights) Outcome {
	return b.puzzleRun(ctx, r, r.level("engine"), sudoku.Coding{Encoding: r.level("encoding"), AtMostOne: r.level("amo")})
}

// puzzleRun solves the puzzle of a run as a formula: by package dpll with a
// heuristic, or by clause learning if the engine is cdcl. It tells the numbers of
// givens, variables and clauses.
func (b *bench) puzzleRun(ctx context.Context, r *Run, engine string, c sudoku.Coding) Outcome {
	f, givens := b.formula(r.subject.Puzzle, c)
	var o Outcome
	if engine == "cdcl" {
		options := cdcl.DefaultOptions()
		options.Seed = r.plan.seed
		o = learning(ctx, f.negative, givens, options, r.plan.conflicts)
	} else {
		options := dpll.DefaultOptions()
		options.Heuristic, options.Pure = engine, dpll.PureOff
		options.Seed = r.plan.seed<<32 + uint64(r.subject.Number)
		o = classic(ctx, f.negative, givens, options, r.plan.conflicts)
	}
	o.About = []string{fmt.Sprint(r.subject.Puzzle.Givens()), fmt.Sprint(f.negative.Vars()), fmt.Sprint(f.negative.Len() + len(givens))}
	return o
}

// tellFormulas says how large the formulas are.
func tellFormulas(x *Results, r *Report) {
	r.heading("Size of the formulas")
	var rows [][]string
	varied := x.varied()
	for _, g := range x.groups("engine") {
		rows = append(rows, []string{g.describe(g.rows[0].levels, varied, "engine"),
			number(mean(values(g.rows, about("vars")))), number(mean(values(g.rows, about("clauses"))))})
	}
	r.table([]string{"encoding", "variables: mean", "clauses with givens: mean"}, rows)
}
