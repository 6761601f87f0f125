package study

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
	"sator/sudoku/generate"
)

// How does search grow with the grid? The paper proposes to look at 4x4, 9x9 and
// 16x16.

func sizeStudy() *Study {
	return &Study{
		Name: "size",
		Help: "how search grows with the size of Sudoku: 4x4, 9x9, 16x16, 25x25",
		Description: `Puzzles of several sizes are made and solved by DPLL under several heuristics and
by clause learning: the paper that "sator study givens" repeats proposes it. Puzzles have
as few givens as come out, but above size 16 no fewer than propagation needs to
solve them; to prove more takes too long.`,
		Factors: []Factor{
			{Name: "size", Help: "digits, rows and columns", Default: []string{"4", "9", "16", "25"}, Levels: []string{"4", "6", "9", "12", "16", "20", "25"}},
			{Name: "encoding", Help: "how rules become a formula", Default: []string{"extended"}, Levels: encodingNames()},
			{Name: "engine", Help: "heuristics of DPLL, and cdcl for clause learning", Default: []string{"first", "mom", "jw1", "positive", "random", "cdcl"}, Levels: append(heuristicNames(), "cdcl")},
		},
		Subject:   "puzzle",
		About:     []string{"givens", "vars", "clauses"},
		CountHelp: "make `N` puzzles of each size",
		Count:     20,
		Conflicts: 2_000,
		subjects:  sizeSubjects,
		settle:    func(r *Run) bool { return r.level("size") == strconv.Itoa(r.subject.Puzzle.Rules.Size()) },
		measure: func(ctx context.Context, b *bench, r *Run, _ *Weights) Outcome {
			return b.puzzleRun(ctx, r, r.level("engine"), sudoku.Coding{Encoding: r.level("encoding")})
		},
		tell: func(x *Results, r *Report) error {
			remark := ""
			if slices.ContainsFunc(x.levelsOf("size"), func(size string) bool { return len(size) > 1 && size > "16" }) {
				remark = "Above size 16 puzzles are made such that propagation solves them: there is nothing to compare but propagations and time."
			}
			return x.compare(r, comparison{by: "size", what: "backtracks", of: backtracks, bounded: true, remark: remark,
				columns: []column{straight, solved, {"propagations: mean", func(rows []*Row) string {
					return number(mean(values(rows, func(r *Row) float64 { return float64(r.Propagations) })))
				}}, meanSeconds}})
		},
	}
}

// sizeSubjects makes puzzles of the sizes that are asked for.
func sizeSubjects(ctx context.Context, o *Options) ([]*Subject, error) {
	if o.Puzzles != nil {
		return puzzleSubjects(ctx, o.Puzzles, o.Seed)
	}
	for size := range strings.SplitSeq(o.Levels["size"], ",") {
		n, _ := strconv.Atoi(size)
		made, err := makePuzzles(ctx, generate.Options{Variant: sudoku.Standard(n), Seed: o.Seed}, o.Count)
		if err != nil {
			return nil, err
		}
		o.Puzzles = append(o.Puzzles, made...)
	}
	o.Source = fmt.Sprintf("%d puzzles made of each size", o.Count)
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}
