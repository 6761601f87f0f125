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

// Search by grid size. The paper that the study of givens replicates proposes
// to compare 4x4, 9x9 and 16x16.

func sizeStudy() *Study {
	return &Study{
		Name: "size",
		Help: "search by Sudoku grid size: 4x4, 9x9, 16x16, 25x25",
		Description: `Generates puzzles of several sizes and solves them by DPLL with several
heuristics and by clause learning (CDCL), as proposed by the paper that the
study "givens" replicates. Puzzles keep the givens that random removal leaves;
above size 16 they keep enough for propagation to solve them, because a proof of
uniqueness takes too long otherwise.`,
		Factors: []Factor{
			{Name: "size", Help: "number of digits, rows and columns", Default: []string{"4", "9", "16", "25"}, Levels: []string{"4", "6", "9", "12", "16", "20", "25"}},
			{Name: "encoding", Help: "Sudoku encoding", Default: []string{"extended"}, Levels: encodingNames()},
			{Name: "engine", Help: "DPLL heuristics, or cdcl for clause learning", Default: []string{"first", "mom", "jw1", "positive", "random", "cdcl"}, Levels: append(heuristicNames(), "cdcl")},
		},
		Subject:    "puzzle",
		Attributes: []string{"givens", "vars", "clauses"},
		CountHelp:  "generate `N` puzzles of each size",
		Count:      20,
		Conflicts:  2_000,
		subjects:   sizeSubjects,
		normalize:  func(r *Run) bool { return r.level("size") == strconv.Itoa(r.subject.Puzzle.Rules.Size()) },
		measure: func(ctx context.Context, b *cache, r *Run, _ *Weights) Outcome {
			return b.puzzleRun(ctx, r, r.level("engine"), sudoku.Coding{Encoding: r.level("encoding")})
		},
		report: func(x *Results, r *Report) error {
			remark := ""
			if slices.ContainsFunc(x.levelsOf("size"), func(size string) bool { return len(size) > 1 && size > "16" }) {
				remark = "Puzzles above size 16 are generated so that propagation solves them; only propagations and times are comparable."
			}
			return x.compare(r, comparison{by: "size", quantity: "backtracks", of: backtracks, bounded: true, remark: remark,
				columns: []column{noBacktracks, solved, {"propagations: mean", func(rows []*Row) string {
					return number(mean(values(rows, func(r *Row) float64 { return float64(r.Propagations) })))
				}}, meanSeconds}})
		},
	}
}

// sizeSubjects returns the puzzles of the options as subjects, or generates
// puzzles of the requested sizes.
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
	o.Source = fmt.Sprintf("%d generated puzzles of each size", o.Count)
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}
